/* SPDX-License-Identifier: MIT */
/* Masks lose no contact. If the triangles of a chunk give contact points, the chunk has a contact with the body. The world has caves,
 * chunk borders everywhere, and a bubble of nearly empty solid voxels in a chunk whose class is full. */
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "tests/support/check.h"

#ifdef TEST_THIN
enum { POSES = 4 };
#else
enum { POSES = 30 };
#endif
enum { SIDE = 48, ROOM = 4096, MOST = 64, SIZES = 3 };

static const float margin = 0.02f;
static const float sizes[SIZES] = {0.5f, 1.5f, 4.0f};
static const vp_voxel STONE = {VP_FIRST_SOLID, 255}, AIR = {VP_AIR, 0}, THIN = {VP_FIRST_SOLID, 40};
static const vp_ivec3 bubble_chunk = {3, 1, 3};

typedef struct surface {
    vp_collide_triangle *triangle;
    uint32_t count, first_of_bubble, end_of_bubble;
} surface;

static vp_world *make_world(void)
{
    vp_world *world;
    vp_random r = {3};
    assert_ok(vp_world_create(&(vp_world_def){.size = {SIDE, SIDE, SIDE}}, &world, &error));
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){SIDE, 36, SIDE}, STONE, NULL, &error));
    for (int i = 0; i < 60; i++) { /* caves, away from the bubble's chunk */
        const vp_vec3 at = {vp_random_between(&r, 0.0f, SIDE), vp_random_between(&r, 0.0f, 38.0f), vp_random_between(&r, 0.0f, 18.0f)};
        assert_ok(vp_world_fill_sphere(world, at, vp_random_between(&r, 1.0f, 4.0f), AIR, NULL, &error));
    }
    for (int32_t y = 0; y < SIDE; y++) /* each with another occupancy */
        for (int32_t z = 0; z < 22; z++)
            for (int32_t x = 0; x < SIDE; x++)
                if (vp_world_voxel(world, (vp_ivec3){x, y, z}).material != VP_AIR)
                    assert_ok(vp_world_set_voxel(world, (vp_ivec3){x, y, z},
                                                 (vp_voxel){VP_FIRST_SOLID, (uint8_t)(128 + vp_random_below(&r, 128))}, NULL, &error));
    assert_ok(vp_world_fill_box(world, (vp_ivec3){26, 10, 26}, (vp_ivec3){29, 13, 29}, THIN, NULL, &error));
    return world;
}

/* All triangles, chunk by chunk, connected. */
static surface make_surface(const vp_world *world)
{
    surface s = {NULL, 0, 0, 0};
    const vp_dims chunks = vp_world_chunks(world);
    for (uint32_t c = 0; c < chunks.x * chunks.y * chunks.z; c++) {
        const vp_ivec3 at = {(int32_t)(c % chunks.x), (int32_t)(c / chunks.x / chunks.z), (int32_t)(c / chunks.x % chunks.z)};
        const bool bubble = at.x == bubble_chunk.x && at.y == bubble_chunk.y && at.z == bubble_chunk.z;
        vp_mesh mesh;
        assert_ok(
            vp_mesh_create(&(vp_mesh_def){.world = world, .surface = VP_SURFACE_SOLID, .first = at, .chunks = {1, 1, 1}}, &mesh, &error));
        s.triangle = realloc(s.triangle, (s.count + 2 * mesh.quad_count + 1) * sizeof *s.triangle);
        assert_non_null(s.triangle);
        s.first_of_bubble = bubble ? s.count : s.first_of_bubble;
        for (uint32_t t = 0; t < 2 * mesh.quad_count; t++) {
            uint32_t v[3];
            vp_mesh_triangle(&mesh, t, v);
            const vp_vec3 corner[3] = {mesh.vertex[v[0]], mesh.vertex[v[1]], mesh.vertex[v[2]]};
            s.triangle[s.count] = vp_collide_triangle_of(corner, t);
            s.triangle[s.count++].id.chunk = c;
        }
        s.end_of_bubble = bubble ? s.count : s.end_of_bubble;
        vp_mesh_destroy(&mesh);
    }
    uint32_t *words = malloc(VP_COLLIDE_CONNECT_WORDS(s.count) * sizeof *words);
    assert_non_null(words);
    assert_ok(vp_collide_connect(s.triangle, s.count, words, &error));
    free(words);
    return s;
}

/* At a triangle, with any rotation, overlapping it, touching it or a little apart. */
static vp_pose some_pose(vp_random *r, const surface *s, bool bubble, const vp_collide_shape *shape)
{
    const uint32_t first = bubble ? s->first_of_bubble : 0, end = bubble ? s->end_of_bubble : s->count;
    const vp_collide_triangle *t = &s->triangle[first + vp_random_below(r, end - first)];
    vp_pose_place place = {.normal = t->normal, .scale = 1.0f, .gap = vp_random_between(r, -0.1f, 0.03f)};
    const float a = vp_random_unit(r), b = vp_random_between(r, 0.0f, 1.0f - a);
    place.point =
        vp_vec3_add(vp_vec3_scale(t->corner[0], 1.0f - a - b), vp_vec3_add(vp_vec3_scale(t->corner[1], a), vp_vec3_scale(t->corner[2], b)));
    for (int k = 0; k < 4; k++)
        place.rotation[k] = vp_random_between(r, 0.1f, 1.0f) * (vp_random_below(r, 2) == 0 ? 1.0f : -1.0f);
    return vp_pose_of(shape, &place);
}

/* Whether the box, grown on all sides, meets a voxel whose bit is set, tried one by one. */
static bool meets_bits(const vp_chunk_masks *masks, vp_ivec3 chunk, const vp_aabb *box, float grown)
{
    const vp_vec3 more = {grown, grown, grown};
    const vp_aabb large = {vp_vec3_sub(box->min, more), vp_vec3_add(box->max, more)};
    for (int32_t i = 0; i < VP_CHUNK_VOXELS; i++)
        if (masks->solid[i / 64] >> i % 64 & 1) {
            const vp_vec3 low = {(float)(8 * chunk.x + i % 8), (float)(8 * chunk.y + i / 64), (float)(8 * chunk.z + i / 8 % 8)};
            const vp_aabb voxel = {low, {low.x + 1.0f, low.y + 1.0f, low.z + 1.0f}};
            if (vp_aabb_overlaps(&voxel, &large))
                return true;
        }
    return false;
}

static void nothing_is_lost(void **state)
{
    (void)state;
    vp_world *world = make_world();
    const surface s = make_surface(world);
    const vp_dims chunks = vp_world_chunks(world);
    const vp_manifold_def def = {.margin = margin};
    const vp_aabb nowhere = {{-100.0f, -100.0f, -100.0f}, {-99.0f, -99.0f, -99.0f}};
    vp_manifold_scratch scratch = {malloc(vp_manifold_scratch_bytes(ROOM)), ROOM, 0};
    vp_broadphase *bits;
    vp_contacts *contacts;
    uint32_t object, touched = 0, in_full = 0;
    vp_random r = {17};
    assert_non_null(scratch.memory);
    assert_ok(vp_broadphase_create(&(vp_broadphase_def){.world = world}, &bits, &error));
    assert_ok(vp_contacts_create(&(vp_contacts_def){.broadphase = bits}, &contacts, &error));
    assert_ok(vp_contacts_add(contacts, &nowhere, &object, &error));
    assert_int_equal(vp_broadphase_chunk_class(bits, bubble_chunk), VP_CHUNK_FULL_SOLID);
    assert_true(s.first_of_bubble < s.end_of_bubble);
    for (int i = 0; i < POSES * VP_BODIES * SIZES; i++) {
        vp_body_shape shape;
        vp_manifold m[MOST];
        vp_contact had[MOST];
        vp_aabb box;
        uint32_t made, touch;
        assert_ok(vp_body_shape_create((vp_body)(i % VP_BODIES), sizes[i / VP_BODIES % SIZES], NULL, &shape, &error));
        const vp_manifold_body body = {&shape.shape, some_pose(&r, &s, i % 7 == 0, &shape.shape)};
        assert_ok(vp_collide_bounds(body.shape, &body.pose, margin, &box, &error));
        assert_ok(vp_manifold_mesh(&def, &body, s.triangle, s.count, &scratch, m, MOST, &made, &error));
        assert_ok(vp_contacts_move(contacts, object, &box, &error));
        assert_ok(vp_broadphase_overlap(bits, &box, &touch, &error));
        const uint32_t count = vp_contacts_of(contacts, object, had, MOST);
        assert_true(made <= MOST && count <= MOST);
        for (uint32_t k = 0; k < made; k++) {
            const uint32_t c = m[k].chunk;
            const vp_ivec3 at = {(int32_t)(c % chunks.x), (int32_t)(c / chunks.x / chunks.z), (int32_t)(c / chunks.x % chunks.z)};
            bool found = false;
            for (uint32_t h = 0; h < count; h++)
                found = found || (had[h].chunk == c && had[h].kind == VP_CONTACT_SOLID);
            if (!found || (touch & VP_TOUCH_SOLID) == 0)
                fail_msg("%s of %g: it has points with chunk %u, and no contact", vp_body_name((vp_body)(i % VP_BODIES)),
                         (double)sizes[i / VP_BODIES % SIZES], c);
            assert_true(meets_bits(vp_broadphase_masks(bits, at), at, &box, 0.5f)); /* half a voxel is enough */
            touched++;
            in_full += vp_broadphase_chunk_class(bits, at) == VP_CHUNK_FULL_SOLID;
        }
        vp_body_shape_destroy(&shape);
    }
    assert_true(touched > POSES * VP_BODIES);
    assert_true(in_full > 0);
    vp_contacts_destroy(contacts);
    vp_broadphase_destroy(bits);
    free(scratch.memory);
    free(s.triangle);
    vp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
