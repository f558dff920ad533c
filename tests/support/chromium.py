# SPDX-License-Identifier: MIT
"""Chromium, driven by its own debugging protocol through two pipes: nothing is needed but the browser and Python."""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

# Works as root, without a screen, and makes no background requests.
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-pipe"]
PATIENCE = 40  # seconds for one answer
WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]  # without a graphics card, and without a warning about that
wrong = []  # faults


def expect(good, what):
    if not good:
        wrong.append(what)


def keep(name, tab):
    """Writes a picture into the folder that the environment variable VOXPHYS_PICTURES names, if any."""
    if os.environ.get("VOXPHYS_PICTURES"):
        pathlib.Path(os.environ["VOXPHYS_PICTURES"], name + ".png").write_bytes(tab.picture())


def come(tab, page, wishes="", ready="yes"):
    """Opens a page that draws, and waits until it has drawn."""
    tab.open("about:blank")
    tab.open(pathlib.Path(page).resolve().as_uri() + wishes)
    state = ""
    for _ in range(600):
        state = tab.ask("document.documentElement?.dataset?.ready ?? ''")
        if state:
            break
        time.sleep(0.05)
    expect(state == ready, f"{page}{wishes}: {state or 'not ready'}: {tab.ask('document.body.innerText')[:200]}")


def of_pixels(paint, function):
    """Expression for a function of the array of all pixels of #view, 0xAABBGGRR, after painting it."""
    return f"""(of => {{ {paint}; const c = document.createElement('canvas'), from = document.getElementById('view');
  c.width = from.width; c.height = from.height; const g = c.getContext('2d', {{ willReadFrequently: true }}); g.drawImage(from, 0, 0);
  return of(new Uint32Array(g.getImageData(0, 0, c.width, c.height).data.buffer)); }})({function})"""


def finish():
    """Prints the faults. Returns the exit code."""
    for what in wrong:
        print("FAIL: " + what, file=sys.stderr)
    return 1 if wrong else 0


class BrowserError(Exception):
    """The browser does not answer, or says that a command is wrong."""


class Browser:
    """One process; what it sends is read as messages are waited for."""

    def __init__(self, program="chromium", flags=()):
        self.profile = tempfile.mkdtemp()
        theirs_in, self.out = os.pipe()
        self.into, theirs_out = os.pipe()

        def hand_over():  # the protocol uses the descriptors 3 and 4
            high_in, high_out = os.dup2(theirs_in, 100), os.dup2(theirs_out, 101)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self.process = subprocess.Popen([program, *FLAGS, *flags, "--user-data-dir=" + self.profile, "about:blank"], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(3, 4), preexec_fn=hand_over)
        os.close(theirs_in)
        os.close(theirs_out)
        self.number = 0
        self.rest = b""
        self.events = []

    def close(self):
        os.close(self.out)  # the browser ends when the pipe closes
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.into)
        shutil.rmtree(self.profile, ignore_errors=True)

    def read(self, until):
        """The next message; None if none comes before `until`."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.into], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                return None
            more = os.read(self.into, 1 << 20)
            if not more:
                raise BrowserError("the browser has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.read(until)
            if answer is None:
                raise BrowserError(f"no answer to {method}")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def wait(self, method, session):
        """Waits for an event; those before it stay in `events`."""
        until = time.monotonic() + PATIENCE
        seen = 0
        while True:
            while seen < len(self.events):
                event = self.events[seen]
                seen += 1
                if event["method"] == method and event.get("sessionId") == session:
                    return event
            message = self.read(until)
            if message is None:
                raise BrowserError(f"{method} does not come")
            if "method" in message:
                self.events.append(message)


class Tab:
    """A page of its own; `complaints` gathers what its console and its network have to say."""

    def __init__(self, browser, width=1300, height=900):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(domain + ".enable")
        self.size(width, height)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        # Observers of sizes run when the next frame is drawn.
        self.ask(f"new Promise(done => {{ const frame = () => requestAnimationFrame(() => requestAnimationFrame(done));"
                 f"const look = () => innerWidth === {width} ? frame() : setTimeout(look, 10); look(); }})")

    def media(self, scheme="light", kind=""):
        self.call("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def scripts(self, allowed):
        self.call("Emulation.setScriptExecutionDisabled", value=not allowed)

    def open(self, url):
        self.browser.events = [e for e in self.browser.events if e.get("sessionId") != self.session]
        self.call("Page.navigate", url=url)
        self.browser.wait("Page.loadEventFired", self.session)

    def ask(self, expression):
        """What an expression of JavaScript is; an exception in it is an error here."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(f"{expression}: {details.get('exception', {}).get('description', details.get('text'))}")
        return answer["result"].get("value")

    def key(self, key, code, number, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number, text=text if kind == "keyDown" else "")

    def picture(self, clip=None):
        """PNG of what the window shows, or of a part of the page at a scale."""
        options = {"format": "png"}
        if clip is not None:
            options["clip"] = clip
        return base64.b64decode(self.call("Page.captureScreenshot", **options)["data"])

    def paper(self):
        """The first pages as PDF."""
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=False, pageRanges="1-4")["data"])

    def complaints(self):
        """Exceptions, errors and warnings of the console, and requests to anywhere but files, since the page was opened."""
        self.call("Page.getNavigationHistory")  # all earlier events have arrived
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, p = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append("exception: " + p["exceptionDetails"].get("exception", {}).get("description", p["exceptionDetails"]["text"]))
            elif method == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
                found.append(f"console {p['type']}: " + " ".join(str(a.get("value")) for a in p["args"]))
            elif method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                found.append(f"log {p['entry']['level']}: {p['entry']['text']}")
            elif method == "Network.requestWillBeSent" and not p["request"]["url"].startswith(("file:", "data:")):
                found.append("request to " + p["request"]["url"])
        return found

    def requests(self):
        return [e["params"]["request"]["url"] for e in self.browser.events
                if e["method"] == "Network.requestWillBeSent" and e.get("sessionId") == self.session]
