// SPDX-License-Identifier: MIT
// The history of items over all frames: when they appeared and vanished, their sources, and rows that refer to them.
import { Cursor } from "./record.mjs";

// Whether rows of a table refer to two items of a layer. If the table answers no question, such rows are not kept, because there are many.
const pairs = l => l.columns.some((c, k) => c.meaning === "item" && l.columns.some((d, i) => i > k && d.meaning === "item" && d.of === c.of));

export class History {
    constructor(recording) {
        this.recording = recording;
        this.events = recording.layers.map(() => new Map()); // for each layer: id -> [{frame, shape or null, values}]
        this.rows = recording.layers.map(() => new Map());   // for each layer of items: id -> [{layer, frame, row}]
        this.children = recording.layers.map(() => new Map());
        this.entries = recording.layers.map(() => []);       // for each layer with rows about items: {layer, frame, row}
        this.scan();
    }

    scan() {
        const r = this.recording, cursor = new Cursor(r), items = r.layers.filter(l => l.kind === "items");
        const linked = r.layers.filter(l => l.kind === "array" && (l.about || !pairs(l)) && l.columns.some(c => c.meaning === "item"));
        const shown = r.layers.map(() => new Map());
        for (let f = r.first; f <= r.last; f++) {
            cursor.seek(f);
            const whole = f === cursor.block.first; // a block's first frame has all items
            for (const l of items) {
                const now = cursor.now[l.number], was = shown[l.number];
                if (whole) for (const id of [...was.keys()]) if (!now.items.has(id)) this.note(l, f, id, null, was);
                for (const id of now.removed) this.note(l, f, id, null, was);
                for (const i of now.put) if (was.get(i.id) !== i.shape) this.note(l, f, i.id, i, was);
            }
            for (const l of linked) if (!l.hold || f === r.first) for (const row of cursor.now[l.number].rows) this.file(l, f, row);
        }
    }
    note(layer, frame, id, item, was) {
        const events = this.events[layer.number];
        if (!events.has(id)) events.set(id, []);
        events.get(id).push({ frame, item, shape: item ? item.shape : null, values: item ? item.values : [] });
        if (!item) { was.delete(id); return; }
        was.set(id, item.shape);
        for (const from of this.origins(layer, item.values)) {
            const children = this.children[layer.number];
            if (!children.has(from)) children.set(from, []);
            children.get(from).push(id);
        }
    }
    file(layer, frame, row) {
        const entry = { layer, frame, row }, seen = new Set();
        this.entries[layer.number].push(entry);
        layer.columns.forEach((c, k) => {
            const id = row[layer.numbers + k], key = `${c.of} ${id}`;
            if (c.meaning !== "item" || id < 0 || seen.has(key)) return;
            seen.add(key);
            const rows = this.rows[c.of];
            if (!rows.has(id)) rows.set(id, []);
            rows.get(id).push(entry);
        });
    }

    origins(layer, values) { return layer.columns.flatMap((c, k) => c.meaning === "origin" && values[k] >= 0 ? [values[k]] : []); }

    // Returns {made, gone}: the frame in which an item got its form of `frame`, and the frame in which it vanishes or
    // changes its shape, or null.
    life(layer, id, frame) {
        const events = this.events[layer.number].get(id) ?? [];
        const k = events.findLastIndex(e => e.frame <= frame);
        return { made: k >= 0 && events[k].shape !== null ? events[k].frame : null, gone: events[k + 1]?.frame ?? null, values: events[k]?.values ?? [] };
    }
    // The item's last state before `frame`, in which it is absent. null = it never existed.
    last(layer, id, frame) { return this.events[layer.number].get(id)?.findLast(e => e.frame < frame && e.item)?.item ?? null; }
    firstMade(layer, id) { return this.events[layer.number].get(id)?.[0].frame ?? null; }

    // An item and all of its sources.
    family(layer, id) {
        const family = new Set([id]);
        for (const one of family) // grows during the loop
            for (const e of this.events[layer.number].get(one) ?? []) for (const from of this.origins(layer, e.values)) family.add(from);
        return family;
    }

    about(layer, id) { return this.rows[layer.number].get(id) ?? []; }

    // Rows about two items or about their sources, direct ones first, later ones before earlier ones.
    between(layer, a, b) {
        const first = this.family(layer, a), second = this.family(layer, b), found = [];
        for (const id of first)
            for (const e of this.about(layer, id)) {
                const ids = e.layer.columns.flatMap((c, k) => c.meaning === "item" && c.of === layer.number ? [e.row[e.layer.numbers + k]] : []);
                if (ids.length >= 2 && ids.some((x, i) => x === id && ids.some((y, k) => k !== i && second.has(y) && !first.has(y))))
                    found.push({ ...e, direct: ids.includes(a) && ids.includes(b) });
            }
        return found.sort((x, y) => y.direct - x.direct || y.frame - x.frame);
    }

    // The frame, at most `frame`, in which a cell got its value. null = it had it from the start.
    cellMade(layer, cell, frame) {
        const cursor = new Cursor(this.recording);
        let material = 0, made = null;
        for (let f = this.recording.first; f <= frame; f++) {
            cursor.seek(f);
            for (const [c, m] of cursor.now[layer.number].changes) if (c === cell && m !== material) material = m, made = f;
        }
        return made;
    }
}
