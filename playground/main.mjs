// SPDX-License-Identifier: MIT
// The tools, keys and frames of the page, and the script of all commands.
import { Box3, Spherical, Vector2, Vector3 } from "three";
import { Stage } from "../viewer/stage.mjs";
import { Engine } from "./engine.mjs";
import { commandsOf, parseFile, sample } from "./mesh.mjs";
import { MATERIALS, Scene } from "./scene.mjs";

const $ = id => document.getElementById(id), STEP = 1000 / 64, GROW_EVERY = 4, CENTRE = [48, 38, 48];
const TOOLS = ["dig", "fill", "throw", "rays", "plant"], SHAPES = ["box", "sphere", "capsule", "cylinder"], LAYERS = ["bits", "trees", "contacts"];
const FOREST = [["cherry", 80, 70], ["pine", 76, 20], ["pine", 84, 28], ["cherry", 30, 84], ["redwood", 18, 20], ["oak", 46, 18]];
const FIGURES = ["bodies", "awake", "contacts", "pairs", "islands", "living cells"];
const text = numbers => [...numbers].map(x => +x.toFixed(3)).join(" ");

class Page {
    constructor(engine) {
        this.engine = engine, this.script = [], this.late = this.frames = this.aged = 0, this.budget = 10, this.pointer = null, this.mesh = false, this.times = { step: 0, frame: 0 };
        this.stage = new Stage($("view"), location.hash.includes("still")), this.scene = new Scene(engine, this.stage);
        this.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches, this.growing = false, this.tool = "dig";
        this.controls(), this.keyboard(), this.pointers();
        this.theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
        this.world(+$("seed").value), this.size();
        this.stage.fit(new Box3(new Vector3(10, 6, 10), new Vector3(86, 26, 86))), this.press("pause", !this.playing);
    }

    // ---- commands ----

    // Runs commands and keeps those that succeed in the script. A message of the module is shown.
    do(...commands) {
        let done = commands;
        try {
            this.engine.run(commands.join("\n"));
        } catch (e) {
            this.say(e.message);
            done = commands.slice(0, (/^line (\d+)/.exec(e.message)?.[1] ?? 1) - 1);
        }
        done.forEach(c => this.note(c));
        return done === commands;
    }
    // Adds a command to the script.
    note(command) {
        if (command.trim() === "" || command.startsWith("#")) return;
        const last = this.script.at(-1), [name, count] = command.split(" ");
        if ((name === "step" || name === "grow") && last?.startsWith(`${name} `)) this.script[this.script.length - 1] = `${name} ${+last.split(" ")[1] + +count}`;
        else this.script.push(command);
    }
    world(seed) {
        this.forget(), this.at = null, $("seed").value = seed = Math.min(999999, Math.max(0, Math.floor(seed) || 0));
        this.do(`world ${seed}`, ...FOREST.map(([species, x, z]) => `plant ${species} ${x} 1 ${z}`)), this.stack(), this.grow(true);
    }
    // Begins an empty script.
    forget() {
        this.script = [], this.mesh = false, this.scene.clear(), $("drop").disabled = $("remove").disabled = true;
    }
    // Replays a script and returns the hash.
    replay(commands) {
        this.forget(), this.pause(true);
        $("hash").textContent = this.do(...commands.split("\n")) ? this.engine.hash() : "";
        this.show();
        return $("hash").textContent;
    }
    step(count = 1) {
        const began = performance.now();
        if (!this.do(`step ${count}`)) this.pause(true);
        this.times.step += ((performance.now() - began) / count - this.times.step) * 0.1;
    }
    // Begins a step or continues it until a time. Returns whether it has ended. A long step takes several frames.
    advance(until) {
        const began = performance.now();
        if (!this.engine.isInStep) this.note("step 1"), this.late -= STEP, this.spent = 0;
        const ended = this.engine.advance(until - began);
        this.spent += performance.now() - began;
        if (ended < 0) this.step();
        if (ended > 0) this.times.step += (this.spent - this.times.step) * 0.1;
        return ended > 0;
    }
    throw(shape, size, density, at, velocity) { return this.do(`throw ${shape} ${size} ${density} ${text(at)} ${text(velocity)}`); }
    // Throws shapes above the whole terrain.
    rain(count = 100) {
        const first = this.engine.view("figures")[0], random = i => { const x = Math.sin(i * 12.9898) * 43758.5453; return x - Math.floor(x); };
        for (let i = first; i < first + count; i++)
            this.throw(SHAPES[i % 4], +(0.5 + 0.7 * random(i)).toFixed(2), 0.5, [8 + 80 * random(i + 0.3), 34 + 24 * random(i + 0.6), 8 + 80 * random(i + 0.9)], [0, 0, 0]);
        this.show();
    }
    stack() {
        const [x, , z] = this.at ?? [62, 0, 80];
        this.engine.run(`ray ${text([x, 63, z])} 0 -1 0`);
        const y = this.engine.view("ray")[1] ?? 30;
        for (let row = 0; row < 5; row++) for (let k = 0; k < 5 - row; k++) this.throw("box", 1, 0.6, [x + 2.1 * k + 1.05 * row - 4, y + 1.2 + 2.02 * row, z], [0, 0, 0]);
        this.show();
    }

    // Hit of a ray through a pixel, in the terrain. Undefined on a miss.
    cast(x, y) {
        const { raycaster, camera } = this.stage;
        camera.updateMatrixWorld(), raycaster.setFromCamera(new Vector2(2 * x / innerWidth - 1, 1 - 2 * y / innerHeight), camera);
        const { origin, direction } = raycaster.ray;
        this.engine.run(`ray ${text(origin.clone().clampScalar(-1e5, 1e5))} ${[...direction].map(v => v.toFixed(7)).join(" ")}`);
        const n = Array.from(this.engine.view("ray"));
        return { origin, direction, hit: n.length > 0 && { point: new Vector3(...n), normal: new Vector3(...n.slice(3)), material: n[6], t: n[7], chunk: n[8], triangle: n[9] } };
    }
    use(x, y) {
        const { origin, direction, hit } = this.cast(x, y), radius = +$("radius").value;
        if (!hit && this.tool !== "throw") return this.say("The ray hits nothing.");
        const along = (v, by) => hit.point.clone().addScaledVector(v, by);
        if (hit) this.at = hit.point.toArray();
        if (this.tool === "dig" && this.do(`dig ${radius} ${text(along(hit.normal, -0.3 * radius))}`)) this.sayEdit("Dug");
        if (this.tool === "fill" && this.do(`fill ${$("material").value} ${radius} ${text(along(hit.normal, 0.3 * radius))}`)) this.sayEdit("Filled");
        if (this.tool === "throw") {
            const from = hit ? along(direction, -Math.min(hit.t * 0.8, 24)) : origin.clone().addScaledVector(direction, origin.distanceTo(this.stage.controls.target) * 0.7);
            if (this.throw($("shape").value, $("size").value, $("density").value, from, direction.clone().multiplyScalar(18))) this.say(`Threw a ${$("shape").value}.`);
        }
        if (this.tool === "rays") {
            const from = along(hit.normal, 12), side = +$("rays").value, fan = `fan ${side} ${text(from)} ${text(hit.normal.clone().negate())}`;
            this.engine.run(fan); // builds the trees
            const began = performance.now();
            this.engine.run(fan);
            const ms = performance.now() - began, count = this.scene.showRays(from.toArray());
            this.say(`${side * side} rays in ${ms.toFixed(2)} ms, ${count} hits.`);
        }
        if (this.tool === "plant" && this.do(`plant ${$("species").value} ${text(along(hit.normal, 0.5))}`)) this.say(`Planted: ${$("species").value}.`), this.grow(true);
        this.show();
    }
    sayEdit(word) {
        const [regions, voxels, crumbled] = this.engine.view("figures").slice(6);
        this.say(regions > 0 ? `${word}. ${regions} loose part${regions === 1 ? "" : "s"} of ${voxels} voxels fall${regions === 1 ? "s" : ""}.` : crumbled > 0 ? `${word}. ${crumbled} voxels crumble.` : `${word}.`);
    }

    // ---- a mesh ----

    load(geometries) {
        try {
            this.mesh = this.do(...commandsOf(geometries)), this.decompose(), $("mesh").open = true;
        } catch (e) {
            this.say(e.message);
        }
    }
    decompose() {
        if (!this.mesh) return;
        const began = performance.now(), done = this.do(`decompose ${$("concavity").value} ${$("hulls").value}`);
        for (const id of ["drop", "remove"]) $(id).disabled = !done;
        this.scene.showHulls(done ? CENTRE : null), this.stage.wanted = true;
        if (done) this.say(`${this.engine.view("figures")[9]} hulls in ${(performance.now() - began).toFixed(0)} ms.`);
    }
    async read(file) { this.load(parseFile(file.name, await file.arrayBuffer())); }

    // ---- the page ----

    say(message) { $("said").textContent = message; }
    press(id, on) { $(id).setAttribute("aria-pressed", on); }
    pause(on) { this.playing = !on, this.press("pause", on); }
    grow(on) { this.growing = on, this.press("grow", on); }
    theme(name) { document.documentElement.dataset.theme = name, this.stage.theme(name); }
    choose(tool) {
        this.tool = tool, this.scene.marker.visible = false, this.stage.wanted = true;
        for (const e of $("tools").querySelectorAll("input")) e.checked = e.value === tool;
        for (const e of $("options").children) e.hidden = !e.dataset.for.split(" ").includes(tool);
    }
    size() {
        const side = $("side").getBoundingClientRect(), narrow = side.width > innerWidth * 0.6;
        const free = { left: narrow ? 0 : side.right, right: 0, top: 0, bottom: narrow ? innerHeight - side.top : 0 };
        this.stage.size(free), this.middle = [(free.left + innerWidth) / 2, (innerHeight - free.bottom) / 2];
        $("cross").style.left = `${this.middle[0]}px`, $("cross").style.top = `${this.middle[1]}px`;
    }
    controls() {
        for (const tool of TOOLS) {
            const label = document.createElement("label"), input = Object.assign(document.createElement("input"), { type: "radio", name: "tool", value: tool }), span = document.createElement("span");
            span.textContent = tool, label.append(input, span), input.onchange = () => this.choose(tool), $("tools").querySelector(".row").append(label);
        }
        this.choose("dig");
        for (const input of document.querySelectorAll("label input[type=range]")) {
            const show = () => { input.parentElement.querySelector("output").textContent = input.id === "rays" ? input.value ** 2 : input.value; };
            input.addEventListener("input", show), show();
        }
        const click = (id, act) => { $(id).onclick = act; };
        click("pause", () => this.pause(this.playing)), click("once", () => { this.pause(true), this.step(), this.show(); }), click("grow", () => this.grow(!this.growing));
        click("rain", () => this.rain()), click("stack", () => this.stack()), click("world", () => this.world(+$("seed").value));
        click("theme", () => this.theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
        click("copy", () => { $("script").value = this.script.join("\n") + "\n", $("hash").textContent = this.engine.hash(), this.pause(true); }), click("replay", () => this.replay($("script").value));
        click("sample", () => this.load(sample())), click("remove", () => { this.mesh = false, this.scene.showHulls(), $("drop").disabled = $("remove").disabled = true, this.stage.wanted = true; });
        click("drop", () => { this.do(`drop ${text(CENTRE)}`), $("remove").click(), this.show(); });
        for (const id of ["concavity", "hulls"]) $(id).onchange = () => this.decompose();
        $("file").onchange = () => this.read($("file").files[0]).catch(e => this.say(e.message));
        for (const id of LAYERS) $(id).onchange = () => this.show();
        $("asleep").onchange = () => { this.scene.bodies.layer.colouring = $("asleep").checked ? "state" : "id", this.show(); };
        addEventListener("resize", () => this.size()), new ResizeObserver(() => this.size()).observe($("side"));
        addEventListener("dragover", e => e.preventDefault());
        addEventListener("drop", e => { e.preventDefault(); if (e.dataTransfer.files[0]) this.read(e.dataTransfer.files[0]).catch(x => this.say(x.message)); });
    }
    pointers() {
        let down = null;
        const view = $("view");
        view.addEventListener("pointerdown", e => { down = [e.clientX, e.clientY], this.pointer = null; });
        view.addEventListener("pointermove", e => { this.pointer = e.pointerType === "mouse" && e.buttons === 0 ? [e.clientX, e.clientY] : null; });
        view.addEventListener("pointerleave", () => { this.pointer = null, this.scene.marker.visible = false, this.stage.wanted = true; });
        view.addEventListener("click", e => { if (down && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 6) this.use(e.clientX, e.clientY); });
    }
    // Turns the camera around its target, and moves it towards the target.
    turn(by, up, zoom = 1) {
        const { camera, controls } = this.stage, s = new Spherical().setFromVector3(camera.position.clone().sub(controls.target));
        s.theta += by, s.phi = Math.min(1.5, Math.max(0.1, s.phi + up)), s.radius *= zoom;
        camera.position.setFromSpherical(s).add(controls.target), controls.update(), this.stage.wanted = true;
    }
    keyboard() {
        const view = { ArrowLeft: () => this.turn(-0.1, 0), ArrowRight: () => this.turn(0.1, 0), ArrowUp: () => this.turn(0, -0.1), ArrowDown: () => this.turn(0, 0.1), "+": () => this.turn(0, 0, 0.9), "-": () => this.turn(0, 0, 1 / 0.9), Enter: () => this.use(...this.middle) };
        const all = { p: () => $("pause").click(), ".": () => $("once").click(), g: () => $("grow").click(), r: () => this.rain(), s: () => this.stack(), t: () => $("theme").click(), "?": () => { $("help").open = !$("help").open; } };
        TOOLS.forEach((tool, k) => { all[k + 1] = () => this.choose(tool); });
        addEventListener("keydown", e => {
            if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest?.("select, textarea, input[type=number]")) return;
            const act = all[e.key] ?? (e.target === $("view") || e.target === document.body ? view[e.key] : null);
            if (act) act(), e.preventDefault();
        });
    }

    // ---- frames ----

    show() {
        this.scene.updateTerrain(), this.scene.updateBodies();
        this.scene.updateLayers(Object.fromEntries(LAYERS.map(l => [l, $(l).checked])));
        this.stage.wanted = true;
    }
    hover() {
        const { marker } = this.scene, { hit } = this.cast(...this.pointer), radius = this.tool === "dig" || this.tool === "fill" ? +$("radius").value : 0.4;
        marker.visible = !!hit, this.stage.wanted = true, this.pointer = null;
        if (hit) marker.position.copy(hit.point), marker.scale.setScalar(radius), this.under = `${MATERIALS[hit.material] ?? "plant"} ${hit.chunk}:${hit.triangle}`;
        if ($("trees").checked) this.show();
    }
    tick(time) {
        requestAnimationFrame(t => this.tick(t));
        const passed = Math.min(100, time - (this.ticked ?? time)), began = performance.now();
        this.ticked = time, this.late = Math.min(this.late + passed, this.times.step > STEP / 2 ? STEP : 2 * STEP); // slow motion rather than few frames
        let moved = false;
        while (this.playing && (this.engine.isInStep || this.late >= STEP) && this.advance(began + this.budget)) moved = true;
        const between = !this.engine.isInStep;
        if (this.growing && this.playing && between && ++this.aged >= GROW_EVERY) this.aged = 0, this.do("grow 1"), moved = true;
        if (moved) this.show();
        if (this.pointer) this.hover();
        if (this.stage.wanted) this.stage.paint(), this.times.frame += (performance.now() - began - this.times.frame) * 0.1;
        if (this.frames++ % 16 === 0) this.tell();
    }
    tell() {
        const n = this.engine.view("figures"), rows = FIGURES.map((name, k) => [name, n[k]]);
        rows.push(["step, ms", this.times.step.toFixed(2)], ["frame, ms", this.times.frame.toFixed(1)], ...this.under ? [["pointer", this.under]] : []);
        $("figures").replaceChildren(...rows.map(([name, value]) => {
            const row = document.createElement("div"), b = document.createElement("b");
            b.textContent = value, row.append(name, b);
            return row;
        }));
    }
}

async function main() {
    const packed = Uint8Array.from(atob($("module").textContent.trim()), c => c.charCodeAt(0));
    const bytes = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    const page = new Page(await Engine.load(bytes));
    page.stage.paint(), page.tell(), page.times.shown = performance.now(), window.playground = page;
    document.documentElement.dataset.ready = "yes";
    requestAnimationFrame(t => page.tick(t));
}

function fail(message) {
    $("said").textContent = `The playground can't start: ${message}`, document.documentElement.dataset.ready = "failed";
}
addEventListener("error", e => { if (e.error) fail(e.error.message); });
main().catch(e => fail(e.message));
