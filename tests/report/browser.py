# SPDX-License-Identifier: MIT
"""browser.py PAGE ROWS [BROKEN LOOK:WORDS]...: looks at a report in Chromium. ROWS are the benchmarks that must be in it, as JSON lists
[machine, kernel, who, data] that were taken from the raw files. Each BROKEN is a page of which LOOK alone must complain with these WORDS.
Where the environment variable VOXPHYS_PICTURES names a folder, what was seen is left there."""
import collections
import json
import os
import pathlib
import re
import struct
import sys
import zlib

from chromium import Browser, BrowserError, Tab

MOST_BYTES = 3_000_000

# What the page tells of itself. Rows are counted by what takes room on the screen, not by what a script says of them.
LOOK = """
window.look = {
  form: document.querySelector('#filters'),
  table: document.querySelector('table.measurements'),
  rows() { return [...this.table.tBodies[0].rows].filter(row => row.getClientRects().length > 0); },
  choose(values) {
    for (const name of ['machine', 'kernel', 'who', 'text']) this.form.elements[name].value = values[name] || '';
    this.form.elements.text.dispatchEvent(new Event('input', {bubbles: true}));
    return this.rows().length;
  },
  names() { return this.rows().map(row => [0, 1, 2, 3].map(i => row.cells[i].textContent)); },
  each(name, values) { return values.map(value => this.choose({[name]: value})); },
  options(name) { return [...this.form.elements[name].options].map(option => option.value).filter(value => value !== ''); },
  seen(what) { return [...document.querySelectorAll(what)].filter(e => e.getClientRects().length > 0).length; },
  told() { return this.form.querySelector('output').textContent; },
  luminance(colour) {
    const part = colour.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
  },
  contrast(one, other) {
    const [a, b] = [this.luminance(one), this.luminance(other)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  },
  behind(element) {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (!colour.startsWith('rgba') && colour !== 'transparent') return colour;
    }
    return 'rgb(255, 255, 255)';
  },
  faint() {
    const found = [];
    for (const what of ['p', 'h2', 'h3', 'td', 'th', 'th button', 'td a', 'caption', 'figcaption', 'small', 'strong', '.good', '.bad', 'nav a', '.filters label', '.filters select', 'output'])
      for (const e of [...document.querySelectorAll(what)].slice(0, 3)) {
        const c = this.contrast(getComputedStyle(e).color, this.behind(e));
        if (c < 4.5) found.push(`${what} ${c.toFixed(2)}`);
      }
    const drawn = new Map();
    for (const e of document.querySelectorAll('svg text, svg .fill, svg polyline')) {
      const style = getComputedStyle(e), text = e.tagName === 'text', colour = e.tagName === 'polyline' ? style.stroke : style.fill;
      drawn.set(colour + text, [e, colour, text]);
    }
    for (const [e, colour, text] of drawn.values()) {
      const c = this.contrast(colour, this.behind(e));
      if (c < (text ? 4.5 : 3)) found.push(`drawn ${colour} ${c.toFixed(2)}`);
    }
    return found;
  },
  unnamed() {
    const fields = [...document.querySelectorAll('select, input')].filter(f => !(f.labels && f.labels.length > 0));
    const buttons = [...document.querySelectorAll('button')].filter(b => b.textContent.trim() === '');
    const drawings = [...document.querySelectorAll('svg')].filter(s => !s.getAttribute('aria-label'));
    return fields.length + buttons.length + drawings.length;
  },
  column(index) { return this.rows().map(row => parseFloat(row.cells[index].textContent)).filter(v => !Number.isNaN(v)); },
};
0;
"""

LOOKS = ("opening", "filters", "address", "sorting", "colours", "paper", "without_scripts", "weight")
FAMILY = re.compile(r"^(peer-[a-z0-9]+|scalar-autovec|scalar-words|.*-simde|[a-z0-9]+)")


def pixels(png):
    """Width, height, and the colours of a PNG of 8 bits a channel, as Chromium makes them."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", png[at + 8:at + 18])
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += 12 + length
    step = {2: 3, 6: 4}[colour]
    raw, line, found = zlib.decompress(data), bytes(width * step), []
    for y in range(height):
        start = y * (width * step + 1)
        how, now = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
        for x, value in enumerate(now):
            left, up = (now[x - step] if x >= step else 0), line[x]
            corner = line[x - step] if x >= step else 0
            if how == 4:
                guess = left + up - corner
                by = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            else:
                by = (0, left, up, (left + up) // 2)[how]
            now[x] = (value + by) & 255
        line = bytes(now)
        found.extend(line[x:x + 3] for x in range(0, len(line), step))
    return width, height, found


class Visit:
    """One page in one tab, and what is wrong with it."""

    def __init__(self, browser, page, rows, keep):
        self.page, self.rows, self.keep = pathlib.Path(page).resolve(), rows, keep
        self.tab = Tab(browser)
        self.wrong = []
        self.checks = 0

    def expect(self, what, got, wanted):
        self.checks += 1
        if got != wanted:
            self.wrong.append(f"{what}: {json.dumps(got)[:300]}, expected {json.dumps(wanted)[:300]}")

    def open(self, fragment=""):
        self.tab.open("about:blank")
        self.tab.open(self.page.as_uri() + fragment)
        self.tab.ask(LOOK)

    def silent(self, when):
        self.checks += 1
        self.wrong += [f"{when}: {complaint}" for complaint in self.tab.complaints()]

    def picture(self, name):
        if self.keep:
            (self.keep / f"{self.page.parent.name}-{name}.png").write_bytes(self.tab.picture())

    # ---- what is looked at ----

    def opening(self):
        self.open()
        self.silent("opening")
        self.expect("requests", [url for url in self.tab.requests() if url.split("#")[0] not in (self.page.as_uri(), "about:blank")], [])
        self.expect("rows", self.tab.ask("look.rows().length"), len(self.rows))
        self.expect("names of rows", sorted(self.tab.ask("look.names()")), sorted(self.rows))
        self.expect("what the bar tells", self.tab.ask("look.told()"), f"{len(self.rows)} of {len(self.rows)} measurements")
        self.expect("fields, buttons and drawings without a name", self.tab.ask("look.unnamed()"), 0)
        self.expect("anchors that two places have", self.tab.ask("[...document.querySelectorAll('[id]')].length - new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size"), 0)
        self.expect("links inside of the page that lead nowhere", self.tab.ask(
            "[...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.getAttribute('href').slice(1).split('&')[0]).filter(id => !document.getElementById(decodeURIComponent(id)))"), [])

    def filters(self):
        everything = self.tab.ask("['.machine', '.tiles', '.machine figure', '.machine table'].map(what => look.seen(what))")
        for column, name in enumerate(("machine", "kernel", "who")):
            count = collections.Counter(row[column] for row in self.rows if row[column] != "")
            values = sorted(count)
            if name == "who":
                families = collections.Counter(FAMILY.match(row[2]).group() for row in self.rows if row[2] != "")
                several = [f for f in families if len({row[2] for row in self.rows if row[2] != "" and FAMILY.match(row[2]).group() == f}) > 1]
                count.update({f + "*": families[f] for f in several})
                values = sorted(count)
            self.expect(f"choices of {name}", sorted(self.tab.ask(f"look.options({json.dumps(name)})")), values)
            values = values[::1 + len(values) // 15]  # of many some
            got = []
            for at in range(0, len(values), 10):
                got += self.tab.ask(f"look.each({json.dumps(name)}, {json.dumps(values[at:at + 10])})")
            self.expect(f"rows by {name}", dict(zip(values, got)), {v: count[v] for v in values})
        # A machine's chapter, drawings and tables go with it, and come back.
        for machine in sorted({row[0] for row in self.rows}):
            rows = self.tab.ask(f"look.choose({{machine: {json.dumps(machine)}}})")
            self.expect(f"rows of {machine}", rows, sum(row[0] == machine for row in self.rows))
            self.expect(f"chapters beside {machine}", self.tab.ask("look.seen('.machine')"), 1)
            others = f"[...document.querySelectorAll('[data-machine]')].filter(e => e.dataset.machine !== {json.dumps(machine)} && e.getClientRects().length > 0).length"
            self.expect(f"parts of other machines than {machine}", self.tab.ask(others), 0)
        # Several at a time, and words.
        machine, kernel, who, data = self.rows[len(self.rows) // 2]
        self.expect("rows by machine, kernel and who", self.tab.ask(f"look.choose({json.dumps(dict(machine=machine, kernel=kernel, who=who))})"),
                    sum(row[:3] == [machine, kernel, who] for row in self.rows))
        part = data.split("/")[0].upper()
        self.expect("rows by words", self.tab.ask(f"look.choose({json.dumps(dict(text=kernel + ' ' + part))})"),
                    sum(kernel in f"{r[1]}/{r[2]}/{r[3]}" and part.lower() in f"{r[1]}/{r[2]}/{r[3]}" for r in self.rows))
        self.expect("what the bar tells of nothing", (self.tab.ask("look.choose({text: 'nothing has this'})"), self.tab.ask("look.told()")),
                    (0, f"0 of {len(self.rows)} measurements"))
        # A kernel hides parts about others, and rows of other tables.
        self.tab.ask(f"look.choose({json.dumps(dict(kernel=kernel))})")
        other = f"[...document.querySelectorAll('[data-kernels]')].filter(e => !e.dataset.kernels.split(' ').includes({json.dumps(kernel)}) && e.getClientRects().length > 0).length"
        self.expect("parts about other kernels", self.tab.ask(other), 0)
        bare = "[...document.querySelectorAll('table.sortable')].filter(t => t.getClientRects().length > 0 && ![...t.tBodies[0].rows].some(r => r.getClientRects().length > 0)).length"
        self.expect("tables that are shown without a row", self.tab.ask(bare), 0)
        self.tab.ask("look.form.querySelector('button').click()")
        self.expect("rows after \"show all\"", self.tab.ask("look.rows().length"), len(self.rows))
        self.expect("what is shown after \"show all\"", self.tab.ask("['.machine', '.tiles', '.machine figure', '.machine table'].map(what => look.seen(what))"), everything)
        self.expect("the address after \"show all\"", self.tab.ask("location.hash"), "")
        self.silent("filters")

    def address(self):
        machine, kernel, who, data = self.rows[-1]
        chosen = {"machine": machine, "kernel": kernel, "who": who, "text": data}
        wanted = self.tab.ask(f"look.choose({json.dumps(chosen)})")
        fragment = self.tab.ask("location.hash")
        self.expect("rows that the last row's names choose", wanted > 0, True)
        self.open(fragment)
        self.expect("rows that an address restores", self.tab.ask("look.rows().length"), wanted)
        self.expect("what an address restores", self.tab.ask("Object.fromEntries(['machine', 'kernel', 'who', 'text'].map(n => [n, look.form.elements[n].value]))"), chosen)
        self.tab.ask("document.querySelector('nav a[href=\"#everything\"]').click()")
        self.expect("rows after a link inside of the page", self.tab.ask("look.rows().length"), wanted)
        self.expect("the address after it", self.tab.ask("location.hash"), "#everything&" + fragment[1:])
        self.open()
        self.expect("links from kernels' tables to their rows", self.tab.ask("[...document.querySelectorAll('a.more')].length > 0"), True)
        self.tab.ask("(look.link = [...document.querySelectorAll('a.more')].pop()).click()")
        self.tab.ask("new Promise(done => setTimeout(done, 100))")
        machine, kernel = self.tab.ask("[look.form.elements.machine.value, look.form.elements.kernel.value]")
        self.expect("rows that such a link chooses", self.tab.ask("look.rows().length"), sum(row[:2] == [machine, kernel] for row in self.rows))
        self.expect("whether it is about that kernel", self.tab.ask("look.link.closest('section').dataset.kernels"), kernel)
        self.open("#who=" + who)
        self.tab.ask("new Promise(done => setTimeout(done, 100))")
        self.expect("where an address leads that chooses a version", self.tab.ask("Math.abs(document.getElementById('everything').getBoundingClientRect().top) < 300"), True)
        self.open("#kernel=%E0%A4%A&who=&&=&text=%&toString=1&__proto__=1")
        self.silent("an address that is nonsense")
        self.open("#kernel=nobody&machine=__proto__")
        self.expect("rows by a kernel that is not there", self.tab.ask("look.rows().length"), len(self.rows))
        # By the keyboard.
        self.tab.ask("look.form.elements.text.focus()")
        for letter in "ball":
            self.tab.key(letter, "Key" + letter.upper(), ord(letter.upper()), letter)
        self.expect("rows by typed words", self.tab.ask("look.rows().length"), sum("ball" in f"{r[0]} {r[1]}/{r[2]}/{r[3]}" for r in self.rows))
        self.silent("addresses")

    def sorting(self):
        self.open()
        head = "look.table.tHead.rows[0].cells[5]"
        self.tab.ask(head + ".querySelector('button').click()")
        down = self.tab.ask("look.column(5)")
        self.expect("medians, pressed once", down, sorted(down, reverse=True))
        self.expect("how it is told", self.tab.ask(head + ".getAttribute('aria-sort')"), "descending")
        self.tab.ask(head + ".querySelector('button').focus()")
        self.tab.key("Enter", "Enter", 13, "\r")
        up = self.tab.ask("look.column(5)")
        self.expect("medians, by the keyboard", up, sorted(down))
        self.expect("how it is told", self.tab.ask(head + ".getAttribute('aria-sort')"), "ascending")
        self.expect("rows after sorting", self.tab.ask("look.rows().length"), len(self.rows))
        self.silent("sorting")

    def colours(self):
        for scheme in ("light", "dark"):
            self.tab.media(scheme)
            self.tab.size(1300, 900)
            self.open()
            self.expect(f"what has too little contrast, {scheme}", self.tab.ask("look.faint()"), [])
            self.picture(scheme)
            _, _, dots = pixels(self.tab.picture({"x": 0, "y": 0, "width": 1300, "height": 900, "scale": 0.25}))
            brightness = sum(map(sum, dots)) / (3 * len(dots))
            self.expect(f"whether something is to be seen, {scheme}", len(set(dots)) > 50, True)
            self.expect(f"whether it is {scheme}", brightness > 180 if scheme == "light" else brightness < 90, True)
            self.tab.size(400, 800)
            self.expect(f"width on a narrow screen, {scheme}", self.tab.ask("document.documentElement.scrollWidth") <= 400, True)
            self.picture(scheme + "-narrow")
        self.tab.media("light")
        self.tab.size(1300, 900)

    def paper(self):
        self.tab.media("dark", "print")
        self.expect("what is on paper of nav, bar and measurements", self.tab.ask("['nav', '#filters', '.measurements'].map(what => look.seen(what))"), [0, 0, 0])
        self.expect("what has too little contrast on paper", self.tab.ask("look.faint()"), [])
        self.expect("paper of a dark screen", self.tab.ask("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        # A head's words in a button are not printed again where a table goes on.
        self.expect("how columns' names are displayed on paper", self.tab.ask("[...new Set([...document.querySelectorAll('th button')].map(b => getComputedStyle(b).display))]"), ["contents"])
        self.tab.media("light")
        pdf = self.tab.paper()
        pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
        self.expect("whether it prints four pages", [pdf[:4].decode("latin-1"), pages], ["%PDF", 4])
        if self.keep:
            (self.keep / f"{self.page.parent.name}.pdf").write_bytes(pdf)
        self.silent("printing")

    def without_scripts(self):
        self.tab.scripts(False)
        self.tab.open("about:blank")
        self.tab.open(self.page.as_uri() + "#kernel=hull3")
        root = self.tab.call("DOM.getDocument", depth=0)["root"]["nodeId"]
        rows = self.tab.call("DOM.querySelectorAll", nodeId=root, selector="table.measurements tbody tr:not([hidden])")["nodeIds"]
        self.expect("rows without scripts", len(rows), len(self.rows))
        self.expect("buttons without scripts", len(self.tab.call("DOM.querySelectorAll", nodeId=root, selector="th button")["nodeIds"]), 0)
        hidden = self.tab.call("DOM.querySelectorAll", nodeId=root, selector="[hidden]")["nodeIds"]
        self.expect("what is hidden without scripts: the bar", len(hidden), 1)
        self.silent("without scripts")
        self.tab.scripts(True)

    def weight(self):
        size = self.page.stat().st_size
        self.checks += 1
        if size >= MOST_BYTES:
            self.wrong.append(f"weight: {size} bytes, {MOST_BYTES} are allowed")

    def see(self, looks):
        """What is wrong with it; what is looked at first opens the page."""
        try:
            for look in looks:
                getattr(self, look)()
        except BrowserError as error:
            self.wrong.append(f"it cannot be looked at: {error}")
        self.tab.close()
        return self.wrong


def main():
    page, rows_file, broken = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(rows_file, encoding="utf-8") as file:
        rows = json.load(file)
    keep = os.environ.get("VOXPHYS_PICTURES")
    keep = pathlib.Path(keep) if keep else None
    failures = 0
    browser = Browser()
    try:
        visit = Visit(browser, page, rows, keep)
        for complaint in visit.see(LOOKS):
            failures += 1
            print(f"FAIL: {page}: {complaint}", file=sys.stderr)
        print(f"{page}: {visit.checks} checks, {failures} failures, {os.path.getsize(page)} bytes")
        for other, word in zip(broken[::2], broken[1::2]):
            look, words = word.split(":", 1)
            found = Visit(browser, other, rows, None).see(["opening", look] if look != "opening" else [look])
            if not any(words in complaint for complaint in found):
                failures += 1
                print(f"FAIL: {other}: nobody complains of \"{words}\", but of {found}", file=sys.stderr)
        print(f"{len(broken) // 2} broken pages")
    finally:
        browser.close()
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
