/* SPDX-License-Identifier: MIT */
/* Shapes slide over grounds of triangles, overlapping up to half their size. No contact has a normal that the ground does not have, and
 * none is lost. The grounds' formulas judge this. At some places distances of the moved shape judge the depths. */
#include <math.h>
#include <stdlib.h>

#include <voxphys/narrowphase.h>

#include "cases/narrowphase/shapes.h"
#include "cases/narrowphase/slides.h"
#include "tests/narrowphase/moved.h"
#include "tests/support/check.h"

static const uint32_t positions = 1000 / THIN_BY;

enum { STEPS = 20, MOST = 512 };
#define MARGIN  0.02f
#define OFF     1e-6  /* part of the size */
#define GHOST   2.0   /* degrees */
#define OVERLAP 0.001 /* deeper overlaps must have a contact */

static const vp_body_kind bodies[] = {VP_BODY_SPHERE, VP_BODY_CAPSULE, VP_BODY_BOX, VP_BODY_CYLINDER, VP_BODY_HULL16};
/* The rod leaves triangles past their edges if it overlaps by at most a tenth. */
enum { ROD = sizeof bodies / sizeof bodies[0], BODIES };

typedef struct ghost_tally {
    uint32_t places, raw_ghosts, contacts, walls, several;
} ghost_tally;

/* ---- functions of a solid's normals ---- */

/* The distance along `way` after which the shape is past the solid's plane with this normal. */
static double way_out(const void *context, const ground_solid *solid, vp_real3 n)
{
    const double facing = vp_real3_dot(((const ground_place *)context)->way, n);
    return facing > 0.0 ? slide_depth(context, solid, n) / facing : INFINITY;
}

static double angle_of(const void *context, const ground_solid *solid, vp_real3 n)
{
    (void)solid;
    return degrees_between(*(const vp_real3 *)context, n);
}

/* ---- judging ---- */

static bool is_seen(ground_shape g, const ground_solid *solid, vp_real3 p)
{
    if (is_groove(g))
        return p.x * solid->side >= 0.0;
    return !is_pyramids(g) || (fabs(p.x - solid->tip.x) <= PYRAMID_HALF && fabs(p.z - solid->tip.z) <= PYRAMID_HALF);
}

/* Each overlapped solid has a contact where it is visible. No contact is deeper than the way out of all solids. */
static void judge_solids(ground_place *p, const vp_collide_result *answer, uint32_t count, ghost_tally *t)
{
    ground_solid solid[4];
    const int solids = p->g == GROUND_WAVE ? 0 : ground_solids(p->g, p->at.x, p->at.z, solid);
    uint32_t walls = 0;
    for (int i = 0; i < solids; i++) {
        vp_real3 n;
        bool kept = false;
        const double depth = least_of(&solid[i], slide_depth, p, &n);
        const vp_real3 s = slide_support(p->shape, &p->frame, real_minus(n)); /* moved by depth*n, the shape touches here */
        if (!(depth > OVERLAP) || !is_seen(p->g, &solid[i], (vp_real3){p->at.x + s.x + depth * n.x, 0.0, p->at.z + s.z + depth * n.z}))
            continue;
        for (uint32_t k = 0; k < count && !kept; k++) {
            const vp_real3 of = vp_real3_of(answer[k].normal);
            kept = answer[k].triangle_feature != VP_COLLIDE_NONE && least_of(&solid[i], angle_of, &of, NULL) <= GHOST;
        }
        walls++;
        assert_true(kept);
    }
    t->walls += walls;
    t->several += walls > 1;
    for (uint32_t k = 0; k < count && solids > 0; k++) {
        double out = 0.0;
        if (answer[k].triangle_feature == VP_COLLIDE_NONE || answer[k].distance > 0.0f)
            continue;
        p->way = vp_real3_of(answer[k].normal);
        for (int i = 0; i < solids; i++)
            out = fmax(out, least_of(&solid[i], way_out, p, NULL));
        assert_true(-(double)answer[k].distance - out <= 1e-6 * (double)vp_collide_radius(p->shape));
    }
}

/* ---- judging by distances, where the moved shape must touch ---- */

typedef struct contact {
    const vp_pose *pose;
    uint32_t count;
    const vp_collide_triangle *triangle;
    const vp_collide_result *raw, *answer;
} contact;

static bool is_kept(const vp_collide_result *a)
{
    return a->triangle_feature != VP_COLLIDE_NONE;
}

/* Whether another contact moves the shape out of a triangle by `gap`. It must be at most `most` deep, and as deep as
   the kernel's answer. */
static bool is_cleared(const contact *c, const vp_oracle_shape *oracle, uint32_t number, float most, double gap)
{
    bool cleared = false;
    for (uint32_t j = 0; j < c->count && !cleared; j++) {
        const vp_collide_result *a = &c->answer[j];
        double size;
        cleared = j != number && is_kept(a) && -a->distance <= most && a->distance <= c->raw[number].distance + 1e-5f &&
                  distance_at(oracle, c->pose, c->triangle[number].corner, a->normal, -(double)a->distance, &size) >= gap;
    }
    return cleared;
}

/* An overlap keeps a contact of at least its depth, or another contact clears it. A contact that another one clears is dropped. */
static void judge_overlap(const contact *c, const vp_oracle_shape *oracle, uint32_t number)
{
    const vp_collide_result *raw = &c->raw[number], *a = &c->answer[number];
    if (is_kept(raw) && raw->distance < -1e-3f)
        assert_true(is_kept(a) ? a->distance <= raw->distance : is_cleared(c, oracle, number, INFINITY, -1e-4));
    if (is_kept(a) && a->distance < raw->distance - 1e-3f && raw->distance <= 0.0f)
        assert_false(is_cleared(c, oracle, number, -a->distance - 1e-3f, 1e-4));
}

/* For any surface, no deep contact is lost or less deep. Points are where the distance says, and moved by it the two just touch. */
static void judge_answers(const contact *c, const vp_oracle_shape *oracle)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const vp_collide_result *raw = &c->raw[i], *a = &c->answer[i];
        const vp_vec3 *corner = c->triangle[i].corner;
        double size = 3.0, on[3], from[3], gap = 0.0;
        judge_overlap(c, oracle, i);
        if (!is_kept(a))
            continue;
        assert_true(a->distance <= MARGIN);
        for (int k = 0; k < 3; k++)
            assert_true(a->weight[k] >= 0.0f);
        wide(a->on_shape, on);
        wide(a->on_triangle, from);
        const float *n = &a->normal.x, *position = &c->pose->position.x;
        for (int k = 0; k < 3; k++) {
            double at = -(double)position[k];
            for (int j = 0; j < 3; j++)
                at += (double)a->weight[j] * (double)(&corner[j].x)[k];
            assert_true(fabs(at - from[k]) <= OFF * size * 4.0);
            gap = fmax(gap, fabs(on[k] - from[k] - (double)a->distance * (double)n[k]));
        }
        assert_true(gap <= 1e-5 * size);
        if (raw->distance < -1e-4f) {
            const double off = distance_at(oracle, c->pose, corner, a->normal, -(double)a->distance, &size);
            assert_true(fabs(off) <= OFF * size * 2.0); /* the kernel's error and the ray's */
        }
    }
}

/* If the nearest triangle faces the shape, its contact exists, maybe on another triangle. */
static void judge_apart(const contact *c)
{
    float before = INFINITY, after = INFINITY;
    bool in_front = false;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->raw[i].distance < before) {
            before = c->raw[i].distance;
            in_front = dot_of(c->raw[i].normal, c->triangle[i].normal) > 0.0;
        }
        if (c->answer[i].triangle_feature != VP_COLLIDE_NONE)
            after = c->answer[i].distance < after ? c->answer[i].distance : after;
    }
    if (in_front && before > 0.0f && before < MARGIN * 0.98f)
        assert_true(after <= before * 1.01f + 1e-5f);
}

/* @return the largest error of a normal in degrees */
static double worst_normal(const ground_place *p, const vp_collide_triangle *list, const vp_collide_result *answer, uint32_t count)
{
    double worst = 0.0;
    for (uint32_t k = 0; k < count; k++)
        if (answer[k].triangle_feature != VP_COLLIDE_NONE)
            worst = fmax(worst, triangle_off(p->g, list[k].corner, vp_real3_of(answer[k].normal)));
    return worst;
}

static bool meets(const vp_aabb *box, const vp_collide_triangle *t)
{
    const vp_vec3 *c = t->corner;
    const vp_aabb around = {vp_vec3_min(vp_vec3_min(c[0], c[1]), c[2]), vp_vec3_max(vp_vec3_max(c[0], c[1]), c[2])};
    return vp_aabb_overlaps(box, &around);
}

static void judge_place(ground_place *p, const vp_kernels *kernels, const vp_oracle_shape *oracle, const vp_collide_triangle *mesh,
                        ghost_tally *t)
{
    static vp_collide_triangle list[MOST];
    static vp_collide_result raw[MOST], answer[MOST];
    static uint32_t scratch[VP_COLLIDE_CONNECT_WORDS(MOST)];
    vp_aabb box;
    uint32_t count = 0;
    assert_ok(vp_collide_bounds(p->shape, &p->pose, MARGIN, &box, &error));
    const float by = vp_collide_gather_margin(p->shape);
    const vp_vec3 more = {by, by, by};
    box.min = vp_vec3_sub(box.min, more);
    box.max = vp_vec3_add(box.max, more);
    for (uint32_t i = 0; i < GROUND_TRIANGLES && count < MOST; i++)
        if (meets(&box, &mesh[i]))
            list[count++] = mesh[i];
    assert_true(count < MOST);
    assert_ok(vp_collide_connect(list, count, scratch, &error));
    assert_ok(vp_collide_triangles(kernels, p->shape, &p->pose, MARGIN, list, count, raw, &error));
    memcpy(answer, raw, count * sizeof *raw);
    t->raw_ghosts += worst_normal(p, list, raw, count) > GHOST;
    assert_ok(vp_collide_correct(kernels, p->shape, &p->pose, MARGIN, list, count, answer, &error));
    const double worst = worst_normal(p, list, answer, count);
    if (worst > GHOST)
        fail_msg("%s, %.9g %.9g %.9g: a normal is off by %.3g degrees", ground_name[p->g], (double)p->pose.position.x,
                 (double)p->pose.position.y, (double)p->pose.position.z, worst);
    for (uint32_t k = 0; k < count; k++) {
        t->contacts += is_kept(&answer[k]);
        if (is_kept(&answer[k]) && !is_ridge(p->g) && !is_pyramids(p->g)) /* no edge is convex */
            assert_memory_equal(&answer[k].normal, &list[k].normal, sizeof list[k].normal);
    }
    judge_apart(&(contact){&p->pose, count, list, raw, answer});
    if (t->places++ % 8 == 0)
        judge_answers(&(contact){&p->pose, count, list, raw, answer}, oracle);
    judge_solids(p, answer, count, t);
}

/* A shape with a fixed rotation slides along a line. Its overlap with the deepest solid is random, up to a limit. Every other slide
   begins near a crease and is slow. */
static void slide(const vp_collide_shape *shape, ground_shape g, const vp_kernels *kernels, const vp_oracle_shape *oracle,
                  const vp_collide_triangle *mesh, vp_random *r, uint32_t number, ghost_tally *t)
{
    ground_place p = {.shape = shape, .pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f}), .g = g};
    const bool slow = number % 2 != 0;
    const float wide = slow ? 0.25f : 5.0f, fast = slow ? 0.03f : 0.15f, from = slow && number % 4 == 1 && is_pyramids(g) ? 3.0f : 0.0f;
    for (int k = 0; k < 4 && number % 8 >= 2; k++) /* some aren't turned */
        p.pose.rotation[k] = vp_random_between(r, -1.0f, 1.0f);
    assert_ok(vp_collide_frame_of(&p.pose, &p.frame, &error));
    const float x = from + vp_random_between(r, -wide, wide), z = vp_random_between(r, -5.0f, 5.0f);
    const float dx = vp_random_between(r, -fast, fast), dz = vp_random_between(r, -0.15f, 0.15f);
    for (int i = 0; i < STEPS; i++) {
        const double half = slide_to(&p, x + dx * (float)i, z + dz * (float)i);
        const double most[3] = {fmin(0.02, half), fmin(0.2, half), half};
        slide_into(&p, (number % 8 == 7 ? -0.9 * (double)MARGIN : most[number % 3]) * (double)vp_random_unit(r)); /* some are apart */
        judge_place(&p, kernels, oracle, mesh, t);
    }
}

static void judge_ground(ground_shape g)
{
    vp_kernels kernels;
    ghost_tally all = {0};
    vp_collide_triangle *mesh = ground_mesh(g, 5 + (uint64_t)g);
    assert_non_null(mesh);
    assert_ok(vp_kernels_named("scalar", &kernels, &error));
    for (int b = 0; b < BODIES; b++) {
        vp_body_shape body = {.shape = vp_collide_box((vp_vec3){0.0625f, 0.5f, 0.0625f})};
        vp_random r = {(uint64_t)(100 * (int)g + b)};
        vp_oracle_shape oracle;
        if (b != ROD)
            assert_ok(vp_body_shape_create(bodies[b], 1.0f, NULL, &body, &error));
        assert_ok(vp_oracle_shape_create(&body.shape, &oracle, &error));
        for (uint32_t i = 0; i < positions / BODIES / STEPS + 3; i++)
            slide(&body.shape, g, &kernels, &oracle, mesh, &r, i, &all);
        vp_oracle_shape_destroy(&oracle);
        vp_body_shape_destroy(&body);
    }
    free(mesh);
    assert_true(all.contacts > all.places / 2 && (g == GROUND_WAVE || all.walls > all.places / 2)); /* or nothing is tested */
    assert_true(all.raw_ghosts > all.places / 5);
    assert_true(all.several > 0 || !(is_groove(g) || is_pyramids(g)));
}

/* docs/CONTRACT.md: COR-1, COR-2, COR-3 */
TEST(grounds)
{
    for (int g = 0; g < GROUNDS; g++)
        judge_ground((ground_shape)g);
}
