'use strict';
const number = text => { const found = /^[^0-9-]*(-?[0-9.]+)/.exec(text); return found ? parseFloat(found[1]) : NaN; };
for (const table of document.querySelectorAll('table.sortable'))
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement('button');
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const up = head.ariaSort === 'descending' ? 1 : -1, column = head.cellIndex, figures = head.classList.contains('n');
      for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
      head.ariaSort = up > 0 ? 'ascending' : 'descending';
      const key = row => figures ? number(row.cells[column].textContent) : row.cells[column].textContent;
      const rows = [...table.tBodies[0].rows].map(row => [key(row), row]);
      rows.sort(([a], [b]) => figures ? (Number.isNaN(a) - Number.isNaN(b)) || up * (a - b) : up * -a.localeCompare(b));
      table.tBodies[0].append(...rows.map(([, row]) => row));
    });
  }
for (const tools of document.querySelectorAll('.tools')) {
  tools.hidden = false;
  const of = tools.parentElement, choose = () => {
    const words = [...tools.querySelectorAll('[data-text]')].flatMap(field => field.value.toLowerCase().split(/\s+/)).filter(word => word);
    const classes = [...tools.querySelectorAll('[data-class]')].map(field => field.value).filter(value => value);
    let shown = 0;
    for (const row of of.querySelectorAll('table.chosen tbody tr')) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word)) || !classes.every(names => row.querySelector(names));
      shown += !row.hidden;
    }
    for (const part of of.querySelectorAll('details.rows')) {
      const any = part.querySelector('tbody tr:not([hidden])') !== null;
      part.hidden = !any;
      if (words.length) part.open = any;
    }
    tools.querySelector('output').textContent = `${shown} rows`;
  };
  tools.addEventListener('input', choose);
  choose();
}
