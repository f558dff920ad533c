// SPDX-License-Identifier: MIT
// A layer of voxels: faces between voxels and empty cells, one mesh per brick, updated where cells change.
import { BufferAttribute, BufferGeometry, Mesh, MeshLambertMaterial } from "three";
import { brickKey } from "./record.mjs";
import { bytes, named } from "./colours.mjs";

// For each of six sides, the step and a face's corners, counterclockwise from outside.
const SIDES = [
    [[1, 0, 0], [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]]],
    [[-1, 0, 0], [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]]],
    [[0, 1, 0], [[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]]],
    [[0, -1, 0], [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]]],
    [[0, 0, 1], [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]],
    [[0, 0, -1], [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]]],
];
const NOTHING = new Uint8Array(4096);

export class VoxelView {
    constructor(layer, group) {
        this.layer = layer, this.group = group, this.kept = new Map(); // key -> {cells, mesh}
        this.palette = Array.from({ length: 256 }, (_, m) => bytes(named(layer.materials, m)));
        const opacity = layer.opacity ?? 1;
        this.material = new MeshLambertMaterial({ vertexColors: true, transparent: opacity < 1, opacity, depthWrite: opacity === 1 });
    }

    update(now) {
        const { layer, kept, group } = this, [nx, ny, nz] = layer.size.map(s => Math.ceil(s / 16)), stale = new Set();
        for (const key of new Set([...kept.keys(), ...now.cells.keys()])) {
            const cells = now.cells.get(key) ?? NOTHING, was = kept.get(key)?.cells ?? NOTHING, edge = differs(cells, was);
            if (edge === 0) continue;
            stale.add(key);
            if (cells === NOTHING && kept.has(key)) kept.get(key).cells = NOTHING;
            else if (kept.has(key)) kept.get(key).cells = cells.slice();
            else kept.set(key, { cells: cells.slice(), mesh: null });
            const x = key % nx, z = Math.floor(key / nx) % nz, y = Math.floor(key / nx / nz);
            SIDES.forEach(([d], s) => {
                const [X, Y, Z] = [x + d[0], y + d[1], z + d[2]];
                if (edge >> s & 1 && X >= 0 && Y >= 0 && Z >= 0 && X < nx && Y < ny && Z < nz) stale.add(brickKey(layer, X, Y, Z));
            });
        }
        for (const key of stale) {
            const k = kept.get(key);
            if (!k) continue;
            if (k.mesh) group.remove(k.mesh), k.mesh.geometry.dispose(), k.mesh = null;
            if (k.cells === NOTHING) { kept.delete(key); continue; }
            const geometry = this.faces(key % nx, Math.floor(key / nx / nz), Math.floor(key / nx) % nz);
            if (geometry) k.mesh = new Mesh(geometry, this.material), k.mesh.userData = { view: this }, group.add(k.mesh);
        }
    }
    cell(x, y, z) {
        const [sx, sy, sz] = this.layer.size;
        if (x < 0 || y < 0 || z < 0 || x >= sx || y >= sy || z >= sz) return 0;
        return this.kept.get(brickKey(this.layer, x >> 4, y >> 4, z >> 4))?.cells[(y & 15) << 8 | (z & 15) << 4 | x & 15] ?? 0;
    }

    faces(bx, by, bz) {
        const position = [], colour = [], normal = [], index = [], low = this.layer.low;
        for (let i = 0; i < 4096; i++) {
            const x = bx * 16 + (i & 15), y = by * 16 + (i >> 8), z = bz * 16 + (i >> 4 & 15), m = this.cell(x, y, z);
            if (m === 0) continue;
            for (const [d, corners] of SIDES) {
                if (this.cell(x + d[0], y + d[1], z + d[2]) !== 0) continue;
                const at = position.length / 3;
                for (const c of corners) {
                    position.push(low[0] + x + c[0], low[1] + y + c[1], low[2] + z + c[2]);
                    normal.push(...d), colour.push(...this.palette[m]);
                }
                index.push(at, at + 1, at + 2, at, at + 2, at + 3);
            }
        }
        if (index.length === 0) return null;
        const g = new BufferGeometry();
        g.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
        g.setAttribute("normal", new BufferAttribute(new Int8Array(normal), 3));
        g.setAttribute("color", new BufferAttribute(new Uint8Array(colour), 3, true));
        g.setIndex(index);
        return g;
    }

    // The cell hit by a ray.
    picked(hit) {
        const [x, y, z] = ["x", "y", "z"].map((a, k) => Math.floor(hit.point[a] - this.layer.low[k] - 0.5 * hit.face.normal[a]));
        return { layer: this.layer, at: [x, y, z], cell: (y * this.layer.size[2] + z) * this.layer.size[0] + x, material: this.cell(x, y, z) };
    }
}

// 0 = equal. Otherwise bit 6, and bit s if a cell at side s differs.
function differs(a, b) {
    let edge = 0;
    const wide = [new Uint32Array(a.buffer, a.byteOffset, 1024), new Uint32Array(b.buffer, b.byteOffset, 1024)];
    for (let w = 0; w < 1024; w++) {
        if (wide[0][w] === wide[1][w]) continue;
        for (let i = 4 * w; i < 4 * w + 4; i++) {
            if (a[i] === b[i]) continue;
            const x = i & 15, z = i >> 4 & 15, y = i >> 8;
            edge |= 64 | (x === 15) | (x === 0) << 1 | (y === 15) << 2 | (y === 0) << 3 | (z === 15) << 4 | (z === 0) << 5;
        }
    }
    return edge;
}
