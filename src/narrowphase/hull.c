/* SPDX-License-Identifier: MIT */
/* Converts a vp_hull to a hull for the kernels: in binary32, with each edge once, and for each edge the arc of
 * directions in which it is the farthest part (kernel/narrowphase.h). */
#include <voxphys/narrowphase.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/core/real3.h"

static vp_real3 make_unit(vp_real3 a)
{
    const double length = vp_real3_length(a);
    return length > 0.0 ? (vp_real3){a.x / length, a.y / length, a.z / length} : a;
}

static vp_real3 normal_of(const vp_hull *from, uint32_t face)
{
    return (vp_real3){from->plane[face][0], from->plane[face][1], from->plane[face][2]};
}

/* ---- parts of the hull ---- */

/* Arrays of the hull in its block. */
typedef struct hull_arrays {
    vp_vec3 *vertex;
    vp_collide_plane *plane;
    uint32_t *first_corner, *corner;
    vp_collide_edge *edge;
    vp_collide_arc *arc;
} hull_arrays;

/* Places the arrays in a block, or only returns its size if `to` is NULL. All arrays have 4-byte members, so they need
 * no padding. */
static size_t place_arrays(const vp_hull *from, char *to, hull_arrays *out)
{
    const size_t edges = from->corner_count / 2, size[6] = {from->vertex_count * sizeof *out->vertex,
                                                            from->face_count * sizeof *out->plane,
                                                            ((size_t)from->face_count + 1) * sizeof *out->first_corner,
                                                            from->corner_count * sizeof *out->corner,
                                                            edges * sizeof *out->edge,
                                                            2 * edges * sizeof *out->arc};
    size_t at[7] = {0};
    for (int i = 0; i < 6; i++)
        at[i + 1] = at[i] + size[i];
    if (to != NULL)
        *out = (hull_arrays){(void *)(to + at[0]), (void *)(to + at[1]), (void *)(to + at[2]),
                             (void *)(to + at[3]), (void *)(to + at[4]), (void *)(to + at[5])};
    return at[6];
}

static float fill_vertices(const vp_collide_hull_def *def, const vp_hull *from, hull_arrays *p)
{
    double max = 0.0;
    for (uint32_t i = 0; i < from->vertex_count; i++) {
        p->vertex[i] = vp_real3_rounded(vp_real3_sub(vp_real3_of(def->point[from->vertex[i]]), vp_real3_of(def->origin)));
        const double square = vp_real3_dot(vp_real3_of(p->vertex[i]), vp_real3_of(p->vertex[i]));
        max = square > max ? square : max;
    }
    return (float)(sqrt(max) * (1.0 + 0x1p-22));
}

/* Working memory of `find_reach_from_face`. */
typedef struct reach_search {
    uint32_t *seed;   /* A triangle of each face. */
    uint32_t *seen;   /* The last face, plus one, for which a triangle was visited. */
    uint32_t *stack;  /* Triangles to visit. */
    double tolerance; /* Larger than the roundings and the hull's tolerance, by which the surface is not quite convex. */
} reach_search;

/* Returns the maximum of n.v over all vertices, one by one. */
static double find_reach_of_all(const vp_hull *from, const hull_arrays *p, vp_vec3 n)
{
    double max = -INFINITY;
    for (uint32_t i = 0; i < from->vertex_count; i++) {
        const double reach = vp_real3_dot(vp_real3_of(n), vp_real3_of(p->vertex[i]));
        max = reach > max ? reach : max;
    }
    return max;
}

/* Returns the maximum of n.v over all vertices. Starts at a triangle of the face and visits those whose corners are nearly the farthest
 * so far. On a convex surface these are connected with the maximum. If they are many, as around the tip of a cone, a scan is faster. */
static double find_reach_from_face(const vp_hull *from, const hull_arrays *p, const reach_search *s, uint32_t face, vp_vec3 n)
{
    double max = -INFINITY;
    uint32_t count = 1, visits = 0;
    s->stack[0] = s->seed[face];
    s->seen[s->seed[face]] = face + 1;
    while (count > 0) {
        const uint32_t t = s->stack[--count];
        if (++visits > from->vertex_count / 16)
            return find_reach_of_all(from, p, n);
        double reach[3];
        for (int k = 0; k < 3; k++) {
            reach[k] = vp_real3_dot(vp_real3_of(n), vp_real3_of(p->vertex[from->triangle[t][k]]));
            max = reach[k] > max ? reach[k] : max;
        }
        for (int k = 0; k < 3; k++) {
            const uint32_t next = from->neighbour[t][k];
            if (s->seen[next] != face + 1 && (reach[k] >= max - s->tolerance || reach[(k + 1) % 3] >= max - s->tolerance)) {
                s->seen[next] = face + 1;
                s->stack[count++] = next;
            }
        }
    }
    return max;
}

/* Rounds the faces' normals. Offsets are the largest reach of the rounded vertices along them. */
static bool fill_faces(const vp_hull *from, hull_arrays *p, float radius, const vp_allocator *allocator)
{
    const size_t words = from->face_count + 2 * (size_t)from->triangle_count;
    uint32_t *block = vp_allocate(allocator, words, sizeof *block);
    if (block == NULL)
        return false;
    const reach_search s = {block, block + from->face_count, block + from->face_count + from->triangle_count,
                            (double)radius * 0x1p-20 + 4 * (double)from->tolerance};
    memset(s.seen, 0, from->triangle_count * sizeof *s.seen);
    for (uint32_t t = 0; t < from->triangle_count; t++)
        s.seed[from->face_of[t]] = t;
    for (uint32_t f = 0; f < from->face_count; f++) {
        const vp_vec3 n = vp_real3_rounded(normal_of(from, f));
        /* A polygon has two faces, and is flat only up to the hull's tolerance. */
        const double max = from->dimension == 3 ? find_reach_from_face(from, p, &s, f, n) : find_reach_of_all(from, p, n);
        p->plane[f] = (vp_collide_plane){n, (float)max};
    }
    memcpy(p->first_corner, from->first_corner, ((size_t)from->face_count + 1) * sizeof *p->first_corner);
    memcpy(p->corner, from->corner, from->corner_count * sizeof *p->corner);
    vp_release(allocator, block, words, sizeof *block);
    return true;
}

static vp_collide_arc arc_between(vp_real3 from, vp_real3 to, uint32_t edge, vp_vec3 vertex)
{
    vp_collide_arc arc = {.from = vp_real3_rounded(from), .to = vp_real3_rounded(to), .edge = edge};
    arc.lowest = vp_min(vp_vec3_dot(arc.from, vertex), vp_vec3_dot(arc.to, vertex));
    arc.stretch = 2.0f / (1.0f + vp_vec3_dot(arc.from, arc.to));
    return arc;
}

/* The arc between two faces' normals, both perpendicular to the edge. If they are more than a right angle apart, the
 * arc is cut in two at its middle. At a polygon's rim the middle points straight out. */
static uint32_t fill_arcs(vp_real3 along, vp_real3 from, vp_real3 to, uint32_t edge, vp_vec3 vertex, vp_collide_arc *out)
{
    from = make_unit(vp_real3_plus(from, along, -vp_real3_dot(from, along)));
    to = make_unit(vp_real3_plus(to, along, -vp_real3_dot(to, along)));
    if (vp_real3_dot(from, to) >= 0.0) {
        out[0] = arc_between(from, to, edge, vertex);
        return 1;
    }
    const vp_real3 middle = make_unit(vp_real3_cross(along, vp_real3_sub(from, to)));
    out[0] = arc_between(from, middle, edge, vertex);
    out[1] = arc_between(middle, to, edge, vertex);
    return 2;
}

/* Each edge is a side of two faces. It is taken from the face on which it runs from the lower vertex to the higher one. */
static void fill_edges(const vp_hull *from, hull_arrays *p, vp_collide_hull *out)
{
    for (uint32_t f = 0; f < from->face_count; f++)
        for (uint32_t i = from->first_corner[f]; i < from->first_corner[f + 1]; i++) {
            const uint32_t next = i + 1 < from->first_corner[f + 1] ? i + 1 : from->first_corner[f];
            const uint32_t a = from->corner[i], b = from->corner[next];
            if (a > b)
                continue;
            const vp_real3 along = make_unit(vp_real3_sub(vp_real3_of(p->vertex[b]), vp_real3_of(p->vertex[a])));
            p->edge[out->edge_count] = (vp_collide_edge){{a, b}};
            out->arc_count += fill_arcs(along, normal_of(from, f), normal_of(from, from->across[i]), out->edge_count, p->vertex[a],
                                        p->arc + out->arc_count);
            out->edge_count++;
        }
}

/* Volume and centre: pyramids from a vertex to the faces. */
static void fill_volume(vp_collide_hull *h)
{
    const vp_real3 base = vp_real3_of(h->vertex[0]);
    double volume = 0.0;
    vp_real3 moment = {0.0, 0.0, 0.0};
    for (uint32_t f = 0; f < h->face_count && h->face_count > 2; f++) {
        const uint32_t *corner = &h->corner[h->first_corner[f]], count = h->first_corner[f + 1] - h->first_corner[f];
        const vp_real3 a = vp_real3_sub(vp_real3_of(h->vertex[corner[0]]), base);
        for (uint32_t i = 2; i < count; i++) {
            const vp_real3 b = vp_real3_sub(vp_real3_of(h->vertex[corner[i - 1]]), base);
            const vp_real3 c = vp_real3_sub(vp_real3_of(h->vertex[corner[i]]), base);
            const double part = vp_real3_dot(a, vp_real3_cross(b, c));
            volume += part;
            moment = vp_real3_add(moment, vp_real3_scale(vp_real3_add(vp_real3_add(a, b), c), part));
        }
    }
    if (!(volume > 0.0))
        return;
    h->volume = volume / 6.0;
    h->centre[0] = base.x + moment.x / (4.0 * volume);
    h->centre[1] = base.y + moment.y / (4.0 * volume);
    h->centre[2] = base.z + moment.z / (4.0 * volume);
}

static vp_status fill_hull(const vp_collide_hull_def *def, const vp_hull *from, vp_collide_owned_hull *solid, vp_error *error)
{
    hull_arrays p;
    const size_t bytes = place_arrays(from, NULL, &p);
    char *block = vp_allocate(&solid->allocator, 1, bytes);
    if (block == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a hull of %u vertices", from->vertex_count);
    place_arrays(from, block, &p);
    solid->block = block;
    solid->block_bytes = bytes;
    solid->hull = (vp_collide_hull){.vertex = p.vertex,
                                    .plane = p.plane,
                                    .first_corner = p.first_corner,
                                    .corner = p.corner,
                                    .edge = p.edge,
                                    .arc = p.arc,
                                    .vertex_count = from->vertex_count,
                                    .face_count = from->face_count,
                                    .radius = fill_vertices(def, from, &p)};
    if (!fill_faces(from, &p, solid->hull.radius, &solid->allocator)) {
        vp_collide_hull_destroy(solid);
        return vp_fail(error, VP_E_MEMORY, "no memory for the planes of a hull of %u vertices", from->vertex_count);
    }
    fill_edges(from, &p, &solid->hull);
    fill_volume(&solid->hull);
    const vp_collide_shape shape = vp_collide_hull_shape(&solid->hull);
    const vp_status status = vp_collide_shape_check(&shape, error);
    if (status != VP_OK)
        vp_collide_hull_destroy(solid);
    return status;
}

/* ---- the hull ---- */

static vp_status check_def(const vp_collide_hull_def *def, const vp_hull *from, vp_error *error)
{
    if (from->dimension < 2)
        return vp_fail(error, VP_E_ARGUMENT, "the hull has dimension %u: it is a %s; must be a solid or a polygon", from->dimension,
                       from->dimension == 0 ? "point" : "segment");
    for (uint32_t i = 0; i < from->vertex_count; i++)
        if (from->vertex[i] >= def->count)
            return vp_fail(error, VP_E_ARGUMENT, "vertex %u of the hull is point %u of %u", i, from->vertex[i], def->count);
    return VP_OK;
}

vp_status vp_collide_hull_create(const vp_collide_hull_def *def, vp_collide_owned_hull *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    vp_collide_owned_hull solid = {0};
    vp_hull made = {0};
    const vp_hull *from = def->hull != NULL ? def->hull : &made;
    vp_status status = VP_OK;
    solid.allocator = vp_allocator_or_default(def->allocator);
    if (def->point == NULL && def->count != 0)
        return vp_fail(error, VP_E_ARGUMENT, "vp_collide_hull_def.point is NULL, count is %u", def->count);
    if (!(isfinite(def->origin.x) && isfinite(def->origin.y) && isfinite(def->origin.z)))
        return vp_fail(error, VP_E_ARGUMENT, "vp_collide_hull_def.origin is (%g, %g, %g); must be finite", (double)def->origin.x,
                       (double)def->origin.y, (double)def->origin.z);
    if (def->hull == NULL) {
        const vp_hull_def hull = {.point = def->point, .count = def->count, .kernels = def->kernels, .allocator = def->allocator};
        status = vp_hull_create(&hull, &made, error);
    }
    if (status == VP_OK)
        status = check_def(def, from, error);
    if (status == VP_OK)
        status = fill_hull(def, from, &solid, error);
    vp_hull_destroy(&made);
    if (status != VP_OK)
        return status;
    *out = solid;
    return vp_succeed(error);
}

void vp_collide_hull_destroy(vp_collide_owned_hull *solid)
{
    if (solid == NULL)
        return;
    vp_release(&solid->allocator, solid->block, 1, solid->block_bytes);
    *solid = (vp_collide_owned_hull){0};
}
