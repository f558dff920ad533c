/* SPDX-License-Identifier: MIT */
/* voxphys report: the pages made from all machines' results. The same results give the same bytes. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "tools/command.h"
#include "tools/report_sections.h"
#include "tools/report_style.h"

/* In every page, and how a page is told from what somebody else has written. */
static const char made_by[] = "Made by voxphys report";

/* ---- around the HTML ---- */

static void put_lines(vp_writing *html, const char *const *lines)
{
    for (; *lines != NULL; lines++)
        vp_writing_add(html, "%s\n", *lines);
}

static void begin_html(vp_writing *html)
{
    vp_writing_put(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" content=\"");
    vp_writing_html(html, made_by);
    vp_writing_put(html, "\">\n<title>voxphys: results</title>\n<style>\n");
    put_lines(html, vp_report_style);
    put_lines(html, vp_report_layout);
    vp_writing_put(html, "</style>\n</head>\n<body class=\"report\">\n");
}

/* What is chosen from is known to the script alone; without it there is no bar, and everything is shown. */
static void put_filters(vp_writing *html)
{
    static const char *const names[][2] = {{"machine", "machine"}, {"kernel", "kernel"}, {"who", "version or library"}};
    vp_writing_put(html, "<form class=\"filters\" id=\"filters\" aria-label=\"Show only\" hidden>\n");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        vp_writing_add(html, "<label>%s <select name=\"%s\"><option value=\"\">all</option></select></label>\n", names[i][1], names[i][0]);
    vp_writing_put(html, "<label>words <input type=\"search\" name=\"text\" placeholder=\"hull3 ball/1000\" autocomplete=\"off\"></label>\n"
                         "<button type=\"button\">show all</button>\n<output aria-live=\"polite\"></output>\n</form>\n");
}

/* The whole page: its first screen, the table of contents, the bar, the rest. */
static void put_html(vp_writing *html, const vp_writing *first, const vp_page *page)
{
    begin_html(html);
    vp_writing_put(html, "<header>\n");
    vp_writing_put(html, first->bytes != NULL ? first->bytes : "");
    vp_writing_put(html, "</header>\n<nav aria-label=\"Contents\">\n<ul>\n");
    vp_writing_put(html, page->contents.bytes != NULL ? page->contents.bytes : "");
    vp_writing_put(html, "</ul>\n</nav>\n");
    put_filters(html);
    vp_writing_put(html, "<main>\n");
    vp_writing_put(html, page->html.bytes != NULL ? page->html.bytes : "");
    vp_writing_put(html, "</main>\n<script>\n");
    put_lines(html, vp_report_script);
    vp_writing_put(html, "</script>\n</body>\n</html>\n");
    html->failed = html->failed || first->failed || page->html.failed || page->contents.failed || page->markdown.failed;
}

/* ---- the first screen ---- */

static void write_machines(vp_page *page, const vp_results *results)
{
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "machine");
    vp_table_column(page, false, "processor");
    vp_table_column(page, false, "measured");
    vp_table_column(page, false, "official");
    vp_table_column(page, true, "checks that disagree");
    vp_table_column(page, true, "benchmarks refused");
    vp_table_column(page, false, "targets reached");
    for (size_t i = 0; i < results->count; i++) {
        const vp_result *r = &results->result[i];
        const char *model = vp_json_text(r->machine, "cpu.model"), *date = vp_json_text(r->machine, "date");
        const double family = vp_json_figure(r->machine, "cpu.family"), number = vp_json_figure(r->machine, "cpu.model_number");
        double disagreements = vp_disagreements(r);
        size_t asked, reached, by_little;
        vp_targets_count(r, &asked, &reached, &by_little);
        vp_table_row(page);
        vp_table_cell(page, "%s", r->name);
        if (isfinite(family) && isfinite(number))
            vp_table_cell(page, "%s, family %.0f, model %.0f", model != NULL ? model : "unknown", family, number);
        else
            vp_table_cell(page, "%s", model != NULL ? model : "unknown");
        vp_table_cell(page, "%s", date != NULL ? date : "unknown");
        vp_writing official = vp_official_of(r);
        vp_table_cell(page, "%s", official.bytes != NULL ? official.bytes : "unknown");
        page->html.failed = page->html.failed || official.failed;
        vp_writing_destroy(&official);
        vp_table_cell(page, isnan(disagreements) ? "unknown" : "%.0f", disagreements);
        if (r->bench.json == NULL)
            vp_table_cell(page, "unknown");
        else
            vp_table_cell(page, "%zu", vp_refusals(r));
        if (asked == 0)
            vp_table_cell(page, "unknown");
        else if (by_little != 0)
            vp_table_cell(page, "%zu of the %zu measured, %zu by little", reached, asked, by_little);
        else
            vp_table_cell(page, "%zu of the %zu measured", reached, asked);
    }
    vp_table_end(page);
}

static void write_first_screen(vp_page *page, const vp_results *results)
{
    vp_page_heading(page, VP_IN_MARKDOWN, 1, NULL, "Results");
    vp_page_heading(page, VP_IN_HTML, 1, NULL, "voxphys: what SIMD buys voxel terrain");
    vp_writing_put(&page->html, "<p class=\"lead\">"
                                "What a game asks of terrain made of voxels, each written once as plain C that says what is right, and once more for each "
                                "set of vector instructions: where solid ground can be, its surface, rays and boxes against it, edits of it, convex hulls. All "
                                "give the same bits. Here is how many times as fast the optimized versions are, by their algorithm and by vectors, on which machine, "
                                "beside which other libraries, and what it costs that they are exact.</p>\n");
    for (size_t i = 0; i < results->count; i++)
        vp_section_tiles(page, &results->result[i]);
    write_machines(page, results);
    vp_page_say(page, VP_IN_BOTH,
                "%s from what bench/run measured; not written by hand, but for notes, which the page in HTML shows. A version is timed only "
                "after its answers were the scalar reference's, bit for bit; what disagrees is refused and has no "
                "figure. Figures are medians of repetitions that were interleaved at random, within each group of benchmarks; ± is the median "
                "distance from them. Losses are shown like wins: a speed-up below 1 is slower. What no file tells "
                "is called unknown.",
                made_by);
    vp_page_say(page, VP_IN_HTML,
                "There are two baselines, the same source by the same compiler: scalar, without its vectoriser, and scalar-autovec, with it. Under every table and "
                "drawing stands the file that its figures are from. What is measured, how, and what the names mean is in docs/BENCHMARKING.md of the project.");
    vp_page_say(page, VP_IN_MARKDOWN,
                "The same with plots, every measurement, and tables that can be sorted and filtered: report.html in this "
                "folder.");
}

/* ---- a chapter a machine ---- */

/* A part of a machine's chapter that is about some kernels: where the bar chooses another, it is hidden. */
static void begin_part(vp_page *page, const vp_result *r, const char *kernels)
{
    vp_page_part(page, NULL, NULL, kernels);
    vp_page_from(page, r->link, "bench.json", NULL, NULL);
}

static void write_machine(vp_page *page, const vp_result *r, const vp_manifest *manifest, const char *folder)
{
    static const char bench[] = "bench.json";
    static const char broadphase[] = "dilate_world stream_read stream_read_write build_world";
    static const char trees[] = "brute_ray kd_build kd_ray kd_ray8 kd_ray16 kd_ray_any kd_ray_all kd_sweep kd_box kd_box_leaves";
    static const char terrain[] = "world_ray world_ray16 world_ray_any world_ray_all world_sweep world_box edit_to_ray terrain_prepare";
    static const char hulls[] = "hull_bounds hull_filter hull3 hull2";
    const char *clang = r->clang.json != NULL ? "bench-clang.json" : NULL;

    vp_page_chapter(page, r->name);
    vp_page_part(page, "machine", r->name, NULL);
    vp_page_heading(page, VP_IN_BOTH, 2, r->name, "%s", r->name);
    vp_section_files(page, r, folder);
    vp_page_from(page, r->link, bench, NULL, NULL);
    vp_section_short(page, r);
    vp_section_noise(page, r);
    vp_page_from(page, r->link, bench, clang, r->limits.json != NULL ? "limits.json" : NULL);
    vp_section_targets(page, r);
    vp_page_from(page, r->link, bench, NULL, NULL);
    vp_section_summary(page, r);
    vp_section_speed_plot(page, r);
    vp_section_peers(page, r);

    begin_part(page, r, "brute_ray kd_ray hull3");
    vp_section_scaling(page, r);
    vp_page_part_end(page);
    begin_part(page, r, broadphase);
    vp_section_limits(page, r, manifest);
    vp_section_limit_plot(page, r);
    vp_section_size_plot(page, r, manifest);
    vp_page_part_end(page);
    begin_part(page, r, "kd_ray kd_ray8 kd_ray16 kd_ray_any hull3");
    vp_section_exactness(page, r);
    vp_page_part_end(page);
    begin_part(page, r, "dilate_world kd_build kd_ray kd_box");
    vp_section_memory(page, r);
    vp_section_forms(page, r);
    vp_page_part_end(page);

    vp_page_from(page, r->link, "conformance.json", NULL, NULL);
    vp_section_conformance(page, r);
    vp_page_from(page, r->link, "verify.json", NULL, NULL);
    vp_section_verify(page, r);

    begin_part(page, r, "build_world");
    vp_section_threads(page, r);
    vp_page_part_end(page);
    vp_page_from(page, r->link, "pipeline.json", NULL, NULL);
    vp_section_pipeline(page, r);
    begin_part(page, r, trees);
    vp_section_trees(page, r);
    vp_page_part_end(page);
    begin_part(page, r, terrain);
    vp_section_terrain(page, r);
    vp_page_part_end(page);
    begin_part(page, r, hulls);
    vp_section_hulls(page, r);
    vp_page_part_end(page);
    begin_part(page, r, "mesh_chunk kd_build kd_ray kd_box");
    vp_section_article(page, r);
    vp_page_part_end(page);
    vp_section_notes(page, r);
    vp_page_from(page, r->link, "machine.json", NULL, NULL);
    vp_section_machine(page, r);
    vp_page_from(page, r->link, bench, clang, NULL);
    vp_section_kernels(page, r);
    vp_page_part_end(page);
    vp_page_chapter(page, NULL);
}

/* @param folder  where the machines' folders lie */
static void write_pages(vp_page *page, const vp_results *results, const char *folder, vp_writing *html)
{
    write_first_screen(page, results);
    vp_writing first = page->html;
    page->html = (vp_writing){0};
    for (size_t i = 0; i < results->count; i++)
        write_machine(page, &results->result[i], results->manifest, folder);
    vp_section_instructions(page, results->instructions);
    vp_section_models(page, results->models);
    vp_section_everything(page, results);
    put_html(html, &first, page);
    vp_writing_destroy(&first);
}

/* ---- files ---- */

/* The way from folder `from` to folder `to`, both absolute and without links, ending in a slash; "" if they
   are the same. NULL without memory. */
static char *way_between(const char *from, const char *to)
{
    size_t same = 0, i = 0;
    for (; from[i] != '\0' && from[i] == to[i]; i++)
        if (from[i] == '/')
            same = i;
    if ((from[i] == '\0' || from[i] == '/') && (to[i] == '\0' || to[i] == '/'))
        same = i;
    vp_writing way = {0};
    vp_writing_put(&way, "");
    for (const char *p = from + same; *p != '\0'; p++)
        if (*p == '/' && p[1] != '\0')
            vp_writing_put(&way, "../");
    const char *rest = to + same;
    rest += *rest == '/';
    if (*rest != '\0')
        vp_writing_add(&way, "%s/", rest);
    if (way.failed)
        vp_writing_destroy(&way);
    return way.bytes;
}

enum { PATH_BYTES = 4096, START_BYTES = 32 << 10 };

static vp_status join(char path[PATH_BYTES], const char *folder, const char *name, vp_error *error)
{
    int length = snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    if (length < 0 || length >= PATH_BYTES)
        return vp_fail(error, VP_E_ARGUMENT, "the path %s/%s is too long", vp_show_path(folder).text, name);
    return VP_OK;
}

/* A page may be replaced by a page. What somebody else has written under its name stays. */
static vp_status refuse_others_work(const char *folder, const char *name, vp_error *error)
{
    char path[PATH_BYTES];
    struct stat found;
    vp_status status = join(path, folder, name, error);
    if (status != VP_OK || (lstat(path, &found) != 0 && errno == ENOENT))
        return status;
    char *start = calloc(START_BYTES + 1, 1); /* both pages say at their beginning who made them */
    size_t size = 0;
    if (start == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to look at %s", vp_show_path(path).text);
    status = vp_file_read_start(path, (uint8_t *)start, START_BYTES, &size, error);
    if (status == VP_OK && size != 0 && strstr(start, made_by) == NULL)
        status = vp_fail(error, VP_E_ARGUMENT,
                         "%s: voxphys report did not make this file, and does not replace it",
                         vp_show_path(path).text);
    free(start);
    return status;
}

static vp_status write_file(const char *folder, const char *name, const vp_writing *text, vp_error *error)
{
    char path[PATH_BYTES];
    vp_status status = join(path, folder, name, error);
    return status != VP_OK ? status
                           : vp_file_replace(path, (const uint8_t *)text->bytes, text->length, error);
}

static vp_status make_pages(const vp_results *results, const char *folder, const char *out, vp_error *error)
{
    vp_page page = {0};
    vp_writing html = {0};
    write_pages(&page, results, folder, &html);
    vp_status status = VP_OK;
    if (html.failed)
        status = vp_fail(error, VP_E_MEMORY, "no memory for the pages");
    if (status == VP_OK)
        status = refuse_others_work(out, "README.md", error);
    if (status == VP_OK)
        status = refuse_others_work(out, "report.html", error);
    if (status == VP_OK) {
        while (page.markdown.length > 1 && page.markdown.bytes[page.markdown.length - 2] == '\n')
            page.markdown.bytes[--page.markdown.length] = '\0';
        status = write_file(out, "README.md", &page.markdown, error);
    }
    if (status == VP_OK)
        status = write_file(out, "report.html", &html, error);
    vp_writing_destroy(&html);
    vp_page_destroy(&page);
    return status;
}

/* A folder's own path. `make`: it is made if it is not there. */
static vp_status real_folder(const char *folder, bool make, char **out, vp_error *error)
{
    struct stat found;
    if (make && stat(folder, &found) != 0 && mkdir(folder, 0777) != 0)
        return vp_fail(error, VP_E_IO, "%s: cannot be made: %s", vp_show_path(folder).text, strerror(errno));
    *out = realpath(folder, NULL);
    if (*out == NULL)
        return vp_fail(error, errno == ENOMEM ? VP_E_MEMORY : VP_E_IO, "%s: %s", vp_show_path(folder).text,
                       strerror(errno));
    if (stat(*out, &found) != 0 || !S_ISDIR(found.st_mode))
        return vp_fail(error, VP_E_IO, "%s: not a folder", vp_show_path(folder).text);
    return VP_OK;
}

static int warn_of_wrong_results(const vp_results *results)
{
    int code = VP_EXIT_DONE;
    for (size_t i = 0; i < results->count; i++) {
        const vp_result *r = &results->result[i];
        if (!(vp_disagreements(r) > 0) && vp_refusals(r) == 0)
            continue;
        fprintf(stderr, "voxphys report: %s: %.0f checks disagree, %zu benchmarks were refused\n", r->name,
                isnan(vp_disagreements(r)) ? 0 : vp_disagreements(r), vp_refusals(r));
        code = VP_EXIT_FAILED;
    }
    return code;
}

static int run_report(const char *folder, const char *out)
{
    vp_results results = {0};
    vp_error error;
    char *from = NULL, *to = NULL, *way = NULL;
    vp_status status = real_folder(folder, false, &to, &error);
    if (status == VP_OK)
        status = real_folder(out, true, &from, &error);
    if (status == VP_OK && (way = way_between(from, to)) == NULL)
        status = vp_fail(&error, VP_E_MEMORY, "no memory");
    if (status == VP_OK)
        status = vp_results_read(folder, way, &results, &error);
    if (status == VP_OK)
        status = make_pages(&results, folder, out, &error);
    int code = status == VP_OK ? warn_of_wrong_results(&results) : vp_command_fail("report", &error);
    vp_results_destroy(&results);
    free(from);
    free(to);
    free(way);
    return code;
}

int vp_command_report(int argc, char **argv)
{
    const char *results = NULL, *out = NULL;
    const vp_option options[] = {
        {"--results", "DIR", "the folder that holds a folder of results for each machine (results)",
         &results},
        {"--out", "DIR", "where the pages are written (the folder of the results)", &out},
    };
    const vp_usage usage = {
        "report",
        "[DIR] [OPTION...]",
        "Makes README.md and report.html from DIR/<machine>/{machine,verify,bench,pipeline}.json and, where present,\n"
        "limits.json, bench-clang.json, hulls.json and conformance.json. DIR is short for --results DIR.\n"
        "Files of these names that it did not make are not replaced.\n"
        "Exit code 1 if a check disagrees or a benchmark was refused; another library's failure to build\n"
        "a hull is a result.",
        options,
        sizeof options / sizeof options[0],
        0,
        1};
    int count, code;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    if (count == 1 && results != NULL)
        return vp_command_usage("report", "the folder is given twice: '%s' and '%s'", argv[1], results);
    if (count == 1)
        results = argv[1];
    if (results == NULL)
        results = "results";
    if (results[0] == '\0')
        return vp_command_usage("report", count == 1 ? "the name of the folder is empty"
                                                     : "option '--results': the name of the folder is empty");
    if (out != NULL && out[0] == '\0')
        return vp_command_usage("report", "option '--out': the name of the folder is empty");
    return run_report(results, out != NULL ? out : results);
}
