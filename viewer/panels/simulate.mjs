// SPDX-License-Identifier: MIT
// Number of bodies in each state, and the contacts of the picked body.
import { number } from "../inspect.mjs";
import { legend } from "./legend.mjs";

const MOST = 12; // maximum of listed contacts

export function simulate(api) {
    const { recording: r, element, link } = api, layer = name => r.layers.find(l => l.name === name);
    const bodies = layer("bodies"), contacts = layer("contacts"), box = element("div"), states = element("div"), touching = element("div");
    const [body, other, depth] = ["body", "other", "depth"].map(name => (contacts?.numbers ?? 0) + (contacts?.columns.findIndex(c => c.name === name) ?? 0));
    if (bodies?.kind !== "items" || contacts?.draw !== "points") return { element: box, update() {} };
    box.append(states, touching), states.className = "legend";

    // Shows each contact in a line, with the other body and the depth.
    function contactsOf(id) {
        const rows = api.now(contacts).rows.filter(c => c[body] === id || c[other] === id);
        const lines = rows.slice(0, MOST).map(c => {
            const p = element("p"), against = c[body] === id ? c[other] : c[body];
            p.append(against < 0 ? "ground" : link(`bodies ${against}`, () => api.pick(bodies, against, true)), `, depth ${number(c[depth])}`);
            return p;
        });
        return [element("h2", `bodies ${id}: ${rows.length} contact${rows.length === 1 ? "" : "s"}`), ...lines];
    }
    return {
        element: box,
        update() {
            const count = new Uint32Array(Math.max(1, bodies.states.length));
            for (const i of api.now(bodies).items.values()) count[i.state]++;
            states.replaceChildren(...legend(api, bodies.states, count));
            touching.replaceChildren(...api.picked().filter(p => p.layer === bodies).flatMap(p => contactsOf(p.id)));
        },
    };
}
