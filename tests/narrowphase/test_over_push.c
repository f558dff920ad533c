/* SPDX-License-Identifier: MIT */
/* Bodies over rims, flush with sides, against banks and on stairs, 0 to 0.2 deep. No contact is deeper than the way out of the solid, and
 * none is lost. At corners at most one in 2,000 is deeper, by less than half. Brute force finds the way out (way_out.h).
 *
 *   test_over_push [PLACES]   places per family, 280 by default, 100,000 for a long run. Prints the findings. */
#include <stdio.h>

#include <voxphys/manifold.h>

#include "cases/narrowphase/shapes.h"
#include "tests/narrowphase/solids.h"

#ifdef TEST_THIN
static uint32_t places = 280 / TEST_THIN;
#elif defined TEST_DEEP
static uint32_t places = 7000;
#else
static uint32_t places = 280;
#endif
static bool printed;

enum { SHAPES = VP_BODIES + 1, DEEPS = 7, MARGINS = 3 };
/* Tolerances of depths. Places are binary32, and rims of cylinders are tried in steps. A point clipped by a side that is steep to its
   normal has a larger error. */
#define ROUNDING     1e-4
#define CUT_ROUNDING 5e-4

static vp_body_shape bodies[SHAPES]; /* the last one is a cube */
static vp_manifold_scratch scratch = {NULL, SOLID_ROOM, 0};
static const float deeps[DEEPS] = {0.0f, 0.0005f, 0.005f, 0.02f, 0.05f, 0.1f, 0.2f}, margins[MARGINS] = {0.0f, 0.02f, 0.1f};

/* ---- places ---- */

typedef struct family {
    const char *name;
    solid solid;
    form form;
    vp_vec3 low, high; /* the body's middle starts between them, inside the solid, and leaves along `way` */
    real3 way;
    bool flush;  /* upright, with sides in the planes of block sides */
    bool stands; /* half of them stand on the ground next to the bank */
} family;

typedef struct place {
    way_body body;
    vp_pose pose;
    real3 at, way;
    double deep; /* the overlap, after it left along `way` */
    bool flat;   /* a box's side is perpendicular to the way */
} place;

static void turn(place *p, const vp_collide_shape *shape, uint32_t how, vp_random *r)
{
    p->pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f});
    if (how == 1)
        p->pose.rotation[1] = vp_random_between(r, -1.0f, 1.0f);
    for (int k = 0; k < 4 && how == 2; k++)
        p->pose.rotation[k] = vp_random_between(r, -1.0f, 1.0f) + (k == 3 ? 1.5f : 0.0f);
    p->flat = shape->kind == VP_COLLIDE_BOX && (how == 0 || (how == 1 && p->way.y > 0.0));
    way_body_turn(&p->body, shape, &p->pose);
}

/* The extent of the body along w, from its middle. */
static double reach_along(const place *p, real3 w)
{
    return real_dot(w, slide_support(p->body.shape, &p->body.frame, w));
}

/* @return false if it does not start in the solid, or does not get out */
static bool go_out(place *p, real3 from, double deep)
{
    double in = 0.0, out = 8.0;
    if (!way_overlaps_any(&p->body, &boxes, from) || way_overlaps_any(&p->body, &boxes, real_plus(from, p->way, out)))
        return false;
    for (int k = 0; k < 40; k++) {
        const double middle = (in + out) / 2.0;
        if (way_overlaps_any(&p->body, &boxes, real_plus(from, p->way, middle)))
            in = middle;
        else
            out = middle;
    }
    const real3 at = real_plus(from, p->way, out - deep);
    p->pose.position = (vp_vec3){(float)at.x, (float)at.y, (float)at.z};
    p->at = real_of(p->pose.position);
    p->deep = deep;
    return true;
}

static bool choose_place(place *p, const family *f, const vp_collide_shape *shape, vp_random *r)
{
    p->way = f->way;
    turn(p, shape, f->flush ? 0 : vp_random_below(r, 3), r);
    real3 from = {(double)vp_random_between(r, f->low.x, f->high.x), (double)vp_random_between(r, f->low.y, f->high.y),
                  (double)vp_random_between(r, f->low.z, f->high.z)};
    const real3 left = {-1.0, 0.0, 0.0}, front = {0.0, 0.0, -1.0}, down = {0.0, -1.0, 0.0};
    const double width = f->solid == CRATE ? 0.40625 : 1.0, depth = f->solid == CRATE ? 0.5 : 1.0;
    if (f->flush && vp_random_below(r, 4) > 0)
        from.x = floor(from.x / width) * width + reach_along(p, left);
    if (f->flush && vp_random_below(r, 4) > 0)
        from.z = floor(from.z / depth) * depth + reach_along(p, front);
    if (f->stands && vp_random_below(r, 2) > 0)
        from.y = -1.0 + reach_along(p, down);
    return go_out(p, from, (double)deeps[vp_random_below(r, DEEPS)] * (double)vp_random_between(r, 0.5f, 1.0f));
}

/* ---- checks ---- */

typedef struct tally {
    uint32_t places, contacts, longer, over, beyond, lost, missing; /* longer = deeper than the way out, over = by more than half of it */
    double worst;                                                   /* largest depth as a part of the way out */
} tally;

/* The shortest way out of the solid along the world's axes and the body's own.
   @param beside out: the shortest such way out of one of its boxes, except along the place's way */
static double overlap_of(const place *p, double *beside)
{
    double least = p->deep;
    *beside = INFINITY;
    for (int k = 0; k < 12; k++) {
        const double sign = k % 2 == 0 ? 1.0 : -1.0;
        const int a = k / 2 % 3;
        const real3 row = real_of(p->body.frame.row[a]), own = {sign * row.x, sign * row.y, sign * row.z},
                    axis = {sign * (a == 0), sign * (a == 1), sign * (a == 2)}, w = k < 6 ? axis : own;
        least = fmin(least, way_along(&p->body, &boxes, p->at, w));
        for (uint32_t i = 0; i < boxes.count && real_dot(w, p->way) < 0.999; i++)
            if (way_overlaps(&p->body, &boxes, i, p->at))
                *beside = fmin(*beside, way_of_box(&p->body, &boxes, i, p->at, w));
    }
    return least;
}

/* Checks one contact. */
static void judge_depth(const place *p, double overlap, float distance, vp_vec3 normal, double rounding, tally *t)
{
    const double deep = -(double)distance;
    if (deep <= rounding)
        return;
    t->contacts++;
    t->longer += deep > overlap + rounding;
    t->over += deep > 1.5 * overlap + rounding;
    t->beyond += deep > way_along(&p->body, &boxes, p->at, real_of(normal)) + rounding;
    t->worst = overlap > 0.01 ? fmax(t->worst, deep / overlap) : t->worst;
}

static void judge(const place *p, form f, float apart, vp_random *r, tally *t)
{
    static vp_collide_triangle list[SOLID_ROOM];
    static vp_collide_answer raw[SOLID_ROOM], answer[SOLID_ROOM];
    const vp_collide_shape *shape = p->body.shape;
    const vp_manifold_def def = {.margin = apart, .whole = true};
    const vp_manifold_body body = {shape, p->pose};
    double beside, deepest = 0.0, corrected = 0.0, kept = 0.0;
    const double overlap = overlap_of(p, &beside), slack = p->body.radius / 256.0;
    vp_manifold m[VP_MANIFOLD_DIRECTIONS];
    uint32_t made;
    vp_aabb box;
    assert_ok(vp_collide_bounds(shape, &p->pose, apart + vp_collide_gather_margin(shape), &box, &error));
    const uint32_t count = gather(f, &box, r, list);
    assert_ok(vp_collide_triangles(NULL, shape, &p->pose, apart, list, count, raw, &error));
    memcpy(answer, raw, count * sizeof *raw);
    assert_ok(vp_collide_correct(NULL, shape, &p->pose, apart, list, count, answer, &error));
    assert_ok(vp_manifold_mesh(&def, &body, list, count, &scratch, m, VP_MANIFOLD_DIRECTIONS, &made, &error));
    bool is_there = false;
    for (uint32_t i = 0; i < count; i++) {
        deepest = fmax(deepest, -(double)raw[i].distance);
        if (answer[i].triangle_feature == VP_COLLIDE_NONE)
            continue;
        corrected = fmax(corrected, -(double)answer[i].distance);
        judge_depth(p, overlap, answer[i].distance, answer[i].normal, ROUNDING, t);
    }
    for (uint32_t d = 0; d < made; d++)
        for (uint32_t i = 0; i < m[d].count; i++) {
            const vp_manifold_point *q = &m[d].point[i];
            const double along = real_dot(p->way, real_of(q->normal)), deep = -(double)q->distance;
            kept = fmax(kept, deep);
            is_there = is_there || (along > 0.9962 && deep >= overlap - slack);
            judge_depth(p, overlap, q->distance, q->normal, CUT_ROUNDING, t);
        }
    t->places++;
    t->lost += deepest > corrected + ROUNDING || deepest > kept + slack + ROUNDING;
    t->missing += p->flat && p->deep > ROUNDING && 2.0 * p->deep < beside && !is_there;
}

static void check(const char *name, vp_body body, const tally *t)
{
    const uint32_t wrong = t->over + t->beyond + t->lost + t->missing;
    if (printed || t->longer + wrong > 0)
        printf("%-24s %-9s %6u places, %7u contacts: %u longer than the way out, %u by half, %u along the normal, %u lost, %u missing; "
               "worst %.4f\n",
               name, body < VP_BODIES ? vp_body_name(body) : "crate", t->places, t->contacts, t->longer, t->over, t->beyond, t->lost,
               t->missing, t->worst);
    assert_int_equal(wrong, 0);
    assert_true(t->longer <= t->contacts / 2000);
    assert_true(t->places > 0);
}

/* ---- families ---- */

#define UP                                                                                                                                 \
    {                                                                                                                                      \
        0.0, 1.0, 0.0                                                                                                                      \
    }
#define RIGHT                                                                                                                              \
    {                                                                                                                                      \
        1.0, 0.0, 0.0                                                                                                                      \
    }
#define LEFT                                                                                                                               \
    {                                                                                                                                      \
        -1.0, 0.0, 0.0                                                                                                                     \
    }
#define RIM                                                                                                                                \
    {3.0f, -0.5f, 2.0f},                                                                                                                   \
    {                                                                                                                                      \
        5.0f, -0.5f, 5.0f                                                                                                                  \
    }
#define TOP                                                                                                                                \
    {-1.4f, -0.5f, -0.4f},                                                                                                                 \
    {                                                                                                                                      \
        2.4f, -0.5f, 1.4f                                                                                                                  \
    }
#define SIDE_X                                                                                                                             \
    {3.5f, -1.5f, -1.0f},                                                                                                                  \
    {                                                                                                                                      \
        3.5f, 0.3f, 4.4f                                                                                                                   \
    }

static const family families[] = {
    {"rims, blocks", PLATFORM, BLOCKS, RIM, UP, false, false},
    {"rims, boxes with masks", PLATFORM, MASKED, RIM, UP, false, false},
    {"rims, one box", PLATFORM, ONE_BOX, RIM, UP, false, false},
    {"rims, mesh", PLATFORM, MESH, RIM, UP, false, false},
    {"rims, flush, blocks", PLATFORM, BLOCKS, RIM, UP, true, false},
    {"rims, flush, one box", PLATFORM, ONE_BOX, RIM, UP, true, false},
    {"sides, blocks", PLATFORM, BLOCKS, SIDE_X, RIGHT, false, false},
    {"sides, one box", PLATFORM, ONE_BOX, SIDE_X, RIGHT, false, false},
    {"sides, flush, mesh", PLATFORM, MESH, SIDE_X, RIGHT, true, false},
    {"row, blocks", ROW, BLOCKS, TOP, UP, false, false},
    {"row, boxes with masks", ROW, MASKED, TOP, UP, false, false},
    {"row, one box", ROW, ONE_BOX, TOP, UP, false, false},
    {"row, flush, blocks", ROW, BLOCKS, TOP, UP, true, false},
    {"row, flush, masks", ROW, MASKED, TOP, UP, true, false},
    {"row, flush, one box", ROW, ONE_BOX, TOP, UP, true, false},
    {"box on box", CRATE, ONE_BOX, {-0.7f, -0.3f, -0.8f}, {0.7f, -0.3f, 0.8f}, UP, false, false},
    {"box on box, flush", CRATE, ONE_BOX, {-0.8f, -0.3f, -0.9f}, {0.8f, -0.3f, 0.9f}, UP, true, false},
    {"bank, over it", BANK, BLOCKS, {-0.6f, -0.5f, -2.0f}, {0.6f, -0.5f, 2.0f}, UP, false, false},
    {"bank, against it", BANK, BLOCKS, {-0.5f, -1.0f, -2.0f}, {-0.5f, 0.6f, 2.0f}, RIGHT, false, true},
    {"bank, against it, flush", BANK, BLOCKS, {-0.5f, -1.0f, -2.0f}, {-0.5f, 0.6f, 2.0f}, RIGHT, true, true},
    {"bank, against it, mesh", BANK, MESH, {-0.5f, -1.0f, -2.0f}, {-0.5f, 0.6f, 2.0f}, RIGHT, false, true},
    {"stairs, down", STAIRS, BLOCKS, {-1.0f, -3.0f, -1.0f}, {2.0f, -3.0f, 1.0f}, UP, false, false},
    {"stairs, flush", STAIRS, BLOCKS, {-1.0f, -3.0f, -1.0f}, {2.0f, -3.0f, 1.0f}, UP, true, false},
    {"stairs, along", STAIRS, BLOCKS, {3.0f, -1.0f, -1.0f}, {3.0f, 1.0f, 1.0f}, LEFT, false, false},
    {"stairs, mesh", STAIRS, MESH, {-1.0f, -3.0f, -1.0f}, {2.0f, -3.0f, 1.0f}, UP, false, false},
    {"pillars", PILLARS, BLOCKS, {-2.0f, -2.5f, -2.0f}, {2.0f, -2.5f, 2.0f}, UP, false, false},
    {"random blocks", RANDOM, BLOCKS, {-2.0f, -2.0f, -2.0f}, {2.0f, 2.0f, 2.0f}, UP, false, false},
};

/* docs/CONTRACT.md: COR-2, COR-3, MAN-2 */
static void solids(void **state)
{
    static place p;
    (void)state;
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        for (int b = 0; b < SHAPES; b++) {
            const family *f = &families[k];
            vp_random r = {k * 16 + (uint64_t)b};
            tally t = {0};
            for (uint32_t i = 0; t.places < places / SHAPES; i++) {
                if (i == 0 || (f->solid == RANDOM && i % 32 == 0))
                    fill(f->solid, i + k);
                if (choose_place(&p, f, &bodies[b].shape, &r))
                    judge(&p, f->form, margins[i % MARGINS], &r, &t);
            }
            check(f->name, (vp_body)b, &t);
        }
}

/* ---- balls ---- */

/* Sets the way from the nearest point of the solid, and its distance. @return false if the middle is in the solid */
static bool nearest_point(real3 p, real3 *way, double *distance)
{
    *distance = INFINITY;
    for (uint32_t i = 0; i < boxes.count; i++) {
        const real3 to = way_to_box(&boxes, i, p);
        const double far = sqrt(real_dot(to, to));
        if (far >= *distance)
            continue;
        *distance = far;
        *way = real_minus(to);
    }
    return *distance > 1e-3;
}

/* A ball's contact is at the nearest point. Nothing is deeper, and it is among the manifold's points. */
static void judge_ball(real3 p, float radius, form f, vp_random *r, tally *t)
{
    static vp_collide_triangle list[SOLID_ROOM];
    const vp_collide_shape ball = vp_collide_sphere(radius);
    const vp_manifold_def def = {.whole = true};
    const vp_manifold_body body = {&ball, vp_pose_at((vp_vec3){(float)p.x, (float)p.y, (float)p.z})};
    vp_manifold m[VP_MANIFOLD_DIRECTIONS];
    double distance;
    uint32_t made;
    vp_aabb box;
    real3 way = {0.0, 0.0, 0.0};
    if (!nearest_point(real_of(body.pose.position), &way, &distance) || distance > (double)radius - ROUNDING)
        return;
    assert_ok(vp_collide_bounds(&ball, &body.pose, vp_collide_gather_margin(&ball), &box, &error));
    const uint32_t count = gather(f, &box, r, list);
    assert_ok(vp_manifold_mesh(&def, &body, list, count, &scratch, m, VP_MANIFOLD_DIRECTIONS, &made, &error));
    bool is_there = false;
    for (uint32_t d = 0; d < made; d++)
        for (uint32_t i = 0; i < m[d].count; i++) {
            const vp_manifold_point *q = &m[d].point[i];
            const double deep = -(double)q->distance;
            t->contacts++;
            t->over += deep > (double)radius - distance + CUT_ROUNDING;
            is_there =
                is_there || (real_dot(way, real_of(q->normal)) > 0.9962 * distance && deep > (double)radius * 255.0 / 256.0 - distance);
        }
    t->places++;
    t->missing += !is_there;
}

/* docs/CONTRACT.md: MAN-2 */
static void balls(void **state)
{
    static const solid in[] = {RANDOM, BANK, PLATFORM, STAIRS};
    vp_random r = {41};
    (void)state;
    for (int k = 0; k < 8; k++) {
        tally t = {0};
        for (uint32_t i = 0; t.places < places; i++) {
            if (i % 64 == 0)
                fill(in[k / 2], i + 3);
            const real3 p = {(double)vp_random_between(&r, -3.0f, 4.5f), (double)vp_random_between(&r, -3.0f, 3.0f),
                             (double)vp_random_between(&r, -3.0f, 4.5f)};
            judge_ball(p, vp_random_between(&r, 0.2f, 0.7f), k % 2 == 0 ? BLOCKS : MESH, &r, &t);
        }
        check("balls", VP_BODY_SPHERE, &t);
    }
}

static int begin(void **state)
{
    (void)state;
    for (int b = 0; b < VP_BODIES; b++)
        assert_ok(vp_body_shape_create((vp_body)b, 1.0f, NULL, &bodies[b], &error));
    bodies[VP_BODIES].shape = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    scratch.memory = malloc(vp_manifold_scratch_bytes(SOLID_ROOM));
    assert_non_null(scratch.memory);
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int b = 0; b < SHAPES; b++)
        vp_body_shape_destroy(&bodies[b]);
    free(scratch.memory);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solids), cmocka_unit_test(balls)};
    printed = argc > 1;
    if (printed)
        places = (uint32_t)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, begin, end);
}
