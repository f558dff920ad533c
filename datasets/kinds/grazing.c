/* SPDX-License-Identifier: MIT */
/* Rays that trees may miss. They are parallel to axes and to surfaces, lie in the planes of vertices, or go through
 * vertices and along edges. They start at vertices and on triangles. They have components of zero, minus zero and
 * nearly zero, or no length.
 *
 * Vertices are small multiples of 1/512 (1/1024 where two were halved), so sums and halves of a few of them are exact
 * in binary32. A ray through a vertex, along an edge or in a triangle's plane is therefore exact, as long as its
 * direction is not normalised. */
#include "datasets/kinds/mesh_pick.h"

/* The mesh and the triangle for which a ray is made. */
typedef struct graze_target {
    vp_random *random;
    vp_aabb box;       /* box of the mesh */
    vp_vec3 corner[3]; /* corners of a random triangle */
    float far;         /* distance at which rays start */
} graze_target;

typedef enum graze_kind {
    AXIS,           /* parallel to an axis */
    AXIS_TINY,      /* the same, except for a component of nearly zero */
    LATTICE_PLANE,  /* in a plane of the lattice that vertices lie on */
    VERTEX,         /* through a vertex */
    VERTEX_UNIT,    /* the same, with a rounded direction */
    EDGE_MIDDLE,    /* through the middle of an edge */
    ALONG_EDGE,     /* along an edge */
    FROM_VERTEX,    /* starts at one */
    FROM_EDGE,      /* starts at the middle of one */
    FROM_TRIANGLE,  /* on one */
    IN_PLANE,       /* in a triangle's plane, across it */
    NEARLY_PARALLEL /* across it at a small angle */
} graze_kind;

enum { WAYS = NEARLY_PARALLEL + 1 };

static void set_axis(vp_vec3 *v, uint32_t axis, float value)
{
    if (axis == 0)
        v->x = value;
    else if (axis == 1)
        v->y = value;
    else
        v->z = value;
}

static float get_axis(vp_vec3 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static float random_sign(vp_random *random)
{
    return vp_random_below(random, 2) == 0 ? 1.0f : -1.0f;
}

/* A point on the lattice k/512 within the box. Every second point is in the plane of a corner. */
static float lattice(const graze_target *at, uint32_t axis)
{
    const float low = get_axis(at->box.min, axis), size = get_axis(at->box.max, axis) - low;
    const uint32_t step = vp_random_below(at->random, (uint32_t)(size * 512.0f) + 1);
    const uint32_t corner = vp_random_below(at->random, 6);
    return corner < 3 ? get_axis(at->corner[corner], axis) : low + (float)step / 512.0f;
}

static vp_vec3 lattice_point(const graze_target *at)
{
    const float x = lattice(at, 0);
    const float y = lattice(at, 1);
    const float z = lattice(at, 2);
    return (vp_vec3){x, y, z};
}

/* An offset of multiples of 1/16 voxel, never zero. */
static vp_vec3 offset(vp_random *random)
{
    const float x = (float)vp_random_below(random, 257) - 128.0f;
    const float y = (float)vp_random_below(random, 128) + 1.0f;
    const float z = (float)vp_random_below(random, 257) - 128.0f;
    const float sign = random_sign(random);
    return (vp_vec3){x / 16.0f, sign * y / 16.0f, z / 16.0f};
}

/* Returns a random t_max: infinite, 1 (the end of an unnormalised direction), 2 or 0. */
static float some_length(vp_random *random)
{
    static const float lengths[4] = {INFINITY, 1.0f, 2.0f, 0.0f};
    return lengths[vp_random_below(random, 4)];
}

static vp_ray along_axis(const graze_target *at, bool tiny)
{
    const uint32_t axis = vp_random_below(at->random, 3);
    const float sign = random_sign(at->random);
    vp_ray ray = {.origin = lattice_point(at), .t_max = INFINITY};
    for (uint32_t other = 0; other < 3; other++)
        set_axis(&ray.direction, other, random_sign(at->random) * 0.0f);
    set_axis(&ray.direction, axis, sign);
    const float low = get_axis(at->box.min, axis), high = get_axis(at->box.max, axis);
    if (vp_random_below(at->random, 4) != 0) /* otherwise the ray starts within the box */
        set_axis(&ray.origin, axis, sign > 0.0f ? low - at->far : high + at->far);
    if (tiny) {
        static const float little[4] = {0x1p-149f, 0x1p-126f, 0x1p-60f, 0x1p-24f};
        const float side = random_sign(at->random);
        const float size = side * little[vp_random_below(at->random, 4)];
        set_axis(&ray.direction, (axis + 1 + vp_random_below(at->random, 2)) % 3, size);
    }
    return ray;
}

static vp_ray in_lattice_plane(const graze_target *at)
{
    const uint32_t axis = vp_random_below(at->random, 3);
    vp_ray ray = {.origin = lattice_point(at), .t_max = INFINITY};
    vp_vec3 direction = vp_pick_direction(at->random);
    set_axis(&direction, axis, random_sign(at->random) * 0.0f);
    if (direction.x == 0.0f && direction.y == 0.0f && direction.z == 0.0f) /* the direction was parallel to the axis */
        set_axis(&direction, (axis + 1) % 3, 1.0f);
    ray.direction = vp_pick_unit(direction);
    if (vp_random_below(at->random, 2) == 0)
        ray.origin = vp_vec3_sub(ray.origin, vp_vec3_scale(ray.direction, at->far));
    set_axis(&ray.origin, axis, lattice(at, axis));
    return ray;
}

/* A ray from a distance that passes exactly through a point at t = 1. */
static vp_ray through(const graze_target *at, vp_vec3 point)
{
    const vp_vec3 direction = offset(at->random);
    return (vp_ray){vp_vec3_sub(point, direction), direction, some_length(at->random)};
}

static vp_ray from(const graze_target *at, vp_vec3 point)
{
    const vp_vec3 direction = vp_pick_direction(at->random);
    const float length = vp_random_below(at->random, 4) == 0 ? 0.0f : at->far;
    return (vp_ray){point, direction, length};
}

static vp_vec3 edge_of(const graze_target *at, uint32_t corner)
{
    const vp_vec3 edge = vp_vec3_sub(at->corner[(corner + 1) % 3], at->corner[corner]);
    if (edge.x == 0.0f && edge.y == 0.0f && edge.z == 0.0f) /* a degenerate triangle */
        return (vp_vec3){0.0f, 0.5f, 0.0f};
    return edge;
}

static vp_vec3 middle_of(const graze_target *at, uint32_t corner)
{
    return vp_vec3_scale(vp_vec3_add(at->corner[corner], at->corner[(corner + 1) % 3]), 0.5f);
}

/* A point inside the triangle, with weights of a half and two quarters. */
static vp_vec3 inside(const graze_target *at, uint32_t corner)
{
    const vp_vec3 opposite = middle_of(at, (corner + 1) % 3);
    return vp_vec3_scale(vp_vec3_add(at->corner[corner], opposite), 0.5f);
}

/* A ray across the triangle in its plane, along whole multiples of two edges. */
static vp_ray in_plane(const graze_target *at, uint32_t corner)
{
    const uint32_t p = 1 + vp_random_below(at->random, 3), q = vp_random_below(at->random, 4);
    vp_vec3 direction = vp_vec3_add(vp_vec3_scale(edge_of(at, corner), (float)p), vp_vec3_scale(edge_of(at, (corner + 1) % 3), (float)q));
    if (direction.x == 0.0f && direction.y == 0.0f && direction.z == 0.0f)
        direction = edge_of(at, corner);
    const uint32_t back = vp_random_below(at->random, 4);
    return (vp_ray){vp_vec3_sub(inside(at, corner), vp_vec3_scale(direction, (float)back)), direction, INFINITY};
}

/* The same, tilted towards the triangle's normal by 2^-4 to 2^-22. */
static vp_ray nearly_parallel(const graze_target *at, uint32_t corner)
{
    const vp_vec3 a = edge_of(at, 0), b = edge_of(at, 1);
    const vp_vec3 normal = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    vp_ray ray = in_plane(at, corner);
    float turn = random_sign(at->random);
    for (uint32_t i = 4 + vp_random_below(at->random, 19); i > 0; i--)
        turn *= 0.5f;
    ray.direction = vp_pick_unit(vp_vec3_add(vp_pick_unit(ray.direction), vp_vec3_scale(normal, turn)));
    ray.origin = vp_vec3_sub(inside(at, corner), ray.direction);
    ray.t_max = at->far;
    return ray;
}

static vp_ray make(const graze_target *at, graze_kind how)
{
    const uint32_t corner = vp_random_below(at->random, 3);
    vp_ray ray;
    switch (how) {
    case AXIS:
        return along_axis(at, false);
    case AXIS_TINY:
        return along_axis(at, true);
    case LATTICE_PLANE:
        return in_lattice_plane(at);
    case VERTEX:
        return through(at, at->corner[corner]);
    case VERTEX_UNIT:
        ray = through(at, at->corner[corner]);
        ray.direction = vp_pick_unit(ray.direction);
        ray.t_max = at->far;
        return ray;
    case EDGE_MIDDLE:
        return through(at, middle_of(at, corner));
    case ALONG_EDGE:
        ray.direction = edge_of(at, corner);
        ray.t_max = some_length(at->random);
        ray.origin = vp_vec3_sub(at->corner[corner], vp_vec3_scale(ray.direction, (float)vp_random_below(at->random, 4)));
        return ray;
    case FROM_VERTEX:
        return from(at, at->corner[corner]);
    case FROM_EDGE:
        return from(at, middle_of(at, corner));
    case FROM_TRIANGLE:
        return from(at, inside(at, corner));
    case IN_PLANE:
        return in_plane(at, corner);
    case NEARLY_PARALLEL:
        break;
    }
    return nearly_parallel(at, corner);
}

void vp_grazing_rays(const vp_grazing_params *params, uint64_t seed, const vp_mesh_set *meshes, vp_ray_set *set)
{
    vp_random random = {seed};
    for (uint32_t i = 0; i < set->count; i++) {
        graze_target at = {.random = &random, .far = params->far};
        set->mesh[i] = vp_random_below(&random, meshes->count);
        at.box = meshes->box[set->mesh[i]];
        vp_pick_triangle(&random, &meshes->mesh[set->mesh[i]], at.corner);
        set->ray[i] = make(&at, (graze_kind)(i % WAYS));
    }
}
