/* SPDX-License-Identifier: MIT */
/* Compounds. One part has the results of the shape alone, and a box in two halves those of the box. Many parts agree with the manifolds
 * of each part. docs/CONTRACT.md: CPD-1, CPD-2, CPD-3, CPD-4, CPD-5, CPD-6 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "tests/narrowphase/manifold_scene.h"
#include "tests/support/check.h"

enum { PARTS = 4, DIRECTIONS = VP_MANIFOLD_DIRECTIONS, MANY = 64 };

static const vp_manifold_def whole = {.margin = 0.02f};
static vp_manifold_scratch spare = {NULL, VP_MANIFOLD_MIN_TRIANGLES, 0};

static uint8_t cells[VP_BLOCK_CELLS];
static vp_block_cells chunk = {.cell = cells, .width = 1};
static const vp_block_type types[] = {{0, 0}, {VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE, 0}};
static const vp_block_view view = {.chunk = &chunk, .size = {1, 1, 1}, .type = types, .type_count = 2};

/* ---- grounds and bodies ---- */

typedef enum ground_kind { ON_TERRAIN, ON_BLOCKS, ON_MESH, GROUNDS } ground_kind;

typedef struct compound_scene {
    manifold_world scene;
    vp_collide_triangle mesh[2 * 16 * 16];
} compound_scene;

/* A terrain and a grid of triangles over hills, and blocks with heights from 7 to 9. */
static void open_place(compound_scene *p)
{
    uint32_t count = 0, words[VP_COLLIDE_CONNECT_WORDS(512)];
    for (int z = 0; z < 16; z++)
        for (int x = 0; x < 16; x++) {
            vp_vec3 c[4];
            for (int k = 0; k < 4; k++) {
                const double at[2] = {2.5 * (x + (k & 1)), 2.5 * (z + (k >> 1))};
                c[k] = (vp_vec3){(float)at[0], (float)(8.0 + sin(at[0]) + sin(at[1] * 0.7)), (float)at[1]};
            }
            const vp_vec3 a[3] = {c[0], c[2], c[1]}, b[3] = {c[1], c[2], c[3]};
            p->mesh[count] = vp_collide_triangle_of(a, count);
            count++;
            p->mesh[count] = vp_collide_triangle_of(b, count);
            count++;
        }
    assert_ok(vp_collide_connect(p->mesh, count, words, &error));
    for (int i = 0; i < 9 * 32 * 32; i++)
        cells[i] = i / 1024 < 7 + (i % 32 * (i % 32) + 3 * (i / 32 % 32)) % 3;
    open_scene(&p->scene, hills, (vp_ivec3){0, 0, 0}, NULL);
}

static vp_status touch(const compound_scene *p, ground_kind kind, const vp_manifold_def *def, const vp_compound_body *body,
                       vp_manifold_scratch *room, vp_manifold *out, uint32_t *made, vp_error *error)
{
    switch (kind) {
    case ON_TERRAIN:
        return vp_manifold_compound_terrain(def, body, &p->scene.reader, room, out, MANIFOLDS, made, error);
    case ON_BLOCKS:
        return vp_manifold_compound_blocks(def, body, &view, room, out, MANIFOLDS, made, error);
    default:
        return vp_manifold_compound_mesh(def, body, p->mesh, 512, room, out, MANIFOLDS, made, error);
    }
}

static vp_status touch_simple(const compound_scene *p, ground_kind kind, const vp_manifold_def *def, const vp_manifold_body *body,
                              vp_manifold *out, uint32_t *made, vp_error *error)
{
    switch (kind) {
    case ON_TERRAIN:
        return vp_manifold_terrain(def, body, &p->scene.reader, &scratch, out, MANIFOLDS, made, error);
    case ON_BLOCKS:
        return vp_manifold_blocks(def, body, &view, &scratch, out, MANIFOLDS, made, error);
    default:
        return vp_manifold_mesh(def, body, p->mesh, 512, &scratch, out, MANIFOLDS, made, error);
    }
}

/* ---- some compounds ---- */

typedef struct assembly {
    vp_compound_part part[PARTS];
    vp_compound compound;
    vp_compound_body body;
} assembly;

static void assemble(vp_random *r, const manifold_world *s, assembly *out)
{
    *out = (assembly){.compound = {out->part, 2 + vp_random_below(r, PARTS - 1)}};
    for (uint32_t i = 0; i < out->compound.count; i++) {
        vp_compound_part *p = &out->part[i];
        *p = (vp_compound_part){.shape = &bodies[vp_random_below(r, VP_BODIES)].shape, .density = 1.0 + i};
        p->pose.position = (vp_vec3){0.9f * random_sign(r), 0.4f * random_sign(r), 0.9f * random_sign(r)};
        vp_random_rotation(r, p->pose.rotation);
    }
    const vp_manifold_body at = some_body(r, s, VP_BODY_BOX);
    out->body = (vp_compound_body){&out->compound, at.pose};
}

static double length(vp_vec3 a)
{
    return sqrt((double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z);
}

static bool is_one_direction(vp_vec3 a, vp_vec3 b)
{
    return vp_vec3_dot(a, b) >= 0.99619f;
}

/* ---- one part ---- */

/* docs/CONTRACT.md: CPD-1 */
TEST(one_part)
{
    static compound_scene p;
    const vp_collide_shape large = vp_collide_box((vp_vec3){5.0f, 3.0f, 4.0f});
    vp_random r = {3};
    uint32_t touching[GROUNDS] = {0};
    open_place(&p);
    for (int i = 0; i < POSES; i++) {
        static vp_manifold m[MANIFOLDS], n[MANIFOLDS];
        const vp_manifold_def def = {.margin = margin, .by_chunk = i % 4 == 0};
        vp_manifold_body simple = some_body(&r, &p.scene, (vp_body_kind)(i % VP_BODIES));
        simple.pose.rotation[i % 4] = i % 7 == 0 ? -0.0f : simple.pose.rotation[i % 4];
        simple.shape = i % 5 == 0 ? &large : simple.shape; /* touches hundreds of triangles */
        const vp_compound_part part = {simple.shape, vp_pose_at((vp_vec3){0.0f, -0.0f, 0.0f}), 2.5};
        const vp_compound compound = {&part, 1};
        const vp_compound_body body = {&compound, simple.pose};
        vp_aabb box, same;
        assert_true(vp_compound_radius(&compound) == vp_collide_radius(simple.shape));
        assert_ok(vp_collide_bounds(simple.shape, &simple.pose, margin, &box, &error));
        assert_ok(vp_compound_bounds(&body, margin, &same, &error));
        assert_memory_equal(&box, &same, sizeof box);
        for (int g = 0; g < GROUNDS; g++) {
            uint32_t made, again;
            assert_ok(touch_simple(&p, (ground_kind)g, &def, &simple, m, &made, &error));
            const uint32_t needed = scratch.needed;
            assert_ok(touch(&p, (ground_kind)g, &def, &body, &scratch, n, &again, &error));
            assert_true(made == again && needed == scratch.needed);
            assert_memory_equal(m, n, made * sizeof *m);
            touching[g] += made > 0;
        }
        vp_mass mass, total;
        assert_ok(vp_mass_of_shape(simple.shape, 2.5, &mass, &error));
        assert_ok(vp_mass_of_compound(&compound, &total, &error));
        for (int k = 0; k < 6; k++)
            assert_true(mass.inertia[k] == total.inertia[k] && mass.centre[k % 3] == total.centre[k % 3]);
        assert_true(mass.mass == total.mass);
        /* another body near the first */
        vp_manifold_body other = some_body(&r, &p.scene, (vp_body_kind)(i / 2 % VP_BODIES));
        other.pose.position = vp_vec3_add(simple.pose.position, (vp_vec3){0.8f * random_sign(&r), 0.8f * random_sign(&r), 0.8f});
        const vp_compound_part second = {other.shape, vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f}), 1.0};
        const vp_compound_body with = {&(vp_compound){&second, 1}, other.pose};
        uint32_t made;
        assert_ok(vp_manifold_shapes(&simple, &other, margin, m, &error));
        assert_ok(vp_manifold_compounds(&body, &with, margin, &scratch, n, MANIFOLDS, &made, &error));
        assert_true(made == (m->count > 0));
        assert_memory_equal(m, n, made * sizeof *m);
    }
    for (int g = 0; g < GROUNDS; g++)
        assert_true(touching[g] > POSES / 8);
    close_scene(&p.scene);
}

/* ---- many parts ---- */

/* Points of parts, found by one part or one pair of parts at a time. */
typedef struct singles {
    vp_manifold_point point[MANY * DIRECTIONS * VP_MANIFOLD_POINTS];
    uint32_t count;
} singles;

static void add_singles(singles *all, const vp_manifold *m, uint32_t made, vp_vec3 offset)
{
    for (uint32_t i = 0; i < made; i++)
        for (uint32_t k = 0; k < m[i].count; k++) {
            vp_manifold_point p = m[i].point[k];
            p.on_shape = vp_vec3_add(p.on_shape, offset);
            all->point[all->count++] = p;
        }
}

/* Checks the manifolds of a compound against its parts' points. */
static void check_reduction(const vp_manifold *m, uint32_t made, const singles *all, float radius)
{
    const float slack = radius / 256.0f + 1e-5f;
    float deepest = INFINITY;
    assert_true(made <= DIRECTIONS && (made > 0) == (all->count > 0));
    for (uint32_t i = 0; i < all->count; i++)
        deepest = fminf(deepest, all->point[i].distance);
    assert_true(made == 0 || m[0].point[0].distance <= deepest + slack);
    for (uint32_t i = 0; i < made; i++) {
        assert_true(i == 0 || m[i - 1].point[0].distance <= m[i].point[0].distance);
        for (uint32_t j = 0; j < i; j++)
            assert_false(is_one_direction(m[i].normal, m[j].normal) && vp_vec3_dot(m[i].normal, m[j].normal) > 0.9963f);
        for (uint32_t k = 0; k < m[i].count; k++) {
            const vp_manifold_point *p = &m[i].point[k];
            assert_true(is_one_direction(p->normal, m[i].normal) && p->distance <= margin);
            const vp_vec3 way = vp_vec3_sub(vp_vec3_sub(p->on_shape, p->on_triangle), vp_vec3_scale(p->normal, p->distance));
            assert_true(length(way) <= 1e-5);
            for (uint32_t j = 0; j <= i; j++)
                for (uint32_t q = 0; q < (j < i ? m[j].count : k); q++)
                    assert_true(m[j].point[q].feature != p->feature);
        }
    }
    for (uint32_t i = 0; i < all->count; i++) { /* each touching point has its direction, unless there are four others */
        const vp_manifold_point *p = &all->point[i];
        uint32_t d = 0;
        while (d < made && vp_vec3_dot(p->normal, m[d].normal) < 0.9961f)
            d++;
        if (p->distance > 0.0f)
            continue;
        assert_true(d < made || made == DIRECTIONS);
    }
}

/* docs/CONTRACT.md: CPD-2, CPD-3, CPD-4, MAN-1, MAN-2 */
TEST(parts)
{
    static compound_scene p;
    static singles all;
    vp_random r = {29};
    uint32_t names = 0, kept = 0, several = 0;
    open_place(&p);
    for (int i = 0; i < POSES; i++) {
        vp_manifold m[MANIFOLDS], n[MANIFOLDS];
        assembly a;
        assemble(&r, &p.scene, &a);
        const ground_kind kind = (ground_kind)(i % GROUNDS);
        uint32_t made, again, seen = 0;
        assert_ok(touch(&p, kind, &whole, &a.body, &scratch, m, &made, &error));
        all.count = 0;
        for (uint32_t k = 0; k < a.compound.count; k++) {
            const vp_manifold_body part = {a.part[k].shape, vp_compound_part_pose(&a.part[k], &a.body.pose)};
            assert_ok(touch_simple(&p, kind, &whole, &part, n, &again, &error));
            add_singles(&all, n, again, vp_vec3_sub(part.pose.position, a.body.pose.position));
        }
        check_reduction(m, made, &all, vp_compound_radius(&a.compound));
        for (uint32_t d = 0; d < made; d++)
            for (uint32_t k = 0; k < m[d].count; k++) { /* on its part */
                const vp_manifold_point *point = &m[d].point[k];
                const vp_compound_part *part = &a.part[point->part];
                const vp_pose pose = vp_compound_part_pose(part, &a.body.pose);
                vp_shape_point at;
                assert_true(point->part < a.compound.count);
                assert_ok(vp_shape_closest_point(part->shape, &pose, vp_vec3_add(a.body.pose.position, point->on_shape), &at, &error));
                assert_true(fabsf(at.distance) <= 4e-5f);
                if (kind == ON_MESH) { /* and on its triangle */
                    const vp_collide_triangle *t = &p.mesh[point->at.triangle];
                    const vp_vec3 from = vp_vec3_sub(vp_vec3_add(a.body.pose.position, point->on_triangle), t->corner[0]);
                    assert_true(fabsf(vp_vec3_dot(from, t->normal)) <= 1e-4f);
                }
                seen |= 1u << point->part;
            }
        several += (seen & (seen - 1)) != 0;
        a.body.pose.position.y -= 1e-3f; /* names persist */
        assert_ok(touch(&p, kind, &whole, &a.body, &scratch, n, &again, &error));
        for (uint32_t d = 0; d < made; d++)
            for (uint32_t k = 0; k < m[d].count; k++) {
                bool found = m[d].point[k].distance > margin - 0.002f;
                for (uint32_t e = 0; e < again; e++)
                    for (uint32_t q = 0; q < n[e].count; q++)
                        found = found || n[e].point[q].feature == m[d].point[k].feature;
                names++;
                kept += found;
            }
    }
    assert_true(kept * 100 >= names * 95 && (POSES < 100 || several > POSES / 8));
    close_scene(&p.scene);
}

/* docs/CONTRACT.md: CPD-3. A box at rest or tilted on flat ground, whole and in halves. Both have the same deepest distance, the same
   normal, and a footing of the same width. */
TEST(halves)
{
    manifold_world s;
    vp_random r = {11};
    open_scene(&s, flat, (vp_ivec3){0, 0, 0}, NULL);
    const vp_collide_shape box = vp_collide_box((vp_vec3){1.0f, 0.25f, 0.5f}), half = vp_collide_box((vp_vec3){0.5f, 0.25f, 0.5f});
    const vp_compound_part part[2] = {{&half, vp_pose_at((vp_vec3){-0.5f, 0.0f, 0.0f}), 3.0},
                                      {&half, vp_pose_at((vp_vec3){0.5f, 0.0f, 0.0f}), 3.0}};
    const vp_compound compound = {part, 2};
    vp_mass one, two;
    assert_ok(vp_mass_of_shape(&box, 3.0, &one, &error));
    assert_ok(vp_mass_of_compound(&compound, &two, &error));
    assert_true(fabs(one.mass - two.mass) <= 1e-12);
    for (int k = 0; k < 6; k++)
        assert_true(fabs(one.inertia[k] - two.inertia[k]) <= 1e-12 && fabs(two.centre[k % 3]) <= 1e-12);
    for (int i = 0; i < POSES; i++) {
        vp_manifold m[MANIFOLDS], n[MANIFOLDS];
        const float tilt = i % 4 == 0 ? 0.0f : 0.05f;
        vp_pose pose = {{10.0f + 15.0f * (float)i / POSES, 0.0f, 20.0f},
                        {tilt * random_sign(&r), random_sign(&r), tilt * random_sign(&r), 1}};
        vp_vec3 up;
        pose.position.y = surface_at(&s, pose.position.x, pose.position.z, &up) + 0.25f - 0.01f * (float)(i % 3);
        const vp_manifold_body simple = {&box, pose};
        const vp_compound_body body = {&compound, pose};
        uint32_t made, again;
        assert_ok(vp_manifold_terrain(&whole, &simple, &s.reader, &scratch, m, MANIFOLDS, &made, &error));
        assert_ok(vp_manifold_compound_terrain(&whole, &body, &s.reader, &scratch, n, MANIFOLDS, &again, &error));
        assert_true(made == 1 && again == 1 && (tilt > 0.0f || (m->count == 4 && n->count == 4)) && is_one_direction(m->normal, n->normal));
        assert_true(fabsf(m->point[0].distance - n->point[0].distance) <= 2e-6f && length(vp_vec3_sub(m->normal, n->normal)) <= 1e-6);
        for (uint32_t k = 0; tilt == 0.0f && k < m->count; k++) { /* at rest, the same corners of the box */
            double nearest = INFINITY;
            for (uint32_t q = 0; q < n->count; q++)
                nearest = fmin(nearest, length(vp_vec3_sub(m->point[k].on_shape, n->point[q].on_shape)));
            assert_true(nearest <= 0.02);
        }
    }
    close_scene(&s);
}

/* docs/CONTRACT.md: CPD-2. A box's corners are where the frames of the body's and the part's poses take them. */
TEST(poses)
{
    vp_random r = {31};
    for (int i = 0; i < POSES; i++) {
        vp_pose outer = {{9.0f * random_sign(&r), 9.0f * random_sign(&r), 9.0f * random_sign(&r)}, {0}};
        vp_compound_part part = {.pose.position = {random_sign(&r), random_sign(&r), random_sign(&r)}};
        vp_random_rotation(&r, outer.rotation);
        vp_random_rotation(&r, part.pose.rotation);
        for (int k = 0; k < 4; k++) { /* quaternions need no unit length */
            outer.rotation[k] *= i % 2 == 0 ? 8.0f : 1e-3f;
            part.pose.rotation[k] *= i % 3 == 0 ? 1e6f : 0.3f;
        }
        const vp_pose both = vp_compound_part_pose(&part, &outer);
        vp_collide_frame f[3];
        assert_ok(vp_collide_frame_of(&part.pose, &f[0], &error));
        assert_ok(vp_collide_frame_of(&outer, &f[1], &error));
        assert_ok(vp_collide_frame_of(&both, &f[2], &error));
        const vp_vec3 corner = {random_sign(&r), random_sign(&r), random_sign(&r)};
        vp_vec3 at[2] = {corner, corner};
        for (int k = 0; k < 3; k++) {
            vp_vec3 *const v = &at[k == 2];
            *v = vp_vec3_add(f[k].position, vp_vec3_add(vp_vec3_add(vp_vec3_scale(f[k].row[0], v->x), vp_vec3_scale(f[k].row[1], v->y)),
                                                        vp_vec3_scale(f[k].row[2], v->z)));
        }
        assert_true(length(vp_vec3_sub(at[0], at[1])) <= 1e-5);
    }
}

/* ---- too little room ---- */

/* docs/CONTRACT.md: CPD-5 */
TEST(little_room)
{
    static compound_scene p;
    vp_random r = {37};
    uint32_t limited = 0;
    open_place(&p);
    const vp_collide_shape plank = vp_collide_box((vp_vec3){3.0f, 0.5f, 1.0f});
    for (int i = 0; i < POSES / 4; i++) {
        vp_manifold m[MANIFOLDS], n[MANIFOLDS];
        assembly a;
        assemble(&r, &p.scene, &a);
        for (uint32_t k = 0; k < a.compound.count; k++)
            a.part[k].shape = &plank;
        uint32_t made, again;
        vp_manifold_scratch room = scratch;
        assert_ok(touch(&p, (ground_kind)(i % GROUNDS), &whole, &a.body, &room, m, &made, &error));
        const vp_status status = touch(&p, (ground_kind)(i % GROUNDS), &whole, &a.body, &spare, n, &again, NULL);
        assert_int_equal(status, room.needed > spare.capacity ? VP_E_LIMIT : VP_OK);
        assert_true(spare.needed >= room.needed && (again > 0) == (made > 0));
        limited += status == VP_E_LIMIT;
        for (int k = 0; k < 2; k++) { /* both values of `needed` */
            vp_manifold_scratch exact = {scratch.memory, k == 0 ? room.needed : spare.needed, 0};
            assert_ok(touch(&p, (ground_kind)(i % GROUNDS), &whole, &a.body, &exact, n, &again, &error));
            assert_int_equal(made, again);
            assert_memory_equal(m, n, made * sizeof *m);
        }
    }
    assert_true(limited > POSES / 40);
    close_scene(&p.scene);
}

/* ---- compounds on compounds ---- */

/* docs/CONTRACT.md: CPD-6 */
TEST(pairs)
{
    static singles all;
    manifold_world s;
    vp_random r = {41};
    uint32_t meeting = 0, directions = 0;
    open_scene(&s, flat, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < POSES; i++) {
        vp_manifold m[MANIFOLDS], n;
        assembly a, b;
        uint32_t made;
        assemble(&r, &s, &a);
        assemble(&r, &s, &b);
        b.body.pose.position = vp_vec3_add(a.body.pose.position, (vp_vec3){random_sign(&r), 1.1f, random_sign(&r)});
        assert_ok(vp_manifold_compounds(&a.body, &b.body, margin, &scratch, m, MANIFOLDS, &made, &error));
        all.count = 0;
        float deepest = INFINITY;
        for (uint32_t k = 0; k < a.compound.count; k++)
            for (uint32_t q = 0; q < b.compound.count; q++) {
                const vp_manifold_body part = {a.part[k].shape, vp_compound_part_pose(&a.part[k], &a.body.pose)};
                const vp_manifold_body other = {b.part[q].shape, vp_compound_part_pose(&b.part[q], &b.body.pose)};
                vp_shape_contact c;
                assert_ok(vp_shapes_collide(&part, &other, margin, &c, &error));
                deepest = fminf(deepest, c.distance);
                assert_ok(vp_manifold_shapes(&part, &other, margin, &n, &error));
                add_singles(&all, &n, n.count > 0, vp_vec3_sub(part.pose.position, a.body.pose.position));
            }
        check_reduction(m, made, &all, fminf(vp_compound_radius(&a.compound), vp_compound_radius(&b.compound)));
        assert_true((made > 0) == (deepest <= margin));
        for (uint32_t d = 0; d < made; d++)
            for (uint32_t k = 0; k < m[d].count; k++) { /* both parts exist */
                const vp_manifold_point *point = &m[d].point[k];
                assert_true(point->part < a.compound.count && point->at.triangle < b.compound.count);
                assert_true(point->at.chunk == VP_COLLIDE_NO_CHUNK && point->distance >= deepest - 1e-5f);
            }
        meeting += made > 0;
        directions += made > 1;
    }
    assert_true(POSES < 100 || (meeting > POSES / 3 && directions > POSES / 8));
    close_scene(&s);
}

/* docs/CONTRACT.md: CPD-5, CPD-6. With more pairs than fit in the scratch, the deepest are kept. */
TEST(pairs_without_room)
{
    static vp_compound_part row[2][MANY];
    vp_manifold m[MANIFOLDS], n[MANIFOLDS];
    uint32_t made, again;
    const vp_collide_shape cube = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    for (int k = 0; k < MANY; k++)
        for (int b = 0; b < 2; b++) {
            row[b][k] = (vp_compound_part){.shape = &cube, .pose = vp_pose_at((vp_vec3){(float)k - 0.5f * MANY, 0.0f, 0.0f})};
            row[b][k].pose.position.y = b == 0 && k == MANY - 3 ? -0.2f : 0.0f; /* one pair is deeper */
        }
    const vp_compound_body a = {&(vp_compound){row[0], MANY}, vp_pose_at((vp_vec3){0.25f, 0.99f, 0.0f})};
    const vp_compound_body b = {&(vp_compound){row[1], MANY}, vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f})};
    assert_ok(vp_manifold_compounds(&a, &b, margin, &scratch, m, MANIFOLDS, &made, &error));
    assert_refused(vp_manifold_compounds(&a, &b, margin, &spare, n, MANIFOLDS, &again, &error), VP_E_LIMIT, "128");
    assert_true(made > 0 && again > 0 && spare.needed == scratch.needed && spare.needed > spare.capacity);
    assert_true(m->point[0].distance == n->point[0].distance && m->point[0].part == MANY - 3 && n->point[0].part == MANY - 3);
    assert_true(fabsf(m->point[0].distance + 0.21f) <= 1e-5f);
}

/* ---- checks ---- */

TEST(refused)
{
    vp_compound_part part[3];
    vp_manifold m[MANIFOLDS];
    vp_aabb box;
    vp_mass mass;
    uint32_t made;
    for (int k = 0; k < 3; k++)
        part[k] = (vp_compound_part){&bodies[k].shape, vp_pose_at((vp_vec3){(float)k, 0.0f, 0.0f}), 1.0};
    vp_compound compound = {part, 3};
    vp_compound_body body = {&compound, vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f})};
    assert_ok(vp_compound_check(&compound, &error));
    assert_refused(vp_compound_check(&(vp_compound){NULL, 1}, &error), VP_E_ARGUMENT, "vp_compound.part is NULL, count is 1");
    assert_refused(vp_compound_check(&(vp_compound){part, 0}, &error), VP_E_ARGUMENT, "vp_compound.count is 0");
    assert_refused(vp_compound_check(&(vp_compound){part, 5000}, &error), VP_E_ARGUMENT, "vp_compound.count is 5000");
    part[2].density = -7.0;
    assert_refused(vp_mass_of_compound(&compound, &mass, &error), VP_E_ARGUMENT, "part 2: density is -7");
    part[1].pose.rotation[3] = 0.0f;
    assert_refused(vp_compound_check(&compound, &error), VP_E_ARGUMENT, "part 1: rotation (0, 0, 0, 0) has the squared length 0");
    assert_refused(vp_manifold_compound_blocks(&whole, &body, &view, &scratch, m, MANIFOLDS, &made, &error), VP_E_ARGUMENT, "part 1: ");
    assert_refused(vp_manifold_compounds(&body, &body, 0.0f, &scratch, m, MANIFOLDS, &made, &error), VP_E_ARGUMENT, "part 1: ");
    part[1].pose.rotation[3] = 1.0f;
    part[2].pose.position.x = NAN;
    assert_refused(vp_compound_bounds(&body, 0.0f, &box, &error), VP_E_ARGUMENT, "part 2: ");
    part[2].pose.position.x = 0.0f;
    part[2].shape = NULL;
    assert_refused(vp_compound_check(&compound, &error), VP_E_ARGUMENT, "part 2: shape is NULL");
    const vp_collide_shape bad = vp_collide_sphere(-1.0f);
    part[2].shape = &bad;
    assert_refused(vp_compound_check(&compound, &error), VP_E_ARGUMENT, "part 2: ");
    part[2].shape = &bodies[0].shape;
    assert_refused(vp_compound_bounds(&body, -2.0f, &box, &error), VP_E_ARGUMENT, "-2");
    assert_refused(vp_manifold_compounds(&body, &body, -2.0f, &scratch, m, MANIFOLDS, &made, &error), VP_E_ARGUMENT, "-2");
    body.pose.position.y = INFINITY;
    assert_refused(vp_manifold_compound_blocks(&whole, &body, &view, &scratch, m, MANIFOLDS, &made, &error), VP_E_ARGUMENT, "inf");
}

static int begin_all(void **state)
{
    spare.memory = malloc(vp_manifold_scratch_bytes(spare.capacity));
    return spare.memory == NULL ? 1 : begin(state);
}

static int end_all(void **state)
{
    free(spare.memory);
    return end(state);
}

int main(void)
{
    return test_run_all(begin_all, end_all);
}
