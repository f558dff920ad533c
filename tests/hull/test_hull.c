/* SPDX-License-Identifier: MIT */
/* Hulls against the exact oracle: the sets in tests/hull/corpus. Invalid
   definitions are refused. */
#include "tests/support/check.h"
#include "tests/support/hull_oracle.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

enum { MAX = 1200, MIN_FILES = 16 };

typedef struct hull_point_set {
    vp_vec3 point[MAX];
    uint32_t count;
} hull_point_set;

/* Compares the hull of every kernel set with the oracle, with faces joined and separate. @return its dimension */
static uint32_t check(const char *what, const hull_point_set *s)
{
    uint32_t dimension = 0;
    for (int separate = 0; separate < 2; separate++) {
        vp_hull h = hull_by_all(what, (vp_hull_def){.point = s->point, .count = s->count, .separate = separate});
        if (h.dimension == 3) {
            oracle_check_hull(what, s->point, s->count, &h);
            oracle_check_corners(what, s->point, &h);
        }
        dimension = h.dimension;
        vp_hull_destroy(&h);
    }
    return dimension;
}

static void add(hull_point_set *s, float x, float y, float z)
{
    assert_true(s->count < MAX);
    s->point[s->count++] = (vp_vec3){x, y, z};
}

/* ---- tests/hull/corpus ---- */

/* @return the dimension that the file names */
static uint32_t read_set(const char *name, hull_point_set *s)
{
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/%s", TEST_CORPUS, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    uint32_t dimension = UINT32_MAX;
    s->count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#') {
            (void)sscanf(line, "# dimension %u", &dimension);
            continue;
        }
        char *at = line;
        float number[3];
        for (int k = 0; k < 3; k++) {
            char *end;
            number[k] = strtof(at, &end);
            if (end == at)
                fail_msg("%s: not three numbers: %s", name, line);
            at = end;
        }
        add(s, number[0], number[1], number[2]);
    }
    fclose(file);
    if (s->count == 0 || dimension > 3)
        fail_msg("%s: no points, or no line \"# dimension N\"", name);
    return dimension;
}

static void replay(void **state)
{
    static hull_point_set s;
    uint32_t files = 0;
    (void)state; /* docs/CONTRACT.md: HUL-1, HUL-2 */
    DIR *folder = opendir(TEST_CORPUS);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const size_t length = strlen(entry->d_name);
        if (length <= 7 || strcmp(entry->d_name + length - 7, ".points") != 0)
            continue;
        const uint32_t want = read_set(entry->d_name, &s), got = check(entry->d_name, &s);
        if (got != want)
            fail_msg("%s has dimension %u, not %u", entry->d_name, got, want);
        files++;
    }
    closedir(folder);
    assert_true(files >= MIN_FILES);
}

/* ---- refusals ---- */

static void refusals(void **state)
{
    (void)state;
    static hull_point_set s;
    vp_hull h = {0};
    s.count = 0;
    for (int i = 0; i < 64; i++)
        add(&s, (float)(i % 4), (float)(i / 4 % 4), (float)(i / 16));
    vp_hull_def def = {.point = s.point, .count = 0};
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "count is 0 points");
    def.count = VP_HULL_MAX_POINTS + 1;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "134217729");
    def.count = s.count;
    def.tolerance = -1.0f;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "tolerance is -1");
    def.tolerance = NAN;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "nan");
    def.tolerance = INFINITY;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "inf");
    def.tolerance = 0.0f;
    def.max_work = 50;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_LIMIT, "50 comparisons");
    def.max_work = 0;
    for (uint32_t bad = 0; bad < s.count; bad += 7)
        for (int axis = 0; axis < 3; axis++)
            for (int kind = 0; kind < 3; kind++) {
                char name[32];
                const vp_vec3 was = s.point[bad];
                const float value = kind == 0 ? NAN : kind == 1 ? INFINITY : -INFINITY;
                *(axis == 0 ? &s.point[bad].x : axis == 1 ? &s.point[bad].y : &s.point[bad].z) = value;
                s.point[63].x = NAN; /* the first one is named */
                snprintf(name, sizeof name, "point[%u].%c is %s", bad, "xyz"[axis], kind == 0 ? "nan" : kind == 1 ? "inf" : "-inf");
                assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, bad == 63 ? "point[63]" : name);
                s.point[bad] = was;
                s.point[63].x = 3.0f;
            }
    assert_null(h.block);
    vp_hull_destroy(&h);
    assert_ok(vp_hull_create(&def, &h, &error));
    vp_hull_destroy(&h);
    vp_hull_destroy(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(replay), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
