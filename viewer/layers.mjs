// SPDX-License-Identifier: MIT
// Views of layers of items, arrays and texts. Voxels are in voxels.mjs.
import { BoxGeometry, BufferAttribute, BufferGeometry, CanvasTexture, CapsuleGeometry, Color, CylinderGeometry, DoubleSide, EdgesGeometry, Group, InstancedBufferAttribute, InstancedMesh,
    LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshLambertMaterial, Points, PointsMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { bytes, hue, named, shade } from "./colours.mjs";
import { VoxelView } from "./voxels.mjs";

const MANY = 20, LARGE = 200000; // number of items, and of triangles, above which no edges are drawn
const SMALL = 2000; // meshes with fewer triangles share a buffer while they rest
const FEW = 12, CROWD = 100; // rows: more than FEW are thin lines without a rim, more than CROWD are hidden by nearer surfaces
const SKELETON = new LineBasicMaterial({ color: 0x808a96, depthTest: false, transparent: true, opacity: 0.7 });
const RIM = new LineMaterial({ color: 0xffffff, linewidth: 6, depthTest: false, transparent: true });
const matrix = new Matrix4(), place = new Vector3(), turn = new Quaternion(), one = new Vector3(1, 1, 1), colour = new Color();

// Corners that no triangles share, for flat shading with a colour each.
function soup(shape, colourOf) {
    const n = shape.triangle.length, position = new Float32Array(3 * n), colours = new Uint8Array(3 * n);
    for (let i = 0; i < n; i++) {
        const v = 3 * shape.triangle[i];
        position[3 * i] = shape.corner[v], position[3 * i + 1] = shape.corner[v + 1], position[3 * i + 2] = shape.corner[v + 2];
        colours.set(colourOf(shape.material[i / 3 | 0]), 3 * i);
    }
    const g = new BufferGeometry();
    g.setAttribute("position", new BufferAttribute(position, 3)), g.setAttribute("color", new BufferAttribute(colours, 3, true));
    return g;
}

function geometryOf(shape, colourOf) {
    const [a, b, c] = shape.size;
    switch (shape.form) {
    case "box": return new BoxGeometry(2 * a, 2 * b, 2 * c);
    case "sphere": return new SphereGeometry(a, 16, 12);
    case "capsule": return new CapsuleGeometry(a, 2 * b, 6, 16);
    case "cylinder": return new CylinderGeometry(a, a, 2 * b, 20);
    default: return soup(shape, colourOf);
    }
}

// The largest distance of a shape's corners from its origin.
export function reachOf(shape) {
    if (shape.form !== "mesh") return shape.form === "box" ? Math.hypot(...shape.size) : shape.size.reduce((a, b) => a + b, 0);
    if (shape.reach === undefined) {
        shape.reach = 0;
        for (let v = 0; v < shape.corner.length; v += 3) shape.reach = Math.max(shape.reach, Math.hypot(shape.corner[v], shape.corner[v + 1], shape.corner[v + 2]));
    }
    return shape.reach;
}

// Edges between faces that meet at more than some degrees. three.js merges corners within 1e-4.
function edges(g, degrees) {
    g.computeBoundingSphere();
    const by = 1000 / (g.boundingSphere.radius || 1), { x, y, z } = g.boundingSphere.center;
    return new EdgesGeometry(g.clone().translate(-x, -y, -z).scale(by, by, by), degrees).scale(1 / by, 1 / by, 1 / by).translate(x, y, z);
}

function boxAround(g) {
    g.computeBoundingBox();
    const { min, max } = g.boundingBox;
    return new BoxGeometry(max.x - min.x, max.y - min.y, max.z - min.z).translate((min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2);
}

const pose = (item, scale) => matrix.compose(place.fromArray(item.position).divideScalar(scale), turn.fromArray(item.turn).normalize(), one);
const rests = item => item.position.every(p => p === 0) && item.turn[0] === 0 && item.turn[1] === 0 && item.turn[2] === 0;

class ItemView {
    constructor(layer, group, recording) {
        Object.assign(this, { layer, group, recording, instanced: new Map(), places: new Map(), filled: 0, waste: 0, skeletons: [] });
        this.palette = Array.from({ length: 256 }, (_, m) => bytes(named(layer.materials, m)));
        const opacity = layer.opacity ?? 1, ghost = { transparent: opacity < 1, opacity, depthWrite: opacity === 1, flatShading: true, side: DoubleSide,
            polygonOffset: opacity < 1, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }; // solid surfaces at the same place are drawn in front
        this.coloured = new MeshLambertMaterial({ vertexColors: true, ...ghost });
        this.plain = new MeshLambertMaterial(ghost);
    }
    colourOf(item) {
        const { layer } = this;
        return layer.colouring === "id" ? hue(item.id) : layer.colouring === "material" ? 0xffffff : layer.states.length > 0 ? shade(named(layer.states, item.state), item.id) : 0x8794a3;
    }

    update(now) {
        const { recording } = this, by = new Map(), single = [];
        for (const i of now.items.values()) {
            if (!by.has(i.shape)) by.set(i.shape, []);
            by.get(i.shape).push(i);
        }
        for (const [shape, items] of by) {
            const s = recording.shape(shape);
            if (s.form === "mesh" && items.length === 1 && s.material.length < SMALL && rests(items[0])) single.push(items[0]), by.delete(shape);
        }
        this.updateInstanced(by), this.updateMerged(single);
        if ((this.layer.opacity ?? 1) < 0.5) this.updateSkeletons([...now.items.values()].filter(rests));
    }
    // The edges of ghosts are visible through other surfaces.
    updateSkeletons(items) {
        const key = items.map(i => `${i.id} ${i.shape}`).join();
        if (key === this.skeletonKey) return;
        this.skeletonKey = key;
        for (const s of this.skeletons) this.group.remove(s), s.geometry.dispose();
        this.skeletons = items.length > MANY ? [] : items.filter(i => this.recording.shape(i.shape).material?.length < LARGE).map(i => this.outline(i, SKELETON, 30));
        for (const s of this.skeletons) s.raycast = () => {}, s.renderOrder = 1, this.group.add(s);
    }

    // One draw call per shape.
    updateInstanced(by) {
        const { layer, group, instanced, recording } = this;
        for (const [shape, mesh] of instanced) {
            const items = by.get(shape);
            if (items && items.length <= mesh.instanceMatrix.count) continue;
            group.remove(mesh), mesh.geometry.dispose(), mesh.dispose(), instanced.delete(shape);
        }
        for (const [shape, items] of by) {
            let mesh = instanced.get(shape);
            if (!mesh) {
                const s = recording.shape(shape), byMaterial = layer.colouring === "material" && s.form === "mesh";
                mesh = new InstancedMesh(geometryOf(s, m => byMaterial ? this.palette[m] : [255, 255, 255]), byMaterial ? this.coloured : this.plain, Math.ceil(items.length * 1.25));
                mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * mesh.instanceMatrix.count), 3);
                mesh.frustumCulled = false, group.add(mesh), instanced.set(shape, mesh);
            }
            mesh.count = items.length, mesh.boundingSphere = mesh.boundingBox = null;
            mesh.userData = { view: this, item: hit => items[hit.instanceId] };
            items.forEach((i, k) => { mesh.setMatrixAt(k, pose(i, layer.scale)), mesh.setColorAt(k, colour.setHex(this.colourOf(i))); });
            mesh.instanceMatrix.needsUpdate = mesh.instanceColor.needsUpdate = true;
        }
    }

    // One buffer for thousands of small meshes at rest, each shown once. Removed items leave degenerate triangles, new
    // ones are appended. The buffer is rebuilt when it is full, or when half of it is unused.
    updateMerged(items) {
        const { recording, places } = this, sizeOf = i => 3 * recording.shape(i.shape).triangle.length, wanted = new Map(items.map(i => [i.id, i]));
        const gone = [...places.values()].filter(p => { const i = wanted.get(p.item.id); return !i || i.shape !== p.item.shape || i.state !== p.state; });
        for (const p of gone) places.delete(p.item.id), this.waste += p.size;
        const fresh = items.filter(i => !places.has(i.id)), more = fresh.reduce((n, i) => n + sizeOf(i), 0), room = this.merged?.geometry.attributes.position.array.length ?? 0;
        if (gone.length === 0 && fresh.length === 0) return;
        if (!this.merged || this.filled + more > room || this.waste * 2 > this.filled) {
            places.clear(), this.filled = this.waste = 0;
            this.remake(items, items.reduce((n, i) => n + sizeOf(i), 0));
            return;
        }
        const { position, color } = this.merged.geometry.attributes;
        for (const p of gone) this.shrink(p.at, p.at + p.size, p.at), position.addUpdateRange(p.at, p.size);
        const from = this.filled;
        for (const i of fresh) this.place(i);
        for (const a of [position, color]) a.addUpdateRange(from, this.filled - from), a.needsUpdate = true;
        this.merged.geometry.setDrawRange(0, this.filled / 3), this.merged.geometry.boundingSphere = this.merged.geometry.boundingBox = null;
    }
    remake(items, size) {
        if (this.merged) this.group.remove(this.merged), this.merged.geometry.dispose(), this.merged = null;
        if (size === 0) return;
        const g = new BufferGeometry(), room = 9 * Math.ceil(size / 9 * 1.25);
        g.setAttribute("position", new BufferAttribute(new Float32Array(room), 3)), g.setAttribute("color", new BufferAttribute(new Uint8Array(room), 3, true));
        this.merged = new Mesh(g, this.coloured);
        this.merged.frustumCulled = false, this.merged.userData = { view: this, item: hit => this.at(hit.faceIndex * 9) };
        for (const i of items) this.place(i);
        this.shrink(this.filled, room, 0);
        g.setDrawRange(0, this.filled / 3), this.group.add(this.merged);
    }
    // Collapses a range of corners into one point, which makes their triangles invisible.
    shrink(from, to, like) {
        const p = this.merged.geometry.attributes.position.array, [x, y, z] = p.slice(like, like + 3);
        for (let at = from; at < to; at += 3) p[at] = x, p[at + 1] = y, p[at + 2] = z;
    }
    // Appends an item's triangles.
    place(item) {
        const s = this.recording.shape(item.shape), own = bytes(this.colourOf(item)), byMaterial = this.layer.colouring === "material", { position, color } = this.merged.geometry.attributes;
        const p = position.array, c = color.array, size = 3 * s.triangle.length;
        this.places.set(item.id, { item, state: item.state, at: this.filled, size });
        for (let k = 0, at = this.filled; k < s.triangle.length; k++, at += 3) {
            const v = 3 * s.triangle[k], b = byMaterial ? this.palette[s.material[k / 3 | 0]] : own;
            p[at] = s.corner[v], p[at + 1] = s.corner[v + 1], p[at + 2] = s.corner[v + 2], c[at] = b[0], c[at + 1] = b[1], c[at + 2] = b[2];
        }
        this.filled += size;
    }
    at(number) {
        for (const p of this.places.values()) if (number >= p.at && number < p.at + p.size) return p.item;
        return null;
    }

    picked(hit) {
        const item = hit.object.userData.item(hit);
        return { layer: this.layer, id: item.id };
    }

    // Makes a layer transparent or opaque.
    glass(on) {
        const opacity = Math.min(this.layer.opacity ?? 1, on ? 0.35 : 1);
        for (const m of [this.coloured, this.plain]) m.opacity = opacity, m.transparent = opacity < 1, m.depthWrite = opacity === 1, m.needsUpdate = true;
    }

    // Lines around an item, to make it stand out.
    outline(item, material, degrees = 10) {
        const s = this.recording.shape(item.shape);
        let g = geometryOf(s, () => [0, 0, 0]);
        if (s.form === "mesh" && s.material.length >= (material === SKELETON ? LARGE : SMALL)) g = boxAround(g);
        let e = edges(g, rests(item) ? degrees : 30); // moving shapes may be round
        if (e.attributes.position.count === 0 && g.attributes.position.count > 0) e = edges(boxAround(g), degrees);
        const lines = material.isLineMaterial ? new LineSegments2(new LineSegmentsGeometry().fromEdgesGeometry(e), material) : new LineSegments(e, material);
        lines.applyMatrix4(pose(item, this.layer.scale)), lines.renderOrder = 2;
        return lines;
    }
}

// Points are small compared with moving items, whose size is `unit` (0 = none). A contact lies between two surfaces, so it is drawn slightly nearer.
const NEARER = `
    if (unit > 0.0) gl_PointSize = clamp(0.5 * unit * projectionMatrix[1][1] * scale / -mvPosition.z, 2.0, size);
    vec4 nearer = projectionMatrix * vec4(mvPosition.xyz * (1.0 - (unit > 0.0 ? min(0.01, 0.2 * unit / -mvPosition.z) : 0.01)), 1.0);
    gl_Position.z = nearer.z / nearer.w * gl_Position.w;
`;

// A disc with a dark rim.
function dot() {
    const canvas = document.createElement("canvas"), g = canvas.getContext("2d");
    canvas.width = canvas.height = 32;
    for (const [radius, grey] of [[15, "#000"], [11, "#fff"]]) g.fillStyle = grey, g.beginPath(), g.arc(16, 16, radius, 0, 7), g.fill();
    return new CanvasTexture(canvas);
}

class ArrayView {
    constructor(layer, group) {
        Object.assign(this, { layer, group });
        this.colour = layer.colour ?? { boxes: 0x8899aa, triangles: 0xd0a040 }[layer.draw] ?? 0xd81b60;
        const opacity = layer.opacity ?? 1, c = { color: this.colour, transparent: opacity < 1, opacity };
        switch (layer.draw) {
        case "points": this.material = new PointsMaterial({ ...c, sizeAttenuation: false, map: dot(), alphaTest: 0.5, transparent: true });
            this.unit = { value: 0 };
            this.material.onBeforeCompile = shader => {
                shader.uniforms.unit = this.unit;
                shader.vertexShader = "uniform float unit;\n" + shader.vertexShader.replace("#include <fog_vertex>", NEARER + "#include <fog_vertex>");
            };
            break;
        case "lines": case "arrows": this.material = new LineMaterial({ ...c, linewidth: 3, depthTest: false, transparent: true }); break;
        case "boxes": this.material = new LineBasicMaterial(c); break;
        default: this.material = new MeshLambertMaterial({ ...c, side: DoubleSide, flatShading: true });
        }
    }

    update(now) {
        const { layer, group } = this, rows = now.rows;
        if (rows === this.rows) return;
        this.rows = rows;
        for (const o of [...group.children]) group.remove(o), o.geometry.dispose();
        if (rows.length === 0 || layer.draw === "table") return;
        if (layer.draw === "points" || this.material.isLineMaterial) this.crowd(rows.length);
        const { object, row } = this[layer.draw](rows);
        object.userData = { view: this, row }, object.renderOrder = { lines: 4, arrows: 4, points: 5 }[layer.draw] ?? 0; // drawn last
        group.add(object);
    }
    buffer(numbers) {
        const g = new BufferGeometry();
        g.setAttribute("position", new BufferAttribute(new Float32Array(numbers), 3));
        return g;
    }
    crowd(count) {
        const { material } = this;
        material.depthTest = count > CROWD, material.size = count > CROWD ? 7 : 9, material.linewidth = count > FEW ? 2 : 3;
    }
    // A few rows get a white rim, which is visible on any colour.
    fat(numbers, count) {
        const lines = new LineSegments2(new LineSegmentsGeometry().setPositions(new Float32Array(numbers)), this.material);
        lines.frustumCulled = false;
        if (count <= FEW) {
            const rim = new LineSegments2(lines.geometry, RIM);
            rim.raycast = () => {}, rim.renderOrder = 3, rim.frustumCulled = false, lines.add(rim);
        }
        return lines;
    }
    points(rows) { return { object: new Points(this.buffer(rows.flatMap(r => r.slice(0, 3))), this.material), row: hit => rows[hit.index] }; }
    lines(rows) { return { object: this.fat(rows.flatMap(r => r.slice(0, 6)), rows.length), row: hit => rows[hit.faceIndex] }; }
    arrows(rows) {
        const numbers = [], tip = new Vector3(), along = new Vector3(), aside = new Vector3();
        for (const r of rows) {
            along.set(r[3], r[4], r[5]), tip.set(r[0], r[1], r[2]).add(along);
            aside.set(...(Math.abs(r[4]) > 0.9 * along.length() ? [1, 0, 0] : [0, 1, 0])).cross(along).setLength(along.length() * 0.08);
            numbers.push(r[0], r[1], r[2], tip.x, tip.y, tip.z);
            for (const s of [1, -1]) numbers.push(tip.x, tip.y, tip.z, ...[0, 1, 2].map(k => tip.getComponent(k) - 0.2 * along.getComponent(k) + s * aside.getComponent(k)));
        }
        return { object: this.fat(numbers, rows.length), row: hit => rows[hit.faceIndex / 3 | 0] };
    }
    boxes(rows) {
        const numbers = [];
        for (const r of rows)
            for (let e = 0; e < 12; e++) { // An edge runs along axis a. Two bits select its place on the other axes.
                const a = e >> 2, b = (a + 1) % 3, c = (a + 2) % 3;
                for (const end of [0, 3]) {
                    const p = [0, 0, 0];
                    p[a] = r[a + end], p[b] = r[b + 3 * (e & 1)], p[c] = r[c + 3 * (e >> 1 & 1)];
                    numbers.push(...p);
                }
            }
        return { object: new LineSegments(this.buffer(numbers), this.material), row: hit => rows[hit.index / 24 | 0] };
    }
    spheres(rows) {
        const mesh = new InstancedMesh(new SphereGeometry(1, 16, 12), this.material, rows.length);
        rows.forEach((r, k) => mesh.setMatrixAt(k, matrix.makeScale(r[3], r[3], r[3]).setPosition(r[0], r[1], r[2])));
        return { object: mesh, row: hit => rows[hit.instanceId] };
    }
    triangles(rows) { return { object: new Mesh(this.buffer(rows.flatMap(r => r.slice(0, 9))), this.material), row: hit => rows[hit.faceIndex] }; }

    picked(hit) { return { layer: this.layer, row: hit.object.userData.row(hit) }; }
}

// Texts are elements of the page, over the picture.
class TextView {
    constructor(layer, group, recording, page) { Object.assign(this, { layer, group, page, labels: [] }); }
    update(now) {
        if (now.texts === this.texts) return;
        this.texts = now.texts;
        for (const l of this.labels) l.element.remove();
        this.labels = !this.layer.placed ? [] : now.texts.map(t => {
            const element = document.createElement("span");
            element.textContent = t.text, element.className = "label", this.page.append(element);
            return { element, at: new Vector3(...t.at) };
        });
    }
    // Moves texts to their places in the picture.
    project(camera, width, height) {
        for (const { element, at } of this.labels) {
            place.copy(at).project(camera);
            element.hidden = !this.group.visible || Math.abs(place.z) > 1;
            element.style.transform = `translate(${(place.x + 1) / 2 * width}px, ${(1 - place.y) / 2 * height}px)`;
        }
    }
}

export function viewOf(layer, recording, page) {
    const group = new Group(), View = { items: ItemView, array: ArrayView, texts: TextView, voxels: VoxelView }[layer.kind];
    group.visible = !layer.hidden;
    return View ? new View(layer, group, recording, page) : null;
}
