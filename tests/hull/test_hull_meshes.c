/* SPDX-License-Identifier: MIT */
/* test_hull_meshes FILE...: the vertices of meshes as sets of points, at three scales, and a thousand times their size away, where rounding
 * has made other sets of them. Their hulls are valid and the same by every kernel; where CGAL is there, their vertices are the ones that it
 * finds. Files are read as far as this needs it: numbers of vertices, of OFF, OBJ, XYZ and PLY in text. Exit code 77 where no file could
 * be read. */
#include "tests/support/check.h"
#include "tests/support/hull_oracle.h"
#include "tests/support/hull_places.h"
#include "tests/support/samples.h"
#ifdef TEST_CGAL
#include "tests/support/cgal_vertices.h"
#endif

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#ifdef TEST_THIN
enum { EACH = 8 }; /* of so many files, one */
#else
enum { EACH = 1 };
#endif

typedef struct set {
    vp_vec3 *point;
    uint32_t count, room;
} set;

static test_table table[TEST_TABLES_MAX];
static size_t tables;
static char **file;
static int files, hulls_made, compared;

/* ---- files ---- */

static void put(set *s, float x, float y, float z)
{
    if (s->count == s->room) {
        s->room = s->room * 2 + 1024;
        s->point = realloc(s->point, s->room * sizeof *s->point);
        assert_non_null(s->point);
    }
    s->point[s->count++] = (vp_vec3){x, y, z};
}

/* All lines of three numbers, behind a "v" in an OBJ; of others three at the beginning, as many lines as the header says, or all of
   them. */
static bool read_points(const char *path, set *s)
{
    char line[512];
    unsigned left = UINT32_MAX;
    const char *dot = strrchr(path, '.');
    const bool obj = dot != NULL && strcmp(dot, ".obj") == 0, off = dot != NULL && strcmp(dot, ".off") == 0,
               ply = dot != NULL && strcmp(dot, ".ply") == 0;
    bool header = off || ply;
    FILE *f = fopen(path, "r");
    s->count = 0;
    if (f == NULL)
        return false;
    while (left > 0 && fgets(line, sizeof line, f) != NULL) {
        float x, y, z;
        unsigned faces, edges;
        if (header && off)
            header = sscanf(line, "%u %u %u", &left, &faces, &edges) != 3;
        else if (header) {
            sscanf(line, "element vertex %u", &left);
            header = strncmp(line, "end_header", 10) != 0;
            if (strncmp(line, "format", 6) == 0 && strncmp(line, "format ascii", 12) != 0)
                break;
        } else if (sscanf(line, obj ? "v %f %f %f" : "%f %f %f", &x, &y, &z) == 3 && isfinite(x) && isfinite(y) && isfinite(z)) {
            put(s, x, y, z);
            left -= obj ? 0 : 1;
        }
    }
    fclose(f);
    return s->count >= 4 && (obj || left == 0 || (!off && !ply));
}

/* ---- hulls ---- */

static vp_hull hull_of(const set *s, const vp_kernels *kernels, bool separate, float tolerance)
{
    vp_hull h = {0};
    const vp_hull_def def = {.point = s->point, .count = s->count, .kernels = kernels, .separate = separate, .tolerance = tolerance};
    assert_ok(vp_hull_create(&def, &h, &error));
    return h;
}

static void expect_valid(const char *what, const set *s, const vp_hull *h)
{
    uint32_t(*triangle)[3] = malloc(h->triangle_count * sizeof *triangle);
    double reach = 0.0;
    assert_non_null(triangle);
    for (uint32_t t = 0; t < h->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++)
            triangle[t][k] = h->vertex[h->triangle[t][k]];
    for (uint32_t i = 0; i < s->count; i++) {
        const double x = fabs((double)s->point[i].x), y = fabs((double)s->point[i].y), z = fabs((double)s->point[i].z);
        reach = x > reach ? x : reach;
        reach = y > reach ? y : reach;
        reach = z > reach ? z : reach;
    }
    const vp_hull_validate_def subject = {s->point, s->count, (const uint32_t(*)[3])triangle, h->triangle_count, reach * 0x1p-44,
                                          0.0,      NULL};
    vp_hull_report v;
    assert_ok(vp_hull_validate(&subject, &v, &error));
    if (v.faults != 0 || v.vertices != h->vertex_count)
        fail_msg("%s: faults %u, %u vertices of %u; a point is %g outside", what, v.faults, v.vertices, h->vertex_count, v.outside);
    free(triangle);
}

static void check(const char *what, const set *s)
{
    for (int separate = 0; separate < 2; separate++) {
        const float tolerance = separate ? FLT_TRUE_MIN : 0.0f;
        vp_hull want = hull_of(s, &table[0].kernels, separate, tolerance);
        if (want.dimension == 3)
            expect_valid(what, s, &want);
        for (size_t t = 1; t < tables; t++) {
            vp_hull got = hull_of(s, &table[t].kernels, separate, tolerance);
            expect_same_hull(table[t].name, &got, &want);
            vp_hull_destroy(&got);
        }
        hulls_made++;
#ifdef TEST_CGAL
        if (separate && want.dimension == 3) {
            vp_vec3 *places = malloc(s->count * sizeof *places);
            assert_non_null(places);
            expect_places(what, s->point, &want, places, cgal_vertices(s->point, s->count, places));
            free(places);
            compared++;
        }
#endif
        if (separate)
            print_message("%s: dimension %u, %u vertices, %u faces\n", what, want.dimension, want.vertex_count, want.face_count);
        vp_hull_destroy(&want);
    }
}

static void check_file(const char *path, const set *s)
{
    static const float scale[] = {1.0f, 1e-5f, 1e6f};
    const char *slash = strrchr(path, '/');
    set moved = {malloc(s->count * sizeof *moved.point), s->count, s->count};
    vp_hull_bounds b;
    assert_non_null(moved.point);
    table[0].kernels.hull_bounds(s->point, s->count, &b);
    const float x = b.max.x - b.min.x, y = b.max.y - b.min.y, z = b.max.z - b.min.z, xy = x > y ? x : y, extent = xy > z ? xy : z;
    for (int i = 0; i < 3; i++)
        for (int away = 0; away < 2; away++) {
            char what[256];
            const float by = away == 0 ? 0.0f : 1000.0f * extent * scale[i];
            if (!(extent * scale[i] < 1e30f))
                continue;
            for (uint32_t k = 0; k < s->count; k++)
                moved.point[k] = vp_vec3_add(vp_vec3_scale(s->point[k], scale[i]), (vp_vec3){by, by, by});
            snprintf(what, sizeof what, "%.100s, %u points, scale %g%s", slash != NULL ? slash + 1 : path, s->count, (double)scale[i],
                     away == 0 ? "" : ", a thousand times its size away");
            check(what, &moved);
        }
    free(moved.point);
}

static void meshes(void **state)
{
    (void)state;
    set s = {NULL, 0, 0};
    int read = 0;
    for (int i = 0; i < files; i += EACH)
        if (read_points(file[i], &s)) {
            check_file(file[i], &s);
            read++;
        } else {
            print_message("not read: %s\n", file[i]);
        }
    free(s.point);
    if (read == 0)
        exit(77);
    print_message("%d of %d files, %d hulls; the vertices of %d are CGAL's\n", read, files, hulls_made, compared);
    assert_true(hulls_made > 0);
}

int main(int argc, char **argv)
{
    file = argv + 1;
    files = argc - 1;
    tables = test_tables(table);
    const struct CMUnitTest tests[] = {cmocka_unit_test(meshes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
