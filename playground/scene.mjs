// SPDX-License-Identifier: MIT
// Draws tiles of terrain, bodies, layers and hulls. Reads arrays of the engine.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, RingGeometry, SphereGeometry } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { bytes, hue } from "../viewer/colours.mjs";
import { viewOf } from "../viewer/layers.mjs";

const FORMS = ["sphere", "capsule", "box", "cylinder", "mesh"], RAY_COLOUR = 0xd08000, NORMAL_COLOUR = 0x00a8ff;
const COLOURS = { 1: 0x3468b2, 2: 0x628e3e, 3: 0x76553a, 4: 0x828284, 5: 0xd6c896, 16: 0x3a3030, 17: 0x803020, 18: 0xf0d040, 19: 0x3d7040, 20: 0x4f8a3c, 21: 0xe39ab4, 22: 0x7b4433, 23: 0x7b5433, 24: 0x6b4a2e, 25: 0x6a4038 };
export const MATERIALS = { 1: "water", 2: "grass", 3: "soil", 4: "rock", 5: "sand", 16: "beetle", 19: "needles", 20: "leaves", 21: "blossom", 22: "redwood", 23: "pine", 24: "oak", 25: "cherry" };

const rowsOf = (numbers, size) => Array.from({ length: numbers.length / size }, (_, i) => Array.from(numbers.subarray(i * size, i * size + size)));

// Triangles of a number and 9 coordinates, with a colour for the number.
function soup(numbers, colourOf) {
    const count = numbers.length / 10, position = new Float32Array(9 * count), colour = new Uint8Array(9 * count), known = new Map();
    for (let t = 0; t < count; t++) {
        const about = numbers[10 * t];
        if (!known.has(about)) known.set(about, bytes(colourOf(about)));
        position.set(numbers.subarray(10 * t + 1, 10 * t + 10), 9 * t);
        for (let k = 0; k < 3; k++) colour.set(known.get(about), 9 * t + 3 * k);
    }
    const g = new BufferGeometry();
    g.setAttribute("position", new BufferAttribute(position, 3)), g.setAttribute("color", new BufferAttribute(colour, 3, true));
    return g;
}
// Three great circles of a sphere.
const circles = () => mergeGeometries([[0, 0], [Math.PI / 2, 0], [0, Math.PI / 2]].map(([x, y]) => new RingGeometry(0.999, 1, 40).rotateX(x).rotateY(y)));
const painted = options => new MeshLambertMaterial({ vertexColors: true, flatShading: true, ...options });

export class Scene {
    constructor(engine, stage) {
        Object.assign(this, { engine, stage, tiles: new Map(), shapes: [], shapeOf: [], known: new Map(), shown: {} });
        this.materials = { solid: painted(), water: painted({ transparent: true, opacity: 0.6, depthWrite: false }) };
        const array = (draw, colour, opacity = 1) => viewOf({ kind: "array", draw, colour, opacity, materials: [] });
        this.bodies = viewOf({ kind: "items", scale: 1, colouring: "id", materials: [], states: [{ colour: 0xe58e3a }, { colour: 0x7d8794 }] }, { shape: i => this.shapes[i] });
        this.views = { points: array("points", 0xd81b60), normals: array("arrows", NORMAL_COLOUR), bits: array("points", 0xc08000), boxes: array("boxes", 0xc04060), hits: array("points", RAY_COLOUR) };
        this.ring = circles(), this.ringMaterial = new MeshBasicMaterial({ color: 0x9060c0, transparent: true, opacity: 0.6, wireframe: true }), this.spheres = new Group();
        this.views.bits.unit.value = 0.5, this.views.points.unit.value = 1;
        this.hulls = new Group(), this.terrain = new Group();
        this.rays = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: RAY_COLOUR, transparent: true, opacity: 0.35 }));
        this.marker = new Mesh(new SphereGeometry(1, 24, 16), new MeshBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.3, depthWrite: false }));
        this.rays.frustumCulled = this.marker.visible = false;
        stage.scene.add(this.terrain, this.bodies.group, this.hulls, this.rays, this.marker, this.spheres, ...Object.values(this.views).map(v => v.group));
    }

    // Forgets everything, for another world.
    clear() {
        for (const mesh of this.tiles.values()) this.terrain.remove(mesh), mesh.geometry.dispose();
        this.tiles.clear(), this.known.clear(), this.shapes = [], this.shapeOf = [];
        this.bodies.update({ items: new Map() }), this.showHulls(), this.showRays(null);
    }

    updateTerrain() {
        const stale = Array.from(this.engine.view("stale"));
        for (const tile of stale)
            for (const surface of ["solid", "water"]) {
                const key = `${surface} ${tile}`, numbers = this.engine.view(surface, tile), old = this.tiles.get(key);
                if (old) this.terrain.remove(old), old.geometry.dispose(), this.tiles.delete(key);
                if (numbers.length === 0) continue;
                const mesh = new Mesh(soup(numbers, m => COLOURS[m] ?? 0xa0a0a0), this.materials[surface]);
                mesh.renderOrder = surface === "water" ? 1 : 0;
                this.tiles.set(key, mesh), this.terrain.add(mesh);
            }
        if (stale.length > 0) this.shown.bits = null;
        return stale.length > 0;
    }

    // Adds the shapes of new bodies. Equal ones share a number.
    addShapes(count) {
        for (let i = this.shapeOf.length; i < count; i++) {
            const n = Array.from(this.engine.view("shape", i)), form = FORMS[n[0]], key = form === "mesh" ? `body ${i}` : n.join();
            if (!this.known.has(key)) {
                const corner = new Float32Array(n.slice(4));
                this.known.set(key, this.shapes.length);
                this.shapes.push({ form, size: n.slice(1, 4), corner, triangle: Uint32Array.from({ length: corner.length / 3 }, (_, k) => k), material: new Uint8Array(corner.length / 9) });
            }
            this.shapeOf.push(this.known.get(key));
        }
    }
    updateBodies() {
        const count = this.engine.view("bodies").length / 8, items = new Map();
        this.addShapes(count);
        const numbers = this.engine.view("bodies");
        for (let i = 0; i < count; i++) {
            const at = 8 * i, state = numbers[at + 7];
            if (state !== 2) items.set(i, { id: i, shape: this.shapeOf[i], state, position: Array.from(numbers.subarray(at, at + 3)), turn: Array.from(numbers.subarray(at + 3, at + 7)) });
        }
        this.bodies.update({ items });
    }

    updateLayers(on) {
        const show = (name, what, size, wanted) => this.views[name].update({ rows: wanted ? rowsOf(this.engine.view(what), size) : [] });
        if (on.contacts || this.shown.contacts) {
            const rows = on.contacts ? rowsOf(this.engine.view("contacts"), 6) : [];
            this.views.points.update({ rows }), this.views.normals.update({ rows });
        }
        if (on.trees || this.shown.trees) this.showSpheres(on.trees), show("boxes", "boxes", 6, on.trees);
        if (on.bits !== this.shown.bits) {
            const rows = on.bits ? rowsOf(this.engine.view("bits"), 3) : [];
            this.views.bits.update({ rows: rows.map(r => r.map(v => v + 0.5)) });
        }
        this.shown = { ...on };
    }

    showSpheres(wanted) {
        for (const mesh of [...this.spheres.children]) this.spheres.remove(mesh), mesh.dispose();
        const numbers = wanted ? this.engine.view("spheres") : [], matrix = new Matrix4();
        if (numbers.length === 0) return;
        const mesh = new InstancedMesh(this.ring, this.ringMaterial, numbers.length / 4);
        for (let i = 0; i < mesh.count; i++) {
            const [x, y, z, r] = numbers.subarray(4 * i, 4 * i + 4);
            mesh.setMatrixAt(i, matrix.makeScale(r, r, r).setPosition(x, y, z));
        }
        mesh.frustumCulled = false, this.spheres.add(mesh);
    }

    // Rays from a point to the last fan's hits, or none.
    showRays(from) {
        const hits = from ? rowsOf(this.engine.view("fan"), 3) : [];
        this.views.hits.update({ rows: hits });
        this.rays.geometry.dispose(), this.rays.geometry = new BufferGeometry();
        this.rays.geometry.setAttribute("position", new BufferAttribute(new Float32Array(hits.flatMap(h => [...from, ...h])), 3));
        return hits.length;
    }

    // Hulls of the decomposition, at a place, or none.
    showHulls(at) {
        for (const mesh of [...this.hulls.children]) this.hulls.remove(mesh), mesh.geometry.dispose();
        if (at) this.hulls.position.set(...at), this.hulls.add(new Mesh(soup(this.engine.view("hulls"), hue), painted({ side: DoubleSide })));
    }
}
