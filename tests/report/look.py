# SPDX-License-Identifier: MIT
"""look.py REPORT TWO CHECK WRONG: opens a report, one of two machines, and pages of voxphys check without and with wrong answers in Chromium and prints their faults. If the environment
variable VOXPHYS_PICTURES names a folder, pictures of the pages are written there."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from chromium import Browser, Tab, keep

FAINT = """(() => {
  const light = c => { const p = c.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                       return 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2]; };
  const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!c.startsWith('rgba')) return c; } return 'rgb(255, 255, 255)'; };
  const found = [];
  for (const what of ['p', 'h2', 'h3', 'td', 'th', 'th button', 'a', 'small', 'summary', 'label', 'output', 'input', 'select', '.good', '.near', '.missed', '.faint', '.pass', '.win', '.loss', '.plot text'])
    for (const e of [...document.querySelectorAll(what)].slice(0, 3)) {
      const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
      if ((a + 0.05) / (b + 0.05) < 4.5) found.push(what);
    }
  return found; })()"""
LARGEST = "[...document.querySelectorAll('section table.sortable')].sort((a, b) => a.rows.length - b.rows.length).pop()"


def look(browser, page, is_report):
    """Returns the faults of a page."""
    wrong, tab = [], Tab(browser)

    def expect(good, what):
        if not good:
            wrong.append(what)
    url = pathlib.Path(page).resolve().as_uri()
    name = pathlib.Path(page).stem
    for scheme in ("light", "dark"):
        tab.media(scheme)
        tab.open(url)
        keep(f"{name}-{scheme}", tab)
        if tab.complaints():
            return tab.complaints()
        faint = tab.ask(FAINT)
        expect(not faint, f"too little contrast, {scheme}: {faint}")
    expect(tab.ask("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)", "dark is light")
    expect([r for r in tab.requests() if not r.startswith("data:")] == [url], f"requests: {tab.requests()}")
    tab.media("light")
    tab.size(400, 800)
    tab.ask("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    keep(f"{name}-400", tab)
    expect(tab.ask("document.documentElement.scrollWidth <= innerWidth"), "wider than a narrow screen")
    tab.size(1300, 900)
    tab.open(url)
    shown = "[...document.querySelectorAll('section table.chosen tbody tr')].filter(r => !r.hidden).length"
    every = tab.ask(shown)
    visible = "[...document.querySelectorAll('section table.chosen tbody tr')].filter(r => r.getClientRects().length > 0).map(r => r.textContent.toLowerCase())"
    if is_report:
        tab.ask(f"window.sorted = {LARGEST}; [...sorted.tHead.rows].pop().cells[sorted.querySelector('td.n').cellIndex].querySelector('button').click()")
        column = tab.ask("[...sorted.tBodies[0].rows].map(r => parseFloat(r.querySelector('td.n').textContent.replaceAll(',', ''))).filter(v => !Number.isNaN(v))")
        expect(len(column) > 2 and column == sorted(column, reverse=True), "not sorted")
        tab.ask("(f => { f.value = 'avx2 chunks'; f.dispatchEvent(new Event('input', {bubbles: true})); })(document.querySelector('[data-text]'))")
        few = tab.ask(visible)
        expect(0 < len(few) < every and all("avx2" in r and "chunks" in r for r in few), f"not filtered: {len(few)} of {every}")
        address = tab.ask("location.hash")
        tab.open("about:blank")
        tab.open(url + address)
        expect(tab.ask(visible) and sorted(tab.ask(visible)) == sorted(few), f"{address} does not show the filtered rows")
        expect(tab.ask("csvOf([matrix]).trim().split('\\n').length === matrix.rows.length"), "the matrix as CSV")
        tab.open("about:blank")
        tab.open(url + "#dilate_world")
        expect(tab.ask("(b => b.height > 0 && b.top > 0 && b.bottom < innerHeight)(document.getElementById('dilate_world').getBoundingClientRect())"), "a row's address does not show the row")
        tab.ask("[...matrix.tBodies].forEach(b => unfold(b, true)); [...matrix.rows].pop().scrollIntoView({block: 'end'})")
        tab.size(1280, 200)
        tab.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        expect(tab.ask("matrix.offsetHeight < 900 || Math.abs(matrix.tHead.getBoundingClientRect().top) < 1"), "the header does not stay")
        tab.size(1280, 900)
        expect(tab.ask("[...document.querySelectorAll('.matrix, .conformance')].every(t => t.offsetWidth <= t.parentElement.offsetWidth)"), "a matrix is cut at 1,280 px")
        second = "document.querySelector('[data-machine=m1]')"
        if tab.ask(second + " !== null"):
            tab.ask(second + ".click()")
            expect(tab.ask("[...document.querySelectorAll('.m1')].every(e => !e.getClientRects().length) && location.hash.startsWith('#m=')"), "a machine that was not chosen is shown")
    elif tab.ask("document.querySelector('td.fail') !== null"):
        expect(0 < every < tab.ask("document.querySelectorAll('section tbody tr').length"), "right answers are shown among the wrong ones")
        tab.ask("(f => { f.value = ''; f.dispatchEvent(new Event('input', {bubbles: true})); })(document.querySelectorAll('[data-class]')[1])")
        expect(tab.ask(shown) > 20, "not all answers can be shown")
        every = tab.ask(shown)
    expect(len(tab.paper()) > 10000, "nothing on paper")
    wrong += tab.complaints()
    tab.scripts(False)
    tab.open(url)
    text = tab.call("DOM.getOuterHTML", nodeId=tab.call("DOM.getDocument")["root"]["nodeId"])["outerHTML"]
    expect(text.count("<tr") > every, "rows are missing without scripts")
    tab.close()
    return wrong


def main(report, two, check, wrong):
    failures = 0
    browser = Browser()
    try:
        for page, is_report in ((report, True), (two, True), (check, False), (wrong, False)):
            for what in look(browser, page, is_report):
                print(f"FAIL: {pathlib.Path(page).name}: {what}", file=sys.stderr)
                failures += 1
    finally:
        browser.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
