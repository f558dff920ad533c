/* SPDX-License-Identifier: MIT */
/* Drawings as SVG that takes its colours from the page's style, so that it follows light, dark and paper. */
#ifndef VP_TOOLS_REPORT_PLOT_H
#define VP_TOOLS_REPORT_PLOT_H

#include "tools/report_text.h"

enum { VP_PLOT_SERIES = 16, VP_PLOT_POINTS = 16, VP_PLOT_MARKS = 16, VP_PLOT_GROUPS = 40, VP_PLOT_LABEL_BYTES = 64 };

/* One colour of a drawing: `style` is a class of the page's style. */
typedef struct vp_series {
    char label[VP_PLOT_LABEL_BYTES];
    const char *style;
} vp_series;

/* Lying bars in groups, one bar a series. */
typedef struct vp_bar {
    double value, low, high; /* NaN: no bar, no whisker */
} vp_bar;

typedef struct vp_bars {
    const char *title, *axis;
    const char *suffix; /* of the figures at the bars' ends: "×" */
    bool logarithmic;   /* bars begin at 1, else at 0 */
    size_t series_count, group_count;
    vp_series series[VP_PLOT_SERIES];
    struct {
        char label[VP_PLOT_LABEL_BYTES];
        vp_bar bar[VP_PLOT_SERIES];
    } group[VP_PLOT_GROUPS];
} vp_bars;

void vp_plot_bars(vp_writing *svg, const vp_bars *plot);

/* Lines over a common, rising x; both axes are logarithmic. */
typedef struct vp_lines {
    const char *title, *x_axis, *y_axis;
    size_t series_count, point_count;
    double x[VP_PLOT_POINTS];
    char x_label[VP_PLOT_POINTS][VP_PLOT_LABEL_BYTES];
    vp_series series[VP_PLOT_SERIES];
    double y[VP_PLOT_SERIES][VP_PLOT_POINTS]; /* NaN: no point */
    size_t mark_count;
    struct {
        char label[VP_PLOT_LABEL_BYTES];
        double x, y;
    } mark[VP_PLOT_MARKS]; /* places with a ring around them, as where lines cross */
} vp_lines;

void vp_plot_lines(vp_writing *svg, const vp_lines *plot);

/* Points with names; both axes are logarithmic. */
enum { VP_PLOT_DOTS = 32 };

typedef struct vp_dots {
    const char *title, *x_axis, *y_axis;
    size_t count;
    struct {
        char label[VP_PLOT_LABEL_BYTES];
        const char *style;
        double x, y; /* above 0 */
    } dot[VP_PLOT_DOTS];
} vp_dots;

void vp_plot_dots(vp_writing *svg, const vp_dots *plot);

#endif
