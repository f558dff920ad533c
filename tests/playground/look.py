# SPDX-License-Identifier: MIT
"""look.py PAGE SCRIPT HASH: uses the playground in Chromium and prints its faults. If the environment variable VOXPHYS_PICTURES names a folder,
pictures are written there."""
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from chromium import WEBGL, Browser, Tab, come, expect, finish, keep, of_pixels, wrong

SHADES = of_pixels("playground.stage.paint()", "p => new Set(p).size")


def said(tab):
    return tab.ask("document.getElementById('said').innerText")


def figure(tab, number):
    return tab.ask(f"playground.engine.view('figures')[{number}]")


def main(page, script, expected):
    def open_paused():
        come(tab, page, "#still")
        tab.ask("playground.pause(true)")
    browser = Browser(flags=WEBGL)
    try:
        tab = Tab(browser, *((1280, 800) if os.environ.get("VOXPHYS_PICTURES") else (800, 560)))
        tab.media("light")
        open_paused()
        expect(tab.ask(SHADES) > 100, "no picture")
        if os.environ.get("VOXPHYS_PICTURES"):
            tab.ask("playground.do('grow 300', 'dig 3 67.5 22 40.5', 'step 60'), playground.rain(60), playground.step(200), playground.say('Dug. 1 loose part of 893 voxels falls.'), playground.show(), playground.tell()")
            tab.size(1100, 700)
            keep("playground", tab)
            tab.media("dark")
            tab.size(1280, 800)
            open_paused()
            keep("playground-dark", tab)
            tab.media("light")
            tab.size(390, 800)
            open_paused()
            keep("playground-390-light", tab)
            tab.size(1280, 800)
            open_paused()
        # Keys: a tool, and its use at the centre of the picture.
        tab.ask("document.getElementById('view').focus()")
        tab.key("3", "Digit3", 51, "3")
        tab.key("Enter", "Enter", 13, "\r")
        expect(figure(tab, 0) == 16 and "Threw a box" in said(tab), "Enter throws no box: " + said(tab))
        # A click digs away the post, and the sphere falls.
        tab.ask("playground.choose('dig')")
        tab.ask("playground.do('dig 3 67.5 22 40.5'), playground.sayEdit('Dug'), playground.show()")
        expect(figure(tab, 0) == 17 and "1 loose part" in said(tab), "the sphere does not break off: " + said(tab))
        x, y = tab.ask("playground.middle")
        for kind in ("mousePressed", "mouseReleased"):
            tab.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        expect(tab.ask("playground.script.at(-1)").startswith("dig 3 "), "a click does not dig: " + tab.ask("playground.script.at(-1)"))
        tab.ask("playground.choose('plant'), playground.use(...playground.middle), playground.do('grow 60'), playground.rain(100), playground.step(90)")
        tab.ask("playground.choose('rays'), playground.use(...playground.middle)")
        expect("1024 rays" in said(tab), "no rays: " + said(tab))
        for layer in ("bits", "trees", "contacts"):
            before = tab.ask("playground.stage.renderer.info.render.calls")
            tab.ask(f"document.getElementById('{layer}').click(), playground.stage.paint()")
            expect(tab.ask("playground.stage.renderer.info.render.calls") > before, f"layer {layer} draws nothing")
        keep("playground-layers", tab)
        tab.ask("for (const layer of ['bits', 'trees', 'contacts']) document.getElementById(layer).click()")
        tab.ask("document.getElementById('sample').click()")
        expect(figure(tab, 9) > 1, "the sample is not decomposed: " + said(tab))
        tab.ask("(e => { e.value = 1; e.dispatchEvent(new Event('change')); })(document.getElementById('hulls'))")
        expect(figure(tab, 9) == 1, "the slider does not limit the hulls")
        tab.ask("playground.read(new File(['v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nv 0 0 1\\nf 1 3 2\\nf 1 2 4\\nf 1 4 3\\nf 2 3 4\\n'], 'a.obj'))")
        bodies = figure(tab, 0)
        tab.ask("document.getElementById('drop').click()")
        expect(figure(tab, 0) == bodies + 1, "a file's mesh does not become a body: " + said(tab))
        # The page's own script leads to the same state again, and a script to the hash of the native program.
        own = tab.ask("[playground.engine.hash(), playground.replay(playground.script.join('\\n'))]")
        expect(own[0] == own[1], f"the script's hash is {own[1]}, not {own[0]}")
        # So does a script of steps that take several frames.
        tab.ask("playground.world(1), playground.rain(100), playground.growing = false, playground.budget = 0, playground.pause(false)")
        for _ in range(200):
            time.sleep(0.05)
            if tab.ask("playground.script.at(-1)").startswith("step ") and tab.ask("playground.script.at(-1) !== 'step 1' && playground.engine.isInStep"):
                break
        own = tab.ask("playground.pause(true), [playground.engine.isInStep, playground.engine.hash(), playground.replay(playground.script.join('\\n'))]")
        expect(own[0] and own[1] == own[2], f"with cut steps {own[0]} the script's hash is {own[2]}, not {own[1]}")
        tab.ask(f"window.commands = {pathlib.Path(script).read_text()!r}")
        found = tab.ask("playground.replay(commands)")
        expect(found == expected, f"the hash is {found}, not {expected}")
        expect(tab.ask("[...document.querySelectorAll('button, input, select, textarea, canvas')].every(e => e.textContent || e.ariaLabel || e.labels?.length)"), "a control without a name")
        tab.media("dark")
        tab.size(390, 800)
        open_paused()
        expect(tab.ask("document.documentElement.scrollWidth <= innerWidth && document.getElementById('side').getBoundingClientRect().top > innerHeight / 2"), "too wide for a narrow screen")
        tab.call("Emulation.setTouchEmulationEnabled", enabled=True)
        x, y = tab.ask("playground.middle")
        tab.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        tab.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        time.sleep(0.4)
        expect(tab.ask("playground.script.at(-1)").startswith("dig"), "a tap does not dig")
        keep("playground-390", tab)
        wrong.extend(tab.complaints())
        expect([r for r in tab.requests() if not r.startswith("data:")] == [pathlib.Path(page).resolve().as_uri()], f"requests: {tab.requests()}")
    finally:
        browser.close()
    return finish()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
