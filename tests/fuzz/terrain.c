/* SPDX-License-Identifier: MIT */
/* Bytes as a sequence of edits and queries of a small terrain, in any form and with any budget. Every answer must equal brute force over
 * all triangles of a mesh that is rebuilt after each edit. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tape.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/mesh.h>
#include <voxphys/terrain.h>

#include "src/kd/ray_triangle.h"
#include "src/kd/sphere_triangle.h"

enum { MAX_STEPS = 32, MAX_TRIANGLES = 4 * 512 * 6 };

static const vp_dims size = {16, 8, 16};
static const size_t budgets[] = {VP_TERRAIN_NO_LIMIT, VP_TERRAIN_NO_CACHE, 2, 9000, 20000};

static vp_ivec3 voxel_at(tape *t)
{
    vp_ivec3 p;
    p.x = (int32_t)(next(t) % 32) - 8;
    p.y = (int32_t)(next(t) % 24) - 8;
    p.z = (int32_t)(next(t) % 32) - 8;
    return p;
}

static vp_vec3 point(tape *t)
{
    vp_vec3 p;
    p.x = (float)next(t) * 0.125f - 8.0f;
    p.y = (float)next(t) * 0.09375f - 8.0f;
    p.z = (float)next(t) * 0.125f - 8.0f;
    return p;
}

/* ---- expected answers ---- */

typedef struct truth {
    vp_mesh mesh;
    vp_terrain_triangle_id *of;
} truth;

static void know(const vp_world *world, vp_surface surface, const vp_kernels *kernels, truth *out)
{
    static vp_chunk_mesh_room room;
    const vp_mesh_def def = {.world = world, .surface = surface, .kernels = kernels};
    const vp_dims n = vp_world_chunks(world);
    memset(out, 0, sizeof *out);
    FUZZ_CHECK(vp_mesh_create(&def, &out->mesh, NULL) == VP_OK);
    out->of = malloc((out->mesh.quad_count * 2 + (size_t)1) * sizeof *out->of);
    FUZZ_CHECK(out->of != NULL);
    uint32_t count = 0;
    for (uint32_t c = 0; c < n.x * n.y * n.z; c++) {
        vp_chunk_mesh mesh = vp_chunk_mesh_in(&room);
        const vp_ivec3 at = {(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
        FUZZ_CHECK(vp_mesh_chunk(world, kernels, at, surface, &mesh, NULL) == VP_OK);
        for (uint32_t i = 0; i < mesh.quad_count * 2; i++)
            out->of[count++] = (vp_terrain_triangle_id){c, i};
    }
    FUZZ_CHECK(count == out->mesh.quad_count * 2);
}

static void forget(truth *k)
{
    vp_mesh_destroy(&k->mesh);
    free(k->of);
}

static void corners(const truth *k, uint32_t triangle, float at[3][3])
{
    uint32_t corner[3];
    vp_mesh_triangle(&k->mesh, triangle, corner);
    for (int c = 0; c < 3; c++)
        memcpy(at[c], &k->mesh.vertex[corner[c]], sizeof at[c]);
}

/* The nearest triangle that a ray hits or a sphere touches. Negative radius = ray. */
static vp_terrain_hit nearest(const truth *k, const vp_ray *ray, const vp_ray_frame *frame, float radius)
{
    vp_terrain_hit best = {{ray->t_max, VP_NO_HIT, 0.0f, 0.0f}, 0};
    float s = INFINITY, distance = INFINITY;
    for (uint32_t i = 0; i < k->mesh.quad_count * 2; i++) {
        float at[3][3];
        vp_meeting m;
        corners(k, i, at);
        if ((radius < 0 ? vp_ray_meets(frame, at[0], at[1], at[2], &m) : vp_sphere_meets(frame, radius, at[0], at[1], at[2], &m)) &&
            (m.s < s || (m.s == s && m.distance < distance))) {
            s = m.s;
            distance = m.distance;
            best = (vp_terrain_hit){{m.t, (int32_t)k->of[i].triangle, m.u, m.v}, k->of[i].chunk};
        }
    }
    return best;
}

static uint32_t count_met(const truth *k, const vp_ray_frame *frame)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < k->mesh.quad_count * 2; i++) {
        float at[3][3];
        vp_meeting m;
        corners(k, i, at);
        count += vp_ray_meets(frame, at[0], at[1], at[2], &m);
    }
    return count;
}

/* ---- queries ---- */

static void ask_ray(tape *t, vp_terrain *terrain, vp_surface surface, const truth *k)
{
    const vp_vec3 from = point(t), to = point(t);
    const uint8_t how = next(t);
    vp_ray ray = {from, {to.x - from.x, to.y - from.y, to.z - from.z}, (how & 1) != 0 ? INFINITY : (float)(how >> 3) * 0.125f};
    if ((how & 6) == 6)
        ray.direction.y = 0.0f;
    vp_ray_frame frame;
    vp_terrain_hit got, all[4];
    bool any;
    uint32_t count;
    vp_error error;
    if (!vp_ray_frame_of(&ray, &frame)) {
        FUZZ_CHECK(vp_terrain_raycast(terrain, surface, &ray, &got, &error) == VP_E_ARGUMENT);
        FUZZ_CHECK(vp_terrain_raycast_many(terrain, surface, &ray, 1, &got, &error) == VP_E_ARGUMENT);
        return;
    }
    const vp_terrain_hit want = nearest(k, &ray, &frame, -1);
    FUZZ_CHECK(vp_terrain_raycast(terrain, surface, &ray, &got, &error) == VP_OK);
    FUZZ_CHECK(memcmp(&got, &want, sizeof got) == 0);
    FUZZ_CHECK(vp_terrain_raycast_any(terrain, surface, &ray, &any, &error) == VP_OK);
    FUZZ_CHECK(any == (want.in_chunk.triangle >= 0));
    FUZZ_CHECK(vp_terrain_raycast_all(terrain, surface, &ray, all, 4, &count, &error) == VP_OK);
    FUZZ_CHECK(count == count_met(k, &frame) && (count == 0 || all[0].in_chunk.t == want.in_chunk.t));
    const float radius = (float)(next(t) % 24) * 0.125f;
    const vp_terrain_hit touched = nearest(k, &ray, &frame, radius);
    vp_terrain_contact contact;
    FUZZ_CHECK(vp_terrain_sphere_sweep(terrain, surface, &ray, radius, &contact, &error) == VP_OK);
    FUZZ_CHECK(memcmp(&contact.hit, &touched, sizeof touched) == 0);
    if (touched.in_chunk.triangle >= 0) {
        const vp_vec3 n = contact.at.normal, off = vp_vec3_sub(contact.at.centre, contact.at.point);
        FUZZ_CHECK(fabsf(vp_vec3_dot(n, n) - 1) < 1e-6f);
        FUZZ_CHECK(vp_vec3_dot(off, off) < (radius + 1e-4f) * (radius + 1e-4f));
        FUZZ_CHECK(!contact.at.started_inside || touched.in_chunk.t == 0);
    }
    if (want.in_chunk.triangle >= 0) {
        vp_terrain_point at;
        FUZZ_CHECK(vp_terrain_raycast_point(terrain, surface, &ray, &at, &error) == VP_OK);
        FUZZ_CHECK(memcmp(&at.hit, &want, sizeof want) == 0);
        FUZZ_CHECK(surface == VP_SURFACE_SOLID ? at.triangle.material >= VP_FIRST_SOLID : at.triangle.material == VP_WATER);
    }
}

static void ask_box(tape *t, vp_terrain *terrain, vp_surface surface, const truth *k)
{
    static vp_terrain_triangle_id list[MAX_TRIANGLES];
    const vp_vec3 a = point(t), b = point(t);
    const vp_aabb box = {vp_vec3_min(a, b), vp_vec3_max(a, b)};
    uint32_t found, want = 0;
    uint64_t sum = 0, got = 0;
    for (uint32_t i = 0; i < k->mesh.quad_count * 2; i++) {
        float at[3][3];
        corners(k, i, at);
        const float low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
        bool overlaps = true;
        for (int x = 0; x < 3; x++)
            overlaps =
                overlaps && fmaxf(fmaxf(at[0][x], at[1][x]), at[2][x]) >= low[x] && fminf(fminf(at[0][x], at[1][x]), at[2][x]) <= high[x];
        want += overlaps;
        sum += overlaps ? (uint64_t)k->of[i].chunk * 65537 + k->of[i].triangle + 1 : 0;
    }
    FUZZ_CHECK(vp_terrain_gather(terrain, surface, &box, list, MAX_TRIANGLES, &found, NULL) == VP_OK);
    for (uint32_t i = 0; i < found; i++)
        got += (uint64_t)list[i].chunk * 65537 + list[i].triangle + 1;
    FUZZ_CHECK(found == want && got == sum);
}

/* ---- edits ---- */

static void edit(tape *t, vp_terrain *terrain)
{
    const uint8_t what = next(t);
    const vp_voxel voxel = {(uint8_t)(what >> 2 & 3), next(t)};
    const vp_ivec3 a = voxel_at(t);
    vp_error error;
    switch (what & 3) {
    case 0:
        (void)vp_terrain_set_voxel(terrain, a, voxel, NULL, &error);
        break;
    case 1: {
        const vp_ivec3 b = voxel_at(t);
        (void)vp_terrain_fill_box(terrain, a, b, voxel, NULL, &error);
        break;
    }
    case 2: {
        uint8_t rows[27];
        for (size_t i = 0; i < sizeof rows; i++)
            rows[i] = next(t) & 3;
        (void)vp_terrain_write_rows(terrain, a, (vp_dims){3, 3, 3}, rows, NULL, NULL, &error);
        break;
    }
    default: {
        const vp_vec3 centre = {(float)a.x + 0.25f, (float)a.y, (float)a.z};
        (void)vp_terrain_fill_sphere(terrain, centre, (float)(next(t) % 64) * 0.25f, voxel, NULL, &error);
        break;
    }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    tape t = {bytes, count};
    vp_kernels scalar;
    vp_world *world = NULL;
    vp_terrain *terrain = NULL;
    const uint8_t flags = next(&t);
    const vp_world_def world_def = {.size = size};
    FUZZ_CHECK(vp_kernels_named("scalar", &scalar, NULL) == VP_OK);
    FUZZ_CHECK(vp_world_create(&world_def, &world, NULL) == VP_OK);
    const vp_terrain_def def = {.world = world,
                                .surfaces = 3,
                                .form = (vp_kd_form)(flags % VP_KD_FORM_COUNT),
                                .budget = budgets[flags / 8 % 5],
                                .kernels = (flags & 0x80) != 0 ? &scalar : NULL};
    FUZZ_CHECK(vp_terrain_create(&def, &terrain, NULL) == VP_OK);
    truth k[2];
    for (int s = 0; s < 2; s++)
        know(world, (vp_surface)s, &scalar, &k[s]);
    for (int step = 0; t.left > 0 && step < MAX_STEPS; step++) {
        const uint8_t what = next(&t);
        const vp_surface surface = (vp_surface)(what >> 7);
        if (what % 4 == 0) {
            edit(&t, terrain);
            for (int s = 0; s < 2; s++) {
                forget(&k[s]);
                know(world, (vp_surface)s, &scalar, &k[s]);
            }
        } else if (what % 4 == 1) {
            ask_box(&t, terrain, surface, &k[surface]);
        } else {
            ask_ray(&t, terrain, surface, &k[surface]);
        }
        if (what % 32 == 31)
            FUZZ_CHECK(vp_terrain_set_budget(terrain, budgets[what / 32 % 5], NULL) == VP_OK);
        if (what % 32 == 30)
            FUZZ_CHECK(vp_terrain_prepare(terrain, NULL) == VP_OK);
        const vp_terrain_stats stats = vp_terrain_stats_of(terrain);
        FUZZ_CHECK(stats.bytes <= stats.budget);
    }
    for (int s = 0; s < 2; s++)
        forget(&k[s]);
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);
    return 0;
}
