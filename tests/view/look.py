# SPDX-License-Identifier: MIT
"""look.py FOLDER: looks at pages of step records in Chromium. Where the environment variable VOXPHYS_PICTURES names a folder, what was seen is
left there."""
import json
import os
import pathlib
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from chromium import WEBGL, Browser, BrowserError, Tab, come, expect, finish, keep, of_pixels, wrong

SHADES = of_pixels("viewer.paint()", "p => new Set(p).size")


def pixels(colour):
    """How many have a colour, 0xBBGGRR."""
    return of_pixels("viewer.paint()", f"p => p.reduce((n, v) => n + (v === {0xff000000 | colour}), 0)")


RAY = CONTACTS = pixels(0x601bd8)
NORMALS = pixels(0xffa800)


def click(tab, x, y, shift=False):
    for kind in ("mousePressed", "mouseReleased"):
        tab.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, modifiers=8 if shift else 0)


def text(tab, element):
    return tab.ask(f"document.getElementById('{element}').innerText")


def frame(tab):
    return tab.ask("viewer.frame")


def everything(tab, page):
    """Every kind of layer, every frame."""
    come(tab, page, "#still&theme=dark&frame=150&camera=30,30,60,0,0,0")
    expect(tab.ask(SHADES) > 8, "nothing is drawn of everything")
    expect(tab.ask("(() => { for (let f = 7; f < 307; f += 7) viewer.seek(f); for (let f = 306; f >= 7; f -= 31) viewer.seek(f); return viewer.frame; })()") <= 37, "seeking")
    tab.ask("viewer.seek(100)")
    begin = frame(tab)
    far = tab.ask("['Right', 'Left', 'Left'].map(k => (document.body.dispatchEvent(new KeyboardEvent('keydown', "
                  "{ key: 'Arrow' + k, shiftKey: true, bubbles: true })), viewer.frame))")
    expect(far == [begin + 10, begin, begin - 10], f"steps of ten from {begin}: {far}")
    expect(tab.ask("document.querySelectorAll('#layers label').length") == 7, "a line for each layer that is drawn")
    keep("view-everything", tab)
    title = "</script><script>document.title = 1</script> & <b>made up</b>"
    expect(tab.ask("document.title") == title and text(tab, "side").startswith(title), "the title is not shown as it is")
    expect("<i>made up</i>" in text(tab, "side"), "the command is not shown as it is")
    expect("</script>" in tab.ask("document.querySelector('.label').textContent"), "a label is not shown as it is")
    tab.key("Home", "Home", 36)
    expect(frame(tab) == 7, "to the first")
    tab.key("End", "End", 35)
    expect(frame(tab) == 306, "to the last")
    tab.ask("(s => { s.value = 150; s.dispatchEvent(new Event('input')); })(document.getElementById('slider'))")
    expect(frame(tab) == 150 and "150 / 306" in text(tab, "bar"), "the slider: " + text(tab, "bar"))
    calls = "(viewer.paint(), viewer.stage.renderer.info.render.calls)"
    for name in ("hulls", "bodies", "cells"):
        before = tab.ask(calls)
        tab.ask(f"[...document.querySelectorAll('#layers label')].filter(l => l.textContent.trim() === '{name}')[0].firstChild.click()")
        expect(tab.ask(calls) < before, f"layer {name} goes away")
    tab.ask("viewer.seek(300), document.getElementById('play').click()")
    for _ in range(400):
        if frame(tab) == 306 and text(tab, "play") == "play":
            break
        time.sleep(0.05)
    else:
        wrong.append("it plays to the end and stops")
    tab.ask("document.getElementById('theme').click()")
    expect(tab.ask("document.documentElement.dataset.theme") == "light", "light")

    # A camera and a frame come back by the address.
    come(tab, page, "#still&frame=50&camera=1,2,30,4,0,0")
    where = tab.ask("viewer.stage.where()")
    expect([round(float(v), 2) for v in where.split(",")] == [1, 2, 30, 4, 0, 0] and frame(tab) == 50, "the camera: " + where)
    tab.ask("location.hash = '#still&frame=20'")
    time.sleep(0.2)
    expect(frame(tab) == 20, "the address is changed")
    ahead = tab.ask("viewer.stage.camera.position.distanceTo(viewer.stage.centre)")
    tab.ask("viewer.stage.fly(true), viewer.stage.keys.add('w'), viewer.stage.move(0.1), viewer.stage.keys.clear(), viewer.stage.fly(false)")
    expect(tab.ask("viewer.stage.camera.position.distanceTo(viewer.stage.centre)") < ahead, "it flies ahead")
    come(tab, page, "#frame=99999&camera=nonsense&pick=9:9,x")
    expect(frame(tab) == 306, "beyond the end is the end")


def moving(tab, page):
    """Bodies that fall and sleep, their contacts and normals."""
    come(tab, page, "#still&theme=light")
    bodies = "viewer.recording.layers[1]"
    for at in (0, 60, 119):
        tab.ask(f"viewer.seek({at})")
        inside = tab.ask(f"[...viewer.cursor.now[1].items.keys()].map(id => viewer.place({bodies}, id)).every(([x, y]) => "
                         "x > viewer.stage.free.left && x < innerWidth - viewer.stage.free.right && y > 0 && y < innerHeight - viewer.stage.free.bottom)")
        expect(inside, f"every body is in the picture at {at}")

    def light(item):
        x, y = tab.ask(f"viewer.seek({at}), viewer.place({bodies}, {item})")
        return tab.ask(of_pixels("viewer.paint()", f"p => {{ const v = p[{round(y)} * document.getElementById('view').width + {round(x)}]; return (v & 255) + (v >> 8 & 255) + (v >> 16 & 255); }}"))
    for layer in (2, 3):
        tab.ask(f"viewer.views.find(v => v.layer.number === {layer}).group.visible = false")
    for item in (0, 2, 5):
        at = 55
        awake = light(item)
        at = 80
        expect(light(item) < 0.75 * awake, f"body {item} is dimmer asleep: {light(item)} of {awake}")
    expect(tab.ask(CONTACTS) == 0 and tab.ask(NORMALS) == 0, "no contacts are shown")
    for layer in (2, 3):
        tab.ask(f"viewer.views.find(v => v.layer.number === {layer}).group.visible = true")
    said = text(tab, "own").split()
    expect(said == ["asleep", "7", "fixed", "1"], f"bodies by state: {said}")
    tab.ask("viewer.seek(80)")
    contacts = tab.ask("viewer.cursor.now[2].rows.length")
    expect(contacts > 20 and tab.ask(CONTACTS) > 5 * contacts and tab.ask(NORMALS) > 3 * contacts,
           f"{contacts} contacts, {tab.ask(CONTACTS)} pixels, normals {tab.ask(NORMALS)}")
    keep("view-moving", tab)
    click(tab, *tab.ask(f"(([x, y]) => [x, y - 6])(viewer.place({bodies}, 7))"))
    said = text(tab, "own")
    expect("bodies 7: 1 contact\n" in said and "bodies 6, depth 0.0" in said, "a body's contacts: " + said)
    tab.ask("document.querySelector('#own button').click()")
    expect(tab.ask("viewer.picked[0].id") == 6 and "ground, depth" in text(tab, "own"), "the body that it is on: " + text(tab, "own"))


def grown(tab, page):
    """Voxels: what has grown, since when."""
    come(tab, page, "#still&theme=light&frame=80")
    said = text(tab, "side")
    expect("cherry" in said and "blossom" in said and "step 80, digest " in said, "the legend: " + said)
    expect(tab.ask(SHADES) > 8, "nothing is drawn of what has grown")
    keep("view-grow", tab)
    click(tab, *tab.ask("(([x0, x1, y0, y1]) => [(x0 + x1) / 2, (y0 + y1) / 2])((f => [f.left, innerWidth - f.right, f.top, innerHeight - f.bottom])(viewer.stage.free))"))
    said = text(tab, "picked")
    expect("cells" in said and "number" in said, "a cell is picked: " + said)
    tab.ask("document.querySelector('#picked button').click()")
    expect("look for" not in text(tab, "picked"), "since when")
    count = "viewer.cursor.now[0].cells.values().reduce((n, b) => n + b.reduce((m, v) => m + (v > 1), 0), 0)"
    last = tab.ask(count)
    tab.key("Home", "Home", 36)
    expect(tab.ask(count) < last, "less has grown at the beginning")


class Steps:
    """The steps of a decomposition, as another reader prints them."""

    def __init__(self, path):
        self.rows, self.allowed, self.triangles = [], 0, 0
        for line in pathlib.Path(path).read_text().splitlines():
            name, *numbers = line.split()
            numbers = [struct.unpack(">d", bytes.fromhex(n))[0] for n in numbers] if name != "frame" else []
            if name == "decisions":
                self.rows.append((int(numbers[0]), int(numbers[1]), numbers[2], int(numbers[3]), int(numbers[4])))
            elif name == "input":
                self.triangles, self.allowed = int(numbers[0]), numbers[4]
        self.parent, self.made = {}, {}
        for n, (a, b, _, _, then) in enumerate(self.rows, 1):
            if then == 0:
                made = self.triangles + len(self.made)
                self.parent[a] = self.parent[b] = made
                self.made[made] = n
        self.last = [n for n in range(self.triangles + len(self.made)) if n not in self.parent]

    def top(self, node):
        while node in self.parent:
            node = self.parent[node]
        return node

    def reason(self, error, by):
        return f"a ray of at least {error:.4g}" if by == 1 else f"the root of an area, {error:.4g}"

    def why(self, a, b):
        """Why two of the last hulls did not merge: what the page must say, or what it may."""
        about = [(n, *row) for n, row in enumerate(self.rows, 1) if {self.top(row[0]), self.top(row[1])} == {a, b}]
        final, later = [r for r in about if r[5] == 1], [r for r in about if r[5] == 2 and {r[1], r[2]} == {a, b}]
        for n, x, y, error, by, _ in final:
            reason = f"for good: {self.reason(error, by)}, {self.allowed:.4g} allowed."
            if {x, y} == {a, b}:
                return [f"Step {n} dropped their edge {reason}"]
            x, y = (x, y) if self.top(x) == a else (y, x)
            held = [f"hull {x}" + ("" if x == a else f", now in hull {a},"), f"hull {y}" + ("" if y == b else f", now in hull {b},")]
            return [f"Inherited: step {n} dropped the edge of {held[0]} and {held[1]} {reason}"]
        for n, _, _, error, by, _ in later[-1:]:
            return [f"Step {n} dropped their edge until one of them merges, and none did: {self.reason(error, by)}, {self.allowed:.4g} allowed."]
        return ["They are no neighbours: no triangle of one shares an edge with one of the other."]


def answers(tab, page, wanted):
    """All pairs of the last hulls: the page says what the steps say."""
    come(tab, page, "#still&frame=999999")
    steps = Steps(page.with_suffix(".txt"))
    expect(tab.ask("[...viewer.cursor.now[0].items.keys()].sort((a, b) => a - b)") == steps.last, f"{page.name}: the hulls that are left")
    pairs = [(a, b) for i, a in enumerate(steps.last) for b in steps.last[i + 1:]]
    said = tab.ask(f"{json.dumps(pairs)}.map(p => viewer.api.answer(viewer.recording.layers[0], ...p).textContent)")
    left = tab.ask("viewer.recording.layers.find(l => l.name === 'figures').series[2].at(-1)")
    waits = sum("Their edge is in the queue" in s for s in said)
    expect(waits == left, f"{page.name}: {waits} pairs wait, and {left} edges are in the queue")
    for (a, b), sentence in zip(pairs, said):
        if "Their edge is in the queue" not in sentence:
            expect(sentence in steps.why(a, b), f"{page.name}: hulls {a} and {b}: {sentence!r}, not {steps.why(a, b)}")
    for start in wanted:
        expect(any(s.startswith(start) for s in said), f"{page.name}: no pair has the answer {start!r}")
    return steps


def debugger(tab, page):
    """A decomposition step by step."""
    come(tab, page, "#still")
    expect(frame(tab) == 239 and tab.ask("viewer.cursor.now[0].items.size") == 2, f"it begins with the last frame, not {frame(tab)}")
    for wanted, at in ((100, 140), (3, 237), (1, 239)):
        tab.ask(f"(i => {{ i.value = {wanted}; i.dispatchEvent(new Event('change')); }})(document.getElementById('hulls'))")
        expect(frame(tab) == at and tab.ask("+document.getElementById('hulls').value") == max(2, wanted), f"the first frame with {wanted} hulls: {frame(tab)}")
    steps = answers(tab, page, ("Step 239 dropped their edge for good",))
    first, second = steps.last

    def place(hull):
        return tab.ask(f"viewer.place(viewer.recording.layers[0], {hull})")
    expect(f"Step 239: hull {first} and hull {second} stay apart for good: a ray of at least " in text(tab, "own").replace("\n", ""),
           "the step in words: " + text(tab, "own"))
    for hull in (first, second):
        expect(f"hull {hull}" in text(tab, "picked"), "the table of the step")
    click(tab, *place(first))
    expect(tab.ask("viewer.picked.map(p => p.id)") == [first], "a hull is picked")
    click(tab, *place(second), shift=True)
    said = "Why were these two not merged? " + steps.why(first, second)[0]
    expect(" ".join(text(tab, "picked").split()).startswith(said), "why not: " + text(tab, "picked"))
    expect(tab.ask("viewer.hash()").endswith(f"pick=0:{first},0:{second}"), "the address: " + tab.ask("viewer.hash()"))
    tab.ask("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))")
    expect("Click on something" in text(tab, "picked"), "Escape picks nothing")
    come(tab, page, f"#still&frame=239&pick=0:{first},0:{second}")
    expect(" ".join(text(tab, "picked").split()).startswith(said), "what the address picks: " + text(tab, "picked"))
    expect(tab.ask(RAY) > 300, f"the ray is seen: {tab.ask(RAY)} pixels")
    tab.ask("document.getElementById('glass').click()")
    expect(tab.ask(RAY) > 300 and tab.ask("document.getElementById('glass').getAttribute('aria-pressed')") == "true", "it is looked through")
    for theme in ("dark", "light"):
        tab.ask(f"viewer.theme('{theme}')")
        tab.ask("[0, 2, 3].forEach(l => { viewer.views.find(v => v.layer.number === l).group.visible = false; }), viewer.seek(238)")
        expect(tab.ask(SHADES) > 3, f"the surface is seen, {theme}")
        tab.ask("[0, 2, 3].forEach(l => { viewer.views.find(v => v.layer.number === l).group.visible = true; }), viewer.seek(239)")

    # From a hull to the step that made it, to the hulls it was made from, and on.
    click(tab, *place(first))
    tab.ask("[...document.querySelectorAll('#picked tr')].find(t => t.textContent.startsWith('made in')).querySelector('button').click()")
    expect(frame(tab) == steps.made[first], "the step that made it")
    a, b = steps.rows[steps.made[first] - 1][:2]
    said = text(tab, "own").replace("\n", "")
    expect(f"Step {frame(tab)}: hull {a} and hull {b} merge into hull {first}: no error." in said, "a merge in words: " + said)
    expect(tab.ask(f"viewer.api.answer(viewer.recording.layers[0], {a}, {b}).textContent") ==
           f"They are one: step {frame(tab)} merged hull {a} and hull {b} into hull {first}: no error.", "two that did merge")
    expect(tab.ask(f"viewer.api.answer(viewer.recording.layers[0], {first}, {a}).textContent") == f"hull {first} was made from hull {a}.", "an ancestor")
    expect(tab.ask("viewer.stage.marks.children.length") >= 3, "both and what they became are outlined")
    tab.ask(f"[...document.querySelectorAll('#picked button')].find(b => b.textContent === 'hull {a}').click()")
    expect(tab.ask("viewer.picked[0].id") == a and frame(tab) == (steps.made[a] if a >= steps.triangles else 0), "an ancestor is gone to")
    tab.ask("[...document.querySelectorAll('#own button')].find(b => b.textContent === 'next drop').click()")
    expect(frame(tab) == 239, "the next drop")
    tab.key("ArrowLeft", "ArrowLeft", 37)
    expect(frame(tab) == 238 and "merge into" in text(tab, "own"), "a step back")
    box = tab.ask("(r => [r.left, r.top, r.width, r.height])(document.getElementById('plot').getBoundingClientRect())")
    click(tab, box[0] + box[2] / 2, box[1] + box[3] / 2)
    expect(abs(frame(tab) - 225) <= 1 and len(steps.last) + 239 - 1 - frame(tab) == tab.ask("viewer.cursor.now[0].items.size"), "the middle of the plot, which is logarithmic from the end")
    tab.ask("document.getElementById('play').click()")
    time.sleep(0.3)
    expect(tab.ask("viewer.own.events().includes(viewer.frame) || viewer.frame === viewer.recording.last"), "playing stops between events")
    tab.key("?", "Slash", 191, "?")
    expect(tab.ask("document.getElementById('keys').open"), "no keys are shown")
    tab.ask("document.getElementById('help').click()")
    tab.key("h", "KeyH", 72, "h")
    expect(text(tab, "side") == text(tab, "facts") == "", "the panels do not fold")
    tab.key("h", "KeyH", 72, "h")
    tab.key("Home", "Home", 36)
    expect(tab.ask("viewer.cursor.now[0].items.size") == steps.triangles and "Each triangle is a hull" in text(tab, "own"), "the beginning")


def gear(tab, page):
    steps = answers(tab, page, ("Step ", "Inherited: step ", "They are no neighbours"))
    drops = [n for n, row in enumerate(steps.rows, 1) if row[4] != 0]
    for _ in range(100):
        if tab.ask("viewer.plot.marks !== null"):
            break
        time.sleep(0.05)
    expect(tab.ask("viewer.plot.marks.frames") == drops, "the drops that the plot marks")
    for _ in range(2):
        apart = tab.ask("(c => { const o = new OffscreenCanvas(c.width, 1), g = o.getContext('2d', { willReadFrequently: true }); g.drawImage(c, 0, 1 - c.height); "
                        "return new Uint32Array(g.getImageData(0, 0, c.width, 1).data.buffer).reduce((n, v) => n + (v === 0xff601bd8), 0); })(viewer.plot.canvas)")
        expect(apart > 20, f"{len(drops)} drops take {apart} columns of the plot")
        tab.ask("document.getElementById('theme').click()")
    keep("view-drops", tab)


def flat(tab, page):
    answers(tab, page, ("Step 5 dropped their edge until one of them merges",))


def few(tab, page):
    answers(tab, page, ("Their edge is in the queue",))


def part(tab, page):
    """The last steps of a decomposition alone: what was decided before isn't there, and nothing is made up."""
    come(tab, page, "#still&frame=999999")
    steps = Steps(page.with_name("d-gear.txt"))
    first, before = tab.ask("viewer.recording.first"), 0
    for i, a in enumerate(steps.last):
        for b in steps.last[:i]:
            said = tab.ask(f"viewer.api.answer(viewer.recording.layers[0], {a}, {b}).textContent")
            before += f"The recording begins with step {first}" in said
            if "The recording begins with" not in said and said not in steps.why(b, a) + steps.why(a, b):
                wrong.append(f"{page.name}: hulls {a} and {b}: {said!r}")
                return
    expect(before > 0, f"{page.name}: nothing was decided before it")
    tab.ask("viewer.seek(0), viewer.pickItem(viewer.recording.layers[0], viewer.cursor.now[0].items.keys().next().value)")
    expect(f"frame {first} or before" in text(tab, "picked"), "when it was made: " + text(tab, "picked"))


def odd(tab, page):
    """A type that is a name of JavaScript's."""
    come(tab, page)
    expect(tab.ask("viewer.recording.type") == "constructor" and text(tab, "own") == "", "a type without a panel: " + text(tab, "own"))


def pictures(browser, folder):
    """Those of the documents."""
    tab = Tab(browser, 1100, 620)
    tab.media("light")
    come(tab, folder / "d-l.html", "#theme=light&frame=239&pick=0:476,0:477")
    keep("debugger-l", tab)
    tab.media("dark")
    come(tab, folder / "d-gear.html", "#theme=dark&frame=1069&camera=-1250,1000,-700,0,40,0")
    tab.ask("document.getElementById('glass').click(), viewer.paint()")
    keep("debugger-gear", tab)
    tab.media("light")
    come(tab, folder / "arch.html", "#theme=light&frame=285&camera=54,29,53,32,9,14")
    keep("view-arch", tab)
    tab.close()


def main():
    folder = pathlib.Path(sys.argv[1])
    browser = Browser(flags=WEBGL)
    try:
        for look, name in ((everything, "s"), (grown, "g"), (moving, "b"),
                           (debugger, "d-l"), (gear, "d-gear"), (flat, "d-flat"), (few, "d-few"), (part, "d-part"), (odd, "odd")):
            tab = Tab(browser, 1280, 800)
            tab.media("light")
            look(tab, folder / f"{name}.html")
            wrong.extend(f"{name}: {c}" for c in tab.complaints() if "ReadPixels" not in c)
            tab.close()
        tab = Tab(browser, 400, 700)
        tab.media("dark")
        come(tab, folder / "cut.html", "#still")
        expect("was cut off" in text(tab, "side") and tab.ask("document.documentElement.dataset.theme") == "dark", "a recording that was cut")
        keep("view-narrow", tab)
        come(tab, folder / "d-cut.html", "#still&frame=999999")
        expect("was cut off" in text(tab, "side") and 200 < frame(tab) < 1000 and tab.ask(SHADES) > 8, f"a decomposition that was cut, at {frame(tab)}")
        come(tab, folder / "bad.html", ready="failed")
        expect("can't be shown: the block at byte 8 is damaged" in tab.ask("document.body.innerText"), "a recording that is damaged")
        wrong.extend(tab.complaints())
        come(tab, folder / "s.html")
        tab.ask("setTimeout(() => { throw new Error('frame 5 is damaged'); }), new Promise(done => setTimeout(done, 50))")
        expect("can't be shown: frame 5 is damaged" in tab.ask("document.body.innerText"), "a failure while it is shown")
        tab.close()
        if os.environ.get("VOXPHYS_PICTURES"):
            pictures(browser, folder)
    except BrowserError as error:
        wrong.append(str(error))
    browser.close()
    sys.exit(finish())


main()
