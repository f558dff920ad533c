/* SPDX-License-Identifier: MIT */
/* The body of a loose region. Its voxels, as whole cubes, are divided by planes until the convex hulls of the parts hold little air. A part
 * that fills its box is a box. Parts on two sides of a plane do not overlap, so volumes add up. */
#include <voxphys/compound.h>

#include <math.h>
#include <stdint.h>

#include "src/core/error.h"
#include "src/core/memory.h"

enum { DEFAULT_PARTS = 16, DEFAULT_VERTICES = 32 };

/* Stops dividing when the hulls hold this much more or less than the voxels. */
#define ALLOWED_EXCESS 0.125

/* Limits of a body's mass, so that parts, inertia and centre neither underflow nor overflow. */
#define LEAST_MASS 1e-250
#define MOST_MASS  1e250

/* A voxel, relative to division.low. */
typedef struct cube {
    int32_t at[3];
    int32_t weight; /* occupancy + 1 */
} cube;

typedef struct cube_box {
    int32_t low[3], high[3]; /* high: the highest voxel, not one more */
    uint32_t count;          /* cubes */
} cube_box;

/* Cubes on one side of some planes. */
typedef struct cube_part {
    uint32_t first, count;
    cube_box box;
    double excess; /* without a hull a lower bound of its volume - cubes, with one | volume - cubes |. 0 for a box */
    vp_hull hull;  /* of `point`. Empty for a box, and while nothing needs it */
    vp_vec3 *point;
    uint32_t point_count;
} cube_part;

typedef struct division {
    vp_hull_def def;
    const vp_allocator *allocator;
    cube *cube;  /* by y, z, x in each part */
    cube *spare; /* the second half of `cube` */
    uint32_t count;
    int32_t low[3]; /* of the region */
    cube_box *slab; /* bounds of the cubes of each layer across one axis */
    double *gain;   /* of all layers before this one */
    size_t layers;
    int32_t *left, *right; /* lowest and highest x for each z in one level of corners */
    vp_vec3 *corner;
    size_t corner_capacity;
    cube_part *part;
    uint32_t part_count, max_parts;
    double weight; /* of all voxels of the region / of all cubes */
} division;

/* ---- boxes ---- */

static cube_box empty_box(void)
{
    return (cube_box){{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}, 0};
}

static void add_box(cube_box *b, const int32_t low[3], const int32_t high[3], uint32_t count)
{
    b->count += count;
    for (int a = 0; a < 3; a++) {
        b->low[a] = low[a] < b->low[a] ? low[a] : b->low[a];
        b->high[a] = high[a] > b->high[a] ? high[a] : b->high[a];
    }
}

static double box_volume(const cube_box *b)
{
    double v = 1.0;
    for (int a = 0; a < 3; a++)
        v *= b->high[a] < b->low[a] ? 0.0 : (double)(b->high[a] - b->low[a] + 1);
    return v;
}

static cube_box bound_cubes(const cube *c, uint32_t count)
{
    cube_box b = empty_box();
    for (uint32_t i = 0; i < count; i++)
        add_box(&b, c[i].at, c[i].at, 1);
    return b;
}

/* ---- hulls ---- */

/* True if b is left of the way from a to c, or on it: then it is no corner of the chain. */
static bool is_dent(const int32_t *x, int32_t a, int32_t b, int32_t c)
{
    return ((int64_t)x[b] - x[a]) * (c - a) >= ((int64_t)x[c] - x[a]) * (b - a);
}

/* Appends the corners of the convex chain along `x` at height y. @param z  room for the chain, whose results it holds */
static size_t append_chain(const int32_t *x, int32_t low, int32_t high, int32_t sign, int32_t y, vp_vec3 *out)
{
    size_t n = 0;
    for (int32_t z = low; z <= high; z++) {
        if (x[z] == INT32_MAX)
            continue;
        while (n >= 2 && is_dent(x, (int32_t)out[n - 2].z, (int32_t)out[n - 1].z, z))
            n--;
        out[n++] = (vp_vec3){(float)(sign * x[z]), (float)y, (float)z};
    }
    return n;
}

/* Marks the corners of one layer of cubes. @return the end of the layer */
static uint32_t mark_layer(const division *d, uint32_t from, uint32_t end)
{
    uint32_t i = from;
    for (; i < end && d->cube[i].at[1] == d->cube[from].at[1]; i++) {
        const int32_t x = d->cube[i].at[0];
        for (int32_t z = d->cube[i].at[2]; z <= d->cube[i].at[2] + 1; z++) {
            d->left[z] = x < d->left[z] ? x : d->left[z];
            d->right[z] = -x - 1 < d->right[z] ? -x - 1 : d->right[z]; /* negative, so that both chains are the lowest */
        }
    }
    return i;
}

/* The area between a chain and x = 0. */
static double area_of_chain(const vp_vec3 *c, size_t n)
{
    double twice = 0.0;
    for (size_t i = 1; i < n; i++)
        twice += ((double)c[i - 1].x + (double)c[i].x) * (double)(c[i].z - c[i - 1].z);
    return 0.5 * twice;
}

/* Writes the corners of the convex polygon around the cubes at each height. Between two heights, their hull has at least the volume of a
 * cone's frustum with these areas (H. Brunn and H. Minkowski). @return their number; *volume: that bound */
static size_t gather_corners(const division *d, const cube_part *p, double *volume)
{
    const uint32_t end = p->first + p->count;
    const int32_t low = p->box.low[2], high = p->box.high[2] + 1;
    size_t n = 0;
    double lower = 0.0;
    *volume = 0.0;
    uint32_t below = end, above = p->first; /* starts of the layers on both sides of the level; end: none */
    for (int32_t y = p->box.low[1]; y <= p->box.high[1] + 1; y++) {
        for (int32_t z = low; z <= high; z++)
            d->left[z] = d->right[z] = INT32_MAX;
        if (below < end)
            mark_layer(d, below, end);
        below = end;
        if (above < end && d->cube[above].at[1] == y) {
            below = above;
            above = mark_layer(d, above, end);
        }
        const size_t left = append_chain(d->left, low, high, 1, y, d->corner + n), first = n;
        const size_t right = append_chain(d->right, low, high, -1, y, d->corner + n + left);
        n += left + right;
        const double area = area_of_chain(d->corner + first + left, right) - area_of_chain(d->corner + first, left);
        if (y > p->box.low[1])
            *volume += (lower + sqrt(lower * area) + area) / 3.0;
        lower = area;
    }
    return n;
}

static void release_part(const division *d, cube_part *p)
{
    vp_hull_destroy(&p->hull);
    vp_release(d->allocator, p->point, p->point_count, sizeof *p->point);
    p->point = NULL;
}

/* Bounds a part that has its cubes, and finds the corners of its hull. */
static vp_status bound_part(division *d, cube_part *p, vp_error *error)
{
    double volume;
    p->box = bound_cubes(d->cube + p->first, p->count);
    if (box_volume(&p->box) <= (double)p->count)
        return VP_OK;
    const size_t n = gather_corners(d, p, &volume);
    p->point = vp_allocate(d->allocator, n, sizeof *p->point);
    if (p->point == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu corners of a region", n);
    p->point_count = (uint32_t)n;
    for (size_t i = 0; i < n; i++)
        p->point[i] = d->corner[i];
    p->excess = fmax(volume - (double)p->count, 0.0);
    return VP_OK;
}

/* Makes the hulls of all parts that need one and have none. *made: their number. */
static vp_status make_hulls(division *d, uint32_t *made, vp_error *error)
{
    vp_status status = VP_OK;
    *made = 0;
    for (uint32_t i = 0; status == VP_OK && i < d->part_count; i++) {
        cube_part *p = &d->part[i];
        if (p->point == NULL || p->hull.dimension != 0)
            continue;
        vp_hull_def def = d->def;
        def.point = p->point;
        def.count = p->point_count;
        status = vp_hull_create(&def, &p->hull, error);
        p->excess = fabs(p->hull.volume - (double)p->count);
        ++*made;
    }
    return status;
}

/* ---- dividing ---- */

/* The cubes of a box, times its full part. Their sum is greatest for planes between full and empty places, also where the volume of the
 * boxes on both sides is that of the whole box. */
static double box_gain(const cube_box *b)
{
    return b->count == 0 ? 0.0 : (double)b->count * (double)b->count / box_volume(b);
}

/* Finds the plane with the greatest gain. @return its axis; *at: the first layer beyond it */
static int choose_plane(const division *d, const cube_part *p, int32_t *at)
{
    double most = 0.0;
    int axis = 0;
    for (int a = 0; a < 3; a++) {
        const int32_t low = p->box.low[a], layers = p->box.high[a] - low + 1;
        cube_box side = empty_box();
        for (int32_t k = 0; k < layers; k++)
            d->slab[k] = side;
        for (uint32_t i = p->first; i < p->first + p->count; i++)
            add_box(&d->slab[d->cube[i].at[a] - low], d->cube[i].at, d->cube[i].at, 1);
        for (int32_t k = 0; k < layers; k++) {
            d->gain[k] = box_gain(&side);
            add_box(&side, d->slab[k].low, d->slab[k].high, d->slab[k].count);
        }
        side = empty_box();
        for (int32_t k = layers - 1; k > 0; k--) {
            add_box(&side, d->slab[k].low, d->slab[k].high, d->slab[k].count);
            const double gain = d->gain[k] + box_gain(&side);
            if (gain > most) {
                most = gain;
                axis = a;
                *at = low + k;
            }
        }
    }
    return axis;
}

static vp_status divide_part(division *d, cube_part *p, vp_error *error)
{
    int32_t at = 0;
    const int axis = choose_plane(d, p, &at);
    cube_part *other = &d->part[d->part_count++];
    cube *c = d->cube + p->first;
    uint32_t kept = 0, moved = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (c[i].at[axis] < at)
            c[kept++] = c[i];
        else
            d->spare[moved++] = c[i];
    for (uint32_t i = 0; i < moved; i++)
        c[kept + i] = d->spare[i];
    *other = (cube_part){.first = p->first + kept, .count = moved};
    release_part(d, p);
    *p = (cube_part){.first = p->first, .count = kept};
    VP_RETURN_IF_FAILED(bound_part(d, p, error));
    return bound_part(d, other, error);
}

static vp_status divide_region(division *d, vp_error *error)
{
    d->part[0] = (cube_part){.count = d->count};
    d->part_count = 1;
    VP_RETURN_IF_FAILED(bound_part(d, &d->part[0], error));
    for (uint32_t made = 1; made != 0;) {
        uint32_t worst = 0;
        double excess = 0.0;
        for (uint32_t i = 0; i < d->part_count; i++) {
            excess += d->part[i].excess;
            worst = d->part[i].excess > d->part[worst].excess ? i : worst;
        }
        if (excess > ALLOWED_EXCESS * (double)d->count && d->part_count < d->max_parts)
            VP_RETURN_IF_FAILED(divide_part(d, &d->part[worst], error));
        else
            VP_RETURN_IF_FAILED(make_hulls(d, &made, error));
    }
    return VP_OK;
}

/* ---- memory ---- */

static void close_division(division *d)
{
    const vp_allocator *a = d->allocator;
    for (uint32_t i = 0; i < d->part_count; i++)
        release_part(d, &d->part[i]);
    vp_release(a, d->part, d->max_parts, sizeof *d->part);
    vp_release(a, d->cube, 2 * (size_t)d->count, sizeof *d->cube);
    vp_release(a, d->slab, d->layers, sizeof *d->slab);
    vp_release(a, d->gain, d->layers, sizeof *d->gain);
    vp_release(a, d->left, 2 * d->layers, sizeof *d->left);
    vp_release(a, d->corner, d->corner_capacity, sizeof *d->corner);
}

/* True for a voxel with a place in the shape: one more than half full, or any if there is none. */
static bool has_shape(const vp_voxel *v, bool any)
{
    return any || v->occupancy >= 128;
}

static vp_status open_division(division *d, const vp_region *region, vp_error *error)
{
    const vp_allocator *a = d->allocator;
    cube_box all = empty_box();
    double solid = 0.0, whole = 0.0;
    for (uint32_t i = 0; i < region->count; i++) {
        const vp_ivec3 *v = &region->at[i], *last = i == 0 ? v : v - 1;
        const int32_t at[3] = {v->x, v->y, v->z};
        if (i != 0 && !(v->y != last->y ? v->y > last->y : v->z != last->z ? v->z > last->z : v->x > last->x))
            return vp_fail(error, VP_E_ARGUMENT, "vp_region.at[%u] is (%d, %d, %d); must ascend by y, z, x", i, v->x, v->y, v->z);
        add_box(&all, at, at, 1);
        d->count += has_shape(&region->voxel[i], false);
    }
    const bool any = d->count == 0;
    d->count = any ? region->count : d->count;
    for (int k = 0; k < 3; k++) {
        const int64_t side = (int64_t)all.high[k] - all.low[k] + 1;
        if (side > VP_WORLD_MAX_XZ)
            return vp_fail(error, VP_E_LIMIT, "a region of %lld voxels along an axis: must be at most %d", (long long)side,
                           VP_WORLD_MAX_XZ);
        d->low[k] = all.low[k];
        d->layers = (size_t)side + 1 > d->layers ? (size_t)side + 1 : d->layers;
    }
    const size_t levels = (size_t)(all.high[1] - all.low[1]) + 2, rows = (size_t)(all.high[2] - all.low[2]) + 2;
    d->corner_capacity = 8 * (size_t)d->count < 2 * levels * rows ? 8 * (size_t)d->count : 2 * levels * rows;
    d->part = vp_allocate(a, d->max_parts, sizeof *d->part);
    d->cube = vp_allocate(a, 2 * (size_t)d->count, sizeof *d->cube);
    d->slab = vp_allocate(a, d->layers, sizeof *d->slab);
    d->gain = vp_allocate(a, d->layers, sizeof *d->gain);
    d->left = vp_allocate(a, 2 * d->layers, sizeof *d->left);
    d->corner = vp_allocate(a, d->corner_capacity, sizeof *d->corner);
    if (!d->part || !d->cube || !d->slab || !d->gain || !d->left || !d->corner)
        return vp_fail(error, VP_E_MEMORY, "no memory to divide a region of %u voxels", region->count);
    d->spare = d->cube + d->count;
    d->right = d->left + d->layers;
    uint32_t n = 0;
    for (uint32_t i = 0; i < region->count; i++) {
        const vp_ivec3 v = region->at[i];
        const int32_t w = region->voxel[i].occupancy + 1;
        whole += w;
        if (!has_shape(&region->voxel[i], any))
            continue;
        d->cube[n++] = (cube){{v.x - d->low[0], v.y - d->low[1], v.z - d->low[2]}, w};
        solid += w;
    }
    d->weight = whole / solid;
    return VP_OK;
}

/* ---- the body ---- */

/* The place of a part: a box's centre, or a point near its hull's. */
static void find_origin(const cube_part *p, float at[3])
{
    for (int a = 0; a < 3; a++)
        at[a] = p->point == NULL ? 0.5f * (float)(p->box.low[a] + p->box.high[a] + 1) : (float)p->hull.centroid[a];
}

static vp_status make_part(const division *d, const cube_part *p, const float at[3], vp_region_body *body, uint32_t i, vp_error *error)
{
    vp_collide_shape *shape = &body->shape[i];
    const int32_t *low = p->box.low, *high = p->box.high;
    vp_status status = VP_OK;
    if (p->point == NULL) {
        *shape = vp_collide_box(
            (vp_vec3){0.5f * (float)(high[0] - low[0] + 1), 0.5f * (float)(high[1] - low[1] + 1), 0.5f * (float)(high[2] - low[2] + 1)});
    } else {
        const vp_collide_hull_def def = {.point = p->point,
                                         .count = p->point_count,
                                         .hull = &p->hull,
                                         .origin = {at[0], at[1], at[2]},
                                         .kernels = d->def.kernels,
                                         .allocator = d->allocator};
        status = vp_collide_hull_create(&def, &body->hull[i], error);
        *shape = vp_collide_hull_shape(&body->hull[i].hull);
    }
    vp_mass unit = {0};
    if (status == VP_OK)
        status = vp_mass_of_shape(shape, 1.0, &unit, error);
    body->part[i].density /= unit.mass;
    return status;
}

static vp_status make_body(const division *d, double density, vp_region_body *body, vp_error *error)
{
    double sum = 0.0, centre[3] = {0};
    float at[3];
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < d->part_count; i++) {
        const cube_part *p = &d->part[i];
        double mass = 0.0;
        for (uint32_t k = p->first; k < p->first + p->count; k++)
            mass += d->cube[k].weight;
        mass *= density * d->weight / 256;
        body->part[i].density = mass;
        body->part[i].shape = &body->shape[i];
        find_origin(p, at);
        for (int a = 0; a < 3; a++)
            centre[a] += mass * (double)at[a];
        sum += mass;
    }
    if (!(sum >= LEAST_MASS && sum <= MOST_MASS))
        return vp_fail(error, VP_E_ARGUMENT, "vp_region_body_def.density is %g; the mass is %g and must be %g to %g", density, sum,
                       LEAST_MASS, MOST_MASS);
    for (int a = 0; a < 3; a++)
        centre[a] /= sum;
    for (uint32_t i = 0; status == VP_OK && i < d->part_count; i++) {
        find_origin(&d->part[i], at);
        body->part[i].pose = vp_pose_at(
            (vp_vec3){(float)((double)at[0] - centre[0]), (float)((double)at[1] - centre[1]), (float)((double)at[2] - centre[2])});
        status = make_part(d, &d->part[i], at, body, i, error);
    }
    body->compound = (vp_compound){body->part, d->part_count};
    body->pose = vp_pose_at((vp_vec3){(float)(d->low[0] + centre[0]), (float)(d->low[1] + centre[1]), (float)(d->low[2] + centre[2])});
    return status == VP_OK ? vp_mass_of_compound(&body->compound, &body->mass, error) : status;
}

static vp_status check_def(const vp_region_body_def *def, const vp_region *region, vp_error *error)
{
    if (def->max_parts > VP_COMPOUND_MAX_PARTS)
        return vp_fail(error, VP_E_ARGUMENT, "vp_region_body_def.max_parts is %u; must be at most %d", def->max_parts,
                       (int)VP_COMPOUND_MAX_PARTS);
    if (def->max_vertices != 0 && def->max_vertices < 8)
        return vp_fail(error, VP_E_ARGUMENT, "vp_region_body_def.max_vertices is %u; must be 0 or at least 8", def->max_vertices);
    if (!(def->density >= 0.0 && isfinite(def->density)))
        return vp_fail(error, VP_E_ARGUMENT, "vp_region_body_def.density is %g; must be finite and >= 0", def->density);
    if (region->count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "vp_region.count is 0; must be at least 1");
    VP_RETURN_IF_NULL_NAMED(error, "vp_region.at, vp_region.voxel", region->at, region->voxel);
    return VP_OK;
}

vp_status vp_region_body_create(const vp_region_body_def *def, const vp_region *region, vp_region_body *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, region, out);
    vp_region_body body = {.allocator = vp_allocator_or_default(def->allocator)};
    division d = {.allocator = &body.allocator, .max_parts = def->max_parts != 0 ? def->max_parts : DEFAULT_PARTS};
    vp_kernels kernels;
    VP_RETURN_IF_FAILED(check_def(def, region, error));
    if (def->kernels == NULL)
        VP_RETURN_IF_FAILED(vp_kernels_default(&kernels, error));
    d.def = (vp_hull_def){.kernels = def->kernels != NULL ? def->kernels : &kernels,
                          .allocator = d.allocator,
                          .max_vertices = def->max_vertices != 0 ? def->max_vertices : DEFAULT_VERTICES};
    vp_status status = open_division(&d, region, error);
    if (status == VP_OK)
        status = divide_region(&d, error);
    if (status == VP_OK) {
        body.compound.count = d.part_count;
        body.part = vp_allocate_zero(d.allocator, d.part_count, sizeof *body.part);
        body.shape = vp_allocate_zero(d.allocator, d.part_count, sizeof *body.shape);
        body.hull = vp_allocate_zero(d.allocator, d.part_count, sizeof *body.hull);
        status = body.part == NULL || body.shape == NULL || body.hull == NULL
                     ? vp_fail(error, VP_E_MEMORY, "no memory for the %u parts of a region", d.part_count)
                     : make_body(&d, def->density != 0.0 ? def->density : 1.0, &body, error);
    }
    close_division(&d);
    if (status != VP_OK) {
        vp_region_body_destroy(&body);
        return status;
    }
    *out = body;
    return vp_succeed(error);
}

void vp_region_body_destroy(vp_region_body *body)
{
    if (body == NULL)
        return;
    const uint32_t n = body->compound.count;
    for (uint32_t i = 0; body->hull != NULL && i < n; i++)
        vp_collide_hull_destroy(&body->hull[i]);
    vp_release(&body->allocator, body->part, n, sizeof *body->part);
    vp_release(&body->allocator, body->shape, n, sizeof *body->shape);
    vp_release(&body->allocator, body->hull, n, sizeof *body->hull);
    *body = (vp_region_body){0};
}
