# SPDX-License-Identifier: MIT
"""Plots as SVG. Bars show speed-ups on a log axis with a line at 1, curves the cost against the size. Markup.format escapes texts."""
import math

from figures import figure, kind_of, times
from jinja2.utils import markupsafe

Markup = markupsafe.Markup
LOW, HIGH = -3, 7  # octaves of the bars' axis
TICKS = (1 / 8, 1, 8, 64)
BAR = Markup('<svg class="bar {}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><path d="M{:.4g} 0v8"/><rect x="{:.4g}" y="1" width="{:.4g}" height="6"/>{}</svg>')
SPAN = Markup('<path class="{}" d="M{:.4g} 4H{:.4g}"/>')


def at(ratio, low=LOW, high=HIGH):
    """Returns the place of a ratio on an axis from 0 to 100."""
    return 100 * min(max((math.log2(ratio) - low) / (high - low), 0), 1)


def bar(of):
    """Returns a cell's bar from the line at 1, and a line from the least to the greatest, whose part below 1 has the colour of losses."""
    if of.mean is None:
        return ""
    one, end = at(1), at(of.mean)
    least, most = at(min(of.of)), at(max(of.of))
    span = SPAN.format("span", least, most) + (SPAN.format("span slow", least, min(one, most)) if least < one else "") if of.span else ""
    return BAR.format(of.kind, one, min(one, end), max(abs(end - one), 0.5), span)


def ticks():
    return [(at(t), {1 / 8: "⅛"}.get(t, f"{t:g}")) for t in TICKS]


def chart(machine, lines):
    """Returns the picture of README.md. Each line of the summary has our speed and the fastest correct library's, over the scalar reference."""
    rows = []
    for s in lines:
        ours, over = s["over_scalar"].mean or 1.0, s["right"]
        rows.append({"what": s["what"], "ours": ours, "peer": ours / over.mean if over.of else None, "over": over, "peer_bar": None,
                     "text": times(over.mean) if over.of else "none is right" if s["any_peer"].of else "no library"})
    low = math.floor(min([-1.0, *(math.log2(v) for r in rows for v in (r["ours"], r["peer"]) if v)]))
    high = math.ceil(max([3.0, *(math.log2(v) for r in rows for v in (r["ours"], r["peer"]) if v)]))
    left, width, step, top = 300, 400, 22, 74
    for i, r in enumerate(rows):
        r["y"] = top + step * i
        for who in ("ours", "peer"):
            if r[who]:
                one, end = (left + width / 100 * at(v, low, high) for v in (1, r[who]))
                r[who + "_bar"] = {"x": round(min(one, end), 1), "width": round(max(abs(end - one), 1), 1), "end": round(max(one, end) + 5, 1), "text": times(r[who])}
        r["kind"] = "loss" if r["over"].kind == "loss" or r["ours"] and kind_of(r["ours"]) == "loss" else "win"
    octaves = [o for o in range(low, high + 1) if o % 2 == 0]
    return {"rows": rows, "one": left + width / 100 * at(1, low, high), "height": top + step * len(rows) + 6, "top": top - 12, "machine": machine,
            "ticks": [(round(left + width / 100 * at(2.0 ** o, low, high), 1), f"{2 ** o:g}" if o >= 0 else f"1/{2 ** -o}") for o in octaves]}


# ---- cost against size ----

def curves(of, width=300, height=190, left=46, right=74, top=8, bottom=30):
    """Returns the paths, the labels at their ends, and the decades of a plot of sizes_of."""
    points = [p for c in of["curves"] for p in c["points"]]
    spans = []
    for i in (0, 1):
        low, high = (f(math.log10(p[i]) for p in points) for f in (min, max))
        pad = max(0.05 * (high - low), 0.08, (1.2 - (high - low)) / 2 if i else 0)
        spans.append((low - pad, high + pad))

    def x(v):
        return round(left + (width - left - right) * (math.log10(v) - spans[0][0]) / (spans[0][1] - spans[0][0]), 1)

    def y(v):
        return round(height - bottom - (height - top - bottom) * (math.log10(v) - spans[1][0]) / (spans[1][1] - spans[1][0]), 1)
    lines, taken = [], []
    for c in sorted(of["curves"], key=lambda c: c["points"][-1][1], reverse=True):
        label = y(c["points"][-1][1]) + 4
        label = max([label, *(t + 22 for t in taken)])
        taken.append(label)
        lines.append(c | {"path": "M" + "L".join(f"{x(a)} {y(b)}" for a, b in c["points"]), "dots": [(x(a), y(b), f"{short(a)}: {figure(b)} ns") for a, b in c["points"]],
                          "label": label, "kind": {"scalar": "scalar", "library": "peer"}.get(c["who"], "ours")})
    decades = [[10 ** d for d in range(math.ceil(low), math.floor(high) + 1)] for low, high in spans]
    return {"lines": lines, "width": width, "height": max(height, round(max(taken) + 20)), "left": left, "right": width - right, "top": top, "bottom": height - bottom,
            "x": [(x(d), short(d)) for d in decades[0]], "y": [(y(d), short(d)) for d in decades[1]]}


def short(value):
    """Returns 1k for 1000."""
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:.3g}{name}"
    return f"{value:.3g}"
