/* SPDX-License-Identifier: MIT */
/* The judge of decompositions against looking at many places: solids are boxes of whole numbers, whose distance is known. */
#include "tests/support/check.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "conformance/judge_decompose/check.h"
#include "datasets/random.h"
#include "tests/support/hull_distance.h"

#ifndef TEST_THIN
#define TEST_THIN 1
#endif

enum { SIDE = 8, BOXES = 5, HULLS = 5, CLOUD = 12 };

typedef struct box {
    float low[3], high[3];
} box;

typedef struct scene {
    box solid[BOXES], hull[HULLS]; /* and hulls of points in these */
    vp_vec3 vertex[BOXES * 8], point[HULLS][CLOUD];
    uint32_t index[BOXES * 36];
    vp_judged_hull judged[HULLS];
    vp_decomposition_question asked;
} scene;

static box random_box(vp_random *r)
{
    box b;
    for (int k = 0; k < 3; k++) {
        b.low[k] = (float)vp_random_below(r, SIDE - 1);
        b.high[k] = b.low[k] + 1.0f + (float)vp_random_below(r, SIDE - (uint32_t)b.low[k]);
    }
    return b;
}

static vp_vec3 corner_of(const box *b, uint32_t i)
{
    return (vp_vec3){i & 1 ? b->high[0] : b->low[0], i & 2 ? b->high[1] : b->low[1], i & 4 ? b->high[2] : b->low[2]};
}

/* Solids may overlap: a place is wound around as often as boxes hold it. */
static void make_scene(scene *s, vp_random *r, bool clouds)
{
    static const uint32_t side[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                         {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    for (uint32_t b = 0; b < BOXES; b++) {
        s->solid[b] = random_box(r);
        for (uint32_t i = 0; i < 8; i++)
            s->vertex[8 * b + i] = corner_of(&s->solid[b], i);
        for (uint32_t i = 0; i < 36; i++)
            s->index[36 * b + i] = 8 * b + side[i / 3][i % 3];
    }
    for (uint32_t h = 0; h < HULLS; h++) {
        s->hull[h] = random_box(r);
        for (uint32_t i = 0; i < CLOUD; i++) {
            const box *b = &s->hull[h];
            s->point[h][i] = i < 8 && !clouds
                                 ? corner_of(b, i)
                                 : (vp_vec3){vp_random_between(r, b->low[0], b->high[0]), vp_random_between(r, b->low[1], b->high[1]),
                                             vp_random_between(r, b->low[2], b->high[2])};
        }
        s->judged[h] = (vp_judged_hull){.point = s->point[h], .points = CLOUD};
    }
    s->asked = (vp_decomposition_question){
        .mesh = {.vertex = s->vertex, .index = s->index, .vertex_count = BOXES * 8, .triangle_count = BOXES * 12},
        .hull = s->judged,
        .hulls = HULLS,
        .tolerance = 0.05};
}

static bool is_in(const box *b, const double p[3])
{
    for (int k = 0; k < 3; k++)
        if (p[k] < (double)b->low[k] || p[k] > (double)b->high[k])
            return false;
    return true;
}

static double distance(const scene *s, const double p[3])
{
    double least2 = (double)INFINITY;
    for (int b = 0; b < BOXES; b++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++) {
            const double below = (double)s->solid[b].low[k] - p[k], above = p[k] - (double)s->solid[b].high[k];
            const double away = below > 0.0 ? below : above > 0.0 ? above : 0.0;
            sum += away * away;
        }
        least2 = sum < least2 ? sum : least2;
    }
    return sqrt(least2);
}

static void expect(const char *what, vp_between b, double right, double by)
{
    if (!(b.low <= right + by && right - by <= b.high))
        fail_msg("%s: [%.17g, %.17g], but %.17g was counted", what, b.low, b.high, right);
}

/* Cells of a unit are in boxes, or not: all volumes are counted exactly, and the area of faces of cells. */
static void boxes_by_cells(void **state)
{
    (void)state;
    vp_random r = {37};
    static scene s;
    for (int turn = 0; turn < 24 / TEST_THIN; turn++) {
        double together = 0.0, each = 0.0, covered = 0.0, solid = 0.0, area = 0.0, uncovered = 0.0, reach = 0.0;
        vp_decomposition_verdict v;
        make_scene(&s, &r, false);
        for (int i = 0; i < SIDE * SIDE * SIDE * 8; i++) {
            const double p[3] = {i % (2 * SIDE) + 0.5, i / (2 * SIDE) % (2 * SIDE) + 0.5, i / (4 * SIDE * SIDE) + 0.5};
            int hulls = 0, solids = 0;
            for (int h = 0; h < HULLS; h++)
                hulls += is_in(&s.hull[h], p) ? 1 : 0;
            for (int b = 0; b < BOXES; b++)
                solids += is_in(&s.solid[b], p) ? 1 : 0;
            together += hulls > 0 ? 1.0 : 0.0;
            each += hulls;
            solid += solids;
            covered += hulls > 0 ? solids : 0.0;
            for (int c = 0; c < 27 && hulls > 0; c++) {
                const double q[3] = {p[0] + (c % 3 - 1) * 0.5, p[1] + (c / 3 % 3 - 1) * 0.5, p[2] + (c / 9 - 1) * 0.5};
                const double d = distance(&s, q);
                reach = d > reach ? d : reach;
            }
        }
        for (int b = 0; b < BOXES; b++)
            for (int side = 0; side < 6; side++) {
                const int k = side % 3, u = (k + 1) % 3, w = (k + 2) % 3;
                const box *of = &s.solid[b];
                for (double x = (double)of->low[u] + 0.5; x < (double)of->high[u]; x += 1.0)
                    for (double y = (double)of->low[w] + 0.5; y < (double)of->high[w]; y += 1.0) {
                        double p[3];
                        bool held = false;
                        p[k] = (double)(side < 3 ? of->low[k] : of->high[k]);
                        p[u] = x;
                        p[w] = y;
                        for (int h = 0; h < HULLS; h++)
                            held = held || is_in(&s.hull[h], p);
                        area += 1.0;
                        uncovered += held ? 0.0 : 1.0;
                    }
            }
        assert_ok(vp_decomposition_judge(&s.asked, &v, &error));
        assert_true(v.closed);
        expect("solid", (vp_between){v.volume, v.volume}, solid, 1e-9);
        expect("union", v.union_volume, together, 1e-8);
        expect("overlap", v.overlap, each - together, 1e-8);
        expect("covered", v.covered, covered, 1e-8);
        expect("area", (vp_between){v.area, v.area}, area, 1e-9);
        expect("uncovered", (vp_between){v.uncovered_area, v.uncovered_area}, uncovered, 1e-6);
        expect("covered surface", v.covered_surface, 1.0 - uncovered / area, 1e-8);
        assert_true(v.union_volume.high - v.union_volume.low < 1e-9);
        /* the lattice is half a unit wide, and no place of a hull is further than sqrt(3)/4 from it */
        assert_true(reach <= v.reach.high + 1e-9);
        assert_true(v.reach.low <= reach + 0.4331);
        assert_true(v.reach.high - v.reach.low <= 0.05 + 1e-9);
        expect("the witness", (vp_between){v.reach.low, v.reach.low}, v.reach.low > 0.0 ? distance(&s, v.witness) : 0.0, 1e-9);
        vp_decomposition_drop(&v);
    }
}

/* Hulls of points anywhere: places on a lattice are looked at. */
static void clouds_by_places(void **state)
{
    (void)state;
    enum { ACROSS = 64, PLACES = ACROSS * ACROSS * ACROSS };
    const double step = 2.0 * SIDE / ACROSS;
    vp_random r = {4};
    static scene s;
    for (int turn = 0; turn < 6 / TEST_THIN; turn++) {
        static uint8_t held[PLACES];
        double together = 0.0, each = 0.0, covered = 0.0;
        vp_decomposition_verdict v;
        make_scene(&s, &r, true);
        memset(held, 0, sizeof held);
        assert_ok(vp_decomposition_judge(&s.asked, &v, &error));
        for (uint32_t h = 0; h < HULLS; h++) {
            vp_hull hull;
            const vp_hull_def def = {.point = s.point[h], .count = CLOUD};
            double reach = 0.0;
            assert_ok(vp_hull_create(&def, &hull, &error));
            for (int i = 0; i < PLACES; i++) {
                const double p[3] = {(i % ACROSS + 0.5) * step, (i / ACROSS % ACROSS + 0.5) * step, (i / ACROSS / ACROSS + 0.5) * step};
                const vp_vec3 q = {(float)p[0], (float)p[1], (float)p[2]};
                if (!is_in(&s.hull[h], p) || hull_outside(&hull, s.point[h], q) > 0.0L)
                    continue;
                const double d = distance(&s, p);
                held[i]++;
                reach = d > reach ? d : reach;
            }
            for (uint32_t i = 0; i < hull.vertex_count; i++) {
                const vp_vec3 q = s.point[h][hull.vertex[i]];
                const double d = distance(&s, (const double[3]){(double)q.x, (double)q.y, (double)q.z});
                reach = d > reach ? d : reach;
            }
            if (!(reach <= v.hull[h].reach.high + 1e-6))
                fail_msg("hull %u: %g is beyond [%g, %g]", h, reach, v.hull[h].reach.low, v.hull[h].reach.high);
            expect("the witness", (vp_between){v.hull[h].reach.low, v.hull[h].reach.low},
                   v.hull[h].reach.low > 0.0 ? distance(&s, v.hull[h].witness) : 0.0, 1e-6);
            const vp_vec3 w = {(float)v.hull[h].witness[0], (float)v.hull[h].witness[1], (float)v.hull[h].witness[2]};
            assert_true(hull_outside(&hull, s.point[h], w) < 1e-5L);
            assert_true(v.hull[h].reach.high - v.hull[h].reach.low <= 0.05 + 1e-9);
            vp_hull_destroy(&hull);
        }
        for (int i = 0; i < PLACES; i++) {
            const double p[3] = {(i % ACROSS + 0.5) * step, (i / ACROSS % ACROSS + 0.5) * step, (i / ACROSS / ACROSS + 0.5) * step};
            const double cell = step * step * step;
            together += held[i] > 0 ? cell : 0.0;
            each += held[i] * cell;
            for (int b = 0; b < BOXES; b++)
                covered += held[i] > 0 && is_in(&s.solid[b], p) ? cell : 0.0;
        }
        /* counted cells are right to some hundredths of what they count */
        const double by = 0.05 * each + 0.5;
        expect("union", v.union_volume, together, by);
        expect("overlap", v.overlap, each - together, by);
        expect("covered", v.covered, covered, 3.0 * by);
        vp_decomposition_drop(&v);
    }
}

/* ---- a ring ---- */

enum { AROUND = 12, ACROSS_RING = 8, SECTORS = 4, RING_POINTS = AROUND * ACROSS_RING, SECTOR = (AROUND / SECTORS + 1) * ACROSS_RING };

typedef struct ring {
    vp_vec3 vertex[RING_POINTS], point[SECTORS][SECTOR];
    uint32_t index[6 * RING_POINTS];
    vp_judged_hull hull[SECTORS];
} ring;

/* A torus of quads that are bent; each hull is of a sector. */
static void make_ring(ring *s)
{
    static const double cosine[12] = {1, 0.866, 0.5, 0, -0.5, -0.866, -1, -0.866, -0.5, 0, 0.5, 0.866};
    static const double across[8][2] = {{0.4, 0},  {0.28, 0.28},   {0, 0.4},  {-0.28, 0.28},
                                        {-0.4, 0}, {-0.28, -0.28}, {0, -0.4}, {0.28, -0.28}};
    uint32_t *to = s->index;
    for (uint32_t i = 0; i < AROUND; i++)
        for (uint32_t k = 0; k < ACROSS_RING; k++) {
            const double r = 1.0 + across[k][0];
            const uint32_t j = (i + 1) % AROUND, l = (k + 1) % ACROSS_RING;
            const uint32_t a = i * ACROSS_RING + k, b = i * ACROSS_RING + l, c = j * ACROSS_RING + k, d = j * ACROSS_RING + l;
            s->vertex[a] = (vp_vec3){(float)(r * cosine[i]), (float)(r * cosine[(i + 9) % 12]), (float)across[k][1]};
            memcpy(to, (uint32_t[6]){a, c, b, b, c, d}, 6 * sizeof *to);
            to += 6;
        }
    for (uint32_t h = 0; h < SECTORS; h++) {
        for (uint32_t i = 0; i < SECTOR; i++)
            s->point[h][i] = s->vertex[(h * (AROUND / SECTORS) * ACROSS_RING + i) % RING_POINTS];
        s->hull[h] = (vp_judged_hull){.point = s->point[h], .points = SECTOR};
    }
}

/* How far a place is from the ring's surface; 0 inside, by the angles that triangles are seen in. */
static double from_ring(const ring *s, const double p[3])
{
    double angle = 0.0;
    long double least = (long double)INFINITY;
    for (uint32_t t = 0; t < 2 * RING_POINTS; t++) {
        const uint32_t *c = s->index + 3 * (size_t)t;
        static const uint32_t triangle[2][3] = {{0, 1, 2}, {0, 2, 1}}, vertex[3] = {0, 1, 2};
        const vp_vec3 at[3] = {s->vertex[c[0]], s->vertex[c[1]], s->vertex[c[2]]};
        const vp_hull flat = {.dimension = 2, .triangle = triangle, .triangle_count = 2, .vertex = vertex, .vertex_count = 3};
        const long double away = hull_outside(&flat, at, (vp_vec3){(float)p[0], (float)p[1], (float)p[2]});
        double v[3][3], length[3];
        for (int i = 0; i < 3; i++) {
            v[i][0] = (double)at[i].x - p[0];
            v[i][1] = (double)at[i].y - p[1];
            v[i][2] = (double)at[i].z - p[2];
            length[i] = sqrt(v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
        }
        const double volume = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) + v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                              v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        double below = length[0] * length[1] * length[2];
        for (int i = 0; i < 3; i++) {
            const double *a = v[(i + 1) % 3], *b = v[(i + 2) % 3];
            below += (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * length[i];
        }
        angle += 2.0 * atan2(volume, below);
        least = away < least ? away : least;
    }
    return angle > 6.2 ? 0.0 : (double)least;
}

static void a_ring_by_places(void **state)
{
    (void)state;
    static ring s;
    vp_random r = {9};
    vp_decomposition_verdict v;
    double most = 0.0;
    make_ring(&s);
    const vp_decomposition_question asked = {
        .mesh = {.vertex = s.vertex, .index = s.index, .vertex_count = RING_POINTS, .triangle_count = 2 * RING_POINTS},
        .hull = s.hull,
        .hulls = SECTORS};
    assert_ok(vp_decomposition_judge(&asked, &v, &error));
    assert_true(v.closed && v.winding[0] == 0 && v.winding[1] == 1);
    /* hulls hold the whole ring, and meet in planes */
    expect("covered", v.covered_solid, 1.0, 1e-9);
    expect("overlap", v.overlap, 0.0, 1e-6);
    expect("excess", v.excess, v.union_volume.low - v.volume, 1e-9);
    expect("surface", v.covered_surface, 1.0, 1e-9);
    for (int i = 0; i < 1500 / TEST_THIN; i++) {
        const vp_vec3 *a = s.point[i % SECTORS];
        double p[3] = {0, 0, 0}, all = 0.0;
        for (int k = 0; k < 4; k++) { /* of four vertices, some of them nearly alone */
            const vp_vec3 q = a[vp_random_below(&r, SECTOR)];
            double weight = (double)vp_random_unit(&r);
            weight = weight * weight + 1e-3;
            all += weight;
            p[0] += weight * (double)q.x;
            p[1] += weight * (double)q.y;
            p[2] += weight * (double)q.z;
        }
        for (int k = 0; k < 3; k++)
            p[k] = p[k] / all;
        const double d = from_ring(&s, p);
        if (!(d <= v.hull[i % SECTORS].reach.high + 1e-6))
            fail_msg("a place is %g away, beyond [%g, %g]", d, v.hull[i % SECTORS].reach.low, v.hull[i % SECTORS].reach.high);
        most = d > most ? d : most;
    }
    assert_true(most > (TEST_THIN == 1 ? 0.7 : 0.2) * v.reach.low); /* few places come less far */
    expect("the witness", (vp_between){v.reach.low, v.reach.low}, from_ring(&s, v.witness), 1e-6);
    vp_decomposition_drop(&v);
}

/* Little work gives wide intervals, which hold what much work finds. */
static void little_work(void **state)
{
    (void)state;
    vp_random r = {5};
    static scene s;
    for (int turn = 0; turn < 14 / TEST_THIN; turn++) {
        vp_decomposition_verdict v, less;
        make_scene(&s, &r, turn % 2 == 0);
        assert_ok(vp_decomposition_judge(&s.asked, &v, &error));
        s.asked.max_work = (uint64_t)(1 + turn % 7);
        assert_ok(vp_decomposition_judge(&s.asked, &less, &error));
        const vp_between wide[6] = {less.reach, less.away, less.covered_surface, less.union_volume, less.overlap, less.covered};
        const vp_between right[6] = {v.reach, v.away, v.covered_surface, v.union_volume, v.overlap, v.covered};
        for (int i = 0; i < 6; i++)
            if (!(wide[i].low <= right[i].high + 1e-9 && right[i].low <= wide[i].high + 1e-9))
                fail_msg("turn %d, number %d: [%g, %g] and [%g, %g]", turn, i, wide[i].low, wide[i].high, right[i].low, right[i].high);
        vp_decomposition_drop(&v);
        vp_decomposition_drop(&less);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_by_cells),
        cmocka_unit_test(clouds_by_places),
        cmocka_unit_test(a_ring_by_places),
        cmocka_unit_test(little_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
