// SPDX-License-Identifier: MIT
// Panels that a type of recording has besides: type -> function(api), which returns an element and what is called when frame or picked change.
// api: {recording, history(), now(layer), frame(), seek(frame), pick(layer, id), picked(): [{layer, id}], link(text, act), element(tag, text)}
import { grow } from "./grow.mjs";

export const panels = { grow };
