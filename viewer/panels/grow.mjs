// SPDX-License-Identifier: MIT
// What has grown so far: cells of each species.
import { css, named } from "../colours.mjs";

export function grow(api) {
    const box = api.element("div"), layer = api.recording.layers.find(l => l.kind === "voxels");
    box.className = "legend";
    return {
        element: box,
        update() {
            const count = new Uint32Array(256);
            if (layer) for (const brick of api.now(layer).cells.values()) for (const m of brick) count[m]++;
            box.replaceChildren(...[...count.keys()].filter(m => m > 0 && count[m] > 0).map(m => {
                const line = api.element("div"), mark = api.element("i");
                mark.style.background = css(named(layer.materials, m));
                line.append(mark, `${layer.materials[m]?.name ?? m} `, api.element("b", String(count[m])));
                return line;
            }));
        },
    };
}
