// SPDX-License-Identifier: MIT
// The page: frames, layers, keys, links to a frame and a camera.
import { Box3, Vector3 } from "three";
import { Cursor, Recording } from "./record.mjs";
import { History } from "./history.mjs";
import { hue } from "./colours.mjs";
import { element, Inspector, link } from "./inspect.mjs";
import { reachOf, viewOf } from "./layers.mjs";
import { panels } from "./panels/index.mjs";
import { Plot } from "./plot.mjs";
import { Stage } from "./stage.mjs";

const $ = id => document.getElementById(id), OUTLINES = 100, STEP = 10, SPEEDS = [2, 5, 10, 20, 60], SEEN = 20, EVENTS = "events";

function bytesOf(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
}
const wishes = () => new URLSearchParams(location.hash.slice(1));

class Page {
    constructor(recording) {
        this.recording = recording, this.cursor = new Cursor(recording), this.picked = [], this.playing = false;
        this.stage = new Stage($("view"), wishes().has("still"));
        this.views = recording.layers.map(l => viewOf(l, recording, $("labels"))).filter(v => v);
        for (const v of this.views) this.stage.scene.add(v.group);
        const { box, size } = this.moving();
        this.focus = box;
        for (const v of this.views) if (v.unit) v.unit.value = size;
        const api = this.api = {
            recording, element, link, seek: f => this.seek(f), frame: () => this.frame, now: l => this.cursor.now[l.number], history: () => this.history(),
            pick: (layer, id, go) => this.pickItem(layer, id, go), picked: () => this.picked, shown: l => this.views.find(v => v.layer === l).group.visible,
        };
        this.inspector = new Inspector($("picked"), api);
        const own = Object.hasOwn(panels, recording.type) ? panels[recording.type](api) : null;
        if (own) $("own").append(own.element), this.own = own, api.answer = own.answer;
        this.frame = own ? recording.last : recording.first;
        this.plot = new Plot($("plot"), recording, api.seek, own?.late);
    }
    history() { return this.past ??= new History(this.recording); }

    seek(frame) {
        const r = this.recording;
        this.frame = Math.max(r.first, Math.min(r.last, Math.round(frame)));
        this.cursor.seek(this.frame);
        for (const v of this.views) if (v.group.visible) v.update(this.cursor.now[v.layer.number]);
        $("slider").value = this.frame, $("where").textContent = `${this.frame} / ${r.last}` + (r.seconds > 0 ? `, ${(this.frame * r.seconds).toFixed(2)} s` : "");
        const notes = r.layers.filter(l => l.kind === "texts" && !l.placed).flatMap(l => this.cursor.now[l.number].texts);
        $("notes").replaceChildren(...notes.map(t => Object.assign(element("p", t.text), { className: "note" })));
        this.tell(), this.own?.update();
    }
    // Updates everything outside the layers: plot, marks, picked items, address.
    tell() {
        this.plot.draw(this.frame, document.documentElement.dataset.theme === "dark");
        this.mark(), this.inspector.show(this.picked);
        this.stage.wanted = true, this.address();
    }
    // Box and median size of moving items, from some frames. The camera fits this box, because the ground may be much wider. The box leaves
    // out the outermost positions, because items may fall out of the world.
    moving() {
        const { recording: r } = this, cursor = new Cursor(r), at = [[], [], []], sizes = [], every = Math.max(1, Math.floor((r.frames - 1) / SEEN));
        for (let f = r.first; f <= r.last; f += every) {
            cursor.seek(f);
            for (const l of r.layers)
                if (l.kind === "items")
                    for (const i of cursor.now[l.number].items.values())
                        if (i.position.some(p => p !== 0)) at.forEach((a, k) => a.push(i.position[k] / l.scale)), sizes.push(reachOf(r.shape(i.shape)));
        }
        for (const a of [...at, sizes]) a.sort((x, y) => x - y);
        const part = (a, share) => a[Math.round(share * (a.length - 1))], corner = share => new Vector3(...at.map(a => part(a, share)));
        return sizes.length === 0 ? { box: new Box3(), size: 0 } : { box: new Box3(corner(0.02), corner(0.98)).expandByScalar(sizes.at(-1)), size: part(sizes, 0.5) };
    }
    fit() {
        if (this.focus.isEmpty()) this.stage.fit(); else this.stage.fit(this.focus);
    }

    // Marks items that appeared or changed in this frame, and picked ones.
    mark() {
        const { stage } = this, { marks, fresh, chosen } = stage;
        for (const m of [...marks.children]) marks.remove(m), m.geometry.dispose();
        for (const v of this.views) {
            if (v.layer.kind !== "items" || !v.group.visible || (v.layer.opacity ?? 1) < 0.5) continue;
            const now = this.cursor.now[v.layer.number], whole = this.frame === this.cursor.block.first;
            let items = this.frame === this.recording.first ? [] : now.put;
            if (whole && items.length > 0) items = items.filter(i => this.history().life(v.layer, i.id, this.frame).made === this.frame);
            if (items.length <= OUTLINES) for (const i of items) marks.add(v.outline(i, fresh));
            for (const item of this.concerned(v.layer)) marks.add(v.outline(item, stage.line(hue(item.id))));
            for (const p of this.picked) if (p.layer === v.layer && now.items.has(p.id)) marks.add(v.outline(now.items.get(p.id), chosen));
        }
    }

    // Items of this frame's decisions: rows of tables that answer a question name them. Includes items that are gone with this frame.
    concerned(layer) {
        const now = this.cursor.now[layer.number], found = new Map();
        for (const table of this.recording.layers) {
            if (!table.about || table.draw !== "table" || table.hold) continue;
            for (const row of this.cursor.now[table.number].rows.slice(0, STEP))
                table.columns.forEach((c, k) => {
                    if (c.meaning !== "item" || c.of !== layer.number || row[k] < 0) return;
                    const item = now.items.get(row[k]) ?? now.gone.get(row[k]) ?? this.history().last(layer, row[k], this.frame);
                    if (item) found.set(item.id, item);
                });
        }
        return found.values();
    }

    pick(x, y, more) {
        const hit = this.stage.hit(x, y, this.views), what = hit && hit.object.userData.view.picked(hit);
        if (!what) this.picked = more ? this.picked : [];
        else if (more && this.picked.length > 0 && !this.picked.some(p => p.layer === what.layer && p.id !== undefined && p.id === what.id)) this.picked = [...this.picked.slice(-1), what];
        else this.picked = [what];
        this.tell(), this.own?.update();
        return what;
    }
    // Picks an item by id. With `go`, goes to the frame of its creation if it is absent now.
    pickItem(layer, id, go) {
        this.picked = [{ layer, id }];
        const made = go && !this.cursor.now[layer.number].items.has(id) ? this.history().firstMade(layer, id) : null;
        if (made !== null) this.seek(made);
        else this.tell(), this.own?.update();
    }

    theme(name) {
        document.documentElement.dataset.theme = name, this.stage.theme(name);
        this.plot.draw(this.frame, name === "dark");
    }
    size() {
        const wide = innerWidth > 700, side = $("side").getBoundingClientRect(), right = $("facts").getBoundingClientRect();
        this.stage.size({ left: wide ? side.right : 0, right: wide ? innerWidth - right.left : 0, top: wide ? 0 : Math.max(side.bottom, right.bottom), bottom: innerHeight - $("bar").getBoundingClientRect().top });
        this.plot.draw(this.frame, document.documentElement.dataset.theme === "dark");
    }

    // Writes frame, camera and picked items into the page's address, after a short delay without changes.
    address() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => history.replaceState(null, "", this.hash()), 300);
    }
    hash() {
        const w = wishes();
        w.set("frame", this.frame), w.set("camera", this.stage.where());
        const items = this.picked.filter(p => p.id !== undefined).map(p => `${p.layer.number}:${p.id}`);
        if (items.length > 0) w.set("pick", items.join()); else w.delete("pick");
        return "#" + decodeURIComponent(w.toString());
    }
    follow() {
        const w = wishes(), layers = this.recording.layers;
        const named = (w.get("pick") ?? "").split(",").map(p => p.split(":").map(Number)).filter(([l, id]) => layers[l]?.kind === "items" && Number.isInteger(id) && id >= 0);
        this.picked = named.slice(0, 2).map(([l, id]) => ({ layer: layers[l], id }));
        if (w.has("theme")) this.theme(w.get("theme") === "dark" ? "dark" : "light");
        const frame = Number(w.get("frame") ?? this.frame);
        this.seek(Number.isFinite(frame) ? frame : this.frame);
        if (!w.has("camera") || !this.stage.go(w.get("camera"))) this.fit();
    }

    // An item's place on the screen, for scripts that control the page.
    place(layer, id) {
        const view = this.views.find(v => v.layer === layer), lines = view.outline(this.cursor.now[layer.number].items.get(id), this.stage.fresh);
        lines.geometry.computeBoundingBox(), lines.updateMatrixWorld();
        this.stage.camera.updateMatrixWorld();
        const at = lines.geometry.boundingBox.getCenter(new Vector3()).applyMatrix4(lines.matrix).project(this.stage.camera);
        return [(at.x + 1) / 2 * innerWidth, (1 - at.y) / 2 * innerHeight];
    }

    controls() {
        const r = this.recording, { stage } = this;
        document.title = r.title || "voxphys", $("side").querySelector("h1").textContent = document.title;
        $("command").textContent = [r.command, r.cut ? `The recording was cut off: its ${r.frames} whole frames are shown.` : null].filter(t => t).join(" ");
        $("command").hidden = !$("command").textContent;
        for (const layer of r.layers) {
            const view = this.views.find(v => v.layer === layer);
            if (!view || (layer.kind === "texts" && !layer.placed)) continue;
            const label = element("label"), box = element("input");
            box.type = "checkbox", box.checked = view.group.visible, label.title = layer.about ?? "";
            box.onchange = () => { view.group.visible = box.checked, this.seek(this.frame); };
            label.append(box, " ", layer.name), $("layers").append(label);
        }
        $("slider").min = r.first, $("slider").max = r.last, $("slider").oninput = () => this.seek(+$("slider").value);
        for (const s of SPEEDS) $("speed").append(new Option(`${s} a second`, s, s === 20, s === 20));
        if (this.own?.events) $("speed").append(new Option("by events", EVENTS, true, true));
        if (r.seconds > 0) $("speed").append(new Option("as it was", 1 / r.seconds, true, true));
        const play = on => { this.playing = on, $("play").textContent = on ? "pause" : "play", this.since = performance.now(); };
        $("play").onclick = () => { if (!this.playing && this.frame === r.last) this.seek(r.first); play(!this.playing); };
        $("back").onclick = () => { play(false), this.seek(this.frame - 1); }, $("next").onclick = () => { play(false), this.seek(this.frame + 1); };
        const glass = this.views.filter(v => v.glass && (v.layer.opacity ?? 1) === 1);
        $("glass").hidden = glass.length === 0;
        $("glass").onclick = () => {
            const on = $("glass").getAttribute("aria-pressed") !== "true";
            $("glass").setAttribute("aria-pressed", on);
            for (const v of glass) v.glass(on);
            stage.wanted = true;
        };
        for (const fold of document.querySelectorAll(".fold")) fold.onclick = () => { fold.ariaExpanded = !fold.parentElement.classList.toggle("folded"), this.size(); };
        $("help").onclick = () => $("keys").open ? $("keys").close() : $("keys").showModal();
        $("keys").onclick = () => $("keys").close();
        $("fit").onclick = () => this.fit(), $("theme").onclick = () => { this.theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"), this.tell(); };
        $("fly").onclick = () => { stage.fly(!stage.flying), $("fly").setAttribute("aria-pressed", stage.flying); };
        $("link").onclick = () => {
            history.replaceState(null, "", this.hash());
            navigator.clipboard?.writeText(location.href).then(() => { $("link").textContent = "copied"; }, () => { $("link").textContent = "see the address"; });
        };
        this.play = play, this.pointer(), this.keyboard();
        stage.onMove = () => this.address();
        addEventListener("resize", () => this.size()), addEventListener("hashchange", () => this.follow());
        new ResizeObserver(() => this.size()).observe($("bar"));
    }
    pointer() {
        let down = null;
        $("view").addEventListener("pointerdown", e => { down = [e.clientX, e.clientY]; });
        $("view").addEventListener("click", e => { // ignores drags
            if (down && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 4) this.pick(e.clientX, e.clientY, e.shiftKey);
        });
    }
    keyboard() {
        const { stage, recording: r } = this;
        const acts = { ArrowLeft: e => this.seek(this.frame - (e.shiftKey ? STEP : 1)), ArrowRight: e => this.seek(this.frame + (e.shiftKey ? STEP : 1)),
            Home: () => this.seek(r.first), End: () => this.seek(r.last), " ": () => $("play").click(), "?": () => $("help").click(), h: () => document.querySelectorAll(".fold").forEach(fold => fold.click()), x: () => $("glass").click(), f: () => this.fit(), Escape: () => { this.picked = [], this.tell(), this.own?.update(); } };
        addEventListener("keydown", e => {
            if (e.ctrlKey || e.metaKey || e.altKey) return;
            if (e.target.closest?.("select, input[type=number]") || (e.key === " " && e.target.closest?.("button, input"))) return;
            stage.keys.add(e.key.toLowerCase());
            if (!acts[e.key] || (stage.flying && e.key === "f")) return;
            if (e.key.startsWith("Arrow") || e.key === "Home" || e.key === "End") this.play(false);
            acts[e.key](e), e.preventDefault();
        });
        addEventListener("keyup", e => stage.keys.delete(e.key.toLowerCase())), addEventListener("blur", () => stage.keys.clear());
    }

    tick(t) {
        const by = $("speed").value, every = 1000 / (by === EVENTS ? 10 : +by), seconds = Math.min(0.1, (t - (this.ticked ?? t)) / 1000);
        this.ticked = t, this.stage.move(seconds);
        if (this.playing && t - this.since >= every) {
            const steps = Math.min(10, Math.floor((t - this.since) / every));
            this.since += steps * every, this.seek(by === EVENTS ? this.own.events().find(f => f > this.frame) ?? this.recording.last : this.frame + steps);
            if (this.frame === this.recording.last) this.play(false);
        }
        if (this.stage.wanted) this.paint();
        requestAnimationFrame(time => this.tick(time));
    }
    paint() {
        this.stage.paint();
        for (const v of this.views) v.project?.(this.stage.camera, innerWidth, innerHeight);
    }
}

async function main() {
    const began = performance.now(), recording = await Recording.open(bytesOf($("recording").textContent.trim())), decoded = performance.now();
    if (recording.frames === 0) throw new Error("the recording has no whole frame");
    const page = new Page(recording);
    page.theme(wishes().get("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    page.controls(), page.seek(page.frame), page.size(), page.follow(), page.paint();
    page.times = { decoded: decoded - began, shown: performance.now() - began, sinceNavigation: performance.now() };
    window.viewer = page;
    document.documentElement.dataset.ready = "yes";
    requestAnimationFrame(t => page.tick(t));
    if (page.own?.marks) setTimeout(() => { page.plot.marks = page.own.marks(), page.tell(); }); // reads all frames
}

function fail(message) {
    const box = $("failure") ?? element("div");
    box.textContent = `This recording can't be shown: ${message}`;
    box.id = "failure", box.className = "panel", box.setAttribute("role", "alert");
    for (const id of ["side", "picked", "bar"]) $(id).hidden = true;
    document.body.append(box), document.documentElement.dataset.ready = "failed";
}
addEventListener("error", e => { if (e.error) fail(e.error.message); }); // for example on going to a damaged frame
main().catch(e => fail(e.message));
