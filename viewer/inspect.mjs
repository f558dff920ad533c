// SPDX-License-Identifier: MIT
// The panel of picked items: state, time of creation, sources, and rows that refer to them. For two items, also the
// rows about both. Content of the recording is always inserted as text.

const MANY = 12;

export function element(tag, text) {
    const e = document.createElement(tag);
    if (text !== undefined) e.textContent = text;
    return e;
}
export function link(text, act) {
    const b = element("button", text);
    b.className = "link", b.type = "button", b.onclick = act;
    return b;
}
export const number = v => Number.isInteger(v) ? String(v) : String(+v.toPrecision(5));

export class Inspector {
    constructor(box, api) { this.box = box, this.api = api; }

    // Shows a column's value as a word, a link to a frame or an item, or a number.
    value(layer, column, v) {
        const { recording, seek, pick } = this.api;
        switch (column.meaning) {
        case "word": return element("span", column.words?.[v]?.name ?? number(v));
        case "frame": return v < 0 ? element("span", "-") : link(`frame ${v}`, () => seek(v));
        case "item": case "origin": {
            const of = column.meaning === "origin" ? layer : recording.layers[column.of];
            return v < 0 ? element("span", "-") : link(`${of.name} ${v}`, () => pick(of, v, true));
        }
        default: return element("span", number(v));
        }
    }
    line(name, ...values) {
        const tr = element("tr"), td = element("td");
        td.append(...values), tr.append(element("th", name), td);
        return tr;
    }
    columns(layer, values, from = 0) { return layer.columns.map((c, k) => this.line(c.name, this.value(layer, c, values[from + k]))); }
    table(...lines) {
        const t = element("table");
        t.append(...lines);
        return t;
    }
    frameLink(frame) { return link(`frame ${frame}`, () => this.api.seek(frame)); }

    item(layer, id) {
        const { recording, now, frame } = this.api, history = this.api.history(), item = now(layer).items.get(id), life = history.life(layer, id, frame()), lines = [];
        const values = item?.values ?? life.values;
        if (item && layer.states.length > 0) lines.push(this.line("state", layer.states[item.state].name));
        if (values.length > 0) lines.push(...this.columns(layer, values));
        if (item) {
            const shape = recording.shape(item.shape);
            lines.push(this.line("shape", shape.form === "mesh" ? `${shape.material.length} triangles, ${shape.corner.length / 3} corners` : `${shape.form} ${shape.size.map(number).join(", ")}`));
            if (item.position.some(p => p !== 0)) lines.push(this.line("at", item.position.map(p => number(p / layer.scale)).join(", ")));
        }
        const made = life.made ?? history.firstMade(layer, id);
        if (made !== null) lines.push(this.line("made in", this.frameLink(made), made === recording.first && made > 0 ? " or before" : ""));
        if (life.made !== null && life.gone !== null) lines.push(this.line("until", this.frameLink(life.gone)));
        const became = history.children[layer.number].get(id) ?? [];
        if (became.length > 0) lines.push(this.line("became", ...became.flatMap(c => [link(`${layer.name} ${c}`, () => this.api.pick(layer, c, true)), " "])));
        const family = history.family(layer, id);
        if (family.size > 1) lines.push(this.line("made from", `${family.size - 1} before it`));
        if (!item) lines.push(this.line("", made === null ? "in no frame" : "not in this frame"));
        return [element("h2", `${layer.name} ${id}`), this.table(...lines)];
    }
    entry({ layer, frame, row }, direct = true) {
        const p = element("p");
        p.append(this.frameLink(frame), ` ${layer.name}: `);
        layer.columns.forEach((c, k) => p.append(k ? ", " : "", element("span", `${c.name} `), this.value(layer, c, row[layer.numbers + k])));
        if (!direct) p.className = "weak";
        return p;
    }
    about(layer, id) {
        const rows = this.api.history().about(layer, id);
        if (rows.length === 0) return [];
        return [element("h2", `about it: ${rows.length > MANY ? `the last ${MANY} of ${rows.length}` : rows.length}`), ...rows.slice(-MANY).reverse().map(r => this.entry(r))];
    }
    between(layer, a, b) {
        const tables = this.api.recording.layers.filter(l => l.kind === "array" && l.about && l.columns.filter(c => c.meaning === "item" && c.of === layer.number).length >= 2);
        if (tables.length === 0) return [];
        const rows = this.api.history().between(layer, a, b), parts = [];
        for (const t of tables) {
            const own = rows.filter(r => r.layer === t);
            const answer = this.api.answer ? [this.api.answer(layer, a, b)] : [];
            parts.push(element("h2", t.about), ...answer, ...own.slice(0, MANY).map(r => this.entry(r, r.direct)));
            if (own.length === 0 && answer.length === 0) parts.push(element("p", "No row is about these two, nor about what they were made from."));
            if (own.length > MANY) parts.push(element("p", `and ${own.length - MANY} more`));
        }
        return parts;
    }

    tables() {
        const parts = [];
        for (const layer of this.api.recording.layers) {
            if (layer.draw !== "table" || !this.api.shown(layer)) continue;
            const rows = this.api.now(layer).rows, head = element("tr");
            if (rows.length === 0) continue;
            if (rows.length === 1) {
                parts.push(element("h2", `${layer.name}, in this frame`), this.table(...this.columns(layer, rows[0])));
                continue;
            }
            head.append(...layer.columns.map(c => element("th", c.name)));
            const lines = rows.slice(0, 3 * MANY).map(row => {
                const tr = element("tr");
                tr.append(...layer.columns.map((c, k) => { const td = element("td"); td.append(this.value(layer, c, row[k])); return td; }));
                return tr;
            });
            parts.push(element("h2", `${layer.name}, in this frame${rows.length > lines.length ? `: ${lines.length} of ${rows.length}` : ""}`), this.table(head, ...lines));
        }
        return parts;
    }

    show(picked) {
        const parts = [], items = picked.filter(p => p.id !== undefined);
        if (picked.length === 0) parts.push(element("p", "Click on something to see what it is; with shift, on a second one to see what is known of the two."));
        if (items.length === 2 && items[0].layer === items[1].layer) parts.push(...this.between(items[0].layer, items[0].id, items[1].id));
        for (const p of picked) {
            if (p.id !== undefined) parts.push(...this.item(p.layer, p.id));
            else if (p.row) parts.push(element("h2", p.layer.name), this.table(...this.columns(p.layer, p.row, p.layer.numbers)));
            else parts.push(...this.voxel(p));
        }
        if (items.length === 1) parts.push(...this.about(items[0].layer, items[0].id));
        parts.push(...this.tables());
        this.box.replaceChildren(...parts);
    }
    voxel({ layer, at, cell, material }) {
        const when = link("look for the frame", () => {
            const made = this.api.history().cellMade(layer, cell, this.api.frame());
            when.replaceWith(made === null ? element("span", "-") : this.frameLink(made));
        });
        return [element("h2", layer.name), this.table(this.line("cell", `${at.join(", ")} (number ${cell})`), this.line("is", layer.materials[material]?.name ?? String(material)), this.line("since", when))];
    }
}
