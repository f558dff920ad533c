// SPDX-License-Identifier: MIT
// Number of grown cells of each species.
import { legend } from "./legend.mjs";

export function grow(api) {
    const box = api.element("div"), layer = api.recording.layers.find(l => l.kind === "voxels");
    box.className = "legend";
    return {
        element: box,
        update() {
            const count = new Uint32Array(256);
            if (layer) for (const brick of api.now(layer).cells.values()) for (const m of brick) count[m]++;
            count[0] = 0;
            box.replaceChildren(...legend(api, layer?.materials ?? [], count));
        },
    };
}
