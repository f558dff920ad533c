// SPDX-License-Identifier: MIT
// The scene's view: camera, light, orbiting and flying, picking.
import { Box3, Color, DirectionalLight, Group, HemisphereLight, LineBasicMaterial, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

import { LineMaterial } from "three/addons/lines/LineMaterial.js";

const GROUND = { dark: 0x12161c, light: 0xe4e9ef };

export class Stage {
    constructor(canvas, still) {
        this.canvas = canvas, this.still = still;
        this.renderer = new WebGLRenderer({ canvas, antialias: !still, preserveDrawingBuffer: still });
        this.scene = new Scene(), this.camera = new PerspectiveCamera(45, 1, 0.1, 1000), this.marks = new Group();
        const sun = new DirectionalLight(0xffffff, 2.2);
        sun.position.set(0.5, 1, 0.3), this.scene.add(sun, new HemisphereLight(0xffffff, 0x667788, 1.5), this.marks);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.addEventListener("change", () => { this.wanted = true, this.onMove?.(); });
        this.fresh = new LineBasicMaterial({ depthTest: false }), this.chosen = new LineMaterial({ linewidth: 4, depthTest: false });
        this.lines = new Map(), this.wanted = true, this.flying = false, this.reach = 1, this.centre = new Vector3(), this.keys = new Set(), this.raycaster = new Raycaster();
        canvas.addEventListener("pointermove", e => { if (this.flying && e.buttons & 1) this.look(e.movementX, e.movementY); });
    }

    // The material of marks of a colour.
    line(colour) {
        if (!this.lines.has(colour)) this.lines.set(colour, new LineMaterial({ color: colour, linewidth: 3, depthTest: false }));
        return this.lines.get(colour);
    }

    theme(name) {
        this.scene.background = new Color(GROUND[name]);
        this.fresh.color.setHex(name === "dark" ? 0xffffff : 0x202020), this.chosen.color.setHex(name === "dark" ? 0xffd54a : 0xb02a00);
        this.wanted = true;
    }

    // Centres the camera on the area that the panels leave free.
    size(free) {
        const [w, h] = [innerWidth, innerHeight];
        this.renderer.setPixelRatio(this.still ? 1 : Math.min(devicePixelRatio, 2)), this.renderer.setSize(w, h, false);
        this.camera.aspect = w / h, this.free = free;
        this.camera.setViewOffset(w, h, Math.round((free.right - free.left) / 2), Math.round((free.bottom - free.top) / 2), w, h);
        this.wanted = true;
    }

    box() {
        const box = new Box3();
        for (const o of this.scene.children) if (o.visible && o !== this.marks && o.isGroup) box.expandByObject(o);
        return box;
    }
    fit(box = this.box()) {
        if (box.isEmpty()) return;
        const centre = box.getCenter(new Vector3()), radius = Math.max(1e-6, box.getSize(new Vector3()).length() / 2);
        const { left, right, top, bottom } = this.free, part = Math.max(0.3, Math.min((innerWidth - left - right) / innerHeight, (innerHeight - top - bottom) / innerHeight));
        const far = radius / Math.tan(this.camera.fov * Math.PI / 360) / part;
        this.controls.target.copy(centre), this.camera.position.set(0.62, 0.48, 0.62).normalize().multiplyScalar(far * 1.05).add(centre);
        this.measure(), this.controls.update(), this.wanted = true;
    }
    // Computes the scene's size and centre.
    measure() {
        const box = this.box();
        this.reach = Math.max(1e-6, box.isEmpty() ? 1 : box.getSize(new Vector3()).length() / 2), this.centre = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
    }
    // Sets the near and far planes. They span as much of the scene as depth values can resolve, with room to grow.
    planes() {
        const { camera: c, reach: r } = this, near = c.position.distanceTo(this.controls.target) / 50;
        c.near = Math.min(r / 100, Math.max(r / 1e5, near)), c.far = c.position.distanceTo(this.centre) + 8 * r;
        c.updateProjectionMatrix();
    }

    where() {
        const short = v => +v.toPrecision(5), { position: p } = this.camera, { target: t } = this.controls;
        return [p.x, p.y, p.z, t.x, t.y, t.z].map(short).join(",");
    }
    go(text) {
        const n = text.split(",").map(Number);
        if (n.length !== 6 || !n.every(Number.isFinite)) return false;
        this.camera.position.set(n[0], n[1], n[2]), this.controls.target.set(n[3], n[4], n[5]);
        this.measure(), this.controls.update(), this.wanted = true;
        return true;
    }

    fly(on) {
        this.flying = on, this.controls.enabled = !on;
        if (!on) this.controls.target.copy(this.camera.position).addScaledVector(this.forward(), this.reach), this.controls.update();
    }
    forward() { return this.camera.getWorldDirection(new Vector3()); }
    look(dx, dy) {
        const ahead = this.forward().applyAxisAngle(this.camera.up, -dx * 0.004), side = ahead.clone().cross(this.camera.up).normalize();
        const up = ahead.clone().applyAxisAngle(side, -dy * 0.004);
        this.camera.lookAt(this.camera.position.clone().add(Math.abs(up.y) < 0.99 ? up : ahead));
        this.controls.target.copy(this.camera.position).add(this.forward()), this.wanted = true, this.onMove?.();
    }
    move(seconds) {
        if (!this.flying || this.keys.size === 0) return;
        const step = new Vector3(), ahead = this.forward(), side = ahead.clone().cross(this.camera.up).normalize(), has = k => this.keys.has(k) ? 1 : 0;
        step.addScaledVector(ahead, has("w") - has("s")).addScaledVector(side, has("d") - has("a")).addScaledVector(this.camera.up, has("e") - has("q"));
        this.camera.position.addScaledVector(step, seconds * this.reach * (has("shift") ? 2 : 0.6));
        this.controls.target.copy(this.camera.position).add(ahead), this.wanted = true, this.onMove?.();
    }

    // The first hit of a ray through a pixel, among visible groups.
    hit(x, y, views) {
        const pixel = 2 * this.camera.position.distanceTo(this.controls.target) * Math.tan(this.camera.fov * Math.PI / 360) / innerHeight;
        this.raycaster.params.Line.threshold = this.raycaster.params.Points.threshold = 6 * pixel;
        this.raycaster.params.Line2 = { threshold: 6 };
        this.camera.updateMatrixWorld(), this.scene.updateMatrixWorld();
        this.raycaster.setFromCamera(new Vector2(2 * x / innerWidth - 1, 1 - 2 * y / innerHeight), this.camera);
        const groups = views.filter(v => v.group.visible && v.picked).map(v => v.group), hits = this.raycaster.intersectObjects(groups, true);
        const solid = hits.filter(h => (h.object.userData.view.layer.opacity ?? 1) >= 0.5); // ghosts are skipped
        return solid[0] ?? hits[0] ?? null;
    }

    paint() {
        this.wanted = false, this.planes();
        this.renderer.render(this.scene, this.camera);
    }
}
