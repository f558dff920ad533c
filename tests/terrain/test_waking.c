/* SPDX-License-Identifier: MIT */
/* Edits that change a surface near a sleeping object wake it (docs/CONTRACT.md: WAK-3). test_contact_histories.c compares the wakings of
 * all kinds of edits with the voxels, test_terrain_memory.c the chunk sets of a terrain's edits with those of a world's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/voxphys.h>

#include "tests/support/check.h"
#include "tests/support/samples.h"
#include "tests/support/scene.h"

enum { STEPS = IS_THIN ? 300 : 600 };

/* The distance of the voxel from the box on the axis where it is largest, in whole voxels as WAK-1 counts them. */
static int32_t voxels_between(const vp_aabb *box, vp_ivec3 v)
{
    const int32_t at[3] = {v.x, v.y, v.z};
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    int32_t most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t before = (int32_t)floorf(low[axis]) - at[axis], after = at[axis] - (int32_t)floorf(high[axis]);
        const int32_t d = before > after ? before : after;
        most = d > most ? d : most;
    }
    return most;
}

/* ---- the surface ---- */

/* A quad of either surface, as a box around its triangles, and a hash of its corners and material. */
typedef struct near_quad {
    vp_aabb box;
    uint64_t hash;
} near_quad;

typedef struct surfaces {
    near_quad *quad;
    uint32_t count;
} surfaces;

static uint64_t mix(uint64_t hash, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static void widen(float *low, float *high, float v)
{
    *low = fminf(*low, v);
    *high = fmaxf(*high, v);
}

static near_quad quad_of(const vp_mesh *mesh, uint32_t quad, uint64_t surface)
{
    near_quad q = {{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, surface + 2 * mesh->material[quad]};
    for (int i = 0; i < 4; i++) {
        const vp_vec3 v = mesh->vertex[mesh->quad[quad][i]];
        widen(&q.box.min.x, &q.box.max.x, v.x);
        widen(&q.box.min.y, &q.box.max.y, v.y);
        widen(&q.box.min.z, &q.box.max.z, v.z);
        q.hash = mix(mix(mix(q.hash, v.x), v.y), v.z);
    }
    return q;
}

static surfaces surfaces_of(const vp_world *world)
{
    surfaces s = {NULL, 0};
    vp_mesh mesh[2];
    for (int k = 0; k < 2; k++)
        assert_ok(vp_mesh_create(&(vp_mesh_def){.world = world, .surface = (vp_surface)k}, &mesh[k], &error));
    s.quad = malloc((mesh[0].quad_count + mesh[1].quad_count + 1) * sizeof *s.quad);
    assert_non_null(s.quad);
    for (int k = 0; k < 2; k++) {
        for (uint32_t q = 0; q < mesh[k].quad_count; q++)
            s.quad[s.count++] = quad_of(&mesh[k], q, (uint64_t)k);
        vp_mesh_destroy(&mesh[k]);
    }
    return s;
}

static bool apart(float low, float high, float from, float to, double margin)
{
    return (double)low - (double)to > margin || (double)from - (double)high > margin;
}

/* A sum, independent of order, over the quads within a margin of a box. */
static uint64_t quads_near(const surfaces *s, const vp_aabb *box, double margin)
{
    uint64_t sum = 0;
    for (uint32_t q = 0; q < s->count; q++) {
        const vp_aabb *of = &s->quad[q].box;
        if (!apart(of->min.x, of->max.x, box->min.x, box->max.x, margin) && !apart(of->min.y, of->max.y, box->min.y, box->max.y, margin) &&
            !apart(of->min.z, of->max.z, box->min.z, box->max.z, margin))
            sum += s->quad[q].hash;
    }
    return sum;
}

/* An object whose nearby quads an edit changed is awake. Most others sleep on. */
TEST(the_surface_near_a_box)
{
    enum { OBJECTS = 12 };
    static const float margins[] = {0, 0.3f};
    uint32_t changed = 0, outer = 0, asleep = 0;
    for (int m = 0; m < 2; m++) {
        vp_random r = {70 + (uint64_t)m};
        const vp_dims chunks = {2, 2, 2};
        scene *s = scene_begin(test_random_world(&r, chunks, NULL), chunks, NULL, margins[m]);
        vp_aabb box[OBJECTS] = {{{0, 0, 0}, {0, 0, 0}}};
        for (uint32_t i = 0; i < OBJECTS; i++) {
            uint32_t object;
            assert_ok(vp_contacts_add(s->contacts, &box[i], &object, &error));
            assert_int_equal(object, i);
        }
        surfaces before = surfaces_of(s->world);
        for (uint32_t step = 0; step < STEPS; step++) {
            const vp_ivec3 v = {(int32_t)vp_random_below(&r, 16), (int32_t)vp_random_below(&r, 16), (int32_t)vp_random_below(&r, 16)};
            for (uint32_t i = 0; i < OBJECTS; i++) {
                const vp_vec3 at = {(float)v.x + vp_random_between(&r, -3, 3), (float)v.y + vp_random_between(&r, -3, 3),
                                    (float)v.z + vp_random_between(&r, -3, 3)};
                box[i] = (vp_aabb){at, {at.x + vp_random_unit(&r), at.y + vp_random_unit(&r), at.z + vp_random_unit(&r)}};
                assert_ok(vp_contacts_move(s->contacts, i, &box[i], &error));
                assert_ok(vp_contacts_sleep(s->contacts, i, &error));
            }
            const vp_voxel air = {VP_AIR, 0}, solid = {2, (uint8_t)(128 + vp_random_below(&r, 128))};
            const vp_voxel other = vp_world_voxel(s->world, v).material == VP_AIR ? solid : air;
            vp_contacts_clear_events(s->contacts);
            assert_ok(vp_world_set_voxel(s->world, v, step % 4 == 0 ? test_random_voxel(&r) : other, &s->stale, &error));
            scene_edited(s);
            surfaces after = surfaces_of(s->world);
            for (uint32_t i = 0; i < OBJECTS; i++) {
                const bool awake = vp_contacts_awake(s->contacts, i);
                asleep += !awake;
                if (quads_near(&before, &box[i], (double)margins[m]) == quads_near(&after, &box[i], (double)margins[m]))
                    continue;
                changed++;
                outer += voxels_between(&box[i], v) > 1;
                if (!awake)
                    fail_msg("margin %g, step %u: an edit of voxel (%d, %d, %d) changes the surface near object %u, which sleeps on",
                             (double)margins[m], step, v.x, v.y, v.z, i);
            }
            free(before.quad);
            before = after;
        }
        free(before.quad);
        scene_end(s);
    }
    print_message("%u changed surfaces, %u of them by a voxel more than one from the box; %u objects slept on\n", changed, outer, asleep);
    assert_true(changed > STEPS / 6 && outer > 2 && asleep > STEPS);
}
