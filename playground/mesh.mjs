// SPDX-License-Identifier: MIT
// Meshes for the decomposition, from files and a sample.
import { Box3, TorusKnotGeometry, Vector3 } from "three";
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

// Commands of a mesh, scaled to LENGTH voxels around the origin. Corners that print alike become one.
export function commandsOf(geometries) {
    const box = new Box3(), numbers = new Map(), triangles = [], v = new Vector3();
    for (const { attributes: { position: p } } of geometries) for (let i = 0; i < p?.count; i++) box.expandByPoint(v.fromBufferAttribute(p, i));
    const centre = box.getCenter(new Vector3()), size = box.getSize(new Vector3()), scale = LENGTH / Math.max(size.x, size.y, size.z);
    for (const { index, attributes: { position: p } } of geometries) {
        const number = i => {
            const place = v.fromBufferAttribute(p, index ? index.getX(i) : i).sub(centre).multiplyScalar(scale).toArray().map(x => +x.toFixed(4)).join(" ");
            if (!numbers.has(place)) numbers.set(place, numbers.size + 1);
            return numbers.get(place);
        };
        for (let i = 0, count = index?.count ?? p?.count; i + 2 < count; i += 3) {
            const t = [number(i), number(i + 1), number(i + 2)];
            if (new Set(t).size === 3) triangles.push(t);
        }
    }
    if (triangles.length === 0 || triangles.length > MOST) throw new Error(`the mesh has ${triangles.length} triangles; must be 1 to ${MOST}`);
    return ["mesh", ...[...numbers.keys()].map(place => `v ${place}`), ...triangles.map(t => `f ${t.join(" ")}`)];
}
