/* SPDX-License-Identifier: MIT */
/* Any shape against triangles, by the method that the engine of the voxel terrain article uses ("Narrowphase"): GJK,
 * and EPA where the cores overlap. It serves for comparison with the kernels of each shape, and is the only one here
 * that accepts every shape.
 *
 * In binary64, because in binary32 GJK's last steps are rounding errors. All loops are bounded, and return the best
 * result so far. Every direction yields a bound (src/narrowphase/local.h). So an early result is a distance that is too
 * small, or a depth that is too large, but never arbitrary. */
#include "src/narrowphase/epa.h"
#include "src/narrowphase/points.h"

/* Maximum number of points of EPA's polytope. */
enum { EPA_POINTS = 64 };

/* ---- the part of a shape that contains a point ---- */

/* Bit a is set if the point is at the box's side across axis a. */
static uint32_t part_of_box(const float at[3], const float half[3], float near)
{
    uint32_t on = 0, positive = 0, nearest = 0;
    for (uint32_t a = 0; a < 3; a++) {
        on |= (fabsf(at[a]) >= half[a] - near ? 1u : 0u) << a;
        positive |= (at[a] > 0.0f ? 1u : 0u) << a;
        nearest = half[a] - fabsf(at[a]) < half[nearest] - fabsf(at[nearest]) ? a : nearest;
    }
    on = on == 0 ? 1u << nearest : on;
    if (on == 7)
        return VP_SHAPE_CORNER + positive;
    for (uint32_t a = 0; a < 3; a++) {
        if (on == 1u << a)
            return VP_SHAPE_FACE + 2 * a + (positive >> a & 1u);
        if (on == (7u ^ 1u << a))
            return VP_SHAPE_EDGE + 4 * a + (positive >> (a + 1) % 3 & 1u) + 2 * (positive >> (a + 2) % 3 & 1u);
    }
    return VP_SHAPE_FACE;
}

static uint32_t part_of_cylinder(vp_vec3 p, float radius, float half_height, float near)
{
    const uint32_t up = p.y > 0.0f ? 1 : 0;
    const float below = half_height - fabsf(p.y), within = radius - sqrtf(p.x * p.x + p.z * p.z);
    if (below <= near && within <= near)
        return VP_SHAPE_EDGE + up;
    return VP_SHAPE_FACE + (below < within ? up : 2);
}

static uint32_t part_of_hull(const vp_collide_hull *h, vp_vec3 p, float near)
{
    uint32_t face = 0;
    float min = INFINITY;
    for (uint32_t i = 0; i < h->vertex_count; i++)
        if (vp_length(vp_vec3_sub(p, h->vertex[i])) <= near)
            return VP_SHAPE_CORNER + i;
    for (uint32_t i = 0; i < h->edge_count; i++) {
        const vp_vec3 a = h->vertex[h->edge[i].vertex[0]], from = vp_vec3_sub(p, a);
        vp_vec3 along = vp_vec3_sub(h->vertex[h->edge[i].vertex[1]], a);
        const float length = vp_length(along);
        vp_make_unit(&along, 0.0f);
        const float far = vp_vec3_dot(from, along);
        if (far >= 0.0f && far <= length && vp_length(vp_square_to(from, along)) <= near)
            return VP_SHAPE_EDGE + i;
    }
    for (uint32_t i = 0; i < h->face_count; i++) {
        const float below = fabsf(h->plane[i].offset - vp_vec3_dot(h->plane[i].normal, p));
        face = below < min ? i : face;
        min = vp_min(min, below);
    }
    return VP_SHAPE_FACE + face;
}

/* @param p  of the core */
static uint32_t part_of(const vp_collide_shape *s, vp_vec3 p, float near)
{
    const float at[3] = {p.x, p.y, p.z}, half[3] = {s->half.x, s->half.y, s->half.z};
    switch (s->kind) {
    case VP_COLLIDE_CAPSULE:
        return fabsf(p.y) >= s->half_height - near ? VP_SHAPE_CORNER + (p.y > 0.0f ? 1 : 0) : VP_SHAPE_FACE;
    case VP_COLLIDE_BOX:
        return part_of_box(at, half, near);
    case VP_COLLIDE_CYLINDER:
        return part_of_cylinder(p, s->radius, s->half_height, near);
    case VP_COLLIDE_HULL:
        return part_of_hull(s->hull, p, near);
    default:
        return VP_SHAPE_FACE;
    }
}

/* ---- a pair ---- */

static vp_real3 rotate_into_frame(const vp_collide_frame *f, vp_real3 p)
{
    return (vp_real3){vp_real3_dot(vp_real3_of(f->row[0]), p), vp_real3_dot(vp_real3_of(f->row[1]), p),
                      vp_real3_dot(vp_real3_of(f->row[2]), p)};
}

static vp_real3 rotate_out_of_frame(const vp_collide_frame *f, vp_real3 p)
{
    const vp_real3 x = vp_real3_scale(vp_real3_of(f->row[0]), p.x), xy = vp_real3_plus(x, vp_real3_of(f->row[1]), p.y);
    return vp_real3_plus(xy, vp_real3_of(f->row[2]), p.z);
}

/* About the origin. */
static double radius_of(const vp_collide_shape *s)
{
    const double r = (double)s->radius, h = (double)s->half_height;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return r;
    case VP_COLLIDE_CAPSULE:
        return r + h;
    case VP_COLLIDE_BOX:
        return vp_real3_length(vp_real3_of(s->half));
    case VP_COLLIDE_CYLINDER:
        return sqrt(r * r + h * h);
    default:
        return (double)s->hull->radius;
    }
}

/* The position is subtracted first, then the corners are rotated. */
static vp_gjk_pair pair_of(const vp_collide_job *job, const vp_vec3 corner[3])
{
    const vp_real3 position = vp_real3_of(job->frame.position);
    vp_gjk_pair p = {.shape = job->shape, .size = radius_of(job->shape), .points = EPA_POINTS};
    for (int k = 0; k < 3; k++) {
        const vp_real3 c = vp_real3_sub(vp_real3_of(corner[k]), position);
        const double x = fabs(c.x), y = fabs(c.y), z = fabs(c.z), max = x > y ? (x > z ? x : z) : y > z ? y : z;
        p.size = max > p.size ? max : p.size;
        p.corner[k] = rotate_into_frame(&job->frame, c);
    }
    return p;
}

static void write_answer(const vp_collide_job *job, const vp_collide_triangle *t, const vp_gjk_pair *p, const vp_gjk_found *f,
                         float distance, vp_collide_result *out)
{
    const vp_real3 way = rotate_out_of_frame(&job->frame, f->u), position = vp_real3_of(job->frame.position);
    const vp_real3 normal = vp_real3_scale(way, 1.0 / vp_real3_length(way));
    vp_real3 on = {0.0, 0.0, 0.0}, foot = {0.0, 0.0, 0.0};
    double weight[3] = {0.0, 0.0, 0.0};
    *out = (vp_collide_result){
        .distance = distance, .normal = vp_real3_rounded(normal), .triangle_feature = VP_COLLIDE_NONE, .shape_feature = VP_COLLIDE_NONE};
    if (distance > job->margin)
        return;
    for (uint32_t i = 0; i < f->simplex.count; i++) {
        on = vp_real3_plus(on, f->simplex.point[i].on, f->simplex.weight[i]);
        weight[f->simplex.point[i].corner] += f->simplex.weight[i];
    }
    float w[3] = {(float)weight[0], (float)weight[1], (float)weight[2]};
    vp_snap_weights(w);
    for (int k = 0; k < 3; k++) {
        out->weight[k] = w[k];
        foot = vp_real3_plus(foot, vp_real3_sub(vp_real3_of(t->corner[k]), position), (double)w[k]);
    }
    out->on_triangle = vp_real3_rounded(foot);
    out->on_shape = vp_real3_rounded(rotate_out_of_frame(&job->frame, vp_real3_plus(on, f->u, -vp_gjk_radius(job->shape))));
    out->triangle_feature = vp_feature_of_weights(w);
    out->shape_feature = part_of(job->shape, vp_real3_rounded(on), (float)(0x1p-21 * p->size));
}

void vp_collide_gjk_scalar(const vp_collide_job *job)
{
    const double radius = vp_gjk_radius(job->shape);
    for (uint32_t i = 0; i < job->count; i++) {
        const vp_gjk_pair p = pair_of(job, job->triangle[i].corner);
        vp_gjk_found f;
        vp_gjk_distance(&p, ((double)job->margin + radius) * (1.0 + 0x1p-20), &f);
        if (f.overlaps) {
            const vp_epa_found deep = vp_epa_depth(&p, &f.simplex, true);
            f.distance = -deep.depth;
            f.u = vp_real3_scale(deep.out, -1.0);
            if (deep.simplex.count > 0)
                f.simplex = deep.simplex;
        }
        write_answer(job, &job->triangle[i], &p, &f, (float)(f.distance - radius), &job->result[i]);
    }
}
