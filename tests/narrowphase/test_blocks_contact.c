/* SPDX-License-Identifier: MIT */
/* Shapes against blocks. The oracle looks only at the cells around a place, for the surface there and for the normals that may push. */
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/narrowphase.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "tests/narrowphase/block_scene.h"

enum { POSITIONS = IS_THIN ? 40 : 420 };

enum { ROOM = 16384, WORLDS = 8 };

/* ---- worlds ---- */

/* A floor, a wall, a corner, stairs, pillars, diagonals, a pit, and random blocks. */
static vp_block block_of(int kind, int x, int y, int z, vp_random *r)
{
    const bool ground = y < 0;
    switch (kind) {
    case 1:
        return ground || x >= 2;
    case 2:
        return ground || x >= 1 || z < -1;
    case 3:
        return y < x;
    case 4:
        return ground || (y < 3 && (x + 30) % 3 == 0 && (z + 30) % 3 == 0);
    case 5: /* blocks that share only edges and corners */
        return (x + y + z) % 2 == 0 ? 2 : 3;
    case 6:
        return ground && !(x >= -1 && x < 1 && z >= -1 && z < 1 && y >= -2);
    case 7:
        return (vp_block)vp_random_below(r, 4);
    default:
        return ground;
    }
}

static void fill(int kind)
{
    vp_random r = {(uint64_t)kind};
    clear_blocks();
    for (int y = -6; y < 6; y++)
        for (int z = -6; z < 6; z++)
            for (int x = -6; x < 6; x++)
                *cell_at(x, y, z) = (uint8_t)block_of(kind, x, y, z, &r);
}

static bool is_solid_at(const int at[3])
{
    return is_solid(at[0], at[1], at[2]);
}

/* Whether a contact at q may push along n. The place is on a side, an edge or a corner of the surface. All solid cells around that part
 * must be below the plane through it with normal n, up to `slack` (a sine). */
static bool may_push(const double q[3], const double n[3], double slack)
{
    static const double near = 1e-3;
    int round[3];
    bool on[3];
    for (int a = 0; a < 3; a++) {
        round[a] = (int)floor(q[a] + 0.5);
        on[a] = fabs(q[a] - round[a]) <= near;
    }
    for (int fixed = 1; fixed < 8; fixed++)
        for (int beside = 0; beside < 8; beside++) { /* along an axis that isn't fixed, q between two cells may be in either */
            bool fits = true, solid = false, air = false;
            for (int a = 0; a < 3; a++) {
                const bool is_fixed = fixed >> a & 1;
                fits = fits && (!is_fixed || on[a]) && (is_fixed || fabs(n[a]) <= slack) && (!(beside >> a & 1) || (!is_fixed && on[a]));
            }
            for (int i = 0; i < 8 && fits; i++) {
                int at[3];
                bool behind = true;
                if (i & ~fixed)
                    continue;
                for (int a = 0; a < 3; a++) {
                    at[a] = fixed >> a & 1 ? round[a] - 1 + (i >> a & 1) : on[a] ? round[a] - 1 + (beside >> a & 1) : (int)floor(q[a]);
                    behind = behind && (!(fixed >> a & 1) || (i >> a & 1 ? n[a] : -n[a]) <= slack);
                }
                solid = solid || is_solid_at(at);
                air = air || !is_solid_at(at);
                fits = behind || !is_solid_at(at);
            }
            if (fits && solid && air)
                return true;
        }
    return false;
}

/* ---- the surface ---- */

static vp_collide_triangle triangles[ROOM];

static void get(vp_vec3 v, double out[3])
{
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z;
}

/* Checks an edge's flag against the cells around it. Its middle is moved a little along the triangle and off it, to both sides. */
static void check_edge(const vp_collide_triangle *t, int k)
{
    double a[3], b[3], c[3], n[3], inward[3], beside[3];
    int across[3], beyond[3], solid[2];
    get(t->corner[k], a), get(t->corner[(k + 1) % 3], b), get(t->corner[(k + 2) % 3], c), get(t->normal, n),
        get(t->neighbour_normal[k], beside);
    int axes = 0;
    for (int i = 0; i < 3; i++)
        axes += a[i] != b[i];
    if (axes == 2) { /* the diagonal */
        assert_int_equal(vp_edge_of(t->flags, (uint32_t)k), VP_EDGE_FLAT);
        assert_true(t->neighbour_normal[k].x == t->normal.x && t->neighbour_normal[k].y == t->normal.y &&
                    t->neighbour_normal[k].z == t->normal.z);
        return;
    }
    for (int i = 0; i < 3; i++) {
        const double middle = 0.5 * (a[i] + b[i]);
        inward[i] = a[i] == b[i] ? c[i] - a[i] : 0.0; /* unit length */
        across[i] = (int)floor(middle - 0.5 * inward[i] + 0.5 * n[i]);
        beyond[i] = (int)floor(middle - 0.5 * inward[i] - 0.5 * n[i]);
    }
    solid[0] = is_solid_at(across), solid[1] = is_solid_at(beyond);
    const vp_edge want = solid[0] ? VP_EDGE_CONCAVE : solid[1] ? VP_EDGE_FLAT : VP_EDGE_CONVEX;
    assert_int_equal(vp_edge_of(t->flags, (uint32_t)k), want);
    for (int i = 0; i < 3; i++)
        assert_true(beside[i] == (want == VP_EDGE_CONCAVE ? inward[i] : want == VP_EDGE_FLAT ? n[i] : -inward[i]));
}

static uint32_t check_surface(const vp_aabb *box)
{
    uint32_t count = 0, want = 0;
    const double low[3] = {(double)box->min.x, (double)box->min.y, (double)box->min.z},
                 high[3] = {(double)box->max.x, (double)box->max.y, (double)box->max.z};
    assert_ok(vp_collide_blocks(&view, box, triangles, ROOM, &count, &error));
    assert_true(count <= ROOM);
    for (int y = -7; y < 7; y++)
        for (int z = -7; z < 7; z++)
            for (int x = -7; x < 7; x++) {
                const int at[3] = {x, y, z};
                if (!is_solid_at(at) || x > high[0] || y > high[1] || z > high[2] || x + 1 < low[0] || y + 1 < low[1] || z + 1 < low[2])
                    continue;
                for (int s = 0; s < 6; s++) {
                    int before[3] = {x, y, z};
                    before[s / 2] += s % 2 == 0 ? -1 : 1;
                    want += is_solid_at(before) ? 0 : 2;
                }
            }
    assert_int_equal(count, want);
    for (uint32_t i = 0; i < count; i++) {
        const vp_collide_triangle *t = &triangles[i];
        const vp_collide_triangle computed = vp_collide_triangle_of(t->corner, 0);
        double n[3], middle[3], corner[3][3];
        int inside[3], outside[3];
        assert_memory_equal(&computed.normal, &t->normal, sizeof t->normal);
        if (i > 0) /* no triangle twice */
            assert_true(t->id.chunk > t[-1].id.chunk || (t->id.chunk == t[-1].id.chunk && t->id.triangle > t[-1].id.triangle));
        get(t->normal, n);
        for (int k = 0; k < 3; k++)
            get(t->corner[k], corner[k]);
        for (int a = 0; a < 3; a++) {
            middle[a] = (corner[0][a] + corner[1][a] + corner[2][a]) / 3.0;
            inside[a] = (int)floor(middle[a] - 0.5 * n[a]);
            outside[a] = (int)floor(middle[a] + 0.5 * n[a]);
        }
        assert_true(is_solid_at(inside) && !is_solid_at(outside));
        const uint32_t cell = t->id.triangle / 12;
        for (int a = 0; a < 3; a++) /* the number names the block */
            assert_int_equal(cell >> (a == 0 ? 0 : a == 1 ? 10 : 5) & 31u, inside[a] & 31);
        assert_int_equal(t->id.chunk, chunk_of(inside[0], inside[1], inside[2]));
        assert_int_equal(t->material, cells[t->id.chunk][cell]);
        for (int k = 0; k < 3; k++)
            check_edge(t, k);
    }
    return count;
}

/* docs/CONTRACT.md: BTR-1 */
TEST(test_surface)
{
    static const vp_aabb boxes[] = {{{-40.0f, -40.0f, -40.0f}, {40.0f, 40.0f, 40.0f}},
                                    {{-3.0f, -2.5f, -2.0f}, {2.25f, 1.0f, 1.5f}},
                                    {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}},
                                    {{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}},
                                    {{33.0f, 0.0f, 0.0f}, {1e7f, 1.0f, 1.0f}}};
    for (int w = 0; w < WORLDS; w++) {
        fill(w);
        assert_true(check_surface(&boxes[0]) > 0);
        for (int b = 1; b < 5; b++)
            check_surface(&boxes[b]);
    }
}

TEST(test_limits)
{
    static const vp_aabb all = {{-40.0f, -40.0f, -40.0f}, {40.0f, 40.0f, 40.0f}};
    static vp_collide_triangle few[ROOM];
    uint32_t count = 0, again = 7;
    fill(4);
    assert_ok(vp_collide_blocks(&view, &all, triangles, ROOM, &count, &error));
    for (uint32_t capacity = 0; capacity < 6; capacity++) {
        memset(few, 0xa5, sizeof few);
        assert_ok(vp_collide_blocks(&view, &all, few, capacity, &again, &error));
        assert_int_equal(again, count);
        assert_memory_equal(few, triangles, capacity * sizeof few[0]);
        for (size_t i = capacity * sizeof few[0]; i < sizeof few; i++)
            assert_int_equal(((const uint8_t *)few)[i], 0xa5);
    }
    assert_ok(vp_collide_blocks(&view, &all, NULL, 0, &again, &error));
    /* In binary32 a block that begins there has no other side. */
    const vp_aabb end = {{VP_COLLIDE_BLOCK_REACH - 2.0f, 0.0f, 0.0f}, {VP_COLLIDE_BLOCK_REACH, 1.0f, 1.0f}};
    const vp_aabb bad = {{0, 2, 0}, {1, 1, 1}}, nan = {{0, 0, NAN}, {1, 1, 1}}, far = {{0, 0, 0}, {1, 1, 16777218.0f}};
    assert_refused(vp_collide_blocks(&view, &bad, few, ROOM, &again, &error), VP_E_ARGUMENT, "box.min.y is 2 and box.max.y is 1");
    assert_refused(vp_collide_blocks(&view, &nan, few, ROOM, &again, &error), VP_E_ARGUMENT, "box.min.z is nan and box.max.z is 1");
    assert_refused(vp_collide_blocks(&view, &far, few, ROOM, &again, &error), VP_E_ARGUMENT, "box goes from 0 to 16777218 along z");
    assert_refused(vp_collide_blocks(&view, &end, few, ROOM, &again, &error), VP_E_ARGUMENT, "16777216 along x");
    assert_refused(vp_collide_blocks(NULL, &all, few, ROOM, &again, &error), VP_E_ARGUMENT, "view");
    assert_refused(vp_collide_blocks(&view, NULL, few, ROOM, &again, &error), VP_E_ARGUMENT, "box");
    assert_refused(vp_collide_blocks(&view, &all, few, ROOM, NULL, &error), VP_E_ARGUMENT, "count");
    assert_refused(vp_collide_blocks(&view, &all, NULL, 1, &again, &error), VP_E_ARGUMENT, "out is NULL, capacity is 1");
    assert_int_equal(again, count);
}

/* A single block with any of its neighbours. Its mask gives the same triangles as the cells. */
TEST(test_box)
{
    static const vp_aabb unit = {{0, 0, 0}, {1, 1, 1}};
    for (uint32_t sides = 0; sides < 64; sides++) {
        vp_collide_triangle out[VP_COLLIDE_BOX_TRIANGLES];
        uint32_t count = 0, matched = 0;
        clear_blocks();
        *cell_at(0, 0, 0) = 1;
        for (int s = 0; s < 6; s++) {
            int at[3] = {0, 0, 0};
            at[s / 2] += s % 2 == 0 ? -1 : 1;
            if (!(sides >> s & 1u))
                *cell_at(at[0], at[1], at[2]) = 1;
        }
        assert_ok(vp_collide_blocks(&view, &(vp_aabb){{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}}, triangles, ROOM, &count, &error));
        assert_int_equal(vp_collide_box_triangles(&unit, sides | 0xffffffc0u, 5, out), count);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(out[i].id.chunk, VP_COLLIDE_NO_CHUNK);
            assert_int_equal(out[i].id.triangle, 5 + i);
            assert_memory_equal(out[i].corner, triangles[i].corner, sizeof out[i].corner);
            assert_memory_equal(&out[i].normal, &triangles[i].normal, sizeof out[i].normal);
            assert_int_equal(out[i].flags, triangles[i].flags);
            assert_memory_equal(out[i].neighbour_normal, triangles[i].neighbour_normal, sizeof out[i].neighbour_normal);
            matched++;
        }
        assert_int_equal(matched, 2u * (uint32_t)((sides & 1) + (sides >> 1 & 1) + (sides >> 2 & 1) + (sides >> 3 & 1) + (sides >> 4 & 1) +
                                                  (sides >> 5 & 1)));
    }
    vp_collide_triangle out[VP_COLLIDE_BOX_TRIANGLES];
    assert_int_equal(vp_collide_box_triangles(&(vp_aabb){{0, 0, 0}, {1, NAN, 1}}, 63, 0, out), 0);
    assert_int_equal(vp_collide_box_triangles(&(vp_aabb){{0, 0, 0}, {1, INFINITY, 1}}, 63, 0, out), 0);
    assert_int_equal(vp_collide_box_triangles(&(vp_aabb){{0, 2, 0}, {1, 1, 1}}, 63, 0, out), 0);
    assert_int_equal(vp_collide_box_triangles(&(vp_aabb){{0, 1, 0}, {1, 1, 1}}, 63, 0, out), 12); /* a flat box */
    for (int i = 0; i < 12; i++) {
        const vp_collide_triangle computed = vp_collide_triangle_of(out[i].corner, 0);
        assert_true(computed.normal.x == out[i].normal.x && computed.normal.y == out[i].normal.y && computed.normal.z == out[i].normal.z);
    }
}

/* ---- shapes on the surface ---- */

static vp_body_shape bodies[2][VP_BODIES]; /* [size] */

static int make_bodies(void **state)
{
    (void)state;
    for (int b = 0; b < 2 * VP_BODIES; b++)
        assert_ok(vp_body_shape_create((vp_body_kind)(b % VP_BODIES), b < VP_BODIES ? 0.5f : 1.5f, NULL,
                                       &bodies[b / VP_BODIES][b % VP_BODIES], &error));
    return 0;
}

static int free_bodies(void **state)
{
    (void)state;
    for (int b = 0; b < 2 * VP_BODIES; b++)
        vp_body_shape_destroy(&bodies[b / VP_BODIES][b % VP_BODIES]);
    return 0;
}

/* A pose in which a shape overlaps a side of the world by `deep` along the side's normal. It is upright or turned, anywhere
 * on the side. */
static vp_pose on_surface(vp_random *r, const vp_collide_shape *shape, const vp_collide_triangle *t, float deep)
{
    vp_pose_place place = {.normal = t->normal, .rotation = {0, 0, 0, 1}, .gap = -deep};
    float w[2] = {vp_random_unit(r), vp_random_unit(r)};
    if (vp_random_below(r, 3) != 0)
        vp_random_rotation(r, place.rotation);
    if (w[0] + w[1] > 1.0f)
        w[0] = 1.0f - w[0], w[1] = 1.0f - w[1];
    place.point = vp_vec3_add(t->corner[0], vp_vec3_add(vp_vec3_scale(vp_vec3_sub(t->corner[1], t->corner[0]), w[0]),
                                                        vp_vec3_scale(vp_vec3_sub(t->corner[2], t->corner[0]), w[1])));
    return vp_pose_of(shape, &place);
}

/* ---- checks ---- */

typedef struct contact_counts {
    uint32_t contacts, elsewhere, wrong, lost;
} contact_counts;

static vp_collide_triangle near_by[ROOM];
static vp_collide_result answers[ROOM];

/* A deep shape may meet a triangle at a ridge and, pushed along an allowed normal, leave it last at another place. The normal then
 * belongs to an edge or corner of that triangle which the shape overlaps too. */
static bool may_push_elsewhere(const vp_collide_shape *shape, const vp_pose *pose, const vp_collide_triangle *t, const double n[3],
                               double slack)
{
    for (int i = 0; i < 6; i++) {
        const vp_vec3 from = t->corner[i % 3], to = t->corner[i < 3 ? (i + 1) % 3 : i % 3], corner[3] = {from, to, to};
        const vp_collide_triangle part = vp_collide_triangle_of(corner, 0);
        const double middle[3] = {0.5 * ((double)from.x + (double)to.x), 0.5 * ((double)from.y + (double)to.y),
                                  0.5 * ((double)from.z + (double)to.z)};
        vp_collide_result answer;
        assert_ok(vp_collide_triangles(NULL, shape, pose, 0.0f, &part, 1, &answer, &error));
        if (answer.distance < 0.0f && may_push(middle, n, slack))
            return true;
    }
    return false;
}

static void judge(const vp_collide_shape *shape, const vp_pose *pose, uint32_t count, contact_counts *out)
{
    static const double slack = 0.0348995; /* the sine of 2 degrees */
    bool touched = false, reported = false;
    assert_true(count <= ROOM);
    assert_ok(vp_collide_triangles(NULL, shape, pose, 0.0f, near_by, count, answers, &error));
    for (uint32_t i = 0; i < count; i++)
        touched = touched || answers[i].distance < -0.001f;
    assert_ok(vp_collide_correct(NULL, shape, pose, 0.0f, near_by, count, answers, &error));
    for (uint32_t i = 0; i < count; i++) {
        double q[3], n[3], at[3];
        if (!(answers[i].distance < 0.0f))
            continue;
        get(answers[i].on_triangle, q), get(answers[i].normal, n), get(pose->position, at);
        for (int a = 0; a < 3; a++)
            q[a] += at[a];
        out->contacts++;
        if (!may_push(q, n, slack)) {
            const bool elsewhere = may_push_elsewhere(shape, pose, &near_by[i], n, slack);
            out->elsewhere += elsewhere;
            out->wrong += !elsewhere;
        }
        reported = true;
    }
    out->lost += touched && !reported;
}

/* docs/CONTRACT.md: BTR-2. Every contact pushes along a normal that the surface allows there. No overlapping shape loses
 * all its contacts. */
TEST(test_contacts)
{
    static const vp_aabb all = {{-5, -5, -5}, {5, 5, 5}};
    static const float parts[] = {0.02f, 0.2f, 0.5f}; /* parts of the shape's size */
    contact_counts of[2] = {{0}};                     /* by vp_collide_blocks, and by boxes of one block with masks */
    vp_random r = {77};
    for (int w = 0; w < WORLDS; w++) {
        uint32_t count = 0;
        fill(w);
        assert_ok(vp_collide_blocks(&view, &all, triangles, ROOM, &count, &error));
        for (int i = 0; i < POSITIONS * 3; i++) {
            const vp_collide_shape shape = bodies[i / VP_BODIES % 2][i % VP_BODIES].shape;
            const float deep = parts[i / VP_BODIES % 3] * vp_collide_radius(&shape) * vp_random_between(&r, 0.5f, 1.0f);
            const vp_pose pose = on_surface(&r, &shape, &triangles[vp_random_below(&r, count)], deep);
            vp_aabb box;
            uint32_t few = 0;
            assert_ok(vp_collide_bounds(&shape, &pose, 0.0f, &box, &error));
            assert_ok(vp_collide_blocks(&view, &box, near_by, ROOM, &few, &error));
            judge(&shape, &pose, few, &of[0]);
            if (w != 5 && w != 7) /* masks do not cover blocks that share only an edge */
                judge(&shape, &pose, gather_block_boxes(&box, near_by), &of[1]);
        }
    }
    assert_true(of[0].contacts > 1000 && of[0].elsewhere <= of[0].contacts / 1000);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(of[k].wrong, 0);
        assert_int_equal(of[k].lost, 0);
    }
}

int main(void)
{
    return test_run_all(make_bodies, free_bodies);
}
