// SPDX-License-Identifier: MIT
// Meshes for the decomposition, from files and a sample.
import { TorusKnotGeometry, Vector3 } from "three";
import { OBJLoader } from "three/addons/loaders/OBJLoader.js";
import { PLYLoader } from "three/addons/loaders/PLYLoader.js";
import { STLLoader } from "three/addons/loaders/STLLoader.js";

const MOST = 20000, LENGTH = 16; // maximum triangles, and voxels of the longest side

// Geometries of a file.
export function parseFile(name, buffer) {
    const kind = name.split(".").pop().toLowerCase();
    if (kind === "stl") return [new STLLoader().parse(buffer)];
    if (kind === "ply") return [new PLYLoader().parse(buffer)];
    if (kind !== "obj") throw new Error(`${name}: must be an OBJ, STL or PLY file`);
    const found = [];
    new OBJLoader().parse(new TextDecoder().decode(buffer)).traverse(o => { if (o.isMesh) found.push(o.geometry); });
    return found;
}
export const sample = () => [new TorusKnotGeometry(5, 1.4, 60, 6)];

// Commands of a mesh with equal corners joined, scaled to LENGTH voxels around the origin.
export function commandsOf(geometries) {
    const numbers = new Map(), corners = [], triangles = [], low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate();
    for (const g of geometries) {
        const p = g.attributes.position, count = g.index ? g.index.count : p.count;
        const number = i => {
            const v = new Vector3().fromBufferAttribute(p, g.index ? g.index.getX(i) : i), key = v.toArray().map(x => x.toFixed(5)).join();
            if (!numbers.has(key)) numbers.set(key, corners.push(v)), low.min(v), high.max(v);
            return numbers.get(key);
        };
        for (let i = 0; i + 2 < count; i += 3) {
            const t = [number(i), number(i + 1), number(i + 2)];
            if (new Set(t).size === 3) triangles.push(t);
        }
    }
    if (triangles.length === 0 || triangles.length > MOST) throw new Error(`the mesh has ${triangles.length} triangles; must be 1 to ${MOST}`);
    const centre = low.clone().add(high).multiplyScalar(0.5), size = high.sub(low), scale = LENGTH / Math.max(size.x, size.y, size.z);
    const place = v => v.sub(centre).multiplyScalar(scale).toArray().map(x => +x.toFixed(4)).join(" ");
    return ["mesh", ...corners.map(v => `v ${place(v)}`), ...triangles.map(t => `f ${t.join(" ")}`)];
}
