// SPDX-License-Identifier: MIT
// Colours of items and states, from the recording or chosen here.
import { Color } from "three";

const chosen = [0xe07b39, 0x7d8794, 0x2f9fd8, 0xc04060, 0x58a858, 0x9060c0, 0xb8a030, 0x30a0a0];
const known = new Map(Object.entries({ water: 0x3468b2, stone: 0x828284, dirt: 0x76553a, grass: 0x628e3e, sand: 0xd6c896, gravel: 0x8a8580, snow: 0xf2f5f8 }));

const scratch = new Color();
export const hue = i => scratch.setHSL(i * 0.61803399 % 1, 0.55 + 0.2 * (i % 2), 0.36 + 0.2 * (i * 0.7548777 % 1)).getHex();
// A slightly lighter or darker colour, so that neighbours of one state can be distinguished.
export const shade = (hex, i) => scratch.setHex(hex).offsetHSL(0, 0, ((i * 0.61803399 % 1) - 0.5) * 0.12).getHex();
export const named = (names, i) => names[i]?.colour ?? known.get(names[i]?.name) ?? chosen[i % chosen.length];
// A colour for buffers, linear, 0 to 255.
export function bytes(hex) {
    scratch.setHex(hex);
    return [scratch.r * 255, scratch.g * 255, scratch.b * 255];
}
export const css = hex => "#" + hex.toString(16).padStart(6, "0");
// The colour of curve k, readable on the theme's background.
export const curve = (k, dark) => `hsl(${(k * 137.5 + 210) % 360} 75% ${dark ? 68 : 36}%)`;
