// SPDX-License-Identifier: MIT
// dump.mjs VIEWER print FILE: the same output as `dump print FILE`, from the page's reader. Every frame is also visited in random order,
// and must be the same.
// dump.mjs VIEWER open FILE...: number of frames of each file, or its error.
import { readFileSync } from "node:fs";
import { Duplex } from "node:stream";
import { pathToFileURL } from "node:url";
import { createInflateRaw } from "node:zlib";

// Browsers have DecompressionStream("deflate-raw"), node from 20.12 on.
class Inflating {
    constructor() { Object.assign(this, Duplex.toWeb(createInflateRaw())); }
}
try {
    new DecompressionStream("deflate-raw");
} catch {
    globalThis.DecompressionStream = Inflating;
}

const [viewer, what, ...files] = process.argv.slice(2);
const { Cursor, Recording } = await import(pathToFileURL(`${viewer}/record.mjs`).href);
const view = new DataView(new ArrayBuffer(8)), out = [];
function bits(value) {
    view.setFloat64(0, value);
    return " " + view.getBigUint64(0).toString(16).padStart(16, "0");
}
const all = values => [...values].map(bits).join("");

function shown(r, cursor) {
    const lines = [];
    for (const l of r.layers) {
        const now = cursor.now[l.number], put = text => lines.push(l.name + text);
        for (const i of [...now.items.values()].sort((a, b) => a.id - b.id))
            put(` ${i.id} ${i.shape} ${i.state}${all(i.position.map(p => p / l.scale))}${all(i.turn.map(q => q / 32767))}${all(i.values)}`);
        for (const row of now.rows) put(all(row));
        if (now.scalars.length > 0) put(all(now.scalars));
        for (const t of now.texts) put(`${all(t.at)} ${t.text}`);
        const [sx, , sz] = l.size ?? [], across = Math.ceil(sx / 16), deep = Math.ceil(sz / 16), cells = [];
        for (const [key, brick] of now.cells)
            brick.forEach((m, i) => {
                const x = key % across * 16 + (i & 15), z = Math.floor(key / across) % deep * 16 + (i >> 4 & 15), y = Math.floor(key / across / deep) * 16 + (i >> 8);
                if (m) cells.push([(y * sz + z) * sx + x, m]);
            });
        for (const [cell, m] of cells.sort((a, b) => a[0] - b[0])) put(` ${cell} ${m}`);
    }
    return lines.map(l => l + "\n").join("");
}

if (what === "open") {
    for (const file of files)
        try {
            const r = await Recording.open(new Uint8Array(readFileSync(file))), cursor = new Cursor(r);
            for (let i = 0; i < r.shapeBytes.length; i++) r.shape(i);
            for (let f = r.first; f <= r.last; f++) cursor.seek(f);
            out.push(`${r.frames} frames${r.cut ? ", cut" : ""}\n`);
        } catch (e) {
            out.push(e.message + "\n");
        }
} else {
    const r = await Recording.open(new Uint8Array(readFileSync(files[0]))), cursor = new Cursor(r), frames = [];
    for (let i = 0; i < r.shapeBytes.length; i++) {
        const s = r.shape(i), mesh = s.form === "mesh";
        out.push(`shape ${["box", "sphere", "capsule", "cylinder", "mesh"].indexOf(s.form)}${mesh ? `${all(s.corner)}${[...s.triangle].map(t => ` ${t}`).join("")}${[...s.material].map(m => ` m${m}`).join("")}` : ""}\n`);
    }
    for (let f = r.first; f <= r.last; f++) cursor.seek(f), frames.push(shown(r, cursor)), out.push(`frame ${f}\n${frames.at(-1)}`);
    for (let i = 0; i < r.frames; i++) {
        const f = i * 7919 % r.frames;
        cursor.seek(r.first + f);
        if (shown(r, cursor) !== frames[f]) throw new Error(`frame ${r.first + f} is another one when it is come to from elsewhere`);
    }
}
process.stdout.write(out.join(""));
