// SPDX-License-Identifier: MIT
// Panels that a type of recording has besides: type -> function(api), which returns an element, what is called when frame or picked change, and,
// if it has an answer to what a table asks about two items: answer(layer, a, b), an element.
// api: {recording, history(), now(layer), frame(), seek(frame), pick(layer, id), picked(): [{layer, id}], link(text, act), element(tag, text)}
import { decompose } from "./decompose.mjs";
import { grow } from "./grow.mjs";
import { simulate } from "./simulate.mjs";

export const panels = { decompose, grow, simulate };
