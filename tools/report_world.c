/* SPDX-License-Identifier: MIT */
/* The tables of whole worlds: against the memory, against other libraries, on threads, and the memory that
 * they use. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/report_sections.h"

/* ---- the memory's limit ---- */

void vp_section_limits(vp_page *page, const vp_result *r, const vp_manifest *manifest)
{
    const vp_bench *bench = vp_limits_of(r);
    if (!vp_bench_has(bench, NULL, VP_WHO_LIMIT))
        return;
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Distance to the limit: a world's build against the memory");
    vp_page_from(page, r->link, bench == &r->limits ? "limits.json" : "bench.json", NULL, NULL);
    vp_page_say(page, VP_IN_BOTH,
                "dilate_world, ns per chunk of 512 voxels, beside the time it takes to read the world's "
                "materials once and do nothing else, and to read them and write the masks that must be "
                "stored. A share of 1.00 would be a build that costs nothing.%s",
                bench == &r->limits
                    ? " Measured once more for this table (limits.json): builds and limits alone, side by "
                      "side, for both change with whatever else uses the memory."
                    : "");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "world");
    vp_table_column(page, true, "chunks");
    vp_table_column(page, true, "MiB of materials");
    vp_table_column(page, false, "version");
    vp_table_column(page, true, "build, ns");
    vp_table_column(page, true, "read, ns");
    vp_table_column(page, true, "share of read");
    vp_table_column(page, true, "read and write, ns");
    vp_table_column(page, true, "share of read and write");
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (strcmp(m->kernel, "dilate_world") != 0 || m->kind > VP_WHO_ISA)
            continue;
        const vp_measured *read = vp_bench_find(bench, "stream_read", "limit", m->data);
        const vp_measured *write = vp_bench_find(bench, "stream_read_write", "limit", m->data);
        if (read == NULL && write == NULL)
            continue;
        double chunks = vp_data_chunks(manifest, m->data), ns = vp_measured_ns(m);
        vp_table_row(page);
        vp_table_cell(page, "%s", m->data);
        vp_table_cell(page, isnan(chunks) ? "unknown" : "%.0f", chunks);
        vp_table_cell(page, "%s", vp_figure_of(chunks * 512 / (1 << 20)).text);
        vp_table_cell(page, "%s", m->who);
        vp_table_cell_time(page, m);
        vp_table_cell_time(page, read);
        vp_table_cell(page, "%s", vp_figure_of(vp_measured_ns(read) / ns).text);
        vp_table_cell_time(page, write);
        vp_table_cell(page, "%s", vp_figure_of(vp_measured_ns(write) / ns).text);
    }
    vp_table_end(page);
}

/* ---- peers ---- */

/* What a label tells of a peer. Before it are the unit, and how far the answers are equal. */
static const char *note_of(const vp_measured *m)
{
    const char *note = strstr(m->label, "; ");
    return note != NULL ? note + 2 : "nothing is told of the comparison";
}

/* The length of a peer's name, without what it was asked to do besides. */
static size_t name_length(const char *who)
{
    const char *cold = strstr(who, "-cold");
    return cold != NULL ? (size_t)(cold - who) : strlen(who);
}

/* Whether a row before this one has said the same of the same peer. */
static bool told_before(const vp_bench *bench, size_t row)
{
    const char *who = bench->row[row].who;
    const size_t length = name_length(who);
    for (size_t i = 0; i < row; i++)
        if (bench->row[i].kind == VP_WHO_PEER && name_length(bench->row[i].who) == length &&
            strncmp(bench->row[i].who, who, length) == 0 &&
            strcmp(note_of(&bench->row[i]), note_of(&bench->row[row])) == 0)
            return true;
    return false;
}

/* Why a library makes no hull of some points, or not of all shadows of a set, is told where hulls are. */
static bool is_told_elsewhere(const vp_measured *m)
{
    return (m->error != NULL && !vp_is_refusal(m)) || m->counter[VP_POLYGONS_REFUSED] > 0;
}

void vp_section_peers(vp_page *page, const vp_result *r)
{
    const char *who[VP_VERSIONS_MOST];
    size_t count = vp_versions_of(&r->bench, who);
    if (!vp_bench_has(&r->bench, NULL, VP_WHO_PEER))
        return;
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Other libraries");
    vp_section_peers_plot(page, r);
    for (size_t i = 0; i < r->bench.count; i++) {
        const vp_measured *m = &r->bench.row[i];
        if (m->kind != VP_WHO_PEER || told_before(&r->bench, i) || is_told_elsewhere(m))
            continue;
        vp_page_say(page, VP_IN_BOTH, "%.*s: %s.", (int)name_length(m->who), m->who, note_of(m));
    }
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "kernel");
    vp_table_column(page, false, "data set");
    vp_table_column(page, false, "peer");
    vp_table_column(page, true, "peer, ns");
    vp_table_column(page, true, "scalar, ns");
    vp_table_column(page, true, "scalar over peer");
    for (size_t v = 0; v < count; v++) {
        vp_table_column(page, true, "%s, ns", who[v]);
        vp_table_column(page, true, "%s over peer", who[v]);
    }
    for (size_t i = 0; i < r->bench.count; i++) {
        const vp_measured *m = &r->bench.row[i];
        if (m->kind != VP_WHO_PEER || strstr(m->who, "-cold") != NULL || is_told_elsewhere(m)) /* ours by that name are not cold */
            continue;
        const char *whole = strcmp(m->kernel, "kd_build") == 0 ? "-create" : ""; /* libraries make objects, and allocate them */
        vp_table_row(page);
        vp_table_cell(page, "%s%s", m->kernel, whole);
        vp_table_cell(page, "%s", m->data);
        vp_table_cell(page, "%s", m->who);
        vp_table_cell_time(page, m);
        for (size_t v = 0; v <= count; v++) {
            char version[64];
            snprintf(version, sizeof version, "%.40s%s", v == 0 ? "scalar" : who[v - 1], whole);
            const vp_measured *ours = vp_bench_find(&r->bench, m->kernel, version, m->data);
            vp_table_cell_time(page, ours);
            vp_table_cell(page, "%s", ours == NULL ? "-" : vp_figure_times(vp_measured_ns(m) / vp_measured_ns(ours)).text);
        }
    }
    vp_table_end(page);
}

/* ---- threads ---- */

void vp_section_threads(vp_page *page, const vp_result *r)
{
    bool begun = false;
    for (size_t i = 0; i < r->bench.count; i++) {
        const vp_measured *m = &r->bench.row[i];
        const char *threads = strstr(m->data, "/threads-");
        if (strcmp(m->kernel, "build_world") != 0 || threads == NULL)
            continue;
        if (!begun) {
            vp_page_heading(page, VP_IN_BOTH, 3, NULL, "A whole broadphase, and threads");
            vp_page_say(
                page, VP_IN_BOTH,
                "From a loaded world to a broadphase that can be asked: memory, kernel and threads, "
                "by the clock on the wall. The result is the same for every number of threads, and "
                "is checked. Memory is what the program used before (kept), or comes from the system for "
                "every build (fresh), which must first map and clear every page that is touched. A virtual "
                "machine's host may also have to find the page: not here, where it was in use a moment ago.");
            vp_table_begin(page, VP_IN_BOTH, "sortable");
            vp_table_column(page, false, "world");
            vp_table_column(page, false, "version");
            vp_table_column(page, true, "threads");
            vp_table_column(page, false, "memory");
            vp_table_column(page, true, "ns per chunk");
            vp_table_column(page, true, "over 1 thread");
            vp_table_column(page, true, "over scalar, 1 thread");
            begun = true;
        }
        const char *number = threads + strlen("/threads-"), *memory = number + strspn(number, "0123456789");
        char one[96];
        snprintf(one, sizeof one, "%.*s/threads-1%.16s",
                 (int)(threads - m->data < 64 ? threads - m->data : 64), m->data, memory);
        double ns = vp_measured_ns(m);
        vp_table_row(page);
        vp_table_cell(page, "%.*s", (int)(threads - m->data), m->data);
        vp_table_cell(page, "%s", m->who);
        vp_table_cell(page, "%.*s", (int)(memory - number), number);
        vp_table_cell(page, "%s", *memory == '-' ? memory + 1 : "kept");
        vp_table_cell_time(page, m);
        vp_table_cell(
            page, "%s",
            vp_figure_times(vp_measured_ns(vp_bench_find(&r->bench, m->kernel, m->who, one)) / ns).text);
        vp_table_cell(
            page, "%s",
            vp_figure_times(vp_measured_ns(vp_bench_find(&r->bench, m->kernel, "scalar", one)) / ns).text);
    }
    if (begun)
        vp_table_end(page);
}

/* ---- memory used ---- */

void vp_section_memory(vp_page *page, const vp_result *r)
{
    bool begun = false;
    for (size_t i = 0; i < r->bench.count; i++) {
        const vp_measured *m = &r->bench.row[i];
        if (strcmp(m->kernel, "dilate_world") != 0 || m->kind != VP_WHO_SCALAR || m->count == 0)
            continue;
        if (!begun) {
            vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Memory");
            vp_page_say(page, VP_IN_BOTH,
                        "Of the broadphase: bits that a voxel costs. Only chunks at the edge of something store masks, of 2 "
                        "bits a voxel; every chunk has a tag and an index.");
            vp_table_begin(page, VP_IN_BOTH, "sortable");
            vp_table_column(page, false, "world");
            vp_table_column(page, true, "masks, bits per voxel");
            vp_table_column(page, true, "all, bits per voxel");
            begun = true;
        }
        vp_table_row(page);
        vp_table_cell(page, "%s", m->data);
        vp_table_cell(page, "%s", vp_figure_of(m->counter[VP_BITS_PER_VOXEL]).text);
        vp_table_cell(page, "%s", vp_figure_of(m->counter[VP_BITS_PER_VOXEL_TOTAL]).text);
    }
    if (begun)
        vp_table_end(page);
}
