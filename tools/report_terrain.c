/* SPDX-License-Identifier: MIT */
/* The tables of whole terrains: rays and boxes by everybody, warm and cold, edits, threads, and memory within budgets. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/report_sections.h"

enum { MOST_COLUMNS = VP_TABLE_COLUMNS - 1, MOST_ROWS = 64 };

/* ---- which rows ---- */

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

typedef bool choice(const vp_measured *m);

static bool is_warm(const vp_measured *m)
{
    return !has(m->who, "-cold") && !has(m->who, "-budget-") && !has(m->data, "/wander") && !has(m->data, "/threads-");
}

static bool is_cold(const vp_measured *m)
{
    return has(m->who, "-cold");
}

static bool is_edit(const vp_measured *m)
{
    return !has(m->who, "-parts");
}

static bool is_parts(const vp_measured *m)
{
    return has(m->who, "-parts");
}

static bool is_threads(const vp_measured *m)
{
    return has(m->data, "/threads-");
}

static bool is_budget(const vp_measured *m)
{
    return has(m->data, "/wander");
}

static bool is_of(const vp_measured *m, const char *kernel, choice *chosen)
{
    return m->count != 0 && m->kind != VP_WHO_SIMDE && strcmp(m->kernel, kernel) == 0 && chosen(m);
}

static bool any(const vp_bench *bench, const char *kernel, choice *chosen)
{
    for (size_t i = 0; i < bench->count; i++)
        if (is_of(&bench->row[i], kernel, chosen))
            return true;
    return false;
}

/* The names of rows or of columns, each once. @return how many */
static size_t names_of(const vp_bench *bench, const char *kernel, choice *chosen, bool data, const char *list[], size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        const char *name = data ? m->data : m->who;
        bool known = !is_of(m, kernel, chosen);
        for (size_t k = 0; k < count; k++)
            known = known || strcmp(list[k], name) == 0;
        if (!known && count < most)
            list[count++] = name;
    }
    return count;
}

/* ---- tables of who by what ---- */

/* A line a contender, a column a data set. @param scale  over nanoseconds; 0: millions a second */
static void table_of(vp_page *page, const vp_bench *bench, const char *kernel, choice *chosen, double scale, const char *head)
{
    const char *who[MOST_ROWS], *data[MOST_COLUMNS];
    const size_t rows = names_of(bench, kernel, chosen, false, who, MOST_ROWS);
    const size_t columns = names_of(bench, kernel, chosen, true, data, MOST_COLUMNS);
    if (rows == 0)
        return;
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "%s", head);
    for (size_t d = 0; d < columns; d++)
        vp_table_column(page, true, "%s", data[d]);
    for (size_t w = 0; w < rows; w++) {
        vp_table_row(page);
        vp_table_cell(page, "%s", who[w]);
        for (size_t d = 0; d < columns; d++) {
            const double ns = vp_measured_ns(vp_bench_find(bench, kernel, who[w], data[d]));
            vp_table_cell(page, "%s", isnan(ns) ? "-" : vp_figure_of(scale > 0 ? ns * scale : 1e3 / ns).text);
        }
    }
    vp_table_end(page);
}

/* ---- rays and boxes ---- */

static void warm(vp_page *page, const vp_bench *bench)
{
    static const char *const kernels[] = {"world_ray", "world_ray16", "world_box"};
    vp_page_say(page, VP_IN_BOTH,
                "Millions of rays and boxes a second, by one thread, with every tree there. Ours walk a grid of chunks with a tree "
                "each, the optimized ones under a top level, and packets as one beam, which the reference has not: their factor over it is that of two algorithms. Other libraries have one tree over the one mesh of the same world, and know nothing of "
                "chunks or edits. -object: asked through vp_terrain, one ray a call, with its lock; -pinned: with a budget that holds "
                "everything, so each tree is pinned while it is read.");
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        table_of(page, bench, kernels[k], is_warm, 0, kernels[k]);
}

static void cold(vp_page *page, const vp_bench *bench)
{
    if (!any(bench, "world_ray", is_cold))
        return;
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "Cold");
    vp_page_say(page, VP_IN_BOTH,
                "Microseconds a ray for 16,384 rays from all over a set, when there is nothing but voxels, their broadphase and the top level: ours make meshes "
                "and trees of the chunks that the rays come to. Other libraries are given the one mesh, and make the whole tree: "
                "that the mesh is not made favours them, that all of it is in the tree favours us.");
    table_of(page, bench, "world_ray", is_cold, 1e-3, "world_ray");
}

/* ---- edits ---- */

static void parts(vp_page *page, const vp_bench *bench)
{
    static const struct {
        const char *name;
        vp_counter counter;
    } part[] = {{"whole edit", VP_EDIT_NS}, {"voxels and broadphase", VP_VOXELS_NS}, {"top level", VP_TOP_NS},
                {"mesh", VP_MESH_NS},       {"tree", VP_TREE_NS},                    {"ray and the rest", VP_RAY_NS}};
    enum { PARTS = sizeof part / sizeof part[0] };
    if (!any(bench, "edit_to_ray", is_parts))
        return;
    vp_page_say(page, VP_IN_BOTH,
                "How the time of an edit of one voxel and its ray divides, in microseconds, with a clock around each part: the whole edit, of it voxels with "
                "broadphase, and the top level, both done once more apart from the terrain; then of the ray the meshes, the trees, and the rest, which is the "
                "walk and the keeping of what was made.");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "parts of an edit");
    for (size_t p = 0; p < PARTS; p++)
        vp_table_column(page, true, "%s", part[p].name);
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (!is_of(m, "edit_to_ray", is_parts))
            continue;
        vp_table_row(page);
        vp_table_cell(page, "%.*s", (int)strcspn(m->who, "-"), m->who);
        for (size_t p = 0; p < PARTS; p++)
            vp_table_cell(page, "%s", vp_figure_of(m->counter[part[p].counter] / 1e3).text);
    }
    vp_table_end(page);
}

static void edits(vp_page *page, const vp_bench *bench)
{
    if (!any(bench, "edit_to_ray", is_edit))
        return;
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "From an edit to the first ray");
    vp_page_say(page, VP_IN_BOTH,
                "Microseconds for an edit of a terrain of which all trees are there, and one ray that comes to the place: one voxel, a sphere of 8 "
                "voxels across, or a chunk's 512 voxels. Ours: voxels, broadphase, top level, and of the stale chunks that rays come "
                "to mesh and tree. Other libraries: the tree over the mesh of the one chunk that the ray meets, which they are "
                "given, the ray, and the tree freed: all that they are spared favours them.");
    table_of(page, bench, "edit_to_ray", is_edit, 1e-3, "edit_to_ray");
    parts(page, bench);
}

/* ---- threads ---- */

static void row_of_threads(vp_page *page, const vp_bench *bench, const vp_measured *m)
{
    const char *threads = strstr(m->data, "/threads-");
    const int data = (int)(threads - m->data < 64 ? threads - m->data : 64);
    char one[96];
    snprintf(one, sizeof one, "%.*s/threads-1", data, m->data);
    vp_table_row(page);
    vp_table_cell(page, "%s", m->kernel);
    vp_table_cell(page, "%.*s", data, m->data);
    vp_table_cell(page, "%s", m->who);
    vp_table_cell(page, "%s", threads + strlen("/threads-"));
    vp_table_cell_time(page, m);
    vp_table_cell(page, "%s", vp_figure_times(vp_measured_ns(vp_bench_find(bench, m->kernel, m->who, one)) / vp_measured_ns(m)).text);
}

static void threads(vp_page *page, const vp_bench *bench)
{
    if (!any(bench, "world_ray", is_threads) && !any(bench, "terrain_prepare", is_threads))
        return;
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "Threads of a terrain");
    vp_page_say(page, VP_IN_BOTH,
                "All rays of a set in one call, and all meshes and trees of a world from voxels, by the clock on the wall: nanoseconds a ray, "
                "and a chunk with triangles. Answers are the same for every number of threads, and are checked.");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "what");
    vp_table_column(page, false, "data set");
    vp_table_column(page, false, "version");
    vp_table_column(page, true, "threads");
    vp_table_column(page, true, "ns");
    vp_table_column(page, true, "over 1 thread");
    for (size_t i = 0; i < bench->count; i++)
        if (is_of(&bench->row[i], "world_ray", is_threads) || is_of(&bench->row[i], "terrain_prepare", is_threads))
            row_of_threads(page, bench, &bench->row[i]);
    vp_table_end(page);
}

/* ---- budgets ---- */

static void cell(vp_page *page, double value)
{
    vp_table_cell(page, "%s", isnan(value) ? "-" : vp_figure_of(value).text);
}

static void cell_of_count(vp_page *page, double value)
{
    if (isnan(value))
        vp_table_cell(page, "-");
    else
        vp_table_cell(page, "%.0f", value);
}

static void budgets(vp_page *page, const vp_bench *bench)
{
    if (!any(bench, "world_ray", is_budget))
        return;
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "Within a budget");
    vp_page_say(page, VP_IN_BOTH,
                "Rays that wander over a world of 512 x 256 x 512 voxels, in tiles of 8 x 8 alike ones, each tile from another place, so little that was kept is "
                "asked for again: the hard case of a cache. Meshes and trees: what is kept of them at most, which must not be above the budget. All but the voxels: "
                "what the terrain holds at most while rays are asked, with broadphase, top level, tables and scratch; the voxels are 128 MiB. Uses are of all rays of the "
                "set once. -many: all rays in one call, which sorts them by chunks, in 16 bytes a ray.");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "world and rays");
    vp_table_column(page, false, "version and budget");
    vp_table_column(page, true, "million rays a second");
    vp_table_column(page, true, "meshes and trees, MiB");
    vp_table_column(page, true, "all but the voxels, MiB");
    vp_table_column(page, true, "uses of what is kept");
    vp_table_column(page, true, "of what is not");
    vp_table_column(page, true, "evictions");
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (!is_of(m, "world_ray", is_budget))
            continue;
        vp_table_row(page);
        vp_table_cell(page, "%s", m->data);
        vp_table_cell(page, "%s", m->who);
        cell(page, 1e3 / vp_measured_ns(m));
        cell(page, m->counter[VP_MOST_BYTES] / (1 << 20));
        cell(page, m->counter[VP_PEAK_BYTES] / (1 << 20));
        cell_of_count(page, m->counter[VP_HITS_PER_RUN]);
        cell_of_count(page, m->counter[VP_MISSES_PER_RUN]);
        cell_of_count(page, m->counter[VP_EVICTIONS_PER_RUN]);
    }
    vp_table_end(page);
}

void vp_section_terrain(vp_page *page, const vp_result *r)
{
    const vp_bench *bench = &r->bench;
    if (!any(bench, "world_ray", is_warm) && !any(bench, "edit_to_ray", is_edit))
        return;
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Terrain");
    warm(page, bench);
    cold(page, bench);
    edits(page, bench);
    threads(page, bench);
    budgets(page, bench);
}
