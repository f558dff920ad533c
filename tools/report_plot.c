/* SPDX-License-Identifier: MIT */
#include "tools/report_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 860,
    LEFT = 150,
    RIGHT = 70,
    BAR = 13,
    GROUP_GAP = 12,
    TOP = 46,
    LINE_HEIGHT = 380,
    KEY_WIDTH = 200,
    KEY_ROW = 17,
    NEAREST_TICKS = 26
};

static void begin(vp_writing *svg, const char *title, int height)
{
    vp_writing_add(svg, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"",
                   WIDTH, height, WIDTH, height);
    vp_writing_html(svg, title);
    vp_writing_put(svg, "\">\n<text class=\"title\" x=\"0\" y=\"15\">");
    vp_writing_html(svg, title);
    vp_writing_put(svg, "</text>\n");
}

/* anchor: "start", "middle", "end" */
static void label(vp_writing *svg, double x, double y, const char *anchor, const char *style,
                  const char *plain)
{
    vp_writing_add(svg, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", style, x, y, anchor);
    vp_writing_html(svg, plain);
    vp_writing_put(svg, "</text>\n");
}

static void line(vp_writing *svg, const char *style, double x0, double y0, double x1, double y1)
{
    vp_writing_add(svg, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", style, x0,
                   y0, x1, y1);
}

static const char *short_figure(char text[32], double value, const char *suffix)
{
    double size = fabs(value);
    snprintf(text, 32, "%.*f%.8s", size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2, value, suffix);
    return text;
}

/* The next of 1, 2, 5, 10, 20, 50, ... */
static double next_tick(double tick)
{
    double digit = round(tick / pow(10, floor(log10(tick) + 1e-9)));
    return tick * (digit == 2 ? 2.5 : 2);
}

static double first_tick(double low)
{
    double tick = pow(10, floor(log10(low)));
    while (next_tick(tick) <= low * (1 + 1e-9))
        tick = next_tick(tick);
    return tick;
}

/* ---- bars ---- */

typedef struct scale {
    double low, high;
    bool logarithmic;
} scale;

static double place(const scale *s, double value)
{
    double share =
        s->logarithmic ? log(value / s->low) / log(s->high / s->low) : (value - s->low) / (s->high - s->low);
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static scale scale_of(const vp_bars *plot)
{
    double low = 1, high = plot->logarithmic ? 2 : 1;
    for (size_t g = 0; g < plot->group_count; g++)
        for (size_t s = 0; s < plot->series_count; s++) {
            const vp_bar *b = &plot->group[g].bar[s];
            low = fmin(low, fmin(b->value, b->low));
            high = fmax(high, fmax(b->value, b->high));
        }
    return (scale){plot->logarithmic ? low / 1.08 : 0, high * 1.04, plot->logarithmic};
}

static void bar_ticks(vp_writing *svg, const scale *s, double top, double bottom)
{
    char text[32];
    double step = 0.2;
    while (!s->logarithmic && s->high / step > 8)
        step *= 2;
    for (double t = s->logarithmic ? first_tick(s->low) : 0; t <= s->high * (1 + 1e-9);
         t = s->logarithmic ? next_tick(t) : t + step) {
        if (t < s->low)
            continue;
        snprintf(text, sizeof text, "%.3g", t);
        line(svg, fabs(t - 1) < 1e-6 ? "base" : "grid", place(s, t), top, place(s, t), bottom);
        label(svg, place(s, t), bottom + 15, "middle", "tick", text);
    }
}

/* A swatch and a name for each series, in as many rows above the drawing as it takes. `svg`: NULL to count only.
   @return the number of rows */
static int key_of_bars(vp_writing *svg, const vp_bars *plot)
{
    double x = LEFT;
    int rows = 1;
    for (size_t s = 0; s < plot->series_count; s++) {
        double width = 36 + 7.2 * (double)strlen(plot->series[s].label);
        if (x > LEFT && x + width > WIDTH) {
            x = LEFT;
            rows++;
        }
        if (svg != NULL) {
            int y = 25 + (rows - 1) * KEY_ROW;
            vp_writing_add(svg, "<rect class=\"fill %s\" x=\"%.1f\" y=\"%d\" width=\"12\" height=\"12\"/>\n",
                           plot->series[s].style, x, y);
            label(svg, x + 17, y + 10, "start", "tick", plot->series[s].label);
        }
        x += width;
    }
    return rows;
}

static void draw_bar(vp_writing *svg, const vp_bars *plot, const scale *s, const vp_bar *b, const char *style,
                     double y)
{
    char text[32];
    double zero = place(s, s->logarithmic ? 1 : 0), end = place(s, b->value), right = fmax(zero, end);
    vp_writing_add(svg, "<rect class=\"fill %s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n",
                   style, fmin(zero, end), y, fmax(fabs(end - zero), 1), BAR - 2);
    if (isfinite(b->low) && isfinite(b->high) && b->high > b->low) {
        line(svg, "whisker", place(s, b->low), y + (BAR - 2) / 2.0, place(s, b->high), y + (BAR - 2) / 2.0);
        line(svg, "whisker", place(s, b->low), y + 2, place(s, b->low), y + BAR - 4);
        line(svg, "whisker", place(s, b->high), y + 2, place(s, b->high), y + BAR - 4);
        right = fmax(right, place(s, b->high));
    }
    label(svg, right + 5, y + BAR - 3, "start", "value", short_figure(text, b->value, plot->suffix));
}

void vp_plot_bars(vp_writing *svg, const vp_bars *plot)
{
    scale s = scale_of(plot);
    double group_height = (double)plot->series_count * BAR + GROUP_GAP,
           top = TOP + (key_of_bars(NULL, plot) - 1) * KEY_ROW,
           bottom = top + (double)plot->group_count * group_height;
    begin(svg, plot->title, (int)bottom + 42);
    key_of_bars(svg, plot);
    bar_ticks(svg, &s, top, bottom);
    label(svg, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, bottom + 33, "middle", "tick", plot->axis);
    for (size_t g = 0; g < plot->group_count; g++) {
        double y = top + (double)g * group_height + GROUP_GAP / 2.0;
        label(svg, LEFT - 10, y + (double)plot->series_count * BAR / 2 + 4, "end", "name",
              plot->group[g].label);
        for (size_t i = 0; i < plot->series_count; i++)
            if (isfinite(plot->group[g].bar[i].value))
                draw_bar(svg, plot, &s, &plot->group[g].bar[i], plot->series[i].style, y + (double)i * BAR);
    }
    vp_writing_put(svg, "</svg>\n");
}

/* ---- lines ---- */

typedef struct frame {
    double x_low, x_high, y_low, y_high;
} frame;

static double across(const frame *f, double x)
{
    double share = f->x_high > f->x_low ? log(x / f->x_low) / log(f->x_high / f->x_low) : 0.5;
    return 64 + 30 + share * (WIDTH - 64 - 60 - KEY_WIDTH);
}

static double up(const frame *f, double y)
{
    return TOP + LINE_HEIGHT - log(y / f->y_low) / log(f->y_high / f->y_low) * LINE_HEIGHT;
}

static frame frame_of(const vp_lines *plot)
{
    frame f = {plot->x[0], plot->x[plot->point_count - 1], NAN, NAN};
    for (size_t s = 0; s < plot->series_count; s++)
        for (size_t p = 0; p < plot->point_count; p++) {
            f.y_low = fmin(f.y_low, plot->y[s][p]);
            f.y_high = fmax(f.y_high, plot->y[s][p]);
        }
    f.y_low /= 1.3;
    f.y_high *= 1.3;
    return f;
}

static void draw_series(vp_writing *svg, const vp_lines *plot, const frame *f, size_t s)
{
    const char *style = plot->series[s].style;
    char text[32];
    vp_writing_add(svg, "<polyline class=\"stroke %s\" points=\"", style);
    for (size_t p = 0; p < plot->point_count; p++)
        if (isfinite(plot->y[s][p]))
            vp_writing_add(svg, "%.1f,%.1f ", across(f, plot->x[p]), up(f, plot->y[s][p]));
    vp_writing_put(svg, "\"/>\n");
    for (size_t p = 0; p < plot->point_count; p++) {
        if (!isfinite(plot->y[s][p]))
            continue;
        vp_writing_add(svg, "<circle class=\"fill %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>", style,
                       across(f, plot->x[p]), up(f, plot->y[s][p]));
        vp_writing_html(svg, plot->series[s].label);
        vp_writing_put(svg, ", ");
        vp_writing_html(svg, plot->x_label[p]);
        vp_writing_add(svg, ": %s</title></circle>\n", short_figure(text, plot->y[s][p], " ns"));
    }
}

/* A ring, and a line down to the axis with the place's name beside it; the names stand in three rows, for they may be near each other. */
static void draw_marks(vp_writing *svg, const vp_lines *plot, const frame *f, double bottom)
{
    for (size_t m = 0; m < plot->mark_count; m++) {
        const double x = across(f, plot->mark[m].x), y = up(f, plot->mark[m].y);
        line(svg, "drop", x, y, x, bottom);
        vp_writing_add(svg, "<circle class=\"ring\" cx=\"%.1f\" cy=\"%.1f\" r=\"7\"/>\n", x, y);
        label(svg, x + 4, bottom - 5 - 13 * (double)(m % 3), "start", "value", plot->mark[m].label);
    }
}

static double last_of(const vp_lines *plot, size_t s)
{
    double last = NAN;
    for (size_t p = 0; p < plot->point_count; p++)
        if (isfinite(plot->y[s][p]))
            last = plot->y[s][p];
    return last;
}

/* The names on the right stand at the height of their line's end, pushed apart where lines are close. */
static void key_of_lines(vp_writing *svg, const vp_lines *plot, const frame *f)
{
    size_t order[VP_PLOT_SERIES], count = 0;
    for (size_t s = 0; s < plot->series_count; s++) {
        if (!isfinite(last_of(plot, s)))
            continue;
        size_t at = count++;
        for (; at != 0 && last_of(plot, order[at - 1]) < last_of(plot, s); at--)
            order[at] = order[at - 1];
        order[at] = s;
    }
    double y[VP_PLOT_SERIES];
    for (size_t i = 0; i < count; i++) {
        y[i] = up(f, last_of(plot, order[i]));
        if (i != 0 && y[i] < y[i - 1] + 17)
            y[i] = y[i - 1] + 17;
    }
    for (size_t i = count; i-- != 0;) {
        double most = i + 1 < count ? y[i + 1] - 17 : TOP + LINE_HEIGHT - 4;
        y[i] = fmin(y[i], most);
        const vp_series *s = &plot->series[order[i]];
        vp_writing_add(svg, "<line class=\"stroke %s\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n",
                       s->style, WIDTH - KEY_WIDTH - 10, y[i], WIDTH - KEY_WIDTH + 12, y[i]);
        label(svg, WIDTH - KEY_WIDTH + 18, y[i] + 4, "start", "name", s->label);
    }
}

void vp_plot_lines(vp_writing *svg, const vp_lines *plot)
{
    char text[32];
    frame f = frame_of(plot);
    if (!isfinite(f.y_low) || plot->point_count == 0)
        return;
    double bottom = TOP + LINE_HEIGHT, right = WIDTH - KEY_WIDTH - 20;
    begin(svg, plot->title, (int)bottom + 62);
    label(svg, 0, 36, "start", "tick", plot->y_axis);
    for (double t = first_tick(f.y_low); t <= f.y_high; t = next_tick(t)) {
        if (t < f.y_low)
            continue;
        snprintf(text, sizeof text, "%.6g", t);
        line(svg, "grid", 64, up(&f, t), right, up(&f, t));
        label(svg, 58, up(&f, t) + 4, "end", "tick", text);
    }
    double before = -INFINITY;
    for (size_t p = 0; p < plot->point_count; p++) {
        line(svg, "grid", across(&f, plot->x[p]), TOP, across(&f, plot->x[p]), bottom);
        if (across(&f, plot->x[p]) < before + NEAREST_TICKS)
            continue;
        before = across(&f, plot->x[p]);
        snprintf(text, sizeof text, "%.0f", plot->x[p]);
        label(svg, across(&f, plot->x[p]), bottom + 16, "middle", "tick", text);
        if (plot->x_label[p][0] != '\0')
            label(svg, across(&f, plot->x[p]), bottom + 32, "middle", "tick", plot->x_label[p]);
    }
    label(svg, (64 + right) / 2, bottom + 52, "middle", "tick", plot->x_axis);
    for (size_t s = 0; s < plot->series_count; s++)
        draw_series(svg, plot, &f, s);
    draw_marks(svg, plot, &f, bottom);
    key_of_lines(svg, plot, &f);
    vp_writing_put(svg, "</svg>\n");
}

/* ---- dots ---- */

static frame frame_of_dots(const vp_dots *plot)
{
    frame f = {NAN, NAN, NAN, NAN};
    for (size_t i = 0; i < plot->count; i++) {
        f.x_low = fmin(f.x_low, plot->dot[i].x);
        f.x_high = fmax(f.x_high, plot->dot[i].x);
        f.y_low = fmin(f.y_low, plot->dot[i].y);
        f.y_high = fmax(f.y_high, plot->dot[i].y);
    }
    return (frame){f.x_low / 1.15, f.x_high * 1.15, f.y_low / 1.3, f.y_high * 1.3};
}

static void dot_ticks(vp_writing *svg, const frame *f, double right)
{
    char text[32];
    const double bottom = TOP + LINE_HEIGHT;
    for (double t = first_tick(f->y_low); t <= f->y_high; t = next_tick(t)) {
        if (t < f->y_low)
            continue;
        snprintf(text, sizeof text, "%.6g", t);
        line(svg, "grid", 64, up(f, t), right, up(f, t));
        label(svg, 58, up(f, t) + 4, "end", "tick", text);
    }
    for (double t = first_tick(f->x_low); t <= f->x_high; t = next_tick(t)) {
        if (t < f->x_low)
            continue;
        snprintf(text, sizeof text, "%.6g", t);
        line(svg, "grid", across(f, t), TOP, across(f, t), bottom);
        label(svg, across(f, t), bottom + 16, "middle", "tick", text);
    }
}

/* Names stand to the right of their dots, lower where another's is. `order` is by height, the highest first. */
static void name_dots(vp_writing *svg, const vp_dots *plot, const frame *f, const size_t *order)
{
    enum { LETTER = 7, HEIGHT = 13 };
    double x[VP_PLOT_DOTS], y[VP_PLOT_DOTS], width[VP_PLOT_DOTS];
    for (size_t i = 0; i < plot->count; i++) {
        const size_t d = order[i];
        x[i] = across(f, plot->dot[d].x) + 7;
        y[i] = up(f, plot->dot[d].y) + 4;
        width[i] = LETTER * (double)strlen(plot->dot[d].label);
        for (size_t k = 0; k < i; k++) /* all before are higher, and those that were moved are in order still */
            if (x[i] < x[k] + width[k] && x[k] < x[i] + width[i] && y[i] < y[k] + HEIGHT && y[i] > y[k] - HEIGHT)
                y[i] = y[k] + HEIGHT;
        label(svg, x[i], y[i], "start", "value", plot->dot[d].label);
    }
}

void vp_plot_dots(vp_writing *svg, const vp_dots *plot)
{
    char text[32];
    size_t order[VP_PLOT_DOTS];
    if (plot->count == 0)
        return;
    const frame f = frame_of_dots(plot);
    const double right = WIDTH - KEY_WIDTH + 20, bottom = TOP + LINE_HEIGHT;
    begin(svg, plot->title, (int)bottom + 46);
    label(svg, 0, 36, "start", "tick", plot->y_axis);
    dot_ticks(svg, &f, right);
    label(svg, (64 + right) / 2, bottom + 36, "middle", "tick", plot->x_axis);
    for (size_t i = 0; i < plot->count; i++) {
        size_t at = i;
        for (; at != 0 && plot->dot[order[at - 1]].y < plot->dot[i].y; at--)
            order[at] = order[at - 1];
        order[at] = i;
        vp_writing_add(svg, "<circle class=\"fill %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>", plot->dot[i].style,
                       across(&f, plot->dot[i].x), up(&f, plot->dot[i].y));
        vp_writing_html(svg, plot->dot[i].label);
        vp_writing_add(svg, ": %s", short_figure(text, plot->dot[i].x, ""));
        vp_writing_add(svg, ", %s</title></circle>\n", short_figure(text, plot->dot[i].y, ""));
    }
    name_dots(svg, plot, &f, order);
    vp_writing_put(svg, "</svg>\n");
}
