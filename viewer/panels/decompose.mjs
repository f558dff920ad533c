// SPDX-License-Identifier: MIT
// Steps of a decomposition in words, and why two hulls did not merge.
import { css, hue } from "../colours.mjs";

const MERGED = 0, FOR_GOOD = 1, RAY = 1, AREA = 2;

export function decompose(api) {
    const { recording: r, element, link } = api, layer = name => r.layers.find(l => l.name === name);
    const hulls = layer("hull"), surface = layer("surface"), decisions = layer("decisions"), input = layer("input");
    if (!hulls || !surface || !decisions || !input) return { element: element("div"), update() {} };
    const inputs = () => api.now(input).rows[0] ?? [], number = v => String(+v.toPrecision(4));
    const [from, and] = ["from", "and"].map(name => hulls.columns.findIndex(c => c.name === name));
    const p = (...parts) => { const e = element("p"); e.append(...parts); return e; };
    const step = (frame, word = "step") => link(`${word} ${frame}`, () => api.seek(frame));
    const hull = id => {
        const e = element("span"), mark = element("i");
        mark.style.background = css(hue(id)), e.className = "hull", e.append(mark, link(`hull ${id}`, () => api.pick(hulls, id, true)));
        return e;
    };

    // The reason in a row of decisions.
    function reason([, , error, by, then]) {
        const allowed = number(inputs()[input.columns.findIndex(c => c.name === "error allowed")]);
        if (by === RAY) return `a ray of ${then === MERGED ? "" : "at least "}${number(error)}, ${allowed} allowed`;
        return by === AREA ? `the root of an area, ${number(error)}, ${allowed} allowed` : "no error";
    }
    function sentence(row) {
        const [a, b, , , then] = row, made = [...api.now(hulls).items.values()].findLast(i => i.values[from] === a && i.values[and] === b);
        if (then === MERGED) return [hull(a), " and ", hull(b), " merge", ...made ? [" into ", hull(made.id)] : [], `: ${reason(row)}.`];
        return [hull(a), " and ", hull(b), ` stay apart ${then === FOR_GOOD ? "for good" : "until one of them merges"}: ${reason(row)}.`];
    }

    // ---- why two hulls did not merge ----

    // The hulls that a hull merged into, itself first.
    function line(id) {
        const line = [id], children = api.history().children[hulls.number];
        for (let next; (next = children.get(line.at(-1))?.[0]) !== undefined;) line.push(next);
        return line;
    }
    // Edges of the first triangles that a hull was made from.
    function sides(family) {
        const whole = api.now(surface).items.get(0), mesh = whole && r.shape(whole.shape), sides = new Set();
        if (mesh?.form !== "mesh") return sides;
        const corners = mesh.corner.length / 3;
        for (const t of family) {
            if (3 * t >= mesh.triangle.length) continue;
            const v = mesh.triangle.subarray(3 * t, 3 * t + 3);
            for (const [a, b] of [[0, 1], [1, 2], [0, 2]]) if (v[a] !== v[b]) sides.add(Math.min(v[a], v[b]) * corners + Math.max(v[a], v[b]));
        }
        return sides;
    }
    function neighbours(a, b) {
        const other = sides(b);
        return [...sides(a)].some(s => other.has(s));
    }
    const member = (id, of) => id === of ? [hull(id)] : [hull(id), ", now in ", hull(of), ","];

    function answer(a, b) {
        const h = api.history(), first = h.family(hulls, a), second = h.family(hulls, b);
        if (first.has(b) || second.has(a)) return [p(hull(first.has(b) ? a : b), " was made from ", hull(first.has(b) ? b : a), ".")];
        const lineA = line(a), lineB = line(b), both = lineA.find(id => lineB.includes(id));
        if (both !== undefined) {
            const [x, y] = [lineA, lineB].map(l => l[l.indexOf(both) - 1]), frame = h.firstMade(hulls, both);
            const row = h.about(hulls, x).find(e => e.layer === decisions && e.frame === frame).row;
            return [p("They are one: ", step(frame), " merged ", hull(x), " and ", hull(y), " into ", hull(both), `: ${reason(row)}.`)];
        }
        const said = [], became = lineA.length + lineB.length > 2;
        const rows = h.between(hulls, a, b).filter(e => e.layer === decisions).reverse(); // earlier rows first, direct ones last
        const final = rows.filter(e => e.row[4] === FOR_GOOD).sort((x, y) => x.frame - y.frame)[0], direct = rows.findLast(e => e.direct);
        if (final) {
            const [x, y] = first.has(final.row[0]) ? final.row : [final.row[1], final.row[0]];
            if (final.direct) said.push(p(step(final.frame, "Step"), ` dropped their edge for good: ${reason(final.row)}.`));
            else said.push(p("Inherited: ", step(final.frame), " dropped the edge of ", ...member(x, a), " and ", ...member(y, b), ` for good: ${reason(final.row)}.`));
        } else if (direct) {
            said.push(p(step(direct.frame, "Step"), " dropped their edge until one of them merges", became ? "" : ", and none did", `: ${reason(direct.row)}.`));
        } else if (r.first > 0) {
            said.push(p("The recording begins with ", step(r.first), "; what was decided before isn't in it."));
        } else if (neighbours(first, second)) {
            said.push(p(became ? "Their edge was in the queue when one of them merged." : "Their edge is in the queue: no step has come to it."));
        } else {
            said.push(p("They are no neighbours: no triangle of one shares an edge with one of the other."));
        }
        if (became && !final) said.push(p("What they became, ", hull(lineA.at(-1)), " and ", hull(lineB.at(-1)), ":"), ...answer(lineA.at(-1), lineB.at(-1)));
        return said;
    }

    // ---- the panel ----

    const now = element("p"), box = element("div"), jump = element("p"), to = element("label"), count = element("input");
    const drops = () => api.history().entries[decisions.number].filter(e => e.row[4] !== MERGED).map(e => e.frame);
    const dropped = ahead => () => {
        const frame = ahead ? drops().find(f => f > api.frame()) : drops().findLast(f => f < api.frame());
        if (frame !== undefined) api.seek(frame);
    };
    // Goes to the first frame with so many hulls, or fewer.
    const figures = layer("figures"), hullsOf = figures?.series[figures.columns.findIndex(c => c.name === "hulls")];
    count.type = "number", count.id = "hulls", count.min = hullsOf?.at(-1) ?? 1, count.max = hullsOf?.[0] ?? 1;
    count.onchange = () => {
        const at = hullsOf.findIndex(n => n <= +count.value);
        api.seek(at < 0 ? r.last : r.first + at);
    };
    to.append("hulls ", count), to.hidden = !hullsOf;
    jump.append(link("drop before", dropped(false)), " \u00b7 ", link("next drop", dropped(true)));
    box.append(now, to, jump), now.id = "sentence", box.className = "decompose";
    return {
        element: box, late: true,
        marks: () => ({ name: "drops", frames: drops() }),
        events: () => api.history().entries[decisions.number].filter(e => e.row[2] !== 0 || e.row[4] !== MERGED).map(e => e.frame), // steps with an error
        update() {
            if (hullsOf) count.value = hullsOf[api.frame() - r.first];
            const row = api.now(decisions).rows[0];
            now.replaceChildren(...row ? [`Step ${api.frame()}: `, ...sentence(row)] : [api.frame() === 0 ? "Each triangle is a hull." : "A hull gets a point inside the solid."]);
        },
        answer(layer, a, b) {
            const e = element("div");
            e.className = "answer", e.append(...answer(a, b));
            return e;
        },
    };
}
