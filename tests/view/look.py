# SPDX-License-Identifier: MIT
"""look.py FOLDER: looks at pages of step records in Chromium. Where the environment variable VOXPHYS_PICTURES names a folder, what was seen is
left there."""
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from chromium import Browser, BrowserError, Tab

# WebGL without a graphics card, and without a warning about that.
FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
SHADES = """(() => { viewer.paint(); const c = document.createElement('canvas'), from = document.getElementById('view'), seen = new Set();
  c.width = from.width; c.height = from.height; const g = c.getContext('2d', { willReadFrequently: true }); g.drawImage(from, 0, 0);
  const p = new Uint32Array(g.getImageData(0, 0, c.width, c.height).data.buffer); for (const v of p) seen.add(v); return seen.size; })()"""
wrong = []


def expect(good, what):
    if not good:
        wrong.append(what)


def keep(name, tab):
    if os.environ.get("VOXPHYS_PICTURES"):
        pathlib.Path(os.environ["VOXPHYS_PICTURES"], name + ".png").write_bytes(tab.picture())


def come(tab, page, wishes="", ready="yes"):
    """Opens a page and waits until it has drawn."""
    tab.open("about:blank")
    tab.open(pathlib.Path(page).resolve().as_uri() + wishes)
    state = ""
    for _ in range(600):
        state = tab.ask("document.documentElement?.dataset?.ready ?? ''")
        if state:
            break
        time.sleep(0.05)
    expect(state == ready, f"{page}{wishes}: {state or 'not ready'}: {tab.ask('document.body.innerText')[:200]}")


def click(tab, x, y, shift=False):
    for kind in ("mousePressed", "mouseReleased"):
        tab.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, modifiers=8 if shift else 0)


def text(tab, element):
    return tab.ask(f"document.getElementById('{element}').innerText")


def frame(tab):
    return tab.ask("viewer.frame")


def merging(tab, page):
    """Stepping, seeking, picking; what is known of two."""
    come(tab, page, "#still&theme=light&frame=3")
    expect(tab.ask(SHADES) > 8, "nothing is drawn")
    keep("view-light", tab)
    expect(frame(tab) == 3, "the address asks for frame 3")
    title = "</script><script>document.title = 1</script> & <b>merging</b>"
    expect(tab.ask("document.title") == title and text(tab, "side").startswith(title), "the title is not shown as it is")
    expect("<i>made up</i>" in text(tab, "side"), "the command is not shown as it is")
    expect(tab.ask("[...document.querySelectorAll('.label')].map(e => e.textContent)") == ["here </script>"], "the label")
    tab.key("ArrowRight", "ArrowRight", 39)
    tab.key("ArrowRight", "ArrowRight", 39)
    expect(frame(tab) == 5, "two steps on")
    tab.key("ArrowLeft", "ArrowLeft", 37)
    expect(frame(tab) == 4, "a step back")
    tab.key("Home", "Home", 36)
    expect(frame(tab) == 0, "to the first")
    tab.key("End", "End", 35)
    expect(frame(tab) == 6, "to the last")
    box = tab.ask("(r => [r.left, r.top, r.width, r.height])(document.getElementById('plot').getBoundingClientRect())")
    click(tab, box[0] + box[2] / 2, box[1] + box[3] / 2)
    expect(frame(tab) == 3, "the middle of the plot")
    tab.ask("(s => { s.value = 6; s.dispatchEvent(new Event('input')); })(document.getElementById('slider'))")
    expect(frame(tab) == 6 and "6 / 6" in text(tab, "bar"), "the slider")

    def place(hull):
        return tab.ask(f"viewer.place(viewer.recording.layers[1], {hull})")
    click(tab, *place(10))
    expect("hulls 10" in text(tab, "picked") and "12 triangles, 8 corners" in text(tab, "picked"), "hull 10 is picked: " + text(tab, "picked"))
    click(tab, *place(12), shift=True)
    said = text(tab, "picked")
    expect(said.startswith("Why were these two not merged?") and "error 12.5, then dropped" in said and "hulls 12" in said, "why not: " + said)
    keep("view-two", tab)
    expect(tab.ask("viewer.hash()").endswith("pick=1:10,1:12"), "the address: " + tab.ask("viewer.hash()"))
    tab.ask("[...document.querySelectorAll('#picked button')].filter(b => b.textContent === 'frame 3')[0].click()")
    expect(frame(tab) == 3, "to the step that made hull 10")
    tab.ask("[...document.querySelectorAll('#picked button')].filter(b => b.textContent === 'hulls 5')[0].click()")
    expect(frame(tab) == 0 and "until" in text(tab, "picked"), "an ancestor is gone to where it was: " + text(tab, "picked"))
    click(tab, *place(7))
    expect("hulls 7" in text(tab, "picked") and "about it" in text(tab, "picked"), "another one is picked")
    tab.ask("viewer.pickItem(viewer.recording.layers[1], 0)")
    tab.ask("viewer.picked = [{layer: viewer.recording.layers[1], id: 11}, {layer: viewer.recording.layers[1], id: 10}], viewer.seek(6)")
    expect("No row is about these two" in text(tab, "picked"), "nothing is known of these")
    click(tab, 640, 20)
    expect("Click on something" in text(tab, "picked"), "nothing is picked")
    calls = "(viewer.paint(), viewer.stage.renderer.info.render.calls)"
    for name in ("surface", "hulls", "deciding ray"):
        before = tab.ask(calls)
        tab.ask(f"[...document.querySelectorAll('#layers label')].filter(l => l.textContent.trim() === '{name}')[0].firstChild.click()")
        expect(tab.ask(calls) < before, f"layer {name} goes away")
    tab.ask("document.getElementById('play').click()")
    for _ in range(400):
        if frame(tab) == 6 and text(tab, "play") == "play":
            break
        time.sleep(0.05)
    else:
        wrong.append("it plays to the end and stops")
    tab.ask("document.getElementById('theme').click()")
    expect(tab.ask("document.documentElement.dataset.theme") == "dark", "dark")
    keep("view-dark", tab)


def links(tab, page):
    """A camera and what is picked come back by the address."""
    come(tab, page, "#still&frame=5&camera=1,2,30,4,0,0&pick=1:11")
    where = tab.ask("viewer.stage.where()")
    expect([round(float(v), 2) for v in where.split(",")] == [1, 2, 30, 4, 0, 0], "the camera: " + where)
    expect("hulls 11" in text(tab, "picked") and frame(tab) == 5, "what the address picks")
    tab.ask("location.hash = '#still&frame=2'")
    time.sleep(0.2)
    expect(frame(tab) == 2, "the address is changed")
    tab.ask("viewer.stage.fly(true), viewer.stage.keys.add('w'), viewer.stage.move(0.1), viewer.stage.keys.clear(), viewer.stage.fly(false)")
    expect(tab.ask("viewer.stage.where()") != where, "it flies")
    come(tab, page, "#frame=99999&camera=nonsense&pick=9:9,x")
    expect(frame(tab) == 6, "beyond the end is the end")


def everything(tab, page):
    """Every kind of layer, every frame."""
    come(tab, page, "#still&theme=dark&frame=150&camera=30,30,60,0,0,0")
    expect(tab.ask(SHADES) > 8, "nothing is drawn of everything")
    expect(tab.ask("(() => { for (let f = 7; f < 307; f += 7) viewer.seek(f); for (let f = 306; f >= 7; f -= 31) viewer.seek(f); return viewer.frame; })()") <= 37, "seeking")
    expect(tab.ask("document.querySelectorAll('#layers label').length") == 7, "a line for each layer that is drawn")
    keep("view-everything", tab)


def grown(tab, page):
    """Voxels: what has grown, since when."""
    come(tab, page, "#still&theme=light&frame=80")
    said = text(tab, "side")
    expect("cherry" in said and "blossom" in said and "step 80, digest " in said, "the legend: " + said)
    expect(tab.ask(SHADES) > 8, "nothing is drawn of what has grown")
    keep("view-grown", tab)
    click(tab, *tab.ask("(([x0, x1, y0, y1]) => [(x0 + x1) / 2, (y0 + y1) / 2])((f => [f.left, innerWidth - f.right, f.top, innerHeight - f.bottom])(viewer.stage.free))"))
    said = text(tab, "picked")
    expect("cells" in said and "number" in said, "a cell is picked: " + said)
    tab.ask("document.querySelector('#picked button').click()")
    expect("look for" not in text(tab, "picked"), "since when")
    count = "viewer.cursor.now[0].cells.values().reduce((n, b) => n + b.reduce((m, v) => m + (v > 1), 0), 0)"
    last = tab.ask(count)
    tab.key("Home", "Home", 36)
    expect(tab.ask(count) < last, "less has grown at the beginning")


def main():
    folder = pathlib.Path(sys.argv[1])
    browser = Browser(flags=FLAGS)
    try:
        for look, name in ((merging, "m"), (links, "m"), (everything, "s"), (grown, "g")):
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
        come(tab, folder / "bad.html", ready="failed")
        expect("can't be shown: the block at byte 8 is damaged" in tab.ask("document.body.innerText"), "a recording that is damaged")
        wrong.extend(tab.complaints())
        tab.close()
    except BrowserError as error:
        wrong.append(str(error))
    browser.close()
    for what in wrong:
        print("wrong: " + what, file=sys.stderr)
    sys.exit(1 if wrong else 0)


main()
