/* SPDX-License-Identifier: MIT */
/* The data sets of triangle trees: meshes, rays and boxes are as their descriptions and their hashes say. Oracles: byte
   layouts written out by hand, meshes made again by the mesher chunk by chunk, whole-number geometry on the lattice that
   vertices lie on, and plain double Moller-Trumbore over all triangles for what rays hit. */
#include "tests/support/check.h"
#include "tests/support/sets.h"

#include "datasets/hash.h"
#include "datasets/mesh_sets.h"

#include <voxphys/mesh.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static vp_manifest *manifest;

static const char *const chunk_sets[] = {"chunks", "chunks-luanti", "chunks-degenerate"};
static const char *const all_sets[] = {"chunks", "chunks-luanti", "chunks-degenerate", "world-230k", "world-luanti"};

static int open_manifest(void **state)
{
    (void)state;
    vp_error error;
    if (vp_manifest_open(NULL, &manifest, &error) == VP_OK)
        return 0;
    print_error("%s\n", error.message);
    return -1;
}

/* Made when first asked for, and kept to the end. */
static vp_mesh_set kept[sizeof all_sets / sizeof all_sets[0]];

static int close_manifest(void **state)
{
    (void)state;
    for (int twice = 0; twice < 2; twice++) /* one that is freed is left alone */
        for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
            vp_mesh_set_destroy(&kept[i]);
    vp_manifest_close(manifest);
    return 0;
}

static vp_mesh_set open_meshes(const char *name)
{
    size_t i = 0;
    while (i + 1 < sizeof kept / sizeof kept[0] && strcmp(all_sets[i], name) != 0)
        i++;
    assert_string_equal(all_sets[i], name);
    if (kept[i].count == 0)
        assert_ok(TAKE(meshes, manifest, name, NULL, &kept[i], &error)); /* checks the hash */
    return kept[i];
}

/* ---- hashes ---- */

static uint8_t *put_u32(uint8_t *to, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        *to++ = (uint8_t)(v >> 8 * i);
    return to;
}

static uint8_t *put_floats(uint8_t *to, const float *v, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &v[i], 4);
        to = put_u32(to, bits);
    }
    return to;
}

static void hashes_are_of_the_fields(void **state)
{
    (void)state;
    static const vp_vec3 corners[4] = {{1, 2, 3}, {-0.0f, 5, 6}, {7, 8.5f, 9}, {0, 1, 0}};
    static const uint32_t quad[4] = {3, 1, 0, 2}, triangle[3] = {2, 1, 0};
    static const uint8_t of_quad[1] = {77}, of_triangle[1] = {5};
    vp_triangles mesh[2] = {{corners, quad, 4, 2, true}, {corners, triangle, 3, 1, false}};
    const uint8_t *material[2] = {of_quad, of_triangle};
    const vp_mesh_set meshes = {.count = 2, .mesh = mesh, .material = material};
    uint8_t bytes[256], *to = put_u32(bytes, 2);
    to = put_u32(put_u32(put_u32(to, 4), 2), 1);
    to = put_floats(to, (const float[]){1, 2, 3, -0.0f, 5, 6, 7, 8.5f, 9, 0, 1, 0}, 12);
    to = put_u32(put_u32(put_u32(put_u32(to, 3), 1), 0), 2);
    *to++ = 77;
    to = put_u32(put_u32(put_u32(to, 3), 1), 0);
    to = put_floats(to, (const float[]){1, 2, 3, -0.0f, 5, 6, 7, 8.5f, 9}, 9);
    to = put_u32(put_u32(put_u32(to, 2), 1), 0);
    *to++ = 5;
    assert_true(vp_kind_meshes.hash(&meshes) == vp_hash64(bytes, (size_t)(to - bytes)));

    vp_ray ray = {{1, 2, 3}, {-0.0f, 0, 1}, 512};
    uint32_t number = 9;
    to = put_floats(put_u32(put_u32(bytes, 1), 9), (const float[]){1, 2, 3, -0.0f, 0, 1, 512}, 7);
    assert_true(vp_kind_rays.hash(&(vp_ray_set){1, &ray, &number}) == vp_hash64(bytes, (size_t)(to - bytes)));
    vp_aabb box = {{1, 2, 3}, {4, 5, 6}};
    to = put_floats(put_u32(put_u32(bytes, 1), 9), (const float[]){1, 2, 3, 4, 5, 6}, 6);
    assert_true(vp_kind_mesh_boxes.hash(&(vp_mesh_box_set){1, &box, &number}) == vp_hash64(bytes, (size_t)(to - bytes)));
}

/* ---- meshes ---- */

/* Arrays are parts of the set's, indices are in range, boxes are those of the vertices, the sums are right. */
static void check_sound(const char *name, const vp_mesh_set *set)
{
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const vp_triangles *m = &set->mesh[i];
        const uint32_t corners = m->quads ? m->triangle_count * 2 : m->triangle_count * 3;
        float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        if (m->triangle_count == 0 || (m->quads && m->triangle_count % 2 != 0) || m->vertex < set->vertex || m->index < set->index ||
            m->vertex + m->vertex_count > set->vertex + set->vertex_count || m->index + corners > set->index + set->index_count)
            fail_msg("%s: mesh %u is not within the set", name, i);
        for (uint32_t v = 0; v < m->vertex_count; v++) {
            const float p[3] = {m->vertex[v].x, m->vertex[v].y, m->vertex[v].z};
            for (int axis = 0; axis < 3; axis++) {
                assert_true(p[axis] >= -0.5f && p[axis] <= 256.5f); /* cells of the largest world */
                low[axis] = fminf(low[axis], p[axis]);
                high[axis] = fmaxf(high[axis], p[axis]);
            }
        }
        for (uint32_t k = 0; k < corners; k++)
            if (m->index[k] >= m->vertex_count)
                fail_msg("%s: mesh %u has index %u, but %u vertices", name, i, m->index[k], m->vertex_count);
        const vp_aabb b = set->box[i];
        assert_true(b.min.x == low[0] && b.min.y == low[1] && b.min.z == low[2]);
        assert_true(b.max.x == high[0] && b.max.y == high[1] && b.max.z == high[2]);
        triangles += m->triangle_count;
    }
    assert_true(set->triangle_count == triangles);
}

/* Every chunk that has a surface is there, in order, with the mesher's vertices, quads and materials. */
static void check_chunks(const char *name, const char *world_name, const vp_mesh_set *set)
{
    static vp_chunk_mesh_room room;
    vp_kernels kernels; /* once: finding out what the machine has takes longer than a chunk */
    vp_world *world = NULL;
    assert_ok(vp_kernels_default(&kernels, &error));
    assert_ok(take_world(manifest, world_name, &world, &error));
    const vp_dims n = vp_world_chunks(world);
    uint32_t next = 0;
    for (int32_t y = 0; y < (int32_t)n.y; y++)
        for (int32_t z = 0; z < (int32_t)n.z; z++)
            for (int32_t x = 0; x < (int32_t)n.x; x++) {
                vp_chunk_mesh mesh = vp_chunk_mesh_in(&room);
                assert_ok(vp_mesh_chunk(world, &kernels, (vp_ivec3){x, y, z}, VP_SURFACE_SOLID, &mesh, &error));
                if (mesh.quad_count == 0)
                    continue;
                assert_true(next < set->count);
                const vp_triangles *m = &set->mesh[next];
                if (!m->quads || m->vertex_count != mesh.vertex_count || m->triangle_count != mesh.quad_count * 2)
                    fail_msg("%s: mesh %u is not that of chunk (%d, %d, %d)", name, next, x, y, z);
                assert_memory_equal(m->vertex, mesh.vertex, mesh.vertex_count * sizeof *mesh.vertex);
                assert_memory_equal(set->material[next], mesh.material, mesh.quad_count);
                for (uint32_t i = 0; i < mesh.quad_count * 4; i++)
                    assert_int_equal(m->index[i], mesh.quad[i / 4][i % 4]);
                next++;
            }
    assert_int_equal(next, set->count);
    vp_world_destroy(world);
}

static void chunk_meshes_are_the_meshers(void **state)
{
    (void)state;
    vp_mesh_set set = open_meshes("chunks");
    check_sound("chunks", &set);
    check_chunks("chunks", "terrain-230k", &set);
    assert_true(set.chunks);
    assert_in_range(set.count, 1400, 1600);
    assert_in_range(set.triangle_count, 225000, 230000);
    set = open_meshes("chunks-luanti");
    check_sound("chunks-luanti", &set);
    check_chunks("chunks-luanti", "luanti", &set);
    assert_true(set.chunks);
}

/* As one mesh it has the chunks' triangles, and fewer vertices, no two of which are equal. */
static void world_meshes_are_the_chunks_as_one(void **state)
{
    (void)state;
    vp_mesh_set world = open_meshes("world-230k"), chunks = open_meshes("chunks");
    check_sound("world-230k", &world);
    assert_int_equal(world.count, 1);
    assert_false(world.chunks);
    assert_true(world.triangle_count == chunks.triangle_count);
    assert_true(world.vertex_count < chunks.vertex_count);
    uint32_t quad = 0;
    for (uint32_t c = 0; c < chunks.count; c++) {
        const vp_triangles *m = &chunks.mesh[c];
        for (uint32_t i = 0; i < m->triangle_count / 2; i++, quad++) {
            for (uint32_t k = 0; k < 4; k++) {
                const vp_vec3 a = m->vertex[m->index[i * 4 + k]];
                const vp_vec3 b = world.mesh[0].vertex[world.mesh[0].index[quad * 4 + k]];
                if (a.x != b.x || a.y != b.y || a.z != b.z)
                    fail_msg("quad %u of mesh %u is another in the world's mesh", i, c);
            }
            assert_int_equal(chunks.material[c][i], world.material[0][quad]);
        }
    }
    world = open_meshes("world-luanti");
    check_sound("world-luanti", &world);
    assert_int_equal(world.count, 1);
    assert_in_range(world.triangle_count, 228000, 232000);
    /* Chunks 9 to 31 along x and 6 to 28 along z: cells from the one before the first voxel to the last one's. */
    assert_true(world.box[0].min.x >= 71.5f && world.box[0].max.x <= 256.5f);
    assert_true(world.box[0].min.z >= 47.5f && world.box[0].max.z <= 232.5f);
}

/* In units of 1/1024, on which all vertices lie: whole numbers. */
static void lattice(vp_vec3 v, int64_t to[3])
{
    const double p[3] = {(double)v.x * 1024, (double)v.y * 1024, (double)v.z * 1024};
    for (int axis = 0; axis < 3; axis++) {
        assert_true(p[axis] == floor(p[axis]));
        to[axis] = (int64_t)p[axis];
    }
}

static bool is_flat(const vp_vec3 *vertex, const uint32_t corner[3])
{
    int64_t a[3], b[3], c[3];
    lattice(vertex[corner[0]], a);
    lattice(vertex[corner[1]], b);
    lattice(vertex[corner[2]], c);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        if ((b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]) != 0)
            return false;
    }
    return true;
}

static void one_percent_is_degenerate(void **state)
{
    (void)state;
    uint32_t ways[4] = {0}; /* two alike, three alike, on a line, twice */
    vp_mesh_set set = open_meshes("chunks-degenerate");
    check_sound("chunks-degenerate", &set);
    assert_true(set.chunks);
    for (uint32_t i = 0; i < set.count; i++) {
        const vp_triangles *m = &set.mesh[i];
        assert_false(m->quads);
        for (uint32_t t = 0; t < m->triangle_count; t++) {
            uint32_t c[3];
            vp_triangle_corners(m, t, c);
            const int alike = (c[0] == c[1]) + (c[1] == c[2]) + (c[2] == c[0]);
            bool twice = false;
            for (uint32_t s = 0; s < t && !twice; s++)
                twice = memcmp(m->index + s * 3, c, sizeof c) == 0;
            if (twice)
                ways[3]++;
            else if (alike != 0)
                ways[alike == 3]++;
            else
                ways[2] += is_flat(m->vertex, c);
        }
    }
    uint32_t all = 0;
    for (int w = 0; w < 4; w++) {
        if (ways[w] < 80)
            fail_msg("only %u triangles are degenerate in way %d", ways[w], w);
        all += ways[w];
    }
    /* 52690 draws: five deviations are 0.0022 */
    const double share = (double)all / (double)set.triangle_count;
    if (share < 0.0078 || share > 0.0122)
        fail_msg("%.4f of the triangles are degenerate", share);
}

/* ---- rays ---- */

typedef struct vector {
    double v[3];
} vector;

static vector wide(vp_vec3 a)
{
    return (vector){{(double)a.x, (double)a.y, (double)a.z}};
}

static vector less(vector a, vector b)
{
    return (vector){{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]}};
}

static vector cross(vector a, vector b)
{
    return (vector){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2], a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}

static double dot(vector a, vector b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

static bool meets(const vp_ray *ray, const vp_triangles *mesh, uint32_t triangle)
{
    uint32_t number[3];
    vp_triangle_corners(mesh, triangle, number);
    const vector o = wide(ray->origin), d = wide(ray->direction), a = wide(mesh->vertex[number[0]]);
    const vector ab = less(wide(mesh->vertex[number[1]]), a), ac = less(wide(mesh->vertex[number[2]]), a);
    const vector p = cross(d, ac), s = less(o, a), q = cross(s, ab);
    const double area = dot(ab, p), u = dot(s, p) / area, v = dot(d, q) / area, t = dot(ac, q) / area;
    return area != 0 && u >= 0 && v >= 0 && u + v <= 1 && t >= 0 && t <= (double)ray->t_max;
}

static bool hits(const vp_ray *ray, const vp_triangles *mesh)
{
    bool hit = false;
    for (uint32_t t = 0; t < mesh->triangle_count && !hit; t++)
        hit = meets(ray, mesh, t);
    return hit;
}

static bool in_reach(vp_vec3 v)
{
    return fabsf(v.x) <= VP_KD_MAX && fabsf(v.y) <= VP_KD_MAX && fabsf(v.z) <= VP_KD_MAX; /* false for NaN */
}

/* Opens a set whose rays are all as vp_ray says; checks that directions are of length 1 if they must be. */
static vp_ray_set open_rays(const char *meshes_name, const char *rays, const vp_mesh_set *meshes, uint32_t count, bool unit)
{
    char name[160];
    vp_ray_set set = {0};
    snprintf(name, sizeof name, "%s/%s", meshes_name, rays);
    assert_ok(TAKE(rays, manifest, name, meshes, &set, &error)); /* checks the hash */
    assert_int_equal(set.count, count);
    for (uint32_t i = 0; i < set.count; i++) {
        const vp_ray *r = &set.ray[i];
        const vector d = wide(r->direction);
        const bool zero = d.v[0] == 0 && d.v[1] == 0 && d.v[2] == 0;
        if (set.mesh[i] >= meshes->count || !in_reach(r->origin) || !in_reach(r->direction) || zero || !(r->t_max >= 0))
            fail_msg("%s: ray %u is not valid", name, i);
        if (unit && fabs(dot(d, d) - 1) > 1e-6)
            fail_msg("%s: the direction of ray %u is of length %.9g", name, i, sqrt(dot(d, d)));
    }
    return set;
}

static void check_share(const char *meshes, const char *rays, const vp_mesh_set *set, const vp_ray_set *of, uint32_t samples, double low,
                        double high)
{
    uint32_t hit = 0;
    for (uint32_t i = 0; i < samples; i++) {
        const uint32_t r = (uint32_t)((uint64_t)i * 2654435761u % of->count); /* an odd step: all over the set */
        hit += hits(&of->ray[r], &set->mesh[of->mesh[r]]);
    }
    const double share = (double)hit / samples;
    if (share < low || share > high)
        fail_msg("%s/%s: %.3f of the rays hit, not from %.2f to %.2f", meshes, rays, share, low, high);
}

/* Each 64 rays are 8 x 8 neighbours of one view: from one eye, with directions that differ little. */
static void check_tiles(const char *name, const vp_ray_set *set, bool chunks)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const vp_ray *first = &set->ray[i / 64 * 64], *r = &set->ray[i];
        const float apart = fabsf(r->direction.x - first->direction.x) + fabsf(r->direction.y - first->direction.y) +
                            fabsf(r->direction.z - first->direction.z);
        if (memcmp(&r->origin, &first->origin, sizeof r->origin) != 0 || apart > (chunks ? 0.5f : 0.05f) ||
            set->mesh[i] != set->mesh[i / 64 * 64] || (chunks && set->mesh[i] != set->mesh[i / 256 * 256]))
            fail_msg("%s: ray %u is not of its tile", name, i);
    }
}

static void coherent_rays_are_views(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof all_sets / sizeof all_sets[0]; s++) {
        vp_mesh_set meshes = open_meshes(all_sets[s]);
        vp_ray_set rays = open_rays(all_sets[s], "coherent", &meshes, 262144, true);
        check_tiles(all_sets[s], &rays, meshes.chunks);
        if (meshes.chunks) {
            check_share(all_sets[s], "coherent", &meshes, &rays, 1000, 0.3, 0.5);
            for (uint32_t i = 256; i < rays.count; i += 256) /* then the next chunk, or a later one */
                assert_true(rays.mesh[i] > rays.mesh[i - 1] || (rays.mesh[i] == 0 && rays.mesh[i - 1] == meshes.count - 1));
        } else {
            check_share(all_sets[s], "coherent", &meshes, &rays, 150, 0.5, 0.75);
            for (uint32_t i = 1; i < rays.count; i++)
                assert_memory_equal(&rays.ray[i].origin, &rays.ray[0].origin, sizeof(vp_vec3));
            assert_true(rays.ray[0].origin.y > meshes.box[0].max.y);
        }
        vp_ray_set_destroy(&rays);
    }
}

static bool is_inside(vp_vec3 v, const vp_aabb *b)
{
    return v.x >= b->min.x && v.y >= b->min.y && v.z >= b->min.z && v.x <= b->max.x && v.y <= b->max.y && v.z <= b->max.z;
}

/* Directions without a side that they like; each run of rays in one mesh. */
static void check_scattered(const char *name, const vp_mesh_set *meshes, const vp_ray_set *rays, uint32_t run, float margin)
{
    double sum[3] = {0};
    uint32_t changes = 0;
    for (uint32_t i = 0; i < rays->count; i++) {
        const vector d = wide(rays->ray[i].direction);
        for (int axis = 0; axis < 3; axis++)
            sum[axis] += d.v[axis];
        changes += i > 0 && rays->mesh[i] != rays->mesh[i - 1];
        if (i % run != 0 && rays->mesh[i] != rays->mesh[i - 1])
            fail_msg("%s: ray %u is in another mesh than those before", name, i);
        vp_aabb box = meshes->box[rays->mesh[i]];
        box.min = (vp_vec3){box.min.x - margin, box.min.y - margin, box.min.z - margin};
        box.max = (vp_vec3){box.max.x + margin, box.max.y + margin, box.max.z + margin};
        if (meshes->chunks && !is_inside(rays->ray[i].origin, &box))
            fail_msg("%s: ray %u starts outside its mesh's box", name, i);
    }
    for (int axis = 0; axis < 3; axis++) /* a deviation is 1/sqrt(3 * 262144) = 0.0011 */
        assert_true(fabs(sum[axis] / rays->count) < 0.006);
    if (meshes->chunks) /* few chunks follow themselves */
        assert_true(changes > rays->count / run * 0.95);
}

static void scattered_rays(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof all_sets / sizeof all_sets[0]; s++) {
        const char *name = all_sets[s];
        vp_mesh_set meshes = open_meshes(name);
        vp_ray_set rays = open_rays(name, "incoherent", &meshes, 262144, true);
        check_scattered(name, &meshes, &rays, 256, 0.0f);
        for (uint32_t i = 0; i < rays.count; i++)
            assert_true(rays.ray[i].t_max == 512);
        check_share(name, "incoherent", &meshes, &rays, meshes.chunks ? 1000 : 150, meshes.chunks ? 0.25 : 0.6, meshes.chunks ? 0.55 : 0.8);
        vp_ray_set_destroy(&rays);

        rays = open_rays(name, "mixed", &meshes, 262144, true);
        check_scattered(name, &meshes, &rays, 256, 0.0f);
        uint32_t octave[10] = {0};
        for (uint32_t i = 0; i < rays.count; i++) {
            assert_true(rays.ray[i].t_max >= 2 && rays.ray[i].t_max < 512);
            octave[ilogbf(rays.ray[i].t_max)]++;
        }
        for (int o = 1; o <= 8; o++) /* 32768 each; a deviation is 169 */
            assert_in_range(octave[o], 32000, 33600);
        vp_ray_set_destroy(&rays);
    }
}

static void cold_rays_change_chunks(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof chunk_sets / sizeof chunk_sets[0]; s++) {
        vp_mesh_set meshes = open_meshes(chunk_sets[s]);
        vp_ray_set rays = open_rays(chunk_sets[s], "cold", &meshes, 262144, true);
        check_scattered(chunk_sets[s], &meshes, &rays, 1, 0.5f);
        check_share(chunk_sets[s], "cold", &meshes, &rays, 1000, 0.2, 0.5);
        vp_ray_set_destroy(&rays);
    }
}

/* What the grazing rays are for is among them. */
static void grazing_rays(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof all_sets / sizeof all_sets[0]; s++) {
        vp_mesh_set meshes = open_meshes(all_sets[s]);
        vp_ray_set rays = open_rays(all_sets[s], "grazing", &meshes, 6144, false);
        uint32_t zero[3] = {0}, minus = 0, tiny = 0, point = 0, infinite = 0, lattice_plane = 0;
        for (uint32_t i = 0; i < rays.count; i++) {
            const vp_ray *r = &rays.ray[i];
            const float d[3] = {r->direction.x, r->direction.y, r->direction.z};
            const float o[3] = {r->origin.x, r->origin.y, r->origin.z};
            int zeros = 0;
            for (int axis = 0; axis < 3; axis++) {
                zeros += d[axis] == 0;
                minus += d[axis] == 0 && signbit(d[axis]) != 0;
                tiny += d[axis] != 0 && fabsf(d[axis]) < 0x1p-100f;
                lattice_plane += d[axis] == 0 && o[axis] * 1024 == floorf(o[axis] * 1024);
            }
            assert_true(zeros < 3);
            zero[zeros]++;
            point += r->t_max == 0;
            infinite += isinf(r->t_max) != 0;
        }
        assert_true(zero[1] > 500 && zero[2] > 500 && minus > 500 && tiny > 100 && point > 200 && infinite > 1000);
        assert_true(lattice_plane > 1000);
        vp_ray_set_destroy(&rays);
    }
}

/* ---- boxes ---- */

static bool overlaps(const vp_aabb *box, const vp_triangles *mesh, uint32_t triangle)
{
    uint32_t number[3];
    vp_triangle_corners(mesh, triangle, number);
    const vp_vec3 a = mesh->vertex[number[0]], b = mesh->vertex[number[1]], c = mesh->vertex[number[2]];
    return fminf(fminf(a.x, b.x), c.x) <= box->max.x && fmaxf(fmaxf(a.x, b.x), c.x) >= box->min.x &&
           fminf(fminf(a.y, b.y), c.y) <= box->max.y && fmaxf(fmaxf(a.y, b.y), c.y) >= box->min.y &&
           fminf(fminf(a.z, b.z), c.z) <= box->max.z && fmaxf(fmaxf(a.z, b.z), c.z) >= box->min.z;
}

static void boxes_are_cubes_near_the_surface(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        float edge;
        double least, most; /* triangles whose boxes overlap, on average */
    } sets[] = {{"box-1.5", 1.5f, 8, 15}, {"box-6", 6, 60, 180}};
    for (size_t s = 0; s < sizeof all_sets / sizeof all_sets[0]; s++) {
        vp_mesh_set meshes = open_meshes(all_sets[s]);
        for (size_t b = 0; b < 2; b++) {
            char name[160];
            vp_mesh_box_set set;
            snprintf(name, sizeof name, "%s/%s", all_sets[s], sets[b].name);
            assert_ok(TAKE(mesh_boxes, manifest, name, &meshes, &set, &error)); /* checks the hash */
            assert_int_equal(set.count, 65536);
            uint32_t changes = 0, found = 0, samples = meshes.chunks ? 1000 : 80;
            for (uint32_t i = 0; i < set.count; i++) {
                const vp_aabb *x = &set.box[i];
                assert_true(set.mesh[i] < meshes.count);
                changes += i > 0 && set.mesh[i] != set.mesh[i - 1];
                if (x->max.x - x->min.x != sets[b].edge || x->max.y - x->min.y != sets[b].edge || x->max.z - x->min.z != sets[b].edge)
                    fail_msg("%s: box %u is no cube of %g", name, i, (double)sets[b].edge);
            }
            assert_true(!meshes.chunks || changes > 65000);
            for (uint32_t i = 0; i < samples; i++) {
                const uint32_t k = (uint32_t)((uint64_t)i * 2654435761u % set.count);
                for (uint32_t t = 0; t < meshes.mesh[set.mesh[k]].triangle_count; t++)
                    found += overlaps(&set.box[k], &meshes.mesh[set.mesh[k]], t);
            }
            const double mean = (double)found / samples;
            if (mean < sets[b].least || mean > sets[b].most)
                fail_msg("%s: a box overlaps %.1f triangles, not from %g to %g", name, mean, sets[b].least, sets[b].most);
            vp_mesh_box_set_destroy(&set);
            vp_mesh_box_set_destroy(&set);
        }
    }
}

/* ---- refusals ---- */

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    vp_mesh_set meshes = open_meshes("world-230k"), none;
    vp_ray_set rays;
    vp_mesh_box_set boxes;
    assert_refused(TAKE(meshes, manifest, "nothing", NULL, &none, &error), VP_E_ARGUMENT, "\"nothing\"");
    assert_refused(TAKE(meshes, manifest, "terrain-l2", NULL, &none, &error), VP_E_ARGUMENT, "world, not meshes");
    assert_refused(TAKE(meshes, manifest, "coherent", NULL, &none, &error), VP_E_ARGUMENT, "rays, not meshes");
    assert_refused(TAKE(rays, manifest, "world-230k/cold", &meshes, &rays, &error), VP_E_ARGUMENT, "world-230k/cold");
    assert_refused(TAKE(rays, manifest, "coherent", &meshes, &rays, &error), VP_E_ARGUMENT, "MESHES/coherent");
    assert_refused(TAKE(rays, manifest, "terrain-l2/coherent", &meshes, &rays, &error), VP_E_ARGUMENT, "no meshes \"terrain-l2\"");
    assert_refused(TAKE(rays, manifest, "world-230k/box-6", &meshes, &rays, &error), VP_E_ARGUMENT, "mesh-boxes, not rays");
    assert_refused(TAKE(rays, manifest, "world-230k/none", &meshes, &rays, &error), VP_E_ARGUMENT, "\"none\"");
    assert_refused(TAKE(mesh_boxes, manifest, "world-230k/coherent", &meshes, &boxes, &error), VP_E_ARGUMENT, "rays, not mesh-boxes");
    assert_refused(TAKE(mesh_boxes, manifest, "luanti/box-6", &meshes, &boxes, &error), VP_E_ARGUMENT, "\"luanti\"");
    vp_box_set plain;
    assert_refused(TAKE(boxes, manifest, "chunks/boxes-small", NULL, &plain, &error), VP_E_ARGUMENT, "no world \"chunks\"");
}

/* Another meshes set than the name says gives other rays, and the hash tells. */
static void other_meshes_are_noticed(void **state)
{
    (void)state;
    vp_mesh_set meshes = open_meshes("chunks-degenerate");
    vp_ray_set rays;
    vp_mesh_box_set boxes;
    assert_refused(TAKE(rays, manifest, "chunks/cold", &meshes, &rays, &error), VP_E_FORMAT, "chunks/cold");
    assert_refused(TAKE(mesh_boxes, manifest, "chunks/box-6", &meshes, &boxes, &error), VP_E_FORMAT, "chunks/box-6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_of_the_fields),
        cmocka_unit_test(chunk_meshes_are_the_meshers),
        cmocka_unit_test(world_meshes_are_the_chunks_as_one),
        cmocka_unit_test(one_percent_is_degenerate),
        cmocka_unit_test(coherent_rays_are_views),
        cmocka_unit_test(scattered_rays),
        cmocka_unit_test(cold_rays_change_chunks),
        cmocka_unit_test(grazing_rays),
        cmocka_unit_test(boxes_are_cubes_near_the_surface),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(other_meshes_are_noticed),
    };
    return cmocka_run_group_tests(tests, open_manifest, close_manifest);
}
