'use strict';
const all = (what, of = document) => [...of.querySelectorAll(what)];
const number = text => { const found = /^[^0-9-]*(-?[0-9.,]+)/.exec(text); return found ? parseFloat(found[1].replaceAll(',', '')) : NaN; };

// ---- tables with a sticky header, sorting and CSV ----
const watch = new ResizeObserver(boxes => boxes.forEach(({target}) => target.classList.toggle('fits', target.firstElementChild.offsetWidth <= target.offsetWidth)));
all('.wide').forEach(wide => watch.observe(wide));
for (const table of all('table.sortable'))
  for (const head of [...table.tHead.rows].pop().cells) {
    const button = document.createElement('button');
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const up = head.ariaSort === 'descending' ? 1 : -1, column = head.cellIndex, figures = head.classList.contains('n');
      for (const other of head.parentElement.cells) other.ariaSort = null;
      head.ariaSort = up > 0 ? 'ascending' : 'descending';
      const key = row => figures ? number(row.cells[column].textContent) : row.cells[column].textContent;
      const rows = [...table.tBodies[0].rows].map(row => [key(row), row]);
      rows.sort(([a], [b]) => figures ? (Number.isNaN(a) - Number.isNaN(b)) || up * (a - b) : up * -a.localeCompare(b));
      table.tBodies[0].append(...rows.map(([, row]) => row));
    });
  }
const line = row => [...row.cells].filter(cell => !cell.classList.contains('off')).flatMap(cell => {
  const text = cell.cloneNode(true);
  all('.axis, svg', text).forEach(part => part.remove());
  return [`"${text.textContent.trim().replace(/\s+/g, ' ').replaceAll('"', '""')}"`, ...Array(cell.colSpan - 1).fill('')];
}).join(',');
const csvOf = tables => tables.flatMap((table, i) => [...(i ? [] : table.tHead.rows), ...[...table.tBodies].flatMap(body => [...body.rows])
  .filter(row => !row.classList.contains('off') && (!row.hidden || row.classList.contains('kernel')))].map(line)).join('\r\n') + '\r\n';
const offer = (place, name, tables) => {
  const button = document.createElement('button');
  button.className = 'csv-button';
  button.textContent = 'CSV';
  button.title = 'Download the shown rows as CSV';
  button.addEventListener('click', () => {
    const link = document.createElement('a');
    link.href = 'data:text/csv;charset=utf-8,' + encodeURIComponent(csvOf(tables()));
    link.download = `voxphys-${name}.csv`;
    link.click();
  });
  place(button);
};
all('table.csv:not(.chosen)').forEach((table, i) => offer(b => table.parentElement.after(b), table.id || `table-${i + 1}`, () => [table]));

// ---- the kernels of the matrix unfold ----
const unfold = (body, open) => {
  body.classList.toggle('open', open);
  body.querySelector('button').ariaExpanded = open;
  all('.kernel', body).forEach(row => { row.hidden = !open; });
};
for (const button of all('.component button')) {
  const body = button.closest('tbody');
  unfold(body, false);
  button.addEventListener('click', () => unfold(body, !body.classList.contains('open')));
}

// ---- the address holds the chosen row, words and machines, as #ROW or #q=WORDS&m=MACHINE&row=ROW ----
const fields = all('.tools [name]'), machines = all('[data-machine]'), usual = new Map(fields.map(field => [field, field.value]));
function choose() {
  for (const tools of all('.tools')) {
    const of = tools.parentElement, words = [...all('[data-text]', tools)].flatMap(field => field.value.toLowerCase().split(/\s+/)).filter(word => word);
    const classes = all('[data-class]', tools).map(field => field.value).filter(value => value);
    let shown = 0;
    for (const row of all('table.chosen tbody tr', of)) {
      const text = words.length ? row.textContent.toLowerCase() : '';
      row.hidden = !words.every(word => text.includes(word)) || !classes.every(names => row.querySelector(names));
      shown += !row.hidden && !row.classList.contains('off');
    }
    for (const part of all('details.rows', of)) {
      const any = part.querySelector('tbody tr:not([hidden], .off)') !== null;
      part.hidden = !any;
      if (words.length) part.open = any;
    }
    tools.querySelector('output').textContent = `${shown} rows`;
  }
}
const showMachines = () => machines.forEach(box => all('.' + box.dataset.machine).forEach(part => part.classList.toggle('off', !box.checked)));
function keep(row) {
  const state = new URLSearchParams(fields.filter(f => f.value !== usual.get(f)).map(f => [f.name, f.value]));
  if (machines.some(box => !box.checked)) machines.filter(box => box.checked).forEach(box => state.append('m', box.value));
  if (row && ![...state].length) return history.replaceState(null, '', '#' + encodeURI(row));
  if (row) state.set('row', row);
  history.replaceState(null, '', [...state].length ? '#' + state : location.href.split('#')[0]);
}
function go(row) {
  all('.here').forEach(other => other.classList.remove('here'));
  row.classList.add('here');
  for (let part = row; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true;
  if (row.matches('.kernel')) unfold(row.parentElement, true);
  row.scrollIntoView({block: 'center'});
}
function follow() {
  const hash = location.hash.slice(1);
  let row = null;
  try { row = document.getElementById(decodeURIComponent(hash)); } catch { /* no address of a row */ }
  if (!row && hash.includes('=')) {
    const state = new URLSearchParams(hash), chosen = state.getAll('m');
    fields.forEach(field => { field.value = state.get(field.name) ?? usual.get(field); });
    machines.forEach(box => { box.checked = !chosen.length || chosen.includes(box.value); });
    showMachines();
    choose();
    row = document.getElementById(state.get('row'));
  }
  if (row && row.tagName === 'TR') go(row);
}
all('.tools').forEach(tools => {
  tools.hidden = false;
  offer(b => tools.append(b), 'rows', () => all('table.chosen', tools.parentElement).filter(table => table.querySelector('tbody tr:not([hidden], .off)')));
  tools.addEventListener('input', () => { choose(); keep(); });
});
machines.forEach(box => {
  box.hidden = machines.length < 2;
  box.addEventListener('change', () => { showMachines(); choose(); keep(); });
});
document.addEventListener('click', event => {
  const cell = event.target.closest('td.name:first-child'), row = cell && cell.parentElement;
  if (!row || !row.id || String(getSelection())) return;
  keep(row.id);
  go(row);
});
choose();
addEventListener('hashchange', follow);
follow();
