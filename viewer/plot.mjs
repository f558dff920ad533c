// SPDX-License-Identifier: MIT
// Plots scalars over frames, each curve with a scale of its own.
import { curve } from "./colours.mjs";

export class Plot {
    constructor(canvas, recording, seek) {
        Object.assign(this, { canvas, recording });
        this.curves = recording.layers.filter(l => l.kind === "scalars")
            .flatMap(l => l.series.map((s, k) => ({ name: l.columns[k].name, series: s, low: s.reduce((a, b) => Math.min(a, b), 0), high: s.reduce((a, b) => Math.max(a, b), 0) })));
        canvas.hidden = this.curves.length === 0;
        const to = e => seek(recording.first + Math.round(e.offsetX / Math.max(1, canvas.clientWidth - 1) * (recording.frames - 1)));
        canvas.addEventListener("pointerdown", e => { canvas.setPointerCapture(e.pointerId), to(e); });
        canvas.addEventListener("pointermove", e => { if (e.buttons & 1) to(e); });
    }
    draw(frame, dark) {
        const { canvas: c, recording: r, curves } = this, scale = devicePixelRatio, w = c.clientWidth, h = c.clientHeight, g = c.getContext("2d");
        if (c.hidden || w === 0) return;
        c.width = w * scale, c.height = h * scale, g.scale(scale, scale), g.font = "11px DejaVu Sans, sans-serif";
        const n = frame - r.first, x = i => i / Math.max(1, r.frames - 1) * (w - 1);
        let at = 4, line = 11;
        curves.forEach(({ name, series, low, high }, k) => {
            const text = `${name} ${+series[n].toPrecision(6)}`, width = g.measureText(text).width + 16;
            g.strokeStyle = g.fillStyle = curve(k, dark), g.beginPath();
            for (let p = 0; p < w; p++) g.lineTo(p, h - 2 - (h - 30) * (series[Math.round(p / Math.max(1, w - 1) * (r.frames - 1))] - low) / (high - low || 1));
            g.stroke();
            if (at + width > w && at > 4) at = 4, line += 13;
            g.fillText(text, at, line), at += width;
        });
        g.fillStyle = getComputedStyle(c).color, g.fillRect(Math.min(w - 1, x(n)), 0, 1, h);
    }
}
