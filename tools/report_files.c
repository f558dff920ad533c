/* SPDX-License-Identifier: MIT */
/* The raw files that a machine's chapter is made from, all that lie in its folder, with their sizes. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/command.h"
#include "tools/report_sections.h"

enum { MOST_FILES = 100, NAME_BYTES = 256, PATH_BYTES = 4096 };

typedef struct raw_file {
    char name[NAME_BYTES];
    double bytes;
} raw_file;

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const raw_file *)left)->name, ((const raw_file *)right)->name);
}

/* The regular files of a folder, by name; what begins with a dot is nobody's result. */
static size_t files_of(const char *folder, const char *name, raw_file list[MOST_FILES])
{
    char path[PATH_BYTES];
    size_t count = 0;
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    DIR *listing = length >= 0 && length < PATH_BYTES ? opendir(path) : NULL;
    if (listing == NULL)
        return 0;
    for (struct dirent *d; count < MOST_FILES && (d = readdir(listing)) != NULL;) {
        struct stat found;
        length = snprintf(path, sizeof path, "%s/%s/%s", folder, name, d->d_name);
        if (d->d_name[0] == '.' || length < 0 || length >= PATH_BYTES || strlen(d->d_name) >= NAME_BYTES || !vp_is_utf8(d->d_name) ||
            lstat(path, &found) != 0 || !S_ISREG(found.st_mode))
            continue;
        memcpy(list[count].name, d->d_name, strlen(d->d_name) + 1);
        list[count++].bytes = (double)found.st_size;
    }
    closedir(listing);
    if (count != 0)
        qsort(list, count, sizeof list[0], compare_names);
    return count;
}

/* "10.5 MB" */
static vp_figure size_of(double bytes)
{
    vp_figure f;
    if (bytes < 1e3)
        snprintf(f.text, sizeof f.text, "%.0f B", bytes);
    else
        snprintf(f.text, sizeof f.text, "%.20s %s", vp_figure_of(bytes / (bytes < 1e6 ? 1e3 : 1e6)).text, bytes < 1e6 ? "kB" : "MB");
    return f;
}

void vp_section_files(vp_page *page, const vp_result *r, const char *folder)
{
    raw_file *list = calloc(MOST_FILES, sizeof *list);
    const char *names[MOST_FILES + 1];
    if (list == NULL) {
        page->html.failed = true;
        return;
    }
    const size_t count = files_of(folder, r->name, list);
    vp_writing_put(&page->html, "<p>Raw data, with every repetition:</p>\n<ul class=\"files\">\n");
    for (size_t i = 0; i < count; i++) {
        names[i] = list[i].name;
        vp_writing_put(&page->html, "<li>");
        vp_page_put_link(&page->html, r->link, list[i].name);
        vp_writing_add(&page->html, " <small>%s</small></li>\n", size_of(list[i].bytes).text);
    }
    names[count] = NULL;
    vp_writing_put(&page->html, "</ul>\n");
    vp_page_links(page, VP_IN_MARKDOWN, "Raw data:", r->link, names);
    free(list);
}
