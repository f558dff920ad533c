/* SPDX-License-Identifier: MIT */
/* voxphys report: the pages made from all machines' results. The same results give the same bytes. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/file.h"
#include "tools/command.h"
#include "tools/report_sections.h"
#include "tools/report_style.h"

/* In every page, and how a page is told from what somebody else has written. */
static const char made_by[] = "Made by voxphys report";

/* ---- the page ---- */

static void begin_html(vp_page *page, const vp_results *results)
{
    vp_writing *html = &page->html;
    vp_writing_put(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                         "<title>voxphys: results</title>\n<style>\n");
    for (const char *const *line = vp_report_style; *line != NULL; line++)
        vp_writing_add(html, "%s\n", *line);
    vp_writing_put(html, "</style>\n</head>\n<body>\n<nav>");
    for (size_t i = 0; i < results->count; i++) {
        vp_writing_put(html, "<a href=\"#");
        vp_writing_address(html, results->result[i].name);
        vp_writing_put(html, "\">");
        vp_writing_html(html, results->result[i].name);
        vp_writing_put(html, "</a> | ");
    }
    vp_writing_put(html, "<a href=\"#everything\">every measurement</a></nav>\n");
}

static void end_html(vp_page *page)
{
    vp_writing_put(&page->html, "<script>\n");
    for (const char *const *line = vp_report_script; *line != NULL; line++)
        vp_writing_add(&page->html, "%s\n", *line);
    vp_writing_put(&page->html, "</script>\n</body>\n</html>\n");
}

static void write_overview(vp_page *page, const vp_results *results)
{
    vp_page_heading(page, VP_IN_BOTH, 1, NULL, "Results");
    vp_page_say(
        page, VP_IN_BOTH,
        "%s from what bench/run measured; not written by hand. A version is timed only "
        "after its answers were the scalar reference's, bit for bit; what disagrees is refused and has no "
        "figure. Figures are medians of repetitions that were interleaved at random; ± is the median "
        "distance from them. Losses are shown like wins: a speed-up below 1 is slower. What no file tells "
        "is called unknown.",
        made_by);
    vp_page_say(page, VP_IN_MARKDOWN,
                "The same with plots, every measurement, and tables that can be sorted: report.html in this "
                "folder.");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "machine");
    vp_table_column(page, false, "processor");
    vp_table_column(page, false, "measured");
    vp_table_column(page, true, "checks that disagree");
    vp_table_column(page, true, "benchmarks refused");
    vp_table_column(page, false, "targets reached");
    for (size_t i = 0; i < results->count; i++) {
        const vp_result *r = &results->result[i];
        const char *model = vp_json_text(r->machine, "cpu.model"), *date = vp_json_text(r->machine, "date");
        double disagreements = vp_disagreements(r);
        size_t asked, reached;
        vp_targets_count(r, &asked, &reached);
        vp_table_row(page);
        vp_table_cell(page, "%s", r->name);
        vp_table_cell(page, "%s", model != NULL ? model : "unknown");
        vp_table_cell(page, "%s", date != NULL ? date : "unknown");
        vp_table_cell(page, isnan(disagreements) ? "unknown" : "%.0f", disagreements);
        if (r->bench.json == NULL)
            vp_table_cell(page, "unknown");
        else
            vp_table_cell(page, "%zu", vp_refusals(r));
        if (asked == 0)
            vp_table_cell(page, "unknown");
        else
            vp_table_cell(page, "%zu of the %zu measured", reached, asked);
    }
    vp_table_end(page);
}

static void write_machine(vp_page *page, const vp_result *r, const vp_manifest *manifest)
{
    const char *files[9];
    size_t count = 0;
    if (r->machine != NULL)
        files[count++] = "machine.json";
    if (r->verify != NULL)
        files[count++] = "verify.json";
    if (r->bench.json != NULL)
        files[count++] = "bench.json";
    if (r->limits.json != NULL)
        files[count++] = "limits.json";
    if (r->clang.json != NULL)
        files[count++] = "bench-clang.json";
    if (r->hulls != NULL)
        files[count++] = "hulls.json";
    if (r->conformance != NULL)
        files[count++] = "conformance.json";
    if (r->pipeline != NULL)
        files[count++] = "pipeline.json";
    files[count] = NULL;
    vp_page_heading(page, VP_IN_BOTH, 2, r->name, "%s", r->name);
    vp_page_links(page, VP_IN_BOTH, "Raw data:", r->link, files);
    vp_section_targets(page, r);
    vp_section_summary(page, r);
    vp_section_speed_plot(page, r);
    vp_section_limits(page, r, manifest);
    vp_section_size_plot(page, r, manifest);
    vp_section_limit_plot(page, r);
    vp_section_threads(page, r);
    vp_section_pipeline(page, r);
    vp_section_trees(page, r);
    vp_section_forms(page, r);
    vp_section_terrain(page, r);
    vp_section_hulls(page, r);
    vp_section_article(page, r);
    vp_section_peers(page, r);
    vp_section_memory(page, r);
    vp_section_verify(page, r);
    vp_section_conformance(page, r);
    vp_section_machine(page, r);
    vp_section_kernels(page, r);
}

static void write_pages(vp_page *page, const vp_results *results)
{
    begin_html(page, results);
    write_overview(page, results);
    for (size_t i = 0; i < results->count; i++)
        write_machine(page, &results->result[i], results->manifest);
    vp_section_instructions(page, results->instructions);
    vp_section_models(page, results->models);
    vp_section_everything(page, results);
    end_html(page);
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

static vp_status make_pages(const vp_results *results, const char *out, vp_error *error)
{
    vp_page page = {0};
    write_pages(&page, results);
    vp_status status = VP_OK;
    if (page.markdown.failed || page.html.failed)
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
        status = write_file(out, "report.html", &page.html, error);
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
        status = make_pages(&results, out, &error);
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
        "Writes README.md and report.html from DIR/<machine>/{machine,verify,bench,pipeline}.json, and\n"
        "limits.json, bench-clang.json, hulls.json, conformance.json and notes.md where they are there. DIR is another way to say --results.\n"
        "Pages of these names that it did not make are not replaced.\n"
        "Exit code 1 if a result holds a check that disagrees or a benchmark that was refused; that another\n"
        "library makes no hull of some points is a result.",
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
