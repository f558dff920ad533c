// SPDX-License-Identifier: MIT
// Reads step records (docs/FORMATS.md, "Step records") with the same checks as host/record/. The browser inflates.

const HEAD = 24, ENTRY = 28, END = 12, IDS = 1 << 24, TURN = 32767, RATIO = 1032;
const MAGIC = [0x89, 0x56, 0x50, 0x52, 13, 10, 26, 10], ENDING = [0x56, 0x50, 0x52, 10];
const NUMBERS = { table: 0, points: 3, lines: 6, arrows: 6, boxes: 6, spheres: 4, triangles: 9 };
const FORMS = ["box", "sphere", "capsule", "cylinder", "mesh"], SIZES = [3, 1, 2, 2, 0];
const LAYERS = 64, COLUMNS = 32, NAMES = 256, TEXT_BYTES = 1024, CELLS = 2 ** 30, MOST = 2 ** 31 - 1;

const damaged = text => new Error(text);
const utf8 = bytes => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

// Types of the header's optional members.
const text = v => typeof v === "string", flag = v => typeof v === "boolean", among = list => v => list.includes(v);
const number = (low, high) => v => Number.isFinite(v) && v >= low && v <= high, whole = (low, high) => v => Number.isInteger(v) && v >= low && v <= high;
const list = (most, rules) => v => Array.isArray(v) && v.length <= most && v.every(one => firstWrong(one, rules) === undefined);
const three = good => v => Array.isArray(v) && v.length >= 3 && v.every(good);
const name = v => text(v) && v !== "", NAME = { name, colour: whole(1, 0xffffff) }, names = list(NAMES, NAME);
const COLUMN = { name, scale: number(0, Number.MAX_VALUE), meaning: among(["number", "word", "frame", "item", "origin"]), of: whole(0, LAYERS - 1), words: names };
const LAYER = {
    name, about: text, kind: among(["items", "array", "texts", "scalars", "voxels"]), hidden: flag, opacity: number(0, 1), scale: number(0, Number.MAX_VALUE),
    columns: list(COLUMNS, COLUMN), colouring: among(["state", "material", "id"]), states: names, materials: names, draw: among(Object.keys(NUMBERS)),
    colour: whole(1, 0xffffff), placed: flag, hold: flag, low: three(whole(-MOST - 1, MOST)), size: three(whole(1, CELLS)),
};
const firstWrong = (of, rules) => Object.keys(rules).find(key => of?.[key] === undefined ? key === "name" || key === "kind" : !rules[key](of[key]));

// The member that a layer can't have with its other members, or undefined.
function wrongTogether(layers, i) {
    const l = layers[i], { kind, draw, columns = [], size = [] } = l, table = kind === "array" && draw === "table";
    const bad = c => (kind === "scalars" && (c.scale > 0 || (c.meaning ?? "number") !== "number")) || (kind !== "items" && c.meaning === "origin") ||
        (c.meaning === "item" && ((c.of ?? 0) > i || layers[c.of ?? 0].kind !== "items"));
    if (layers.findIndex(o => o.name === l.name) < i) return "name";
    if (kind === "array" && draw === undefined) return "draw";
    if ((kind === "items" || (kind === "array" && !table) || (kind === "texts" && l.placed)) && !(l.scale > 0)) return "scale";
    if (columns.length > 0 ? kind === "texts" || kind === "voxels" : kind === "scalars" || table) return "columns";
    if (columns.some(bad)) return "columns";
    if (kind === "voxels" && l.low === undefined) return "low";
    if (kind === "voxels" && (size.length !== 3 || size[0] * size[1] * size[2] > CELLS)) return "size";
}

const crcTable = Uint32Array.from({ length: 256 }, (_, i) => {
    for (let k = 0; k < 8; k++) i = i & 1 ? 0xedb88320 ^ i >>> 1 : i >>> 1;
    return i;
});
function crc32(crc, bytes) {
    crc = ~crc;
    for (let i = 0; i < bytes.length; i++) crc = crcTable[(crc ^ bytes[i]) & 255] ^ crc >>> 8;
    return ~crc >>> 0;
}

async function inflate(bytes, size) {
    const out = new Uint8Array(size), reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    let at = 0;
    try {
        for (let part; !(part = await reader.read()).done; at += part.value.length) {
            if (at + part.value.length > size) throw damaged("");
            out.set(part.value, at);
        }
    } catch {
        at = -1;
    }
    if (at !== size) throw damaged(`a block of ${bytes.length} bytes does not inflate to ${size}`);
    return out;
}

class Bytes {
    constructor(data, at = 0, end = data.length) {
        this.data = data, this.at = at, this.end = end;
        this.view = new DataView(data.buffer, data.byteOffset, data.length);
    }
    fail() { throw damaged("the bytes end early, or say what can't be"); }
    byte() { return this.at < this.end ? this.data[this.at++] : this.fail(); }
    u() {
        let value = 0, factor = 1, byte;
        do {
            byte = this.byte(), value += (byte & 127) * factor, factor *= 128;
            if (value > Number.MAX_SAFE_INTEGER) this.fail();
        } while (byte > 127);
        return value;
    }
    s() { const u = this.u(); return u % 2 ? -(u + 1) / 2 : u / 2; }
    f64() {
        if (this.end - this.at < 8) this.fail();
        const value = this.view.getFloat64(this.at, true);
        this.at += 8;
        return Number.isFinite(value) ? value : this.fail();
    }
    count(each) { const n = this.u(); return n * each <= this.end - this.at ? n : this.fail(); }
    next(last, most = 0x7fffffff) { const v = last + this.s(); return v >= -most - 1 && v <= most ? v : this.fail(); }
    part() { const n = this.count(1), part = new Bytes(this.data, this.at, this.at + n); this.at += n; return part; }
    ids() {
        const n = this.count(1), ids = new Array(n);
        for (let i = 0, id = 0; i < n; i++) {
            const delta = this.u();
            id += delta;
            if (id >= IDS || (i > 0 && delta === 0)) this.fail();
            ids[i] = id;
        }
        return ids;
    }
    column(n, scale, put) {
        for (let i = 0, last = 0; i < n; i++) put(i, scale > 0 ? (last = this.next(last)) / scale : this.f64());
    }
}

function readShape(b) {
    const form = b.byte(), scale = b.f64();
    if (form >= FORMS.length || !(scale > 0 && scale <= 1e300)) b.fail();
    const size = () => { const steps = b.u(); return steps <= MOST ? steps / scale : b.fail(); };
    const shape = { form: FORMS[form], size: Array.from({ length: SIZES[form] }, size) };
    if (shape.form === "mesh") {
        const corners = b.count(3), triangles = b.count(3);
        shape.corner = new Float32Array(3 * corners), shape.triangle = new Uint32Array(3 * triangles), shape.material = new Uint8Array(triangles);
        for (let k = 0; k < 3; k++) b.column(corners, scale, (i, v) => { shape.corner[3 * i + k] = v; });
        for (let i = 0, high = 0; i < 3 * triangles; i++) {
            const back = b.u();
            if (back > high || (back === 0 && high === corners)) b.fail();
            shape.triangle[i] = high - back, high += back === 0;
        }
        for (let i = 0; i < triangles;) {
            const run = b.u(), material = b.byte();
            if (run === 0 || run > triangles - i) b.fail();
            shape.material.fill(material, i, i += run);
        }
    }
    if (b.at !== b.end) b.fail();
    return shape;
}

export class Recording {
    static async open(file) {
        const r = new Recording();
        r.findBlocks(file);
        for (const b of r.blocks) b.data = b.kind === "X" ? null : b.raw === b.bytes.length ? b.bytes : await inflate(b.bytes, b.raw);
        r.readHeader();
        r.shapeBytes = [], r.shapes = [], r.frameBlocks = [], r.frames = 0;
        for (const b of r.blocks) {
            if (b.kind === "S") r.findShapes(b);
            if (b.kind === "I") r.checkIndex(b);
            if (b.kind !== "F") continue;
            r.first ??= b.first;
            if (b.first !== r.first + r.frames || b.count === 0 || b.count > b.raw || b.first > MOST - b.count)
                throw damaged(`a block has ${b.count} frames from ${b.first} on; frame ${r.first + r.frames} is the next`);
            r.frameBlocks.push(b), r.frames += b.count;
        }
        r.first ??= 0;
        r.last = r.first + r.frames - 1;
        try {
            r.readSeries();
        } catch (e) { // reports the first damaged frame
            for (let f = r.first, cursor = new Cursor(r); f <= r.last; f++) cursor.seek(f);
            throw e;
        }
        return r;
    }

    findBlocks(file) {
        if (!MAGIC.every((c, i) => file[i] === c)) throw damaged("this is not a recording of voxphys");
        const view = new DataView(file.buffer, file.byteOffset, file.length), end = file.length - END;
        const index = end >= MAGIC.length + HEAD ? Number(view.getBigUint64(end, true)) : 0;
        const ended = index > 0 && ENDING.every((c, i) => file[end + 8 + i] === c) && index <= end - HEAD;
        let at = MAGIC.length, whole = false;
        this.blocks = [];
        while (!whole && file.length - at >= HEAD) {
            const [code, first, count, raw, stored, crc] = [0, 4, 8, 12, 16, 20].map(k => view.getUint32(at + k, true));
            const bytes = file.subarray(at + HEAD, at + HEAD + stored);
            if (bytes.length < stored) break;
            if (crc32(crc32(0, file.subarray(at, at + HEAD - 4)), bytes) !== crc) throw damaged(`the block at byte ${at} is damaged: its checksum differs`);
            if (raw > 1 << 30 || raw < stored || raw > stored * RATIO) throw damaged(`the block at byte ${at}: ${raw} bytes can't be stored as ${stored}`);
            const kind = { 72: "H", 83: "S", 70: "F", 73: "I" }[code] ?? "X";
            this.blocks.push({ kind, first, count, raw, bytes, at, head: file.subarray(at, at + HEAD - 4) });
            whole = kind === "I";
            if (whole && ended && index !== at) throw damaged(`the end says that the index is at byte ${index}; it is at byte ${at}`);
            at += HEAD + stored;
        }
        if (ended && !whole) throw damaged(`the block at byte ${at} is damaged: it goes beyond the end`);
        if (whole && file.length - at >= END && (!ended || file.length - at > END)) throw damaged(`the data after the index, at byte ${at}, is damaged`);
        this.cut = !whole || file.length - at < END;
    }

    // The index repeats the heads of blocks.
    checkIndex(index) {
        const n = this.blocks.length - 1, view = new DataView(index.data.buffer, index.data.byteOffset, index.data.length);
        const same = (b, i) => b.head.every((c, k) => index.data[i * ENTRY + k] === c) && Number(view.getBigUint64(i * ENTRY + ENTRY - 8, true)) === b.at;
        if (index.raw !== n * ENTRY || index.count !== n || !this.blocks.slice(0, n).every(same)) throw damaged(`the index does not say where the ${n} blocks are`);
    }

    readHeader() {
        let head;
        if (this.blocks[0]?.kind !== "H") throw damaged("the recording ends before its header does");
        try {
            head = JSON.parse(utf8(this.blocks[0].data));
        } catch {
            throw damaged("the header is not JSON");
        }
        if (head?.format !== "voxphys-record" || !Number.isInteger(head.version)) throw damaged("the header says neither format nor version");
        if (head.version !== 1) throw damaged(`the recording is of version ${head.version}; this page reads version 1`);
        const wrong = (key, of) => damaged(`the header: "${key}" of layer "${text(of?.name) ? of.name : ""}" is missing or wrong`);
        const whole = { type: text, title: text, command: v => v === undefined || text(v), seconds: v => v === undefined || Number.isFinite(v), layers: v => Array.isArray(v) && v.length <= LAYERS };
        for (const key in whole) if (!whole[key](head[key])) throw wrong(key);
        head.layers.forEach((l, i) => {
            const key = firstWrong(l, LAYER) ?? wrongTogether(head.layers, i);
            if (key !== undefined) throw wrong(key, l);
        });
        Object.assign(this, { type: head.type, title: head.title, command: head.command, seconds: head.seconds ?? 0 });
        this.layers = head.layers.map((l, number) => ({ columns: [], states: [], materials: [], ...l, opacity: l.opacity || 1, number }));
        for (const l of this.layers) {
            if (l.kind !== "array") delete l.draw;
            for (const c of l.columns) if (c.meaning === "item") c.of ??= 0;
            l.numbers = l.kind === "array" ? NUMBERS[l.draw] : 0;
        }
    }

    findShapes(block) {
        const b = new Bytes(block.data);
        if (block.first !== this.shapeBytes.length || block.count > block.raw)
            throw damaged(`a block has ${block.count} shapes from ${block.first} on; ${this.shapeBytes.length} were there before`);
        try {
            for (let i = 0; i < block.count; i++) this.shapeBytes.push(b.part());
            if (b.at !== b.end) b.fail();
        } catch {
            throw damaged(`the shapes from ${block.first} on do not fill their block`);
        }
    }
    shape(i) {
        try {
            return this.shapes[i] ??= readShape(this.shapeBytes[i]);
        } catch {
            throw damaged(`shape ${i} is damaged`);
        }
    }

    // Reads frame `number` of a block. Calls `each` with each layer in the frame, and its bytes.
    frame(b, block, number, each) {
        let at = null;
        try {
            const frame = b.part();
            for (let last = 0; frame.at < frame.end; at = null) {
                const n = frame.u();
                if (n <= last || n > this.layers.length) frame.fail();
                const part = frame.part();
                last = n, at = this.layers[n - 1], each(at, part);
            }
            if (number === block.first + block.count - 1 && b.at !== b.end) b.fail();
        } catch (e) {
            throw e instanceof RangeError ? e : damaged(`frame ${number}${at ? `: layer "${at.name}"` : ""} is damaged`);
        }
    }

    // Reads all scalars of all frames, for plots.
    readSeries() {
        const scalars = this.layers.filter(l => l.kind === "scalars");
        for (const l of scalars) l.series = l.columns.map(() => new Float64Array(this.frames));
        let f = 0;
        for (const block of this.frameBlocks)
            for (let b = new Bytes(block.data), i = 0; i < block.count; i++, f++) {
                for (const l of scalars) if (f > 0) for (const s of l.series) s[f] = s[f - 1];
                this.frame(b, block, block.first + i, (layer, part) => { if (layer.kind === "scalars") for (const s of layer.series) s[f] = part.f64(); });
            }
    }
}

// The current frame, and the content of every layer in it: `now[layer.number]`.
export class Cursor {
    constructor(recording) { this.recording = recording, this.block = null, this.frame = -1, this.now = []; }

    clear() {
        this.now = this.recording.layers.map(l => ({ items: new Map(), rows: [], texts: [], scalars: [], cells: new Map(), put: [], removed: [], gone: new Map(), changes: [] }));
    }

    seek(frame) {
        const r = this.recording, block = r.frameBlocks.find(b => frame < b.first + b.count);
        if (this.block !== block || frame < this.frame) {
            this.block = block, this.frame = block.first - 1, this.bytes = new Bytes(block.data);
            this.clear();
        }
        while (this.frame < frame) this.read();
    }

    read() {
        const r = this.recording;
        this.frame++;
        for (const l of r.layers) {
            const now = this.now[l.number];
            if (!l.hold) now.rows = [], now.texts = [];
            now.put = [], now.removed = [], now.gone = new Map(), now.changes = [];
        }
        try {
            r.frame(this.bytes, this.block, this.frame, (layer, part) => {
                this[layer.kind](layer, this.now[layer.number], part);
                if (part.at !== part.end) part.fail();
            });
        } catch (e) {
            this.block = null; // the layers hold half of a frame
            throw e;
        }
    }

    items(layer, now, b) {
        const { items } = now, found = id => items.get(id) ?? b.fail();
        for (const id of now.removed = b.ids()) now.gone.set(id, found(id)), items.delete(id);
        const fresh = b.ids().map(id => ({ id, position: [0, 0, 0], turn: [0, 0, 0, 0], step: [0, 0, 0], turnStep: [0, 0, 0, 0], values: [], moved: -1 }));
        let shape = 0;
        for (const i of fresh) {
            i.shape = shape += b.s(), items.set(i.id, i);
            if (shape < 0 || shape >= this.recording.shapeBytes.length) b.fail();
        }
        for (let k = 0; k < 3; k++) for (const i of fresh) i.position[k] = b.next(0);
        for (let k = 0; k < 4; k++) for (const i of fresh) i.turn[k] = b.next(0, TURN);
        this.states(layer, fresh, b);
        now.put = fresh;
        const moved = b.ids().map(found);
        for (const i of moved) {
            if (i.moved !== this.frame) i.step.fill(0), i.turnStep.fill(0); // the item did not move
            i.moved = this.frame + 1;
        }
        for (let k = 0; k < 3; k++) for (const i of moved) i.position[k] += i.step[k] = b.next(i.step[k]);
        for (let k = 0; k < 4; k++) for (const i of moved) i.turn[k] += i.turnStep[k] = b.next(i.turnStep[k], TURN);
        this.states(layer, b.ids().map(found), b);
    }
    states(layer, items, b) {
        for (const i of items) if ((i.state = b.u()) >= Math.max(1, layer.states.length)) b.fail();
        layer.columns.forEach((c, k) => b.column(items.length, c.scale, (i, v) => { items[i].values[k] = v; }));
    }
    array(layer, now, b) {
        const exact = layer.columns.filter(c => !(c.scale > 0)).length, n = b.count(layer.numbers + layer.columns.length + 7 * exact);
        now.rows = Array.from({ length: n }, () => []);
        for (let k = 0; k < layer.numbers; k++) b.column(n, layer.scale, (i, v) => { now.rows[i].push(v); });
        for (const c of layer.columns) b.column(n, c.scale, (i, v) => { now.rows[i].push(v); });
    }
    texts(layer, now, b) {
        const n = b.count(layer.placed ? 4 : 1), texts = Array.from({ length: n }, () => ({ at: [0, 0, 0] }));
        for (let k = 0; k < 3 && layer.placed; k++) b.column(n, layer.scale, (i, v) => { texts[i].at[k] = v; });
        for (const t of texts) {
            const part = b.part(), bytes = part.data.subarray(part.at, part.end);
            if (bytes.length >= TEXT_BYTES || bytes.includes(0)) b.fail();
            t.text = utf8(bytes);
        }
        now.texts = texts;
    }
    scalars(layer, now, b) { now.scalars = layer.columns.map(() => b.f64()); }
    voxels(layer, now, b) {
        const n = b.count(2), cells = layer.size[0] * layer.size[1] * layer.size[2], changes = new Array(n);
        for (let i = 0, cell = 0; i < n; i++) {
            const delta = b.u();
            cell += delta;
            if (cell >= cells || (i > 0 && delta === 0)) b.fail();
            changes[i] = [cell, 0];
        }
        const [sx, , sz] = layer.size;
        for (const c of changes) {
            if ((c[1] = b.byte()) >= (layer.materials.length || 256)) b.fail();
            const x = c[0] % sx, z = Math.floor(c[0] / sx) % sz, y = Math.floor(c[0] / sx / sz), key = brickKey(layer, x >> 4, y >> 4, z >> 4);
            let brick = now.cells.get(key);
            if (!brick && c[1]) now.cells.set(key, brick = new Uint8Array(4096));
            if (brick) brick[(y & 15) << 8 | (z & 15) << 4 | x & 15] = c[1];
        }
        now.changes = changes;
    }
}

// Number of the brick with a cell. Bricks have 16 x 16 x 16 cells.
export const brickKey = (layer, x, y, z) => (y * Math.ceil(layer.size[2] / 16) + z) * Math.ceil(layer.size[0] / 16) + x;
