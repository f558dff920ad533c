// SPDX-License-Identifier: MIT
// A legend with one line per name in use: colour, name, count.
import { css, named } from "../colours.mjs";

export function legend(api, names, count) {
    return [...count.keys()].filter(i => count[i] > 0).map(i => {
        const line = api.element("div"), mark = api.element("i");
        mark.style.background = css(named(names, i));
        line.append(mark, `${names[i]?.name ?? i} `, api.element("b", String(count[i])));
        return line;
    });
}
