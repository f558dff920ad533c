// SPDX-License-Identifier: MIT
// Panels of types of recordings, as type -> function(api). The function returns an element, a callback for changes of frame
// or picked items, and optionally answer(layer, a, b). That returns an element, which answers a table's question about two
// items.
// api: {recording, history(), now(layer), frame(), seek(frame), pick(layer, id), picked() -> [{layer, id}], link(text, act),
// element(tag, text)}
import { decompose } from "./decompose.mjs";
import { grow } from "./grow.mjs";
import { simulate } from "./simulate.mjs";

export const panels = { decompose, grow, simulate };
