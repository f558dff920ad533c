/* SPDX-License-Identifier: MIT */
#include "tools/report_style.h"

#include <stddef.h>

const char *const vp_report_style[] = {
    ":root { color-scheme: light dark; --paper: #ffffff; --ink: #1c1e21; --faint: #5b6168; --line: #d5d9de;",
    "  --head: #f1f3f5; --link: #0b57d0; --scalar: #8a9099; --autovec: #d98e04; --avx2: #2b7bba; --avx512: "
    "#0a8f6c;",
    "  --neon: #a0529a; --peer: #c8501e; --limit: #1c1e21; }",
    "@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --ink: #e4e7ea; --faint: #9aa2ab; "
    "--line: #353b43;",
    "  --head: #20252b; --link: #8ab4f8; --scalar: #7d858f; --autovec: #e6a935; --avx2: #5aa5e0; --avx512: "
    "#3cb894;",
    "  --neon: #c981c3; --peer: #ec7f50; --limit: #e4e7ea; } }",
    "@media print { :root { --paper: #ffffff; --ink: #000000; --faint: #444444; --line: #bbbbbb; --head: "
    "#eeeeee;",
    "  --limit: #000000; } nav, .filters { display: none; } figure, tr { break-inside: avoid; }",
    "  .wide { overflow: visible !important; } body { font-size: 10px; max-width: none !important; } }",
    "body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; max-width: "
    "1080px;",
    "  margin: 2em auto; padding: 0 1.2em; }",
    "h1 { font-size: 1.8em; } h2 { font-size: 1.4em; margin-top: 2.4em; border-bottom: 1px solid "
    "var(--line);",
    "  overflow-wrap: anywhere; } h3 { font-size: 1.15em; margin-top: 2em; } h4 { margin: 1.6em 0 0.4em; }",
    "p { max-width: 75ch; overflow-wrap: anywhere; } a { color: var(--link); }",
    ".wide { overflow-x: auto; margin: 0.8em 0; }",
    "table { border-collapse: collapse; font-size: 0.88em; font-variant-numeric: tabular-nums; }",
    "th, td { padding: 0.22em 0.7em; border-bottom: 1px solid var(--line); text-align: left; vertical-align: "
    "top; }",
    "th { background: var(--head); font-weight: 600; vertical-align: bottom; }",
    "td { white-space: nowrap; } .facts td { white-space: normal; } .n { text-align: "
    "right; }",
    "th[role=button] { cursor: pointer; } th[aria-sort=ascending]::after { content: ' \\25B4'; }",
    "th[aria-sort=descending]::after { content: ' \\25BE'; }",
    ".facts td:first-child { color: var(--faint); white-space: nowrap; }",
    ".filters { display: flex; flex-wrap: wrap; gap: 1em; margin: 0.8em 0; }",
    ".filters select { font: inherit; max-width: 22em; }",
    "figure { margin: 1.6em 0; } figcaption { color: var(--faint); font-size: 0.88em; max-width: 85ch; }",
    "svg { max-width: 100%; height: auto; display: block; } svg text { fill: var(--ink); font: 12px "
    "system-ui, sans-serif; }",
    "svg .title { font-weight: 600; font-size: 14px; } svg .tick { fill: var(--faint); }",
    "svg .value { font-size: 10.5px; } svg .grid { stroke: var(--line); } svg .base { stroke: var(--ink); "
    "stroke-width: 1.5; }",
    "svg .whisker { stroke: var(--ink); stroke-opacity: 0.65; } svg .stroke { fill: none; stroke-width: 2; }",
    ".fill.c-scalar { fill: var(--scalar); } .stroke.c-scalar { stroke: var(--scalar); }",
    ".fill.c-autovec { fill: var(--autovec); } .stroke.c-autovec { stroke: var(--autovec); }",
    ".fill.c-avx2 { fill: var(--avx2); } .stroke.c-avx2 { stroke: var(--avx2); }",
    ".fill.c-avx512 { fill: var(--avx512); } .stroke.c-avx512 { stroke: var(--avx512); }",
    ".fill.c-neon { fill: var(--neon); } .stroke.c-neon { stroke: var(--neon); }",
    ".fill.c-peer { fill: var(--peer); } .stroke.c-peer { stroke: var(--peer); }",
    ".fill.c-limit, .fill.c-limit2 { fill: var(--limit); } .fill.pale { fill-opacity: 0.5; }",
    ".stroke.c-limit { stroke: var(--limit); stroke-dasharray: 7 4; }",
    ".stroke.c-limit2 { stroke: var(--limit); stroke-dasharray: 2 4; }",
    "@media print { * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }",
    NULL,
};

const char *const vp_report_script[] = {
    "'use strict';",
    "function figure(row, column) {",
    "  const text = row.cells[column].textContent, value = parseFloat(text);",
    "  return Number.isNaN(value) ? -Infinity : value;",
    "}",
    "function sort(table, column, numeric) {",
    "  const head = table.tHead.rows[0].cells[column];",
    "  const down = head.getAttribute('aria-sort') ? head.getAttribute('aria-sort') === 'ascending' : "
    "numeric;",
    "  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');",
    "  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');",
    "  const rows = [...table.tBodies[0].rows];",
    "  rows.sort((a, b) => (down ? -1 : 1) * (numeric ? Math.sign(figure(a, column) - figure(b, column)) || "
    "0",
    "    : a.cells[column].textContent.localeCompare(b.cells[column].textContent)));",
    "  table.tBodies[0].append(...rows);",
    "}",
    "for (const table of document.querySelectorAll('table.sortable'))",
    "  for (const head of table.tHead.rows[0].cells) {",
    "    const go = () => sort(table, head.cellIndex, head.classList.contains('n'));",
    "    head.setAttribute('role', 'button');",
    "    head.tabIndex = 0;",
    "    head.title = 'Sort by this column';",
    "    head.addEventListener('click', go);",
    "    head.addEventListener('keydown', e => { if (e.key === 'Enter' || e.key === ' ') { "
    "e.preventDefault(); go(); } });",
    "  }",
    "for (const table of document.querySelectorAll('table.filtered')) {",
    "  const bar = document.createElement('div'), chosen = new Map();",
    "  bar.className = 'filters';",
    "  const show = () => {",
    "    for (const row of table.tBodies[0].rows)",
    "      row.hidden = [...chosen].some(([column, value]) => value !== '' && row.cells[column].textContent "
    "!== value);",
    "  };",
    "  for (const head of table.tHead.rows[0].cells) {",
    "    if (head.classList.contains('n') || head.textContent === 'unit') continue;",
    "    const label = document.createElement('label'), select = document.createElement('select');",
    "    const values = new Set([...table.tBodies[0].rows].map(row => "
    "row.cells[head.cellIndex].textContent));",
    "    select.add(new Option('all', ''));",
    "    for (const value of values) select.add(new Option(value, value));",
    "    select.addEventListener('change', () => { chosen.set(head.cellIndex, select.value); show(); });",
    "    label.append(head.textContent + ' ', select);",
    "    bar.append(label);",
    "  }",
    "  table.parentElement.before(bar);",
    "}",
    NULL,
};
