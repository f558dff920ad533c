/* SPDX-License-Identifier: MIT */
/* The parts of the report. Each writes one part of one machine's chapter; where its file is not there, it
 * says so. */
#ifndef VP_TOOLS_REPORT_SECTIONS_H
#define VP_TOOLS_REPORT_SECTIONS_H

#include "tools/report_data.h"
#include "tools/report_page.h"

enum { VP_FIGURE_BYTES = 48, VP_VERSIONS_MOST = 8 };

/* A figure as text with three digits, "unknown" for NaN. */
typedef struct vp_figure {
    char text[VP_FIGURE_BYTES];
} vp_figure;
vp_figure vp_figure_of(double value);
vp_figure vp_figure_times(double ratio);                 /* "12.3×" */
vp_figure vp_figure_spread(double value, double spread); /* "12.3 ± 0.1" */

/* The native instruction sets among a machine's benchmarks, weakest first. @return how many */
size_t vp_versions_of(const vp_bench *bench, const char *who[VP_VERSIONS_MOST]);
/* Whether speed-ups are told of a kernel: not of limits, the floor, and whole builds, which have tables of
 * their own. */
bool vp_is_kernel(const char *kernel);
/* The faster of gcc's and clang's reference; NaN if neither was measured. */
double vp_faster_scalar(const vp_result *r, const char *kernel, const char *data);
/* "chunk" or "query": what a benchmark counts; "item" if it does not say. */
vp_figure vp_unit_of(const vp_measured *m);

/* Geometric mean, least and greatest speed-up of a version of a kernel over a baseline, over all data sets
   that have both. */
typedef struct vp_range {
    double mean, low, high;
    size_t count;
} vp_range;
vp_range vp_speed_range(const vp_bench *bench, const char *kernel, const char *who, const char *baseline);
/* The same over the fastest plain C on each data set: scalar and scalar-autovec, with `suffix` behind, by both compilers. */
vp_range vp_plain_range(const vp_result *r, const char *kernel, const char *who, const char *suffix);
/* The same over the fastest other library on each data set, of those that make nothing wrong of it: vp_fastest_peer. */
vp_range vp_peer_range(const vp_bench *bench, const char *kernel, const char *who);
/* And over the fastest of all, also of those whose answers are wrong. */
vp_range vp_any_peer_range(const vp_bench *bench, const char *kernel, const char *who);
/* The time of the fastest other library on a data set that answers all that is asked: a hull with faults, or without all polygons, is
   none. NaN if there is none. */
double vp_fastest_peer(const vp_bench *bench, const char *kernel, const char *data);
/* The row that is the same thing as `m` under another name: noise/second for noise/first, and of trees "-quads", which is the default once
   more. NULL if there is none. */
const vp_measured *vp_measured_again(const vp_bench *bench, const vp_measured *m);
/* By what share medians of the same thing differ: in the middle of all such pairs, and at most. NaN where there are none. */
typedef struct vp_noise {
    double typical, most;
    size_t count;
} vp_noise;
vp_noise vp_noise_of(const vp_bench *bench);
/* "12.3× (10.1 to 15.2)"; "-" for an empty range. */
void vp_table_cell_range(vp_page *page, vp_range range);
/* What a kernel does, in a sentence; NULL if it is not known. */
const char *vp_words_of(const char *kernel);
/* The class of the style that draws a version or a library. */
const char *vp_style_of(const char *who);

/* Whether a kernel (NULL: any) was measured of that kind. */
bool vp_bench_has(const vp_bench *bench, const char *kernel, vp_who kind);
/* A cell with a benchmark's median and spread; "-" for NULL. */
void vp_table_cell_time(vp_page *page, const vp_measured *m);

/* Whether a benchmark has no figure and should have one. That another library makes no hull of some points is a result. */
bool vp_is_refusal(const vp_measured *m);
/* "yes", "no: a quick run; ...", or why it is not known: what results.json says of itself. The text must be destroyed. */
vp_writing vp_official_of(const vp_result *r);
/* Checks that disagreed, and benchmarks that were refused. */
double vp_disagreements(const vp_result *r);
size_t vp_refusals(const vp_result *r);

/* ---- the parts ---- */

/* The first screen: of each machine what a visitor wants to know first, in the HTML alone. */
void vp_section_tiles(vp_page *page, const vp_result *r);
void vp_section_short(vp_page *page, const vp_result *r);
/* One sentence: how much the same thing measured twice differs. */
void vp_section_noise(vp_page *page, const vp_result *r);
/* All files of a machine's folder, which lies in `folder`, with their sizes. */
void vp_section_files(vp_page *page, const vp_result *r, const char *folder);
void vp_section_machine(vp_page *page, const vp_result *r);
void vp_section_verify(vp_page *page, const vp_result *r);
void vp_section_pipeline(vp_page *page, const vp_result *r);
void vp_section_targets(vp_page *page, const vp_result *r);
void vp_section_notes(vp_page *page, const vp_result *r);
void vp_section_summary(vp_page *page, const vp_result *r);
void vp_section_kernels(vp_page *page, const vp_result *r);
void vp_section_limits(vp_page *page, const vp_result *r, const vp_manifest *manifest);
void vp_section_peers(vp_page *page, const vp_result *r);
void vp_section_scaling(vp_page *page, const vp_result *r);
void vp_section_exactness(vp_page *page, const vp_result *r);
void vp_section_trees(vp_page *page, const vp_result *r);
void vp_section_terrain(vp_page *page, const vp_result *r);
void vp_section_hulls(vp_page *page, const vp_result *r);
void vp_section_conformance(vp_page *page, const vp_result *r);
void vp_section_forms(vp_page *page, const vp_result *r);
void vp_section_article(vp_page *page, const vp_result *r);
void vp_section_threads(vp_page *page, const vp_result *r);
void vp_section_memory(vp_page *page, const vp_result *r);
/* Counted instructions and static models; nothing where there are none. */
void vp_section_instructions(vp_page *page, const json_t *instructions);
void vp_section_models(vp_page *page, const json_t *models);
/* Every benchmark of every machine in one long table, in the HTML alone. */
void vp_section_everything(vp_page *page, const vp_results *results);

/* The targets that a machine can be asked for, and how many of them it reaches. */
void vp_targets_count(const vp_result *r, size_t *asked, size_t *reached, size_t *by_little);

/* Drawings for the HTML. */
void vp_section_speed_plot(vp_page *page, const vp_result *r);
void vp_section_size_plot(vp_page *page, const vp_result *r, const vp_manifest *manifest);
void vp_section_limit_plot(vp_page *page, const vp_result *r);
void vp_section_peers_plot(vp_page *page, const vp_result *r);

#endif
