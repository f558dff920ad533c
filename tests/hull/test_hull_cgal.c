/* SPDX-License-Identifier: MIT */
/* Hulls of all families of points, of 16 to 10,000 of them, at all scales and far away: the vertices are those that CGAL finds. */
#include "tests/support/cgal_vertices.h"
#include "tests/support/check.h"
#include "tests/support/sets.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/hull.h>

#include "datasets/generate/points.h"
#include "datasets/point_sets.h"

static int compare_places(const void *a, const void *b)
{
    const vp_vec3 *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->z > q->z) - (p->z < q->z);
}

/* Fails the test if they are not. `places` is put into order. */
static void expect_places(const char *what, const vp_vec3 *point, const vp_hull *h, vp_vec3 *places, uint32_t count)
{
    vp_vec3 *own = malloc((h->vertex_count + 1) * sizeof *own);
    assert_non_null(own);
    for (uint32_t v = 0; v < h->vertex_count; v++)
        own[v] = point[h->vertex[v]];
    qsort(own, h->vertex_count, sizeof *own, compare_places);
    qsort(places, count, sizeof *places, compare_places);
    for (uint32_t v = 0; v < h->vertex_count && v < count; v++)
        if (compare_places(&own[v], &places[v]) != 0)
            fail_msg("%s: %s (%.9g, %.9g, %.9g)", what,
                     compare_places(&own[v], &places[v]) < 0 ? "a vertex is not expected at" : "no vertex at",
                     (double)(compare_places(&own[v], &places[v]) < 0 ? own : places)[v].x,
                     (double)(compare_places(&own[v], &places[v]) < 0 ? own : places)[v].y,
                     (double)(compare_places(&own[v], &places[v]) < 0 ? own : places)[v].z);
    if (h->vertex_count != count)
        fail_msg("%s: %u vertices, expected %u", what, h->vertex_count, count);
    free(own);
}

static void families(void **state)
{
    (void)state;
    vp_manifest *manifest;
    uint32_t compared = 0, flat = 0, named = 0;
    uint64_t vertices = 0;
    assert_ok(vp_manifest_open(NULL, &manifest, &error));
    for (size_t n = 0; n < vp_manifest_count(manifest); n++) {
        const vp_dataset *d = vp_manifest_entry(manifest, n);
        vp_family family;
        if (!vp_family_find(d->name, &family))
            continue;
        vp_point_sets sets;
        assert_ok(TAKE(points, manifest, d->name, NULL, &sets, &error));
        named++;
        for (uint32_t s = (uint32_t)(n % TEST_EACH); s < sets.count; s += TEST_EACH) {
            const vp_vec3 *point = sets.point + sets.first[s];
            const uint32_t count = sets.first[s + 1] - sets.first[s];
            vp_hull h;
            const vp_hull_def def = {.point = point, .count = count, .separate = true, .tolerance = FLT_TRUE_MIN};
            assert_ok(vp_hull_create(&def, &h, &error));
            if (h.dimension == 3) {
                char what[96];
                vp_vec3 *places = malloc(count * sizeof *places);
                assert_non_null(places);
                snprintf(what, sizeof what, "%s, set %u of %u points", d->name, s, count);
                const uint32_t found = cgal_vertices(point, count, places);
                expect_places(what, point, &h, places, found);
                vertices += found;
                compared++;
                free(places);
            } else {
                flat++;
            }
            vp_hull_destroy(&h);
        }
        vp_point_sets_destroy(&sets);
    }
    vp_manifest_close(manifest);
    print_message("%u families: %u sets of %llu vertices together are CGAL's; %u sets are flat\n", named, compared,
                  (unsigned long long)vertices, flat);
    assert_int_equal(named, VP_FAMILY_COUNT);
    assert_true(compared * TEST_EACH > 10 * named);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(families)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
