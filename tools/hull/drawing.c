/* SPDX-License-Identifier: MIT */
/* An SVG of a set of points in the plane and the polygon around it. It has the colours of the report's drawings, light
 * and dark, and needs no other file. Both axes have one scale. */
#include <math.h>
#include <stdlib.h>

#include "host/program.h"
#include "tools/hull/hull.h"

enum {
    WIDTH = 860,
    LEFT = 90,
    RIGHT = 30,
    TOP = 62,
    BOTTOM = 40,
    MIN_HEIGHT = 120,
    MAX_HEIGHT = 740,
    MAX_POINTS = 5000, /* larger sets are thinned */
    CELL = 10,         /* a thinned set has one point in each cell */
    MAX_DOTS = 500     /* corners that have a dot */
};

/* The mapping of the plane to the page. */
typedef struct page_view {
    const vp_vec3 *point;
    uint32_t axis[2];
    double low[2], high[2]; /* bounds of the points */
    double centre[2], scale, middle[2], height;
} page_view;

static double coordinate(const page_view *v, uint32_t point, int k)
{
    const vp_vec3 p = v->point[point];
    return v->axis[k] == 0 ? (double)p.x : v->axis[k] == 1 ? (double)p.y : (double)p.z;
}

/* Maps a coordinate. On the page, y points down. */
static double place(const page_view *v, int k, double value)
{
    const double away = (value - v->centre[k]) * v->scale;
    return k == 0 ? v->middle[0] + away : v->middle[1] - away;
}

static page_view view_of(const vp_vec3 *point, uint32_t count, const uint32_t axis[2])
{
    enum { MARGIN = 12 };
    page_view v = {.point = point, .axis = {axis[0], axis[1]}};
    const double room = WIDTH - LEFT - RIGHT - 2 * MARGIN;
    for (int k = 0; k < 2; k++) {
        v.low[k] = v.high[k] = coordinate(&v, 0, k);
        for (uint32_t i = 1; i < count; i++) {
            v.low[k] = fmin(v.low[k], coordinate(&v, i, k));
            v.high[k] = fmax(v.high[k], coordinate(&v, i, k));
        }
        v.centre[k] = v.low[k] + (v.high[k] - v.low[k]) / 2.0;
    }
    const double wide = v.high[0] - v.low[0], high = v.high[1] - v.low[1];
    v.scale = fmin(wide > 0.0 ? room / wide : INFINITY, high > 0.0 ? (MAX_HEIGHT - 2 * MARGIN) / high : INFINITY);
    if (v.scale > 0x1p+1000) /* the set is a point */
        v.scale = 1.0;
    v.height = fmax(high * v.scale + 2 * MARGIN, MIN_HEIGHT);
    v.middle[0] = LEFT + (WIDTH - LEFT - RIGHT) / 2.0;
    v.middle[1] = TOP + v.height / 2.0;
    return v;
}

/* ---- lines of the grid ---- */

/* The smallest of 1, 2 and 5 times a power of ten that is at least `least`. */
static double round_step(double least)
{
    const double power = pow(10.0, floor(log10(least)));
    const double digits = least / power * (1.0 - 1e-9);
    return power * (digits <= 1.0 ? 1.0 : digits <= 2.0 ? 2.0 : digits <= 5.0 ? 5.0 : 10.0);
}

/* Draws grid lines across one axis, with enough digits to distinguish them. An axis without extent has no lines. */
static void draw_grid(vp_bytes *svg, const page_view *v, int k)
{
    const double extent = v->high[k] - v->low[k];
    if (!(extent * v->scale > 1.0))
        return;
    const double step = round_step(fmax(extent / 6.0, 70.0 / v->scale)), largest = fmax(fabs(v->low[k]), fabs(v->high[k]));
    const int digits = (int)fmin(fmax(ceil(log10(largest / step)) + 1.0, 1.0), 17.0);
    const double first = ceil(v->low[k] / step - 1e-9);
    for (int i = 0; i < 12 && (first + i) * step <= v->high[k] + step * 1e-9; i++) {
        const double value = (first + i) * step, at = place(v, k, value), bottom = TOP + v->height;
        if (k == 0)
            vp_bytes_print(svg,
                           "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\"/>\n"
                           "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.*g</text>\n",
                           at, TOP, at, bottom, at, bottom + 17, digits, value);
        else
            vp_bytes_print(svg,
                           "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n"
                           "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.*g</text>\n",
                           LEFT, at, WIDTH - RIGHT, at, LEFT - 8, at + 4, digits, value);
    }
}

/* ---- points and polygon ---- */

static void dot(vp_bytes *svg, const page_view *v, uint32_t point)
{
    vp_bytes_print(svg, "M%.1f %.1fh0", place(v, 0, coordinate(v, point, 0)), place(v, 1, coordinate(v, point, 1)));
}

/* @return the number of drawn points, or 0 if out of memory */
static uint32_t draw_points(vp_bytes *svg, const page_view *v, uint32_t count)
{
    enum { COLUMNS = WIDTH / CELL + 1, ROWS = (TOP + MAX_HEIGHT) / CELL + 1 };
    uint8_t *taken = calloc(COLUMNS * ROWS, 1);
    uint32_t drawn = 0;
    if (taken == NULL)
        return 0;
    vp_bytes_print(svg, "<path class=\"point\" d=\"");
    for (uint32_t i = 0; i < count && !svg->failed; i++) {
        const int x = (int)(place(v, 0, coordinate(v, i, 0)) / CELL), y = (int)(place(v, 1, coordinate(v, i, 1)) / CELL);
        uint8_t *cell = &taken[y * COLUMNS + x];
        if (count > MAX_POINTS && *cell != 0)
            continue;
        *cell = 1;
        drawn++;
        dot(svg, v, i);
    }
    vp_bytes_print(svg, "\"/>\n");
    free(taken);
    return drawn;
}

/* Skips corners that are less than a fraction of a pixel from the previous one, which limits their number. */
static void draw_polygon(vp_bytes *svg, const page_view *v, const uint32_t *corner, uint32_t corners)
{
    double x = 0.0, y = 0.0;
    vp_bytes_print(svg, "<path class=\"hull\" d=\"");
    for (uint32_t i = 0; i < corners && !svg->failed; i++) {
        const double at_x = place(v, 0, coordinate(v, corner[i], 0)), at_y = place(v, 1, coordinate(v, corner[i], 1));
        if (i != 0 && corners > MAX_DOTS && fabs(at_x - x) + fabs(at_y - y) < 0.5)
            continue;
        vp_bytes_print(svg, "%c%.2f %.2f", i == 0 ? 'M' : 'L', at_x, at_y);
        x = at_x;
        y = at_y;
    }
    vp_bytes_print(svg, "Z\"/>\n");
    if (corners > MAX_DOTS)
        return;
    vp_bytes_print(svg, "<path class=\"corner\" d=\"");
    for (uint32_t i = 0; i < corners && !svg->failed; i++)
        dot(svg, v, corner[i]);
    vp_bytes_print(svg, "\"/>\n");
}

static void begin(vp_bytes *svg, const page_view *v, uint32_t count, uint32_t corners)
{
    const int height = (int)(TOP + v->height + BOTTOM);
    vp_bytes_print(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" ", WIDTH,
                   height, WIDTH, height);
    vp_bytes_print(svg, "aria-label=\"Convex hull of %u point%s: %u corner%s\">\n", count, vp_plural(count), corners, vp_plural(corners));
    vp_bytes_print(svg, "<style>text { fill: #1c1e21; font: 12px system-ui, sans-serif; } .title { font-weight: 600; font-size: 14px; }\n"
                        ".paper { fill: #ffffff; } .tick { fill: #5b6168; } .grid { stroke: #d5d9de; }\n"
                        ".point { stroke: #8a9099; stroke-width: 3; stroke-linecap: round; }\n"
                        ".hull { fill: #2b7bba; fill-opacity: 0.12; stroke: #2b7bba; stroke-width: 2; stroke-linejoin: round; }\n"
                        ".corner { stroke: #c8501e; stroke-width: 6; stroke-linecap: round; }\n"
                        "@media (prefers-color-scheme: dark) { text { fill: #e4e7ea; } .paper { fill: #15181c; } .tick { fill: #9aa2ab; }\n"
                        ".grid { stroke: #353b43; } .point { stroke: #7d858f; } .hull { fill: #5aa5e0; stroke: #5aa5e0; }\n"
                        ".corner { stroke: #ec7f50; } }</style>\n");
    vp_bytes_print(svg, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", WIDTH, height);
    vp_bytes_print(svg, "<text class=\"title\" x=\"10\" y=\"22\">Convex hull of %u point%s: %u corner%s</text>\n", count, vp_plural(count),
                   corners, vp_plural(corners));
}

uint32_t vp_hull_drawing(vp_bytes *svg, const vp_vec3 *point, uint32_t count, const uint32_t axis[2], const uint32_t *corner,
                         uint32_t corners)
{
    const page_view v = view_of(point, count, axis);
    begin(svg, &v, count, corners);
    draw_grid(svg, &v, 0);
    draw_grid(svg, &v, 1);
    const uint32_t drawn = draw_points(svg, &v, count);
    draw_polygon(svg, &v, corner, corners);
    vp_bytes_print(svg, "<text class=\"tick\" x=\"10\" y=\"42\">%c to the right, %c upwards", "xyz"[axis[0]], "xyz"[axis[1]]);
    if (drawn < count)
        vp_bytes_print(svg, "; %u points are drawn, of each square of %d x %d the first", drawn, CELL, CELL);
    vp_bytes_print(svg, "</text>\n</svg>\n");
    return drawn;
}
