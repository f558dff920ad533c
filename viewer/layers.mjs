// SPDX-License-Identifier: MIT
// What layers look like: items, arrays, texts. Voxels are in voxels.mjs.
import { BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, DoubleSide, EdgesGeometry, Group, InstancedBufferAttribute, InstancedMesh,
    LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshLambertMaterial, Points, PointsMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { bytes, hue, named } from "./colours.mjs";
import { VoxelView } from "./voxels.mjs";

const SMALL = 2000; // triangles: meshes below this that stay where they are share a buffer
const matrix = new Matrix4(), place = new Vector3(), turn = new Quaternion(), one = new Vector3(1, 1, 1), colour = new Color();

// Corners that no triangle shares: flat, a colour each.
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

const pose = (item, scale) => matrix.compose(place.fromArray(item.position).divideScalar(scale), turn.fromArray(item.turn).normalize(), one);
const rests = item => item.position.every(p => p === 0) && item.turn[0] === 0 && item.turn[1] === 0 && item.turn[2] === 0;

class ItemView {
    constructor(layer, group, recording) {
        Object.assign(this, { layer, group, recording, instanced: new Map() });
        this.palette = Array.from({ length: 256 }, (_, m) => bytes(named(layer.materials, m)));
        const opacity = layer.opacity ?? 1, ghost = { transparent: opacity < 1, opacity, depthWrite: opacity === 1, flatShading: true, side: DoubleSide,
            polygonOffset: opacity < 1, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }; // what is solid at the same place is before it
        this.coloured = new MeshLambertMaterial({ vertexColors: true, ...ghost });
        this.plain = new MeshLambertMaterial(ghost);
    }
    colourOf(item) {
        const { layer } = this;
        return layer.colouring === "id" ? hue(item.id) : layer.colouring === "material" ? 0xffffff : layer.states.length > 0 ? named(layer.states, item.state) : 0x8794a3;
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
    }

    // A draw call a shape.
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

    // Thousands of small meshes that rest, each shown once: one buffer, made again when one of them changed.
    updateMerged(items) {
        const { layer, group, recording } = this, key = items.map(i => `${i.id} ${i.shape} ${i.state}`).join();
        if (key === this.mergedKey) return;
        this.mergedKey = key;
        if (this.merged) group.remove(this.merged), this.merged.geometry.dispose(), this.merged = null;
        if (items.length === 0) return;
        const starts = [];
        let n = 0, at = 0;
        for (const i of items) starts.push(n / 3), n += recording.shape(i.shape).triangle.length;
        const position = new Float32Array(3 * n), colours = new Uint8Array(3 * n);
        for (const i of items) {
            const s = recording.shape(i.shape), c = bytes(this.colourOf(i));
            for (let k = 0; k < s.triangle.length; k++, at += 3) {
                const v = 3 * s.triangle[k], b = layer.colouring === "material" ? this.palette[s.material[k / 3 | 0]] : c;
                position[at] = s.corner[v], position[at + 1] = s.corner[v + 1], position[at + 2] = s.corner[v + 2];
                colours[at] = b[0], colours[at + 1] = b[1], colours[at + 2] = b[2];
            }
        }
        const g = new BufferGeometry();
        g.setAttribute("position", new BufferAttribute(position, 3)), g.setAttribute("color", new BufferAttribute(colours, 3, true));
        this.merged = new Mesh(g, this.coloured);
        this.merged.userData = { view: this, item: hit => items[starts.findLastIndex(s => s <= hit.faceIndex)] };
        group.add(this.merged);
    }

    picked(hit) {
        const item = hit.object.userData.item(hit);
        return { layer: this.layer, id: item.id };
    }

    // Lines around an item, to make it stand out.
    outline(item, material) {
        const s = this.recording.shape(item.shape);
        let g = geometryOf(s, () => [0, 0, 0]);
        if (s.form === "mesh" && s.material.length >= SMALL) {
            g.computeBoundingBox();
            const { min, max } = g.boundingBox;
            g = new BoxGeometry(max.x - min.x, max.y - min.y, max.z - min.z).translate((min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2);
        }
        const lines = new LineSegments(new EdgesGeometry(g, 10), material);
        lines.applyMatrix4(pose(item, this.layer.scale)), lines.renderOrder = 2;
        return lines;
    }
}

class ArrayView {
    constructor(layer, group) {
        Object.assign(this, { layer, group });
        this.colour = layer.colour ?? { boxes: 0x8899aa, triangles: 0xd0a040 }[layer.draw] ?? 0xd81b60;
        const opacity = layer.opacity ?? 1, c = { color: this.colour, transparent: opacity < 1, opacity };
        switch (layer.draw) {
        case "points": this.material = new PointsMaterial({ ...c, size: 7, sizeAttenuation: false }); break;
        case "lines": case "arrows": this.material = new LineMaterial({ ...c, linewidth: 3, depthTest: false }); break;
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
        const { object, row } = this[layer.draw](rows);
        object.userData = { view: this, row }, object.renderOrder = layer.draw === "lines" || layer.draw === "arrows" ? 1 : 0;
        group.add(object);
    }
    buffer(numbers) {
        const g = new BufferGeometry();
        g.setAttribute("position", new BufferAttribute(new Float32Array(numbers), 3));
        return g;
    }
    fat(numbers) {
        const lines = new LineSegments2(new LineSegmentsGeometry().setPositions(new Float32Array(numbers)), this.material);
        lines.frustumCulled = false;
        return lines;
    }
    points(rows) { return { object: new Points(this.buffer(rows.flatMap(r => r.slice(0, 3))), this.material), row: hit => rows[hit.index] }; }
    lines(rows) { return { object: this.fat(rows.flatMap(r => r.slice(0, 6))), row: hit => rows[hit.faceIndex] }; }
    arrows(rows) {
        const numbers = [], tip = new Vector3(), along = new Vector3(), aside = new Vector3();
        for (const r of rows) {
            along.set(r[3], r[4], r[5]), tip.set(r[0], r[1], r[2]).add(along);
            aside.set(...(Math.abs(r[4]) > 0.9 * along.length() ? [1, 0, 0] : [0, 1, 0])).cross(along).setLength(along.length() * 0.08);
            numbers.push(r[0], r[1], r[2], tip.x, tip.y, tip.z);
            for (const s of [1, -1]) numbers.push(tip.x, tip.y, tip.z, ...[0, 1, 2].map(k => tip.getComponent(k) - 0.2 * along.getComponent(k) + s * aside.getComponent(k)));
        }
        return { object: this.fat(numbers), row: hit => rows[hit.faceIndex / 3 | 0] };
    }
    boxes(rows) {
        const numbers = [];
        for (const r of rows)
            for (let e = 0; e < 12; e++) { // an edge runs along axis a; the others' sides are two bits
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

// Texts stand in the page, over the picture.
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
    // Where they are in the picture.
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
