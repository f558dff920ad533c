/* SPDX-License-Identifier: MIT */
#include "tests/support/terrain_oracle.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "tests/support/check.h"
#include "tests/support/contact_oracle.h"
#include "tests/support/samples.h"
#include "tests/support/triangles.h"

void terrain_oracle_make(const vp_world *world, vp_surface surface, vp_ivec3 first, vp_dims chunks, terrain_oracle *out)
{
    static const vp_mesh nothing = {0};
    vp_kernels scalar;
    assert_ok(vp_kernels_named("scalar", &scalar, &error));
    const vp_mesh_def def = {.world = world, .surface = surface, .first = first, .chunks = chunks, .kernels = &scalar};
    out->mesh = nothing;
    assert_ok(vp_mesh_create(&def, &out->mesh, &error));
    out->triangles = (vp_triangles){out->mesh.vertex, (const uint32_t *)(const void *)out->mesh.quad, out->mesh.vertex_count,
                                    out->mesh.quad_count * 2, true};
    out->of = malloc((out->mesh.quad_count * 2 + (size_t)1) * sizeof *out->of);
    assert_non_null(out->of);
    const vp_dims n = vp_world_chunks(world), box = chunks.x != 0 ? chunks : n;
    uint32_t triangle = 0;
    vp_chunk_mesh_room *room = malloc(sizeof *room);
    assert_non_null(room);
    for (uint32_t y = 0; y < box.y; y++)
        for (uint32_t z = 0; z < box.z; z++)
            for (uint32_t x = 0; x < box.x; x++) {
                const vp_ivec3 at = {first.x + (int32_t)x, first.y + (int32_t)y, first.z + (int32_t)z};
                const uint32_t number = ((uint32_t)at.y * n.z + (uint32_t)at.z) * n.x + (uint32_t)at.x;
                vp_chunk_mesh mesh = vp_chunk_mesh_in(room);
                assert_ok(vp_mesh_chunk(world, &scalar, at, surface, &mesh, &error));
                for (uint32_t t = 0; t < mesh.quad_count * 2; t++)
                    out->of[triangle++] = (vp_terrain_triangle_id){number, t};
            }
    free(room);
    assert_int_equal(triangle, out->triangles.triangle_count);
}

void terrain_oracle_free(terrain_oracle *o)
{
    vp_mesh_destroy(&o->mesh);
    free(o->of);
}

vp_terrain_hit terrain_oracle_hit(const terrain_oracle *o, vp_hit hit)
{
    vp_terrain_hit h = {hit, 0};
    if (hit.triangle >= 0) {
        h.chunk = o->of[hit.triangle].chunk;
        h.in_chunk.triangle = (int32_t)o->of[hit.triangle].triangle;
    }
    return h;
}

vp_terrain_hit terrain_oracle_closest(const terrain_oracle *o, const vp_ray *ray)
{
    return terrain_oracle_hit(o, test_closest(&o->triangles, ray));
}

vp_terrain_hit terrain_oracle_touched(const terrain_oracle *o, const vp_ray *ray, float radius)
{
    return terrain_oracle_hit(o, test_first_touched(&o->triangles, ray, radius));
}

uint32_t terrain_oracle_all(const terrain_oracle *o, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity)
{
    vp_hit *list = malloc((o->triangles.triangle_count + (size_t)1) * sizeof *list);
    assert_non_null(list);
    const uint32_t count = test_all(&o->triangles, ray, list, o->triangles.triangle_count);
    for (uint32_t i = 0; i < count && i < capacity; i++)
        out[i] = terrain_oracle_hit(o, list[i]); /* numbers in the mesh ascend like chunks and their triangles */
    free(list);
    return count;
}

uint32_t terrain_oracle_overlapping(const terrain_oracle *o, const vp_aabb *box, vp_terrain_triangle_id *out, uint32_t capacity)
{
    uint32_t *list = malloc((o->triangles.triangle_count + (size_t)1) * sizeof *list);
    assert_non_null(list);
    const uint32_t count = test_overlapping(&o->triangles, box, list);
    assert_true(count <= capacity);
    for (uint32_t i = 0; i < count; i++)
        out[i] = o->of[list[i]];
    free(list);
    return count;
}

bool terrain_same_hit(const vp_terrain_hit *a, const vp_terrain_hit *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static int by_number(const void *one, const void *two)
{
    const vp_terrain_triangle_id *a = one, *b = two;
    if (a->chunk != b->chunk)
        return a->chunk < b->chunk ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

void terrain_sort(vp_terrain_triangle_id *list, uint32_t count)
{
    qsort(list, count, sizeof *list, by_number);
}

/* ---- random queries and edits ---- */

static vp_vec3 somewhere(vp_random *r, vp_dims size, float beyond)
{
    vp_vec3 p = {vp_random_between(r, -beyond, (float)size.x + beyond), vp_random_between(r, -beyond, (float)size.y + beyond),
                 vp_random_between(r, -beyond, (float)size.z + beyond)};
    if (vp_random_below(r, 4) == 0)
        p = (vp_vec3){floorf(p.x), floorf(p.y) + 0.5f, floorf(p.z)};
    return p;
}

vp_ray terrain_random_ray(vp_random *r, const terrain_oracle *o, vp_dims size)
{
    if (o->triangles.triangle_count != 0 && vp_random_below(r, 3) != 0)
        return test_ray(r, &o->triangles);
    const vp_vec3 from = somewhere(r, size, 20), to = somewhere(r, size, 2);
    vp_ray ray = {from, vp_vec3_sub(to, from), vp_random_below(r, 3) == 0 ? 0.75f : INFINITY};
    const uint32_t axis = vp_random_below(r, 12);
    if (axis == 0 || axis == 3)
        ray.direction.x = 0;
    if (axis == 1 || axis == 3)
        ray.direction.z = -0.0f;
    if (axis == 2)
        ray.direction = (vp_vec3){0, -1, 0};
    if (ray.direction.x == 0 && ray.direction.y == 0 && ray.direction.z == 0)
        ray.direction.x = 1;
    return ray;
}

static void expect_hit(const char *what, const vp_ray *ray, const vp_terrain_hit *got, const vp_terrain_hit *want)
{
    if (!terrain_same_hit(got, want))
        fail_msg("%s from (%a, %a, %a) to (%a, %a, %a), t_max %a: chunk %u, triangle %d, t %a; expected chunk %u, triangle %d, t %a", what,
                 (double)ray->origin.x, (double)ray->origin.y, (double)ray->origin.z, (double)ray->direction.x, (double)ray->direction.y,
                 (double)ray->direction.z, (double)ray->t_max, got->chunk, got->in_chunk.triangle, (double)got->in_chunk.t, want->chunk,
                 want->in_chunk.triangle, (double)want->in_chunk.t);
}

enum { LIST = 4096 };

static void expect_all(vp_terrain *terrain, vp_surface surface, const terrain_oracle *o, const vp_ray *ray)
{
    vp_terrain_hit got[LIST / 8], want[LIST / 8];
    uint32_t count = 0;
    const uint32_t wanted = terrain_oracle_all(o, ray, want, LIST / 8);
    assert_ok(vp_terrain_raycast_all(terrain, surface, ray, got, LIST / 8, &count, &error));
    assert_int_equal(count, wanted);
    for (uint32_t i = 0; i < count && i < LIST / 8; i++)
        expect_hit("all", ray, &got[i], &want[i]);
    got[2].chunk = 77;
    assert_ok(vp_terrain_raycast_all(terrain, surface, ray, got, 2, &count, &error));
    assert_true(count == wanted && got[2].chunk == 77);
}

/* The number in the oracle's mesh of a chunk's triangle, or the mesh's count if it has none. */
static uint32_t number_of(const terrain_oracle *o, vp_terrain_triangle_id triangle)
{
    for (uint32_t i = 0; i < o->triangles.triangle_count; i++)
        if (o->of[i].chunk == triangle.chunk && o->of[i].triangle == triangle.triangle)
            return i;
    return o->triangles.triangle_count;
}

bool terrain_is_triangle(const terrain_oracle *o, const vp_terrain_hit *hit, const vp_terrain_triangle *got)
{
    static const vp_terrain_triangle nothing = {.material = 0};
    vp_vec3 corner[3];
    if (hit->in_chunk.triangle < 0)
        return memcmp(got->corner, nothing.corner, sizeof got->corner) == 0 && got->material == 0 && got->normal.x == 0 &&
               got->normal.y == 0 && got->normal.z == 0;
    const uint32_t i = number_of(o, (vp_terrain_triangle_id){hit->chunk, (uint32_t)hit->in_chunk.triangle});
    if (i == o->triangles.triangle_count)
        return false;
    test_corners(&o->triangles, i, corner);
    const vp_vec3 n = vp_vec3_cross(vp_vec3_sub(corner[1], corner[0]), vp_vec3_sub(corner[2], corner[0]));
    const float length = sqrtf(vp_vec3_dot(n, n));
    return memcmp(got->corner, corner, sizeof corner) == 0 && got->material == o->mesh.material[i / 2] &&
           fabsf(vp_vec3_dot(got->normal, n) - length) <= 1e-3f * length + 1e-6f;
}

static void expect_triangle(const terrain_oracle *o, const vp_terrain_hit *hit, const vp_terrain_triangle *got)
{
    if (!terrain_is_triangle(o, hit, got))
        fail_msg("triangle %d of chunk %u has other corners, another normal or another material", hit->in_chunk.triangle, hit->chunk);
}

static vp_dims size_of(vp_terrain *terrain)
{
    vp_terrain_reader reader;
    vp_terrain_acquire_reader(terrain, &reader);
    const vp_dims size = vp_world_size(vp_terrain_reader_world(&reader));
    vp_terrain_release_reader(&reader);
    return size;
}

static void expect_box(vp_terrain *terrain, vp_surface surface, const terrain_oracle *o, vp_random *r)
{
    const vp_dims size = size_of(terrain);
    vp_aabb box = test_random_box(r, size);
    if (vp_random_below(r, 2) == 0) {
        const vp_vec3 p = somewhere(r, size, 1), half = {0.75f, 0.75f, 0.75f};
        box = (vp_aabb){vp_vec3_sub(p, half), vp_vec3_add(p, half)};
    }
    vp_terrain_triangle_id *got = malloc(2 * (o->triangles.triangle_count + (size_t)1) * sizeof *got);
    assert_non_null(got);
    vp_terrain_triangle_id *want = got + o->triangles.triangle_count + 1;
    const uint32_t most = o->triangles.triangle_count;
    uint32_t count = 0;
    const uint32_t wanted = terrain_oracle_overlapping(o, &box, want, most);
    assert_ok(vp_terrain_gather(terrain, surface, &box, got, most, &count, &error));
    assert_int_equal(count, wanted);
    vp_terrain_triangle_id few[16];
    vp_terrain_triangle is[16];
    assert_ok(vp_terrain_gather_triangles(terrain, surface, &box, few, is, 16, &count, &error));
    assert_int_equal(count, wanted);
    for (uint32_t i = 0; i < 16 && i < count; i++)
        expect_triangle(o, &(vp_terrain_hit){{0, (int32_t)few[i].triangle, 0, 0}, few[i].chunk}, &is[i]);
    terrain_sort(got, count);
    for (uint32_t i = 0; i < count; i++)
        assert_true(got[i].chunk == want[i].chunk && got[i].triangle == want[i].triangle);
    free(got);
}

void terrain_expect(vp_terrain *terrain, vp_surface surface, const terrain_oracle *o, vp_random *r)
{
    const vp_dims size = size_of(terrain);
    const uint32_t what = vp_random_below(r, 16);
    const vp_ray ray = terrain_random_ray(r, o, size);
    vp_terrain_hit got, want;
    bool any;
    if (what < 6) {
        want = terrain_oracle_closest(o, &ray);
        vp_terrain_point at;
        assert_ok(vp_terrain_raycast(terrain, surface, &ray, &got, &error));
        expect_hit("closest", &ray, &got, &want);
        assert_ok(vp_terrain_raycast_point(terrain, surface, &ray, &at, &error));
        expect_hit("point", &ray, &at.hit, &want);
        expect_triangle(o, &want, &at.triangle);
        const vp_vec3 point = vp_vec3_add(ray.origin, vp_vec3_scale(ray.direction, want.in_chunk.t)), none = {0, 0, 0};
        assert_memory_equal(&at.point, want.in_chunk.triangle >= 0 ? &point : &none, sizeof point);
    } else if (what < 9) {
        want = terrain_oracle_closest(o, &ray);
        assert_ok(vp_terrain_raycast_any(terrain, surface, &ray, &any, &error));
        assert_int_equal(any, want.in_chunk.triangle >= 0);
    } else if (what < 11) {
        expect_all(terrain, surface, o, &ray);
    } else if (what < 13) {
        const float radius = vp_random_between(r, 0, 2.5f);
        want = terrain_oracle_touched(o, &ray, radius);
        vp_terrain_contact contact;
        assert_ok(vp_terrain_sphere_sweep(terrain, surface, &ray, radius, &contact, &error));
        expect_hit("sweep", &ray, &contact.hit, &want);
        expect_triangle(o, &want, &contact.triangle);
        if (want.in_chunk.triangle >= 0)
            contact_expect(contact.triangle.corner, &ray, radius, want.in_chunk.t, &contact.at);
        else
            assert_memory_equal(&contact.at, &(vp_sphere_contact){.started_inside = false}, offsetof(vp_sphere_contact, started_inside));
        const bool starts = want.in_chunk.triangle >= 0 && want.in_chunk.t == 0; /* docs/CONTRACT.md: SWP-7 */
        const bool inside = starts && (float)contact_distance(ray.origin, contact.triangle.corner) < radius;
        assert_int_equal(contact.at.started_inside, inside);
    } else {
        expect_box(terrain, surface, o, r);
    }
}

static int32_t about(vp_random *r, uint32_t size)
{
    return (int32_t)vp_random_below(r, size + 4) - 2;
}

void terrain_random_edit(vp_random *r, vp_terrain *terrain, vp_dims size, vp_world *other)
{
    const uint32_t what = vp_random_below(r, 16);
    const vp_voxel voxel = test_random_voxel(r);
    const vp_ivec3 low = {about(r, size.x), about(r, size.y), about(r, size.z)};
    if (what < 10) {
        const vp_ivec3 at = {(int32_t)vp_random_below(r, size.x), (int32_t)vp_random_below(r, size.y), (int32_t)vp_random_below(r, size.z)};
        assert_ok(vp_terrain_set_voxel(terrain, at, voxel, NULL, &error));
        assert_ok(vp_world_set_voxel(other, at, voxel, NULL, &error));
    } else if (what < 12) {
        const uint32_t most = vp_random_below(r, 16) == 0 ? 30 : 6;
        const vp_ivec3 high = {low.x + (int32_t)vp_random_below(r, most), low.y + (int32_t)vp_random_below(r, most),
                               low.z + (int32_t)vp_random_below(r, most)};
        assert_ok(vp_terrain_fill_box(terrain, low, high, voxel, NULL, &error));
        assert_ok(vp_world_fill_box(other, low, high, voxel, NULL, &error));
    } else if (what < 14) {
        const vp_vec3 centre = {(float)low.x + vp_random_unit(r), (float)low.y + vp_random_unit(r), (float)low.z + vp_random_unit(r)};
        const float radius = vp_random_between(r, 0, vp_random_below(r, 16) == 0 ? 16.0f : 4.0f);
        assert_ok(vp_terrain_fill_sphere(terrain, centre, radius, voxel, NULL, &error));
        assert_ok(vp_world_fill_sphere(other, centre, radius, voxel, NULL, &error));
    } else {
        uint8_t material[125], occupancy[125];
        for (int i = 0; i < 125; i++) {
            const vp_voxel v = test_random_voxel(r);
            material[i] = v.material;
            occupancy[i] = v.occupancy;
        }
        const vp_dims box = {1 + vp_random_below(r, 5), 1 + vp_random_below(r, 5), 1 + vp_random_below(r, 5)};
        assert_ok(vp_terrain_write_rows(terrain, low, box, material, what == 14 ? occupancy : NULL, NULL, &error));
        assert_ok(vp_world_write_rows(other, low, box, material, what == 14 ? occupancy : NULL, NULL, &error));
    }
}
