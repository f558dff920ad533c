/* SPDX-License-Identifier: MIT */
/* What the voxel terrain article says about its trees and Bullet's, measured again: once with the tree as it is published, in
 * plain C like the reference mesher beside it, and once with the tree and the kernels that a user is given. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/report_sections.h"

static const char chunks[] = "chunks", their_world[] = "terrain-230k", rays[] = "chunks/coherent", boxes[] = "chunks/box-1.5";

static double ns_of(const vp_bench *bench, const char *kernel, const char *who, const char *data)
{
    const vp_measured *m = vp_bench_find(bench, kernel, who, data);
    return m == NULL ? NAN : vp_measured_ns(m);
}

static double counter_of(const vp_bench *bench, const char *who, vp_counter counter)
{
    const vp_measured *m = vp_bench_find(bench, "kd_build", who, chunks);
    return m == NULL ? NAN : m->counter[counter];
}

/* Of its two trees the one that is faster at it. */
static double faster_bullet(const vp_bench *bench, const char *kernel, const char *data)
{
    return fmin(ns_of(bench, kernel, "peer-bullet", data), ns_of(bench, kernel, "peer-bullet-quantized", data));
}

static void row(vp_page *page, const char *what, const char *said, vp_figure published, vp_figure used)
{
    vp_table_row(page);
    vp_table_cell(page, "%s", what);
    vp_table_cell(page, "%s", said);
    vp_table_cell(page, "%s", published.text);
    vp_table_cell(page, "%s", used.text);
}

static const vp_figure nothing = {"-"};

/* By kernels of `who` instead of the published form's. */
static void faster_by(vp_page *page, const vp_bench *bench, const char *what, const char *said, const char *who,
                      const char *kernel, const char *data)
{
    const double bullet = faster_bullet(bench, kernel, data);
    row(page, what, said, vp_figure_times(bullet / ns_of(bench, kernel, "scalar-published", data)),
        vp_figure_times(bullet / ns_of(bench, kernel, who, data)));
}

void vp_section_article(vp_page *page, const vp_result *r)
{
    const vp_bench *bench = &r->bench;
    const char *versions[VP_VERSIONS_MOST];
    const size_t count = vp_versions_of(bench, versions);
    if (count == 0 || isnan(faster_bullet(bench, "kd_build", chunks)) ||
        isnan(counter_of(bench, "scalar-published", VP_TRIANGLES_PER_MESH)))
        return;
    const char *who = versions[count - 1];
    char created[64];
    snprintf(created, sizeof created, "%s-create", who);
    const double triangles = counter_of(bench, "scalar-published", VP_TRIANGLES_PER_MESH);
    const double mesh = ns_of(bench, "mesh_chunk", "scalar", their_world), fast_mesh = ns_of(bench, "mesh_chunk", who, their_world);
    const double plain = ns_of(bench, "kd_build", "peer-bullet", chunks) * triangles;
    const double quantized = ns_of(bench, "kd_build", "peer-bullet-quantized", chunks) * triangles;

    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "What the article says, measured again");
    vp_page_say(page, VP_IN_BOTH,
                "Of the %.0f triangles of a chunk of %s. First with the tree and the mesher as published, in plain C; "
                "then with what a user is given, the wide form by vp_kd_create and %s. A mesh is of solid and of water.",
                triangles, their_world, who);
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "what");
    vp_table_column(page, false, "the article");
    vp_table_column(page, true, "as published");
    vp_table_column(page, true, "as used");
    row(page, "bytes a triangle of Bullet's tree", "128", vp_figure_of(counter_of(bench, "peer-bullet", VP_BYTES_PER_TRIANGLE)),
        nothing);
    row(page, "bytes a triangle of Bullet's quantized tree", "32",
        vp_figure_of(counter_of(bench, "peer-bullet-quantized", VP_BYTES_PER_TRIANGLE)), nothing);
    row(page, "bytes a triangle of the loose kD tree", "about 12",
        vp_figure_of(counter_of(bench, "scalar-published", VP_BYTES_PER_TRIANGLE)),
        vp_figure_of(counter_of(bench, who, VP_BYTES_PER_TRIANGLE)));
    row(page, "Bullet's tree takes so much of the mesh's time", "3×", vp_figure_times(plain / mesh), vp_figure_times(plain / fast_mesh));
    row(page, "Bullet's quantized tree takes so much of the mesh's time", "5×", vp_figure_times(quantized / mesh),
        vp_figure_times(quantized / fast_mesh));
    row(page, "the loose kD tree takes so much of the mesh's time", "about equal",
        vp_figure_times(ns_of(bench, "kd_build", "scalar-published", chunks) * triangles / mesh),
        vp_figure_times(ns_of(bench, "kd_build", created, chunks) * triangles / fast_mesh));
    faster_by(page, bench, "it is built faster than the faster of Bullet's by", "3 to 4×", created, "kd_build", chunks);
    faster_by(page, bench, "boxes of 1.5 voxels are faster than the faster of Bullet's by", "on par", who, "kd_box", boxes);
    faster_by(page, bench, "rays are faster than the faster of Bullet's by", "faster", who, "kd_ray", rays);
    vp_table_end(page);
}
