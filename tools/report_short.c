/* SPDX-License-Identifier: MIT */
/* What a visitor wants to know first: how many times as fast the main kernels are as both baselines and as other libraries, with the
 * spread, on the first screen and as a table; and how much of a difference is noise. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/report_sections.h"

/* What is told first. `suffix` of the versions' names: NULL: none; `tile`: also on the first screen. */
static const struct told {
    const char *what, *kernel, *suffix;
    bool tile;
} list[] = {
    {"the broadphase of a whole world", "dilate_world", NULL, true},
    {"the broadphase of one chunk, after an edit", "dilate_chunk", NULL, false},
    {"boxes against a broadphase, in batches", "overlap_batch", NULL, true},
    {"the surface of a chunk", "mesh_chunk", NULL, true},
    {"trees of triangles, whole", "kd_build", "-create", true},
    {"single rays at a tree", "kd_ray", NULL, true},
    {"rays at a tree, in packets of 16", "kd_ray16", NULL, false},
    {"boxes against a tree", "kd_box", NULL, false},
    {"single rays at a terrain of chunks", "world_ray", NULL, true},
    {"an edit, and the first ray behind it", "edit_to_ray", NULL, true},
    {"convex hulls", "hull3", NULL, true},
};

enum { TOLD = sizeof list / sizeof list[0] };

/* The speed of the best version of a kernel. */
typedef struct speed {
    char who[64]; /* "": not measured */
    vp_range scalar, words, autovec, peer, any_peer; /* words: the same algorithm in plain C, where that was measured */
    vp_range plain; /* of both baselines by both compilers, where they were measured, the fastest on each data set */
} speed;

static speed speed_of(const vp_result *r, const struct told *t)
{
    const vp_bench *bench = &r->bench;
    const char *versions[VP_VERSIONS_MOST], *suffix = t->suffix != NULL ? t->suffix : "";
    char who[64], scalar[32], autovec[32];
    speed s = {.who = ""};
    snprintf(scalar, sizeof scalar, "scalar%.16s", suffix);
    snprintf(autovec, sizeof autovec, "scalar-autovec%.16s", suffix);
    for (size_t v = vp_versions_of(bench, versions); s.who[0] == '\0' && v-- != 0;) {
        snprintf(who, sizeof who, "%.40s%.16s", versions[v], suffix);
        s.scalar = vp_speed_range(bench, t->kernel, who, scalar);
        s.autovec = vp_speed_range(bench, t->kernel, who, autovec);
        s.words = vp_speed_range(bench, t->kernel, who, "scalar-words");
        s.peer = vp_peer_range(bench, t->kernel, who);
        s.any_peer = vp_any_peer_range(bench, t->kernel, who);
        s.plain = vp_plain_range(r, t->kernel, who, suffix);
        if (s.scalar.count + s.peer.count != 0)
            memcpy(s.who, who, sizeof s.who);
    }
    return s;
}

/* ---- the first screen ---- */

static void put_range(vp_writing *html, vp_range range)
{
    vp_writing_add(html, "%s", vp_figure_times(range.mean).text);
    if (range.count > 1)
        vp_writing_add(html, " (%s to %s)", vp_figure_of(range.low).text, vp_figure_of(range.high).text);
}

/* A link to the kernel's table: the figure over the scalar reference large, with its spread, then the others. */
static void put_tile(vp_page *page, const vp_result *r, const struct told *t, const speed *s)
{
    vp_writing *html = &page->html;
    char anchor[64];
    snprintf(anchor, sizeof anchor, "kernel-%.40s", t->kernel);
    vp_writing_put(html, "<li><a href=\"");
    vp_page_put_address(html, r->name, anchor);
    vp_writing_add(html, "\"><strong>%s</strong><span>", vp_figure_times(s->scalar.mean).text);
    vp_writing_html(html, t->what);
    vp_writing_put(html, "</span><small>");
    vp_writing_html(html, s->who);
    vp_writing_put(html, " over plain scalar C");
    if (s->scalar.count > 1)
        vp_writing_add(html, ": %s to %s on %zu data sets", vp_figure_of(s->scalar.low).text, vp_figure_of(s->scalar.high).text, s->scalar.count);
    if (s->words.count != 0) {
        vp_writing_put(html, "; over the same algorithm in plain C ");
        put_range(html, s->words);
    }
    if (s->autovec.count != 0) {
        vp_writing_put(html, "; over what the compiler vectorises itself ");
        put_range(html, s->autovec);
    }
    if (s->plain.count != 0) {
        vp_writing_put(html, "; over the fastest of what compilers make of the reference ");
        put_range(html, s->plain);
    }
    if (s->peer.count != 0) {
        const bool wrong = s->any_peer.mean < s->peer.mean;
        vp_writing_put(html, wrong ? "; over the fastest other library whose answer has no faults " : "; over the fastest other library ");
        put_range(html, s->peer);
        if (wrong) {
            vp_writing_put(html, ", of all ");
            put_range(html, s->any_peer);
        }
    }
    vp_writing_put(html, "</small></a></li>\n");
}

void vp_section_tiles(vp_page *page, const vp_result *r)
{
    const char *model = vp_json_text(r->machine, "cpu.model"), *date = vp_json_text(r->machine, "date");
    bool begun = false;
    for (size_t i = 0; i < TOLD; i++) {
        const speed s = list[i].tile ? speed_of(r, &list[i]) : (speed){.who = ""};
        if (s.who[0] == '\0' || s.scalar.count == 0)
            continue;
        if (!begun) {
            vp_page_part(page, "tiles", r->name, NULL);
            vp_writing_put(&page->html, "<p>On <a href=\"#");
            vp_writing_address(&page->html, r->name);
            vp_writing_put(&page->html, "\">");
            vp_writing_html(&page->html, r->name);
            vp_writing_put(&page->html, "</a>, one thread of ");
            vp_writing_html(&page->html, model != NULL ? model : "an unknown processor");
            vp_writing_put(&page->html, ", measured ");
            vp_writing_html(&page->html, date != NULL ? date : "nobody tells when");
            if (json_is_false(json_object_get(r->results, "official"))) {
                vp_writing official = vp_official_of(r);
                vp_writing_put(&page->html, ", official: ");
                vp_writing_html(&page->html, official.bytes);
                page->html.failed = page->html.failed || official.failed;
                vp_writing_destroy(&official);
            }
            vp_writing_put(&page->html, ":</p>\n<ul>\n");
        }
        begun = true;
        put_tile(page, r, &list[i], &s);
    }
    if (begun) {
        vp_writing_put(&page->html, "</ul>\n");
        vp_page_part_end(page);
    }
}

/* ---- the same as a table ---- */

void vp_section_short(vp_page *page, const vp_result *r)
{
    bool begun = false;
    for (size_t i = 0; i < TOLD; i++) {
        const speed s = speed_of(r, &list[i]);
        if (s.who[0] == '\0')
            continue;
        if (!begun) {
            vp_page_heading(page, VP_IN_BOTH, 3, NULL, "In short");
            vp_page_say(page, VP_IN_BOTH,
                        "How many times as fast the best version that this machine has is: the geometric mean over the data sets, and in brackets the "
                        "least and the greatest. Over scalar: the reference in plain C, without the compiler's vectoriser; over scalar-autovec: the same "
                        "source with it; over the fastest reference: the fastest of these on each data set, by every compiler that was measured, but not "
                        "scalar-words, the optimized algorithm in plain C, which the tables of its kernels tell of. Over the fastest right library: on "
                        "each data set, of those whose answer has no faults; over the fastest of all: a library whose answer is not right may be faster for that.");
            vp_table_begin(page, VP_IN_BOTH, "sortable");
            vp_table_column(page, false, "what");
            vp_table_column(page, false, "kernel");
            vp_table_column(page, false, "version");
            vp_table_column(page, true, "over scalar");
            vp_table_column(page, true, "over scalar-autovec");
            vp_table_column(page, true, "over the fastest reference");
            vp_table_column(page, true, "over the fastest right library");
            vp_table_column(page, true, "over the fastest of all");
            begun = true;
        }
        char anchor[64];
        snprintf(anchor, sizeof anchor, "kernel-%.40s", list[i].kernel);
        vp_table_row(page);
        vp_table_cell(page, "%s", list[i].what);
        vp_table_cell_link(page, anchor, list[i].kernel);
        vp_table_cell(page, "%s", s.who);
        vp_table_cell_range(page, s.scalar);
        vp_table_cell_range(page, s.autovec);
        vp_table_cell_range(page, s.plain);
        vp_table_cell_range(page, s.peer);
        vp_table_cell_range(page, s.any_peer);
    }
    if (begun)
        vp_table_end(page);
}

/* ---- noise ---- */

void vp_section_noise(vp_page *page, const vp_result *r)
{
    const vp_noise noise = vp_noise_of(&r->bench);
    if (noise.count == 0) {
        vp_page_say(page, VP_IN_BOTH, "How much the same thing differs when it is measured twice is unknown: it was not.");
        return;
    }
    const vp_measured *furthest = NULL;
    for (size_t i = 0; i < r->bench.count && furthest == NULL; i++) {
        const double ratio = vp_measured_ns(vp_measured_again(&r->bench, &r->bench.row[i])) / vp_measured_ns(&r->bench.row[i]);
        furthest = ratio > 0 && !(exp(fabs(log(ratio))) - 1 < noise.most) ? &r->bench.row[i] : NULL;
    }
    vp_page_say(page, VP_IN_BOTH,
                "%zu things were measured twice, under two names (noise/first and noise/second; of trees and terrain -quads is the default once more). "
                "Their medians differ by %s %% in the middle, and by %s %% at most, of %s/%s/%s. A difference that is not clearly more says nothing, and what is "
                "asked for is called reached or not reached by little where it is within the middle of them.",
                noise.count, vp_figure_of(100 * noise.typical).text, vp_figure_of(100 * noise.most).text, furthest != NULL ? furthest->kernel : "unknown",
                furthest != NULL ? furthest->who : "unknown", furthest != NULL ? furthest->data : "unknown");
}
