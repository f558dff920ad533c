/* SPDX-License-Identifier: MIT */
/* Bodies over rims, flush with sides, against banks and on stairs, 0 to 0.2 deep. No contact is deeper than the way out of the solid, and
 * none is lost. At corners at most one in 2,000 is deeper, by less than half. Any axis may be tried, so that no list of features has
 * to be right. */
#include <voxphys/manifold.h>

#include <stdlib.h>

#include "cases/bodies/shape_oracle.h"
#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "tests/narrowphase/block_scene.h"
#include "tests/support/check.h"

static const uint32_t places = IS_THIN ? 280 / THIN_BY : IS_DEEP ? 7000 : 280; /* per family */

enum { SHAPES = VP_BODIES + 1, DEEPS = 7, MARGINS = 3 };
/* Tolerances of depths. Places are binary32, and rims of cylinders are tried in steps. A point clipped by a side that is steep to its
   normal has a larger error. */
#define ROUNDING     1e-4
#define CUT_ROUNDING 5e-4

static vp_real3 real_minus(vp_real3 a)
{
    return (vp_real3){-a.x, -a.y, -a.z};
}

/* ---- the way out of a solid, a union of boxes. Brute force over separating axes and supports, without code of the library ---- */

enum { WAY_AXES = 2048, WAY_BOXES = 256, WAY_ROUND = 128 };

typedef struct way_solid {
    double low[WAY_BOXES][3], high[WAY_BOXES][3];
    uint32_t count;
} way_solid;

/* A body with any pose, the directions that can separate it from a box, and its extent along each. */
typedef struct way_body {
    const vp_collide_shape *shape;
    vp_collide_frame frame;
    posed turned; /* at 0 */
    vp_real3 axis[WAY_AXES];
    double low[WAY_AXES], high[WAY_AXES];
    uint32_t count;
    double radius;
} way_body;

static double real_of_axis(vp_real3 a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

static void way_add_axis(way_body *b, vp_real3 u)
{
    const double length = sqrt(vp_real3_dot(u, u));
    if (!(length > 1e-6) || b->count == WAY_AXES)
        return;
    u = unit3(u);
    b->axis[b->count] = u;
    b->high[b->count] = support(&b->turned, u);
    b->low[b->count++] = -support(&b->turned, real_minus(u));
}

static void way_add_edge(way_body *b, vp_real3 along)
{
    way_add_axis(b, (vp_real3){0.0, -along.z, along.y});
    way_add_axis(b, (vp_real3){along.z, 0.0, -along.x});
    way_add_axis(b, (vp_real3){-along.y, along.x, 0.0});
}

static vp_real3 way_turned(const way_body *b, double x, double y, double z)
{
    const vp_vec3 *row = b->frame.row;
    return vp_real3_plus(vp_real3_plus(vp_real3_plus((vp_real3){0.0, 0.0, 0.0}, vp_real3_of(row[0]), x), vp_real3_of(row[1]), y),
                         vp_real3_of(row[2]), z);
}

static void way_body_turn(way_body *b, const vp_collide_shape *shape, const vp_pose *pose)
{
    const vp_collide_hull *hull = shape->hull;
    b->shape = shape;
    b->turned = pose_shape(shape, pose, pose->position);
    b->count = 0;
    b->radius = (double)vp_collide_radius(shape);
    if (vp_collide_frame_of(pose, &b->frame, NULL) != VP_OK)
        abort();
    for (int k = 0; k < 3; k++)
        way_add_axis(b, (vp_real3){k == 0, k == 1, k == 2});
    for (int k = 0; k < 3 && (shape->kind == VP_COLLIDE_BOX || shape->kind == VP_COLLIDE_CYLINDER); k++) {
        way_add_axis(b, vp_real3_of(b->frame.row[k]));
        way_add_edge(b, vp_real3_of(b->frame.row[k]));
    }
    for (int i = 0; i < WAY_ROUND && shape->kind == VP_COLLIDE_CYLINDER; i++) {
        const double angle = 3.14159265358979323846 * i / WAY_ROUND;
        way_add_axis(b, way_turned(b, cos(angle), 0.0, sin(angle)));
        way_add_edge(b, way_turned(b, cos(angle), 0.0, sin(angle)));
    }
    if (shape->kind != VP_COLLIDE_HULL)
        return;
    for (uint32_t i = 0; i < hull->face_count; i++) {
        const vp_vec3 n = hull->plane[i].normal;
        way_add_axis(b, way_turned(b, (double)n.x, (double)n.y, (double)n.z));
    }
    for (uint32_t i = 0; i < hull->edge_count; i++) {
        const vp_vec3 e = vp_vec3_sub(hull->vertex[hull->edge[i].vertex[1]], hull->vertex[hull->edge[i].vertex[0]]);
        way_add_edge(b, way_turned(b, (double)e.x, (double)e.y, (double)e.z));
    }
}

/* The vector from p to the nearest point of a box. */
static vp_real3 way_to_box(const way_solid *s, uint32_t i, vp_real3 p)
{
    const double *a = s->low[i], *b = s->high[i];
    return (vp_real3){fmin(fmax(p.x, a[0]), b[0]) - p.x, fmin(fmax(p.y, a[1]), b[1]) - p.y, fmin(fmax(p.z, a[2]), b[2]) - p.z};
}

/* The distance of the segment of a sphere or a capsule from a box, a convex function along the segment. */
static double way_from_segment(const way_body *b, const way_solid *s, uint32_t i, vp_real3 p)
{
    const vp_real3 up = vp_real3_of(b->frame.row[1]);
    const double h = b->shape->kind == VP_COLLIDE_CAPSULE ? (double)b->shape->half_height : 0.0;
    double from = -h, to = h;
    for (int k = 0; k < 60 && to > from; k++) {
        const double one = from + (to - from) / 3.0, two = to - (to - from) / 3.0;
        const vp_real3 c = way_to_box(s, i, vp_real3_plus(p, up, one)), d = way_to_box(s, i, vp_real3_plus(p, up, two));
        if (vp_real3_dot(c, c) < vp_real3_dot(d, d))
            to = two;
        else
            from = one;
    }
    const vp_real3 c = way_to_box(s, i, vp_real3_plus(p, up, (from + to) / 2.0));
    return sqrt(vp_real3_dot(c, c));
}

/* Whether the body at p overlaps box i by more than roundings. */
static bool way_overlaps(const way_body *b, const way_solid *s, uint32_t i, vp_real3 p)
{
    const double nothing = 1e-9;
    const vp_real3 to = way_to_box(s, i, p);
    if (vp_real3_dot(to, to) >= b->radius * b->radius)
        return false;
    if (b->shape->kind == VP_COLLIDE_SPHERE || b->shape->kind == VP_COLLIDE_CAPSULE)
        return way_from_segment(b, s, i, p) < (double)b->shape->radius - nothing;
    for (uint32_t k = 0; k < b->count; k++) {
        double low = 0.0, high = 0.0;
        for (int a = 0; a < 3; a++) {
            const double u = real_of_axis(b->axis[k], a);
            low += u * (u > 0.0 ? s->low[i][a] : s->high[i][a]);
            high += u * (u > 0.0 ? s->high[i][a] : s->low[i][a]);
        }
        const double at = vp_real3_dot(b->axis[k], p);
        if (at + b->high[k] <= low + nothing || at + b->low[k] >= high - nothing)
            return false;
    }
    return true;
}

static bool way_overlaps_any(const way_body *b, const way_solid *s, vp_real3 p)
{
    bool overlaps = false;
    for (uint32_t i = 0; i < s->count && !overlaps; i++)
        overlaps = way_overlaps(b, s, i, p);
    return overlaps;
}

/* A way along w after which a plane perpendicular to w separates the body from box i. */
static double way_of_box(const way_body *b, const way_solid *s, uint32_t i, vp_real3 p, vp_real3 w)
{
    double most = support(&b->turned, real_minus(w)) - vp_real3_dot(w, p);
    for (int a = 0; a < 3; a++)
        most += real_of_axis(w, a) * (real_of_axis(w, a) > 0.0 ? s->high[i][a] : s->low[i][a]);
    return most;
}

/* A way along w after which the body is out of the solid. It is at least the shortest such way, and equal to it if a side of a
 * box faces w. */
static double way_along(const way_body *b, const way_solid *s, vp_real3 p, vp_real3 w)
{
    double t = 0.0, before;
    do {
        before = t;
        for (uint32_t i = 0; i < s->count; i++)
            if (way_overlaps(b, s, i, vp_real3_plus(p, w, before)))
                t = fmax(t, way_of_box(b, s, i, p, w));
    } while (t > before + 1e-9);
    return t;
}

/* ---- solids of blocks, as boxes and as the triangles that the library makes of them ---- */

typedef enum solid_kind { PLATFORM, ROW, BANK, STAIRS, PILLARS, RANDOM, CRATE } solid_kind;
/* The source of the triangles. BLOCKS = vp_collide_blocks. MASKED = vp_collide_box_triangles of each block with a mask. ONE_BOX =
   vp_collide_box_triangles of the whole. MESH = a connected mesh with a random point in each side. */
typedef enum solid_form { BLOCKS, MASKED, ONE_BOX, MESH } solid_form;

enum { SOLID_REACH = 6, SOLID_SIDE = 2 * SOLID_REACH, SOLID_ROOM = 8192 };

static bool solid_done[SOLID_SIDE][SOLID_SIDE][SOLID_SIDE];
static way_solid boxes;

static bool solid_has(solid_kind s, int x, int y, int z, vp_random *r)
{
    switch (s) {
    case PLATFORM:
        return x >= -4 && x < 4 && y >= -4 && y < 0 && z >= -4 && z < 4;
    case ROW:
        return x >= -1 && x < 2 && y == -1 && z == 0;
    case BANK:
        return y < -1 || (y < 0 && x < 0);
    case STAIRS:
        return y < x;
    case PILLARS:
        return y < -2 || (y < 0 && (x + 30) % 3 == 0 && (z + 30) % 3 == 0);
    default:
        return x >= -3 && x < 3 && y >= -3 && y < 3 && z >= -3 && z < 3 && vp_random_below(r, 2) == 0;
    }
}

/* Whether all cells are filled and not in a box yet. */
static bool solid_is_open(const int low[3], const int high[3], bool mark)
{
    bool open = true;
    for (int x = low[0]; x < high[0]; x++)
        for (int y = low[1]; y < high[1]; y++)
            for (int z = low[2]; z < high[2]; z++) {
                open = open && is_solid(x, y, z) && !solid_done[x + SOLID_REACH][y + SOLID_REACH][z + SOLID_REACH];
                if (mark)
                    solid_done[x + SOLID_REACH][y + SOLID_REACH][z + SOLID_REACH] = true;
            }
    return open;
}

/* The largest box whose lowest cell is this one. */
static void solid_add_box(int x, int y, int z)
{
    int low[3] = {x, y, z}, high[3] = {x + 1, y + 1, z + 1};
    for (int a = 0; a < 3; a++) {
        int from[3] = {low[0], low[1], low[2]};
        do
            from[a] = high[a]++;
        while (solid_is_open(from, high, false));
        high[a]--;
    }
    solid_is_open(low, high, true);
    assert_true(boxes.count < WAY_BOXES);
    for (int a = 0; a < 3; a++) {
        boxes.low[boxes.count][a] = low[a];
        boxes.high[boxes.count][a] = high[a];
    }
    boxes.count++;
}

static void fill(solid_kind s, uint64_t seed)
{
    vp_random r = {seed};
    clear_blocks();
    memset(solid_done, 0, sizeof solid_done);
    boxes.count = 0;
    if (s == CRATE) {
        boxes = (way_solid){.low = {{-0.40625, -0.625, -0.5}}, .high = {{0.40625, 0.0, 0.5}}, .count = 1};
        return;
    }
    for (int y = -SOLID_REACH; y < SOLID_REACH; y++)
        for (int z = -SOLID_REACH; z < SOLID_REACH; z++)
            for (int x = -SOLID_REACH; x < SOLID_REACH; x++)
                *cell_at(x, y, z) = solid_has(s, x, y, z, &r);
    for (int x = -SOLID_REACH; x < SOLID_REACH; x++)
        for (int y = -SOLID_REACH; y < SOLID_REACH; y++)
            for (int z = -SOLID_REACH; z < SOLID_REACH; z++)
                if (solid_is_open((int[3]){x, y, z}, (int[3]){x + 1, y + 1, z + 1}, false))
                    solid_add_box(x, y, z);
}

/* ---- triangles ---- */

static uint32_t gather_one_box(vp_collide_triangle *out)
{
    vp_aabb own;
    assert_int_equal(boxes.count, 1);
    for (int a = 0; a < 3; a++) {
        (&own.min.x)[a] = (float)boxes.low[0][a];
        (&own.max.x)[a] = (float)boxes.high[0][a];
    }
    return vp_collide_box_triangles(&own, VP_SIDES_ALL, 0, out);
}

/* Splits each side of a block into four triangles around a point. */
static uint32_t gather_mesh(const vp_collide_triangle *side, uint32_t count, vp_random *r, vp_collide_triangle *out)
{
    static uint32_t words[VP_COLLIDE_CONNECT_WORDS(SOLID_ROOM)];
    uint32_t made = 0;
    assert_true(2 * count <= SOLID_ROOM);
    for (uint32_t i = 0; i < count; i += 2) {
        const vp_vec3 p[4] = {side[i].corner[0], side[i].corner[1], side[i].corner[2], side[i + 1].corner[2]};
        const vp_vec3 a = vp_vec3_scale(vp_vec3_sub(p[1], p[0]), vp_random_between(r, 0.1f, 0.9f)),
                      b = vp_vec3_scale(vp_vec3_sub(p[3], p[0]), vp_random_between(r, 0.1f, 0.9f)),
                      middle = vp_vec3_add(p[0], vp_vec3_add(a, b));
        for (int k = 0; k < 4; k++) {
            const vp_vec3 corner[3] = {p[k], p[(k + 1) % 4], middle};
            out[made] = vp_collide_triangle_of(corner, made);
            made++;
        }
    }
    assert_ok(vp_collide_connect(out, made, words, &error));
    return made;
}

/* The surface of the solid near a box. */
static uint32_t gather(solid_form f, const vp_aabb *box, vp_random *r, vp_collide_triangle *out)
{
    static vp_collide_triangle side[SOLID_ROOM];
    uint32_t count;
    if (f == MASKED)
        return gather_block_boxes(box, out);
    if (f == ONE_BOX)
        return gather_one_box(out);
    assert_ok(vp_collide_blocks(&view, box, f == BLOCKS ? out : side, SOLID_ROOM, &count, &error));
    assert_true(count <= SOLID_ROOM);
    return f == BLOCKS ? count : gather_mesh(side, count, r, out);
}

static vp_body_shape bodies[SHAPES]; /* the last one is a cube */
static vp_manifold_scratch scratch = {NULL, SOLID_ROOM, 0};
static const float deeps[DEEPS] = {0.0f, 0.0005f, 0.005f, 0.02f, 0.05f, 0.1f, 0.2f}, margins[MARGINS] = {0.0f, 0.02f, 0.1f};

/* ---- places ---- */

typedef struct push_family {
    const char *name;
    solid_kind solid;
    solid_form form;
    vp_vec3 low, high; /* the body's middle starts between them, inside the solid, and leaves along `way` */
    vp_real3 way;
    bool flush;  /* upright, with sides in the planes of block sides */
    bool stands; /* half of them stand on the ground next to the bank */
} push_family;

typedef struct push_place {
    way_body body;
    vp_pose pose;
    vp_real3 at, way;
    double deep; /* the overlap, after it left along `way` */
    bool flat;   /* a box's side is perpendicular to the way */
} push_place;

static void turn(push_place *p, const vp_collide_shape *shape, uint32_t how, vp_random *r)
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
static double reach_along(const push_place *p, vp_real3 w)
{
    return support(&p->body.turned, w);
}

/* @return false if it does not start in the solid, or does not get out */
static bool go_out(push_place *p, vp_real3 from, double deep)
{
    double in = 0.0, out = 8.0;
    if (!way_overlaps_any(&p->body, &boxes, from) || way_overlaps_any(&p->body, &boxes, vp_real3_plus(from, p->way, out)))
        return false;
    for (int k = 0; k < 40; k++) {
        const double middle = (in + out) / 2.0;
        if (way_overlaps_any(&p->body, &boxes, vp_real3_plus(from, p->way, middle)))
            in = middle;
        else
            out = middle;
    }
    const vp_real3 at = vp_real3_plus(from, p->way, out - deep);
    p->pose.position = (vp_vec3){(float)at.x, (float)at.y, (float)at.z};
    p->at = vp_real3_of(p->pose.position);
    p->deep = deep;
    return true;
}

static bool choose_place(push_place *p, const push_family *f, const vp_collide_shape *shape, vp_random *r)
{
    p->way = f->way;
    turn(p, shape, f->flush ? 0 : vp_random_below(r, 3), r);
    vp_real3 from = {(double)vp_random_between(r, f->low.x, f->high.x), (double)vp_random_between(r, f->low.y, f->high.y),
                     (double)vp_random_between(r, f->low.z, f->high.z)};
    const vp_real3 left = {-1.0, 0.0, 0.0}, front = {0.0, 0.0, -1.0}, down = {0.0, -1.0, 0.0};
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

typedef struct push_tally {
    uint32_t places, contacts, longer; /* longer = deeper than the way out */
} push_tally;

/* The shortest way out of the solid along the world's axes and the body's own.
   @param beside out: the shortest such way out of one of its boxes, except along the place's way */
static double overlap_of(const push_place *p, double *beside)
{
    double least = p->deep;
    *beside = INFINITY;
    for (int k = 0; k < 12; k++) {
        const double sign = k % 2 == 0 ? 1.0 : -1.0;
        const int a = k / 2 % 3;
        const vp_real3 row = vp_real3_of(p->body.frame.row[a]), own = {sign * row.x, sign * row.y, sign * row.z},
                       axis = {sign * (a == 0), sign * (a == 1), sign * (a == 2)}, w = k < 6 ? axis : own;
        least = fmin(least, way_along(&p->body, &boxes, p->at, w));
        for (uint32_t i = 0; i < boxes.count && vp_real3_dot(w, p->way) < 0.999; i++)
            if (way_overlaps(&p->body, &boxes, i, p->at))
                *beside = fmin(*beside, way_of_box(&p->body, &boxes, i, p->at, w));
    }
    return least;
}

/* Checks one contact. */
static void judge_depth(const push_place *p, double overlap, float distance, vp_vec3 normal, double rounding, push_tally *t)
{
    const double deep = -(double)distance;
    if (deep <= rounding)
        return;
    t->contacts++;
    t->longer += deep > overlap + rounding;
    assert_true(deep <= 1.5 * overlap + rounding);
    assert_true(deep <= way_along(&p->body, &boxes, p->at, vp_real3_of(normal)) + rounding);
}

static void judge_place(const push_place *p, solid_form f, float apart, vp_random *r, push_tally *t)
{
    static vp_collide_triangle list[SOLID_ROOM];
    static vp_collide_result raw[SOLID_ROOM], answer[SOLID_ROOM];
    const vp_collide_shape *shape = p->body.shape;
    const vp_manifold_def def = {.margin = apart};
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
            const double along = vp_real3_dot(p->way, vp_real3_of(q->normal)), deep = -(double)q->distance;
            kept = fmax(kept, deep);
            is_there = is_there || (along > 0.9962 && deep >= overlap - slack);
            judge_depth(p, overlap, q->distance, q->normal, CUT_ROUNDING, t);
        }
    t->places++;
    assert_true(deepest <= corrected + ROUNDING && deepest <= kept + slack + ROUNDING); /* none is lost */
    assert_true(is_there || !(p->flat && p->deep > ROUNDING && 2.0 * p->deep < beside));
}

/* ---- families ---- */

static const push_family families[] = {
    {"rims, blocks", PLATFORM, BLOCKS, {3, -0.5f, 2}, {5, -0.5f, 5}, {0, 1, 0}, 0, 0},
    {"rims, boxes with masks", PLATFORM, MASKED, {3, -0.5f, 2}, {5, -0.5f, 5}, {0, 1, 0}, 0, 0},
    {"rims, one box", PLATFORM, ONE_BOX, {3, -0.5f, 2}, {5, -0.5f, 5}, {0, 1, 0}, 0, 0},
    {"rims, mesh", PLATFORM, MESH, {3, -0.5f, 2}, {5, -0.5f, 5}, {0, 1, 0}, 0, 0},
    {"rims, flush, blocks", PLATFORM, BLOCKS, {3, -0.5f, 2}, {5, -0.5f, 5}, {0, 1, 0}, 1, 0},
    {"rims, flush, one box", PLATFORM, ONE_BOX, {3, -0.5f, 2}, {5, -0.5f, 5}, {0, 1, 0}, 1, 0},
    {"sides, blocks", PLATFORM, BLOCKS, {3.5f, -1.5f, -1}, {3.5f, 0.3f, 4.4f}, {1, 0, 0}, 0, 0},
    {"sides, one box", PLATFORM, ONE_BOX, {3.5f, -1.5f, -1}, {3.5f, 0.3f, 4.4f}, {1, 0, 0}, 0, 0},
    {"sides, flush, mesh", PLATFORM, MESH, {3.5f, -1.5f, -1}, {3.5f, 0.3f, 4.4f}, {1, 0, 0}, 1, 0},
    {"row, blocks", ROW, BLOCKS, {-1.4f, -0.5f, -0.4f}, {2.4f, -0.5f, 1.4f}, {0, 1, 0}, 0, 0},
    {"row, boxes with masks", ROW, MASKED, {-1.4f, -0.5f, -0.4f}, {2.4f, -0.5f, 1.4f}, {0, 1, 0}, 0, 0},
    {"row, one box", ROW, ONE_BOX, {-1.4f, -0.5f, -0.4f}, {2.4f, -0.5f, 1.4f}, {0, 1, 0}, 0, 0},
    {"row, flush, blocks", ROW, BLOCKS, {-1.4f, -0.5f, -0.4f}, {2.4f, -0.5f, 1.4f}, {0, 1, 0}, 1, 0},
    {"row, flush, masks", ROW, MASKED, {-1.4f, -0.5f, -0.4f}, {2.4f, -0.5f, 1.4f}, {0, 1, 0}, 1, 0},
    {"row, flush, one box", ROW, ONE_BOX, {-1.4f, -0.5f, -0.4f}, {2.4f, -0.5f, 1.4f}, {0, 1, 0}, 1, 0},
    {"box on box", CRATE, ONE_BOX, {-0.7f, -0.3f, -0.8f}, {0.7f, -0.3f, 0.8f}, {0, 1, 0}, 0, 0},
    {"box on box, flush", CRATE, ONE_BOX, {-0.8f, -0.3f, -0.9f}, {0.8f, -0.3f, 0.9f}, {0, 1, 0}, 1, 0},
    {"bank, over it", BANK, BLOCKS, {-0.6f, -0.5f, -2}, {0.6f, -0.5f, 2}, {0, 1, 0}, 0, 0},
    {"bank, against it", BANK, BLOCKS, {-0.5f, -1, -2}, {-0.5f, 0.6f, 2}, {1, 0, 0}, 0, 1},
    {"bank, against it, flush", BANK, BLOCKS, {-0.5f, -1, -2}, {-0.5f, 0.6f, 2}, {1, 0, 0}, 1, 1},
    {"bank, against it, mesh", BANK, MESH, {-0.5f, -1, -2}, {-0.5f, 0.6f, 2}, {1, 0, 0}, 0, 1},
    {"stairs, down", STAIRS, BLOCKS, {-1, -3, -1}, {2, -3, 1}, {0, 1, 0}, 0, 0},
    {"stairs, flush", STAIRS, BLOCKS, {-1, -3, -1}, {2, -3, 1}, {0, 1, 0}, 1, 0},
    {"stairs, along", STAIRS, BLOCKS, {3, -1, -1}, {3, 1, 1}, {-1, 0, 0}, 0, 0},
    {"stairs, mesh", STAIRS, MESH, {-1, -3, -1}, {2, -3, 1}, {0, 1, 0}, 0, 0},
    {"pillars", PILLARS, BLOCKS, {-2, -2.5f, -2}, {2, -2.5f, 2}, {0, 1, 0}, 0, 0},
    {"random blocks", RANDOM, BLOCKS, {-2, -2, -2}, {2, 2, 2}, {0, 1, 0}, 0, 0},
};

/* docs/CONTRACT.md: COR-2, COR-3, MAN-2, BTR-2 */
TEST(solids)
{
    static push_place p;
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        for (int b = 0; b < SHAPES; b++) {
            const push_family *f = &families[k];
            vp_random r = {k * 16 + (uint64_t)b};
            push_tally t = {0};
            for (uint32_t i = 0; t.places < places / SHAPES; i++) {
                if (i == 0 || (f->solid == RANDOM && i % 32 == 0))
                    fill(f->solid, i + k);
                if (choose_place(&p, f, &bodies[b].shape, &r))
                    judge_place(&p, f->form, margins[i % MARGINS], &r, &t);
            }
            if (t.longer > t.contacts / 2000)
                fail_msg("%s, body %d: %u of %u contacts are longer than the way out", f->name, b, t.longer, t.contacts);
        }
}

static int begin(void **state)
{
    (void)state;
    for (int b = 0; b < VP_BODIES; b++)
        assert_ok(vp_body_shape_create((vp_body_kind)b, 1.0f, NULL, &bodies[b], &error));
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

int main(void)
{
    return test_run_all(begin, end);
}
