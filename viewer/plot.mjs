// SPDX-License-Identifier: MIT
// Plots scalars over frames, each curve with a scale of its own, and marks of single frames.
import { curve } from "./colours.mjs";

const MARK = "#d81b60", TICK = 7;

export class Plot {
    // With `late`, the frames' axis is logarithmic from the end, so that the last ones have room.
    constructor(canvas, recording, seek, late = false) {
        Object.assign(this, { canvas, recording, late: late && recording.frames > 2, marks: null });
        this.curves = recording.layers.filter(l => l.kind === "scalars")
            .flatMap(l => l.series.map((s, k) => ({ name: l.columns[k].name, series: s, low: s.reduce((a, b) => Math.min(a, b), 0), high: s.reduce((a, b) => Math.max(a, b), 0) })));
        canvas.hidden = this.curves.length === 0;
        const to = e => seek(recording.first + this.frameAt(e.offsetX / Math.max(1, canvas.clientWidth - 1)));
        canvas.addEventListener("pointerdown", e => { canvas.setPointerCapture(e.pointerId), to(e); });
        canvas.addEventListener("pointermove", e => { if (e.buttons & 1) to(e); });
    }
    // The place of frame number i on the axis, 0 to 1, and the frame number there.
    placeOf(i) {
        const last = Math.max(1, this.recording.frames - 1);
        return this.late ? 1 - Math.log1p(last - i) / Math.log1p(last) : i / last;
    }
    frameAt(place) {
        const last = this.recording.frames - 1;
        return Math.max(0, Math.min(last, Math.round(this.late ? last - Math.expm1((1 - place) * Math.log1p(last)) : place * last)));
    }
    draw(frame, dark) {
        const { canvas: c, recording: r, curves } = this, scale = devicePixelRatio, w = c.clientWidth, h = c.clientHeight, g = c.getContext("2d");
        if (c.hidden || w === 0) return;
        c.width = w * scale, c.height = h * scale, g.scale(scale, scale), g.font = "11px DejaVu Sans, sans-serif";
        const n = frame - r.first, x = i => this.placeOf(i) * (w - 1), ink = getComputedStyle(c).color;
        let at = 4, line = 11;
        const say = (text, colour) => {
            const width = g.measureText(text).width + 16;
            if (at + width > w && at > 4) at = 4, line += 13;
            g.fillStyle = colour, g.fillText(text, at, line), at += width;
        };
        for (let before = 10; this.late && before < r.frames - 1; before *= 10) { // numbers of frames before the last
            const text = `\u2212${before}`, place = x(r.frames - 1 - before);
            g.globalAlpha = 0.35, g.fillStyle = ink, g.fillRect(place, 30, 1, h - 30), g.globalAlpha = 0.7, g.fillText(text, place + 3, h - TICK - 2), g.globalAlpha = 1;
        }
        curves.forEach(({ name, series, low, high }, k) => {
            g.strokeStyle = curve(k, dark), g.beginPath();
            for (let p = 0; p < w; p++) g.lineTo(p, h - 2 - (h - 30) * (series[this.frameAt(p / Math.max(1, w - 1))] - low) / (high - low || 1));
            g.stroke(), say(`${name} ${+series[n].toPrecision(6)}`, curve(k, dark));
        });
        if (this.marks) {
            g.fillStyle = MARK;
            for (const f of this.marks.frames) g.fillRect(Math.round(x(f - r.first)), h - TICK, 1, TICK);
            say(`${this.marks.name} ${this.marks.frames.length}`, MARK);
        }
        g.fillStyle = ink, g.fillRect(Math.min(w - 1, x(n)), 0, 1, h);
    }
}
