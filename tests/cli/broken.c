/* SPDX-License-Identifier: MIT */
/* `voxphys verify` with one version of one kernel broken on purpose, for disagreement.sh:
 *
 *   verify_broken KERNEL CONTENDER verify [OPTION...]
 *
 * The contender's first answer that can be wrong by one bit is; all others are its own right ones. */
#include <stdio.h>
#include <string.h>

#include "datasets/cases/cases.h"
#include "host/program.h"
#include "tools/commands.h"

vp_kernels __real_vp_contender_table(const vp_contender *contender, vp_kernel_id kernel);
vp_kernels __wrap_vp_contender_table(const vp_contender *contender, vp_kernel_id kernel);

static const char *broken_kernel, *broken_contender;
static vp_kernels right;   /* the contender's own kernel */
static unsigned flips; /* bits that were flipped */

static uint32_t wrong_dilate_chunk(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_chunk_masks *out)
{
    uint32_t tag = right.dilate_chunk(world, cx, cy, cz, out);
    if (flips++ == 0)
        out->solid[0] ^= 1;
    return tag;
}

static uint32_t wrong_dilate_chunk_rows(const uint8_t *material, vp_chunk_masks *out)
{
    uint32_t tag = right.dilate_chunk_rows(material, out);
    if (flips++ == 0)
        out->water[7] ^= UINT64_C(1) << 63;
    return tag;
}

static uint32_t wrong_dilate_world(const vp_dilate_job *build)
{
    uint32_t filled = right.dilate_world(build);
    if (filled != 0 && flips++ == 0)
        build->pool[filled - 1].solid[3] ^= UINT64_C(1) << 31;
    return filled;
}

static uint32_t wrong_dilate_world_rows(const vp_dilate_job *build)
{
    uint32_t filled = right.dilate_world_rows(build);
    if (filled != 0 && flips++ == 0)
        build->pool[0].water[4] ^= UINT64_C(1) << 32;
    return filled;
}

static uint32_t wrong_overlap_box(const vp_broadphase_view *bits, const vp_aabb *box)
{
    uint32_t touch = right.overlap_box(bits, box);
    return flips++ == 0 ? touch ^ VP_TOUCH_WATER : touch;
}

static void wrong_overlap_boxes(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    right.overlap_boxes(bits, boxes, touch);
    if (boxes->count != 0 && flips++ == 0)
        touch[boxes->count - 1] ^= VP_TOUCH_SOLID;
}

static uint32_t wrong_overlap_chunks(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    uint32_t found = right.overlap_chunks(bits, box, out, capacity);
    if (found != 0 && capacity != 0 && flips++ == 0)
        out[0].chunk ^= 1;
    return found;
}

static void wrong_mesh_chunk(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface,
                             vp_chunk_mesh *out)
{
    right.mesh_chunk(world, cx, cy, cz, surface, out);
    if (out->quad_count != 0 && flips++ == 0)
        out->quad[out->quad_count - 1][2] ^= 1;
}

static void wrong_edge_flags(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface,
                             const vp_chunk_mesh *mesh, uint8_t *flags)
{
    right.edge_flags(world, cx, cy, cz, surface, mesh, flags);
    if (mesh->quad_count != 0 && flips++ == 0)
        flags[2 * (size_t)mesh->quad_count - 1] ^= 1;
}

static vp_hit wrong_brute_ray(const vp_triangle_soa *soup, const vp_ray *ray)
{
    vp_hit hit = right.brute_ray(soup, ray);
    if (hit.triangle >= 0 && flips++ == 0)
        hit.triangle ^= 2;
    return hit;
}

/* A node's last word, of a tree that has one; of the wide form that is in use, for the last node has a first child. */
static vp_kd_build_result wrong_kd_build(const vp_kd_build_job *build)
{
    vp_kd_build_result built = right.kd_build(build);
    if (built.node_count != 0 && flips++ == 0) {
        if (build->form == VP_KD_WIDE)
            build->wide[built.node_count - 1].child[0] ^= 1;
        else
            build->node[built.node_count - 1].link ^= 1u << 30;
    }
    return built;
}

static vp_hit wrong_kd_ray(const vp_kd_view *tree, const vp_ray *ray)
{
    vp_hit hit = right.kd_ray(tree, ray);
    if (hit.triangle >= 0 && flips++ == 0)
        hit.triangle ^= 1;
    return hit;
}

/* The last ray's hit, or that it has none. */
static void wrong_kd_ray8(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    right.kd_ray8(tree, ray, count, hit);
    if (count != 0 && flips++ == 0)
        hit[count - 1].triangle ^= 1;
}

static void wrong_kd_ray16(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    right.kd_ray16(tree, ray, count, hit);
    if (count != 0 && flips++ == 0)
        hit[count - 1].triangle ^= 1;
}

static int32_t wrong_kd_ray_any(const vp_kd_view *tree, const vp_ray *ray)
{
    int32_t any = right.kd_ray_any(tree, ray);
    return flips++ == 0 ? any ^ 1 : any;
}

static uint32_t wrong_kd_ray_all(const vp_kd_view *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity)
{
    uint32_t count = right.kd_ray_all(tree, ray, out, capacity);
    return flips++ == 0 ? count ^ 1u : count;
}

static vp_hit wrong_kd_sphere_sweep(const vp_kd_view *tree, const vp_ray *ray, float radius)
{
    vp_hit hit = right.kd_sphere_sweep(tree, ray, radius);
    if (hit.triangle >= 0 && flips++ == 0)
        hit.u = -hit.u; /* 0.0 to -0.0 is one bit too */
    return hit;
}

static uint32_t wrong_kd_gather(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    uint32_t count = right.kd_gather(tree, box, out, capacity);
    if (count != 0 && capacity != 0 && flips++ == 0)
        out[0] ^= 1u << 20;
    return count;
}

static uint32_t wrong_kd_gather_leaves(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    uint32_t count = right.kd_gather_leaves(tree, box, out, capacity);
    return flips++ == 0 ? count + 1u : count;
}

static vp_terrain_hit wrong_terrain_ray(const vp_terrain_view *terrain, const vp_ray *ray)
{
    vp_terrain_hit hit = right.terrain_ray(terrain, ray);
    if (hit.hit.triangle >= 0 && flips++ == 0)
        hit.chunk ^= 1;
    return hit;
}

static void wrong_terrain_ray16(const vp_terrain_view *terrain, const vp_ray *ray, uint32_t count, vp_terrain_hit *hit)
{
    right.terrain_ray16(terrain, ray, count, hit);
    if (count != 0 && flips++ == 0)
        hit[count - 1].hit.triangle ^= 1;
}

static int32_t wrong_terrain_ray_any(const vp_terrain_view *terrain, const vp_ray *ray)
{
    int32_t any = right.terrain_ray_any(terrain, ray);
    return flips++ == 0 ? any ^ 1 : any;
}

static uint32_t wrong_terrain_ray_all(const vp_terrain_view *terrain, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity)
{
    uint32_t count = right.terrain_ray_all(terrain, ray, out, capacity);
    if (count != 0 && count != VP_RAY_ALL_INVALID && capacity != 0 && flips++ == 0)
        out[0].chunk ^= 1;
    return count;
}

static vp_terrain_hit wrong_terrain_sphere_sweep(const vp_terrain_view *terrain, const vp_ray *ray, float radius)
{
    vp_terrain_hit hit = right.terrain_sphere_sweep(terrain, ray, radius);
    if (hit.hit.triangle >= 0 && flips++ == 0)
        hit.hit.v = -hit.hit.v;
    return hit;
}

static uint32_t wrong_terrain_gather(const vp_terrain_view *terrain, const vp_aabb *box, vp_terrain_triangle_id *out, uint32_t capacity)
{
    uint32_t count = right.terrain_gather(terrain, box, out, capacity);
    if (count != 0 && capacity != 0 && flips++ == 0)
        out[0].triangle ^= 1u << 20;
    return count;
}

static void wrong_hull_bounds(const vp_vec3 *point, uint32_t count, vp_hull_bounds *out)
{
    right.hull_bounds(point, count, out);
    if (flips++ == 0)
        out->highest[1] ^= 1;
}

/* Leaves out all points but the first. */
static uint32_t wrong_hull_filter(const vp_hull_filtering *filtering)
{
    if (flips++ != 0)
        return right.hull_filter(filtering);
    filtering->kept[0] = filtering->point[0];
    filtering->from[0] = 0;
    return 1;
}

/* A point in place of the hull. */
static vp_hull3_result wrong_hull3(const vp_hull3_job *build)
{
    vp_hull3_result built = right.hull3(build);
    if (flips++ == 0)
        built = (vp_hull3_result){.dimension = 0, .corner = {build->count - 1}};
    return built;
}

static vp_hull2_result wrong_hull2(const vp_hull2_job *build)
{
    vp_hull2_result built = right.hull2(build);
    if (flips++ == 0)
        build->corner[built.corners - 1] ^= 1;
    return built;
}

/* A kernel that is added needs an entry above: without it, this does not compile. */
vp_kernels __wrap_vp_contender_table(const vp_contender *contender, vp_kernel_id kernel)
{
    vp_kernels table = __real_vp_contender_table(contender, kernel);
    if (strcmp(contender->name, broken_contender) != 0 || strcmp(vp_kernel_name(kernel), broken_kernel) != 0)
        return table;
    right = table;
#define BREAK(k)                                                                                                      \
    if (kernel == VP_KERNEL_##k)                                                                                      \
        table.k = wrong_##k;
    VP_KERNELS(BREAK, VP_NOTHING)
    return table;
}

int main(int argc, char **argv)
{
    if (argc < 4 || strcmp(argv[3], "verify") != 0) {
        fputs("Usage: verify_broken KERNEL CONTENDER verify [OPTION...]\n", stderr);
        return VP_EXIT_USAGE;
    }
    broken_kernel = argv[1];
    broken_contender = argv[2];
    return vp_command_verify(argc - 3, argv + 3);
}
