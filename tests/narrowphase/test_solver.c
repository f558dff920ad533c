/* SPDX-License-Identifier: MIT */
/* Manifolds at work in a solver: bodies that are dropped come to rest, whatever the margin; stacks of aligned crates stand; a stack whose
 * ground is dug away falls. */
#include "tests/narrowphase/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/datasets.h"
#include "datasets/random.h"
#include "datasets/kinds/kind.h"
#include "tests/support/check.h"

#ifdef TEST_DEEP
enum { DROPPED = 40, STACK_FRAMES = 10000 };
#elif defined TEST_THIN
enum { DROPPED = 3, STACK_FRAMES = 1000 };
#else
enum { DROPPED = 6, STACK_FRAMES = 1000 };
#endif
enum { FRAMES = 900, WATCHED = 60, ROOM = 1024, MANIFOLDS = 4, SIDE = 64, HIGH = 32 };

static vp_manifold_scratch scratch = {NULL, ROOM, 0};

/* ---- ground ---- */

/* Terrain if there is one, otherwise blocks. */
typedef struct ground {
    vp_terrain *terrain;
    const vp_block_view *blocks;
} ground;

static void add_manifolds(pair *p, const pair *before, const vp_manifold *m, uint32_t made)
{
    static const vp_collide_frame world = {.row = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};
    for (uint32_t i = 0; i < made; i++)
        add_points(p, before, &m[i], &world, (vp_vec3){0.0f, 0.0f, 0.0f});
}

/* Each body's pair with the ground. */
static void touch_ground(const ground *g, rigid *body, uint32_t count, float margin, pair *list)
{
    const vp_manifold_def def = {.margin = margin, .whole = true};
    vp_terrain_reader reader;
    if (g->terrain != NULL)
        vp_terrain_begin_reading(g->terrain, &reader);
    for (uint32_t i = 0; i < count; i++) {
        const vp_manifold_body asked = {body[i].shape, body[i].pose};
        const pair before = list[i];
        vp_manifold m[MANIFOLDS];
        uint32_t made;
        list[i] = (pair){.body = {(int)i, STATIC}};
        if (g->terrain != NULL) {
            assert_ok(vp_manifold_terrain(&def, &asked, &reader, &scratch, m, MANIFOLDS, &made, &error));
        } else {
            assert_ok(vp_manifold_blocks(&def, &asked, g->blocks, &scratch, m, MANIFOLDS, &made, &error));
        }
        add_manifolds(&list[i], &before, m, made);
    }
    if (g->terrain != NULL)
        vp_terrain_end_reading(&reader);
}

/* The upper box against the sides of the lower one, in the frame of the lower one. */
static void touch_box(const rigid *body, int upper, int lower, float margin, pair *p)
{
    const rigid *u = &body[upper], *l = &body[lower];
    const vp_manifold_def def = {.margin = margin, .whole = true};
    const vp_vec3 half = l->shape->half, from = vp_vec3_sub(u->pose.position, l->pose.position);
    const vp_aabb box = {vp_vec3_scale(half, -1.0f), half};
    const float *const q = u->pose.rotation, *const k = l->pose.rotation, x = -k[0], y = -k[1], z = -k[2], w = k[3];
    const vp_manifold_body asked = {u->shape,
                                    {to_shape(&l->frame, from),
                                     {w * q[0] + x * q[3] + y * q[2] - z * q[1], w * q[1] + y * q[3] + z * q[0] - x * q[2],
                                      w * q[2] + z * q[3] + x * q[1] - y * q[0], w * q[3] - x * q[0] - y * q[1] - z * q[2]}}};
    const pair before = *p;
    vp_collide_triangle t[VP_COLLIDE_BOX_TRIANGLES];
    vp_manifold m[MANIFOLDS];
    uint32_t made;
    const uint32_t count = vp_collide_box_triangles(&box, 63, 0, t);
    assert_ok(vp_manifold_mesh(&def, &asked, t, count, &scratch, m, MANIFOLDS, &made, &error));
    *p = (pair){.body = {upper, lower}};
    for (uint32_t i = 0; i < made; i++)
        add_points(p, &before, &m[i], &l->frame, from);
}

static void set_frames(rigid *body, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_ok(vp_collide_frame_of(&body[i].pose, &body[i].frame, &error));
}

/* ---- worlds ---- */

static double hill(double x, double z)
{
    return 12.0 + 3.0 * sin(0.21 * x + 0.1 * z) + 2.0 * sin(0.33 * z - 0.07 * x) + 0.8 * sin(0.9 * x) * sin(0.8 * z);
}

static vp_world *make_hills(void)
{
    vp_world *world;
    assert_ok(vp_world_create(&(vp_world_def){.size = {SIDE, HIGH, SIDE}}, &world, &error));
    for (int32_t z = 0; z < SIDE; z++)
        for (int32_t x = 0; x < SIDE; x++)
            for (int32_t y = 0; y < HIGH; y++) {
                const double fill = hill(x + 0.5, z + 0.5) - y;
                const vp_voxel v = {VP_FIRST_SOLID, (uint8_t)(fill >= 1.0 ? 255 : (int)(fill * 255.0))};
                if (fill > 0.0)
                    assert_ok(vp_world_set_voxel(world, (vp_ivec3){x, y, z}, v, NULL, &error));
            }
    return world;
}

static const vp_block_view *make_blocks(void)
{
    static uint8_t cells[4][VP_BLOCK_CELLS];
    static vp_block_cells chunks[4];
    static const vp_block_type types[] = {{0, 0}, {VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE, 0}};
    static const vp_block_view view = {.chunk = chunks, .low = {0, 0, 0}, .size = {2, 1, 2}, .type = types, .type_count = 2};
    for (int z = 0; z < SIDE; z++)
        for (int x = 0; x < SIDE; x++)
            for (int y = 0; y < HIGH; y++)
                cells[z / 32 * 2 + x / 32][(y * 32 + z % 32) * 32 + x % 32] = y < (int)hill(x, z);
    for (int c = 0; c < 4; c++)
        chunks[c] = (vp_block_cells){.cell = cells[c], .width = 1};
    return &view;
}

/* ---- dropped bodies ---- */

typedef struct verdict {
    uint32_t still, restless, rolling;
} verdict;

/* How a body moves while it is watched. */
typedef struct watch {
    vp_vec3 velocity, spin; /* in the frame before */
    float fastest;
    uint32_t turns; /* frames in which it turns back */
} watch;

static float length_of(vp_vec3 a)
{
    return sqrtf(vp_vec3_dot(a, a));
}

static void watch_body(watch *w, const rigid *r, bool first)
{
    const float speed = length_of(r->velocity) + vp_collide_radius(r->shape) * length_of(r->spin);
    if (first)
        *w = (watch){.fastest = 0.0f};
    w->turns += vp_vec3_dot(r->velocity, w->velocity) < 0.0f || vp_vec3_dot(r->spin, w->spin) < 0.0f;
    w->velocity = r->velocity;
    w->spin = r->spin;
    w->fastest = fmaxf(w->fastest, speed);
}

/* Slow bodies are still: engines put them to sleep. Barrels roll on, or to and fro in a hollow, and turn back twice a second at most.
   Restless bodies turn back more often. */
static void judge_body(const watch *w, verdict *out)
{
    if (w->fastest < 0.05f)
        out->still++;
    else if (w->turns <= WATCHED / 30)
        out->rolling++;
    else
        out->restless++;
}

/* Above the ground, turned in any way. */
static rigid drop_body(const ground *g, vp_random *r, const vp_collide_shape *shape)
{
    vp_pose pose = {.position = {vp_random_between(r, 12.0f, SIDE - 12.0f), 0.0f, vp_random_between(r, 12.0f, SIDE - 12.0f)}};
    float level = floorf((float)hill(floor((double)pose.position.x), floor((double)pose.position.z)));
    vp_random_rotation(r, pose.rotation);
    if (g->terrain != NULL) {
        const vp_ray ray = {.origin = {pose.position.x, 60.0f, pose.position.z}, .direction = {0.0f, -1.0f, 0.0f}, .t_max = 100.0f};
        vp_terrain_point hit;
        assert_ok(vp_terrain_raycast_point(g->terrain, VP_SURFACE_SOLID, &ray, &hit, &error));
        level = hit.point.y;
    }
    pose.position.y = level + vp_collide_radius(shape) + vp_random_between(r, 0.2f, 2.0f);
    return make_rigid(shape, pose);
}

static verdict drop_bodies(const ground *g, float margin)
{
    static rigid body[DROPPED];
    static pair list[DROPPED];
    static watch watched[DROPPED];
    const vp_body kind[3] = {VP_BODY_BOX, VP_BODY_CYLINDER, VP_BODY_HULL16};
    vp_body_shape shape[3];
    verdict all = {0};
    vp_random r = {2};
    for (int k = 0; k < 3; k++)
        assert_ok(vp_body_shape_create(kind[k], 1.0f, NULL, &shape[k], &error));
    memset(list, 0, sizeof list);
    for (int i = 0; i < DROPPED; i++)
        body[i] = drop_body(g, &r, &shape[i % 3].shape);
    for (int frame = 0; frame < FRAMES; frame++) {
        set_frames(body, DROPPED);
        touch_ground(g, body, DROPPED, margin, list);
        solve_frame(body, DROPPED, list, DROPPED);
        for (int i = 0; i < DROPPED && frame >= FRAMES - WATCHED; i++)
            watch_body(&watched[i], &body[i], frame == FRAMES - WATCHED);
    }
    for (int i = 0; i < DROPPED; i++) {
        judge_body(&watched[i], &all);
        for (uint32_t k = 0; k < list[i].count; k++)
            assert_true(list[i].point[k].separation > -0.05f);
    }
    for (int k = 0; k < 3; k++)
        vp_body_shape_destroy(&shape[k]);
    return all;
}

/* With every margin. */
static void drop_on(const ground *g, const char *name)
{
    static const float margin[] = {0.0f, 0.02f, 0.1f};
    for (int k = 0; k < 3; k++) {
        const verdict v = drop_bodies(g, margin[k]);
        printf("%s, margin %g: %u still, %u restless, %u rolling\n", name, (double)margin[k], v.still, v.restless, v.rolling);
        /* without a margin a swinging barrel is inside a wall before it has a contact */
        assert_true(v.restless <= (margin[k] > 0.0f ? 0 : DROPPED / 20));
        assert_true(v.still >= DROPPED / 2);
    }
}

static void drop_on_world(vp_world *world, const char *name)
{
    ground g = {NULL, NULL};
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world, .budget = VP_TERRAIN_NO_LIMIT}, &g.terrain, &error));
    drop_on(&g, name);
    vp_terrain_destroy(g.terrain);
}

static void on_terrain(void **state)
{
    vp_manifest *manifest;
    vp_store *store;
    const vp_data *data;
    (void)state;
    assert_ok(vp_manifest_open(NULL, &manifest, &error));
    assert_ok(vp_store_create(manifest, 1, &store, &error));
    assert_ok(vp_store_open(store, &vp_kind_world, "terrain-l2", &data, &error));
    drop_on_world((vp_world *)(uintptr_t)data->set, "terrain-l2");
    vp_store_destroy(store);
    vp_manifest_close(manifest);
}

static void on_hills(void **state)
{
    vp_world *world = make_hills();
    (void)state;
    drop_on_world(world, "hills");
    vp_world_destroy(world);
}

static void on_blocks(void **state)
{
    const ground g = {NULL, make_blocks()};
    (void)state;
    drop_on(&g, "blocks");
}

/* ---- stacks ---- */

enum { STACKED = 6 };

/* Crates one on the other, all sides aligned, the lowest on the ground. Pair i is of crate i and what is below it. */
static void make_stack(rigid *body, pair *list, const vp_collide_shape *crate, vp_vec3 foot, uint32_t count)
{
    memset(list, 0, count * sizeof *list);
    for (uint32_t i = 0; i < count; i++)
        body[i] = make_rigid(crate, vp_pose_at((vp_vec3){foot.x, foot.y + crate->half.y * (float)(2 * i + 1), foot.z}));
}

static void move_stack(const ground *g, rigid *body, pair *list, uint32_t count, float margin)
{
    set_frames(body, count);
    touch_ground(g, body, 1, margin, list);
    for (uint32_t i = 1; i < count; i++)
        touch_box(body, (int)i, (int)i - 1, margin, &list[i]);
    solve_frame(body, count, list, count);
}

static void stack(void **state)
{
    static const float margin[] = {0.0f, 0.02f, 0.1f};
    const vp_collide_shape crate = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    const ground g = {NULL, make_blocks()};
    (void)state;
    for (int k = 0; k < 3; k++) {
        rigid body[STACKED];
        pair list[STACKED];
        float off = 0.0f, fastest = 0.0f;
        const vp_vec3 foot = {30.5f, floorf((float)hill(30.0, 30.0)), 30.5f};
        make_stack(body, list, &crate, foot, STACKED);
        for (int frame = 0; frame < STACK_FRAMES; frame++)
            move_stack(&g, body, list, STACKED, margin[k]);
        for (int i = 0; i < STACKED; i++) {
            const vp_vec3 p = vp_vec3_sub(body[i].pose.position, (vp_vec3){foot.x, foot.y + 0.5f + (float)i, foot.z});
            off = fmaxf(off, length_of(p));
            fastest = fmaxf(fastest, length_of(body[i].velocity));
        }
        printf("stack, margin %g: %g off, fastest %g\n", (double)margin[k], (double)off, (double)fastest);
        assert_true(off < 0.06f && fastest < 0.001f);
    }
}

/* ---- digging ---- */

/* Two crates sleep on each other. The ground below them is dug away: the lower one wakes, and both fall to what is left. */
static void dig(void **state)
{
    const vp_collide_shape crate = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    const vp_voxel rock = {VP_FIRST_SOLID, 255}, air = {VP_AIR, 0};
    vp_world *world;
    ground g = {NULL, NULL};
    vp_contacts *contacts;
    vp_chunk_set stale;
    uint32_t object[2];
    rigid body[2];
    pair list[2];
    (void)state;
    assert_ok(vp_world_create(&(vp_world_def){.size = {40, 32, 40}}, &world, &error));
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){40, 12, 40}, rock, NULL, &error));
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world}, &g.terrain, &error));
    assert_ok(vp_chunk_set_create(vp_world_chunks(world), NULL, &stale, &error));
    assert_ok(vp_contacts_create(&(vp_contacts_def){.broadphase = vp_terrain_broadphase(g.terrain), .margin = 0.02f}, &contacts, &error));
    make_stack(body, list, &crate, (vp_vec3){20.0f, 12.0f, 20.0f}, 2);
    for (int frame = 0; frame < 300; frame++)
        move_stack(&g, body, list, 2, 0.02f);
    vp_terrain_reader reader;
    vp_terrain_begin_reading(g.terrain, &reader);
    for (int i = 0; i < 2; i++) {
        vp_aabb box;
        assert_ok(vp_collide_bounds(&crate, &body[i].pose, 0.0f, &box, &error));
        assert_ok(vp_contacts_add(contacts, &box, &object[i], &error));
        assert_ok(vp_contacts_sleep(contacts, object[i], &error));
        assert_true(length_of(body[i].velocity) < 0.001f);
    }
    vp_terrain_end_reading(&reader);
    assert_ok(vp_terrain_fill_sphere(g.terrain, (vp_vec3){20.0f, 12.0f, 20.0f}, 2.0f, air, &stale, &error));
    vp_terrain_begin_reading(g.terrain, &reader);
    assert_ok(vp_contacts_terrain_changed(contacts, &stale, &error));
    vp_terrain_end_reading(&reader);
    assert_true(vp_contacts_awake(contacts, object[0]));
    for (int frame = 0; frame < 120; frame++)
        move_stack(&g, body, list, 2, 0.02f);
    assert_true(body[0].pose.position.y < 11.5f && body[1].pose.position.y < 12.5f);
    assert_true(body[0].pose.position.y > 10.0f && body[1].pose.position.y > body[0].pose.position.y + 0.9f);
    vp_contacts_destroy(contacts);
    vp_chunk_set_destroy(&stale);
    vp_terrain_destroy(g.terrain);
    vp_world_destroy(world);
}

static int begin(void **state)
{
    (void)state;
    scratch.memory = malloc(vp_manifold_scratch_bytes(ROOM));
    return scratch.memory == NULL;
}

static int end(void **state)
{
    (void)state;
    free(scratch.memory);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stack), cmocka_unit_test(dig), cmocka_unit_test(on_terrain),
                                       cmocka_unit_test(on_hills), cmocka_unit_test(on_blocks)};
    return cmocka_run_group_tests(tests, begin, end);
}
