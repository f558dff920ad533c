/* SPDX-License-Identifier: MIT */
/* Sets of points that are kept, tests/hull/corpus: each through every kernel, with faces joined and not. The hulls are the same bits by
 * all of them; those with a volume are what the oracle wants; all are of the dimension that the file names. */
#include "tests/support/check.h"
#include "tests/support/hull_oracle.h"
#include "tests/support/samples.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

enum { MAX = 4096, MIN_FILES = 20 };

typedef struct set {
    char name[64];
    vp_vec3 point[MAX];
    uint32_t count, dimension;
} set;

static exact_oracle oracle;
static test_table table[TEST_TABLES_MAX];
static size_t tables;

static void read_set(const char *name, set *s)
{
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/%s", TEST_CORPUS, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    *s = (set){.dimension = UINT32_MAX};
    snprintf(s->name, sizeof s->name, "%s", name);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#') {
            (void)sscanf(line, "# dimension %u", &s->dimension);
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
        assert_true(s->count < MAX);
        s->point[s->count++] = (vp_vec3){number[0], number[1], number[2]};
    }
    fclose(file);
    if (s->count == 0 || s->dimension > 3)
        fail_msg("%s: no points, or no line \"# dimension N\"", name);
}

static vp_hull hull_of(const set *s, const vp_kernels *kernels, bool separate)
{
    vp_hull h = {0};
    assert_ok(vp_hull_create(&(vp_hull_def){.point = s->point, .count = s->count, .kernels = kernels, .separate = separate}, &h, &error));
    return h;
}

static void check(const set *s)
{
    for (int separate = 0; separate < 2; separate++) {
        char what[128];
        vp_hull want = hull_of(s, &table[0].kernels, separate != 0);
        if (want.dimension != s->dimension)
            fail_msg("%s has dimension %u, not %u", s->name, want.dimension, s->dimension);
        if (want.dimension == 3)
            oracle_check_hull(&oracle, s->name, s->point, s->count, &want);
        for (size_t t = 1; t < tables; t++) {
            vp_hull got = hull_of(s, &table[t].kernels, separate != 0);
            snprintf(what, sizeof what, "%s by %s", s->name, table[t].name);
            expect_same_hull(what, &got, &want);
            vp_hull_destroy(&got);
        }
        vp_hull_destroy(&want);
    }
}

static void replay(void **state)
{
    static set s;
    uint32_t files = 0;
    (void)state;
    DIR *folder = opendir(TEST_CORPUS);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const size_t length = strlen(entry->d_name);
        if (length <= 7 || strcmp(entry->d_name + length - 7, ".points") != 0)
            continue;
        read_set(entry->d_name, &s);
        check(&s);
        files++;
    }
    closedir(folder);
    print_message("%u files, %zu kernels\n", files, tables);
    assert_true(files >= MIN_FILES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(replay)};
    tables = test_tables(table);
    exact_oracle_begin(&oracle);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    exact_oracle_end(&oracle);
    return failed;
}
