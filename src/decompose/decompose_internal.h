/* SPDX-License-Identifier: MIT */
/* Data of a decomposition. */
#ifndef VP_DECOMPOSE_INTERNAL_H
#define VP_DECOMPOSE_INTERNAL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/decompose.h>

#include "src/core/memory.h"
#include "src/hull/arena.h"
#include "src/hull/vector.h"

/* The mesh that the graph is made of, with joined vertices, and triangles in the order of their vertices. */
typedef struct vp_decompose_mesh {
    vp_vec3 *vertex;
    uint32_t *input_point; /* for each vertex, the first input point in that place */
    uint32_t (*triangle)[3];
    uint32_t *input_triangle; /* for each triangle, the first input triangle that it comes from */
    uint32_t *node_of;        /* for each input triangle, its node */
    uint32_t *copies;         /* for each triangle, how often it counts for winding numbers. 0 = a wall inside the solid */
    double (*normal)[3];      /* of length 1; 0 for degenerate triangles */
    double *area;             /* likewise */
    uint32_t (*edge)[2];      /* edges of the graph, as triangles, the lower first; ascending */
    uint32_t edges;
    uint32_t *shell; /* for each triangle */
    bool *closed;    /* for each shell: its triangles meet in opposite directions at every edge. [input.shells] */
    bool *is_void;   /* for each shell: it is closed and faces inwards. [input.shells] */
    vp_decomposition_input input;
} vp_decompose_mesh;

/* A triangle in the order of places. */
typedef struct vp_decompose_place {
    uint32_t morton; /* of the triangle's centre */
    uint32_t triangle;
} vp_decompose_place;

enum { VP_DECOMPOSE_PER_LEAF = 2, VP_DECOMPOSE_BLOCK = 16 * 1024 };

/* Triangles in leaves of a tree of boxes. */
typedef struct vp_decompose_solid {
    uint32_t *triangle;
    vp_surface_box *box; /* `block` is a leaf's number */
    uint32_t triangles, boxes;
} vp_decompose_solid;

/* Plane and box of a triangle. */
typedef struct vp_decompose_face {
    double plane[4];
    double slack; /* of heights above the plane. INFINITY = it is not known, 0 = the triangle has no area */
    float low[3], high[3];
} vp_decompose_face;

/* A part of a ray along x that is inside the solid. */
typedef struct vp_decompose_gap {
    double y, z, low, high;
} vp_decompose_gap;

/* Triangles that have samples, near ones together. */
typedef struct vp_decompose_surface {
    uint32_t *triangle; /* [slots] */
    bool *is_placed;    /* its samples are in `point`. [slots] */
    uint32_t slots;
    double (*point)[3];
    vp_surface_block *block;
    vp_surface_box *box;
} vp_decompose_surface;

/* Planes of a hull whose reach was tested. Those of a polygon are perpendicular to it, through its sides. */
typedef struct vp_decompose_tested {
    double (*plane)[4];
    uint32_t planes;
    double level[4];        /* plane of a polygon, else 0 */
    double reach;           /* bound of how far points below the planes and in the polygon's plane are from the solid */
    const uint32_t *vertex; /* of its node. NULL = not known. Set by vp_decompose_link_is_close */
    uint32_t vertices;
} vp_decompose_tested;

/* A node, which is a current or a former hull. */
typedef struct vp_decompose_node {
    uint32_t *vertex; /* the hull's vertices, ascending; NULL after it has merged */
    uint32_t vertices;
    uint32_t *edge; /* some of these links are removed */
    uint32_t edges;
    uint32_t parent; /* the node it merged into; VP_DECOMPOSE_NONE while it lives */
    uint32_t first;  /* the lowest of its triangles */
    double area;     /* area of one side */
    double volume;
    vp_aabb box;
    double error;
    uint64_t step;
    vp_decomposition_by by;
    vp_vec3 *grown; /* points of its hull, if points inside the solid were added. NULL = `vertex` */
    uint32_t grown_count;
    vp_decompose_tested tested; /* nothing without `by_reach`, and for a triangle */
} vp_decompose_node;

/* An edge of the graph. */
typedef struct vp_decompose_link {
    uint32_t node[2]; /* the lower first */
    uint32_t slot;    /* of its prediction, or VP_DECOMPOSE_NONE */
    bool removed;
    bool refused; /* by a ray, permanently */
    bool stale;   /* `error` is a lower bound, because the hull of both nodes was not predicted */
    vp_decomposition_by by;
    uint32_t sample; /* of BY_RAY */
    double error, diagonal;
} vp_decompose_link;

/* A link in the queue. Lengths are counted by the quantization, so that few links are read to find the first one. */
typedef struct vp_decompose_queued {
    double error, diagonal;
    uint32_t link;
} vp_decompose_queued;

enum { VP_DECOMPOSE_PER_VERTEX = sizeof(vp_vec3) + sizeof(uint32_t) }; /* bytes of a union */

/* The hull of two nodes together. */
typedef struct vp_decompose_union {
    uint32_t *vertex; /* of both, ascending */
    vp_vec3 *point;   /* their positions, in one block with `vertex` */
    uint32_t vertices, room;
    double reach; /* bound of how far its hull's points are from the solid. Set by vp_decompose_is_close */
    vp_hull hull;
} vp_decompose_union;

/* The hull of a link's two nodes, and its error. */
typedef struct vp_decompose_prediction {
    uint32_t link;
    vp_status status; /* nothing has to be dropped unless VP_OK */
    vp_decompose_union both;
    double error;
    double time; /* that it took, nanoseconds */
    vp_decomposition_by by;
    uint32_t sample; /* of BY_RAY */
    double from[3];  /* where its ray begins */
} vp_decompose_prediction;

/* Times of predictions. */
typedef struct vp_decompose_pace {
    bool together;        /* threads predict links together */
    double each;          /* nanoseconds of a prediction on one thread */
    double gain;          /* mean ratio of the time on one thread and the time of threads */
    double lost;          /* nanoseconds by threads that were slower than one thread */
    uint64_t begun;       /* nanoseconds, since which predictions on one thread are timed. 0 = not yet */
    uint64_t predictions; /* until then */
} vp_decompose_pace;

/* State of a recording. */
typedef struct vp_decompose_recording {
    const vp_recorder *recorder;                                          /* NULL = no recorder */
    uint32_t hulls, surface, both, ray, decisions, queue, figures, input; /* layers */
    double scale, error_scale;                                            /* steps a unit */
    bool has_both;                                                        /* the last frame shows the union of the two */
} vp_decompose_recording;

/* A decomposition in progress. */
typedef struct vp_decomposing {
    const vp_decomposition_def *def;
    vp_kernels kernels;
    vp_allocator allocator;
    vp_hull_arena memory; /* for data that stays until the end */
    const char *block;    /* first block of `memory`, on the stack. [VP_DECOMPOSE_BLOCK] */
    vp_decomposition_lengths lengths;
    float tolerance;   /* the quantization, for hulls */
    double allowed;    /* maximum error of a collapse */
    bool by_reach;     /* `lengths.concavity` limits the reach of hulls, not errors */
    double min_volume; /* hulls with less merge at any error. 0 = none */
    bool only_small;   /* only links of such hulls are queued */
    vp_decompose_mesh mesh;
    vp_decompose_solid solid; /* closed shells */
    vp_decompose_solid every; /* all triangles. Empty without `by_reach` */
    double slack;             /* of comparisons with planes */
    vp_decompose_face *face;  /* of each triangle. NULL without `by_reach` */
    uint32_t (*beside)[3];    /* the triangle at each side, or VP_DECOMPOSE_NONE. Likewise */
    vp_decompose_gap *inside; /* rays inside the solid, once they are needed. [insides] */
    uint32_t insides;
    vp_surface_samples samples;
    vp_decompose_surface surface;
    uint32_t sample_count; /* with `def->exact` corners of parts of triangles, which `samples` has then instead */
    uint32_t most_corners; /* of a part */
    vp_decompose_node *node;
    uint32_t nodes, living;
    vp_decompose_link *link;
    double (*from)[3];          /* where each link's ray begins. NULL without `def->exact` */
    vp_decompose_queued *queue; /* a heap */
    uint32_t queued;
    uint32_t *place;            /* for each link, that in the queue, or VP_DECOMPOSE_NONE */
    uint32_t *seen;             /* for each node, a link to it */
    uint32_t *pending;          /* links that return to the queue */
    uint32_t ahead, most_ahead; /* links that are predicted together */
    uint64_t adapted, wasted;   /* predictions when `ahead` was adapted, and in vain since then */
    uint32_t *claimed;          /* for each node, the last round that predicts a link of it. NULL without threads */
    uint32_t rounds;
    vp_decompose_pace pace;
    uint64_t begun;                      /* nanoseconds */
    vp_decompose_prediction *prediction; /* slots. [slot_room] */
    uint32_t *slot;                      /* free slots */
    uint32_t slot_room;
    uint32_t slots; /* their number */
    uint64_t done;  /* of progress */
    bool full;      /* the hulls hold the solid, and none is flat */
    uint64_t end;   /* when `max_seconds` are over, nanoseconds. 0 = no limit */
    vp_decompose_recording recording;
    vp_decomposition_counts counts;
} vp_decomposing;

/* ---- temporary memory ---- */

/* Allocates from the block on the stack if it has room. Memory must be given back in reverse order. @return NULL without memory */
static inline void *vp_decompose_borrow(vp_decomposing *d, size_t count, size_t size)
{
    return count != 0 && count <= d->memory.bytes_left / size && vp_arena_rounded(count * size) <= d->memory.bytes_left
               ? vp_arena_take(&d->memory, count * size)
               : vp_allocate(&d->allocator, count, size);
}

static inline void vp_decompose_give_back(vp_decomposing *d, void *memory, size_t count, size_t size)
{
    if ((uintptr_t)memory - (uintptr_t)d->block < VP_DECOMPOSE_BLOCK)
        vp_arena_give_back(&d->memory, memory, count * size);
    else
        vp_release(&d->allocator, memory, count, size);
}

/* ---- mesh.c, edges.c ---- */

/* The longest side of the box of all points that triangles have. These points are checked. */
double vp_decompose_extent(const vp_decomposition_def *def);
/* Joins vertices, and sorts triangles. */
vp_status vp_decompose_read(vp_decomposing *d, vp_error *error);
/* Finds the triangles that share edges, and counts the input's edges and shells. Merges triangles with joined vertices
   into others, if these contain their vertices. @return VP_E_LIMIT for too many edges */
vp_status vp_decompose_connect(vp_decomposing *d, vp_error *error);

/* ---- inside.c ---- */

/* Builds a tree of all triangles, or only of those of closed shells. @param order  all triangles  @return false without memory */
bool vp_decompose_build_tree(vp_decomposing *d, const vp_decompose_place *order, uint32_t count, bool all, vp_decompose_solid *out);
/* Turns a triangle over. */
static inline void vp_decompose_flip_triangle(vp_decompose_mesh *m, uint32_t t)
{
    const uint32_t last = m->triangle[t][2]; /* the lowest vertex stays the first */
    m->triangle[t][2] = m->triangle[t][1];
    m->triangle[t][1] = last;
    for (int k = 0; k < 3; k++)
        m->normal[t][k] = 0.0 - m->normal[t][k];
}
/* Counts reversed and tiny shells, and turns reversed ones if the definition says so. @return false without memory */
bool vp_decompose_inspect_shells(vp_decomposing *d);
/* Where a ray along x crosses a triangle. */
typedef struct vp_decompose_crossing {
    double x;
    int32_t winds; /* 1 = it leaves the solid */
} vp_decompose_crossing;
/* Lists all crossings of a line along x with closed shells, ascending. @param out [solid.triangles] */
uint32_t vp_decompose_cross(const vp_decomposing *d, double y, double z, vp_decompose_crossing *out);
/* The winding number of closed shells around a point. */
int32_t vp_decompose_wind(const vp_decomposing *d, const double p[3]);
/* The same by the winding number around another point. Quicker if the points are near each other. @param list  at least the triangles of
   closed shells in a box of both. NULL = not known */
int32_t vp_decompose_wind_from(const vp_decomposing *d, const double from[3], int32_t winds, const double p[3], const uint32_t *list,
                               uint32_t count);
/* Planes of the triangles of closed shells that may cross a triangle's samples, moved out by the quantization. */
typedef struct vp_decompose_cuts {
    uint32_t planes; /* may be more than the room. 0 = the winding number is the same in front of all samples */
    double plane[64][4];
    double slack; /* of comparisons */
} vp_decompose_cuts;
/* @param share at most the lowest part of each corner in the samples' barycentric coordinates */
void vp_decompose_find_cuts(const vp_decomposing *d, uint32_t triangle, const double share[3], vp_decompose_cuts *out);
/* Finds on which side of each plane a point just in front of a triangle is. The winding number is the same at points with equal sides.
   @return false if it is too near a plane, or there are too many */
bool vp_decompose_find_sides(const vp_decomposing *d, uint32_t triangle, const vp_decompose_cuts *cuts, const double at[3],
                             uint64_t *sides);
/* The winding number just in front of a point of a triangle that has a normal. */
int32_t vp_decompose_wind_before(const vp_decomposing *d, uint32_t triangle, const double at[3]);

/* A walk over the triangles of closed shells in leaves whose boxes meet a box. */
typedef struct vp_decompose_walk {
    double low[3], high[3];
    uint32_t box, at, end; /* the next box, and the rest of the leaf */
} vp_decompose_walk;
/* @return VP_DECOMPOSE_NONE at the end */
uint32_t vp_decompose_next_triangle(const vp_decomposing *d, vp_decompose_walk *walk);
/* Whether a triangle's box and a walk's have no common point. */
static inline bool vp_decompose_is_apart(const vp_decompose_mesh *m, uint32_t triangle, const vp_decompose_walk *walk)
{
    const vp_vec3 *a = &m->vertex[m->triangle[triangle][0]], *b = &m->vertex[m->triangle[triangle][1]],
                  *c = &m->vertex[m->triangle[triangle][2]];
    const double low[3] = {walk->low[0], walk->low[1], walk->low[2]}, high[3] = {walk->high[0], walk->high[1], walk->high[2]};
    return ((double)a->x < low[0] && (double)b->x < low[0] && (double)c->x < low[0]) ||
           ((double)a->x > high[0] && (double)b->x > high[0] && (double)c->x > high[0]) ||
           ((double)a->y < low[1] && (double)b->y < low[1] && (double)c->y < low[1]) ||
           ((double)a->y > high[1] && (double)b->y > high[1] && (double)c->y > high[1]) ||
           ((double)a->z < low[2] && (double)b->z < low[2] && (double)c->z < low[2]) ||
           ((double)a->z > high[2] && (double)b->z > high[2] && (double)c->z > high[2]);
}

/* ---- exact.c ---- */

/* A ray into a hull. */
typedef struct vp_decompose_ray {
    double error;    /* its length */
    uint32_t sample; /* or the first corner of its part. VP_DECOMPOSE_NONE = no ray */
    double from[3];
} vp_decompose_ray;

/* How much of a triangle has the solid in front of it: nothing, strips less than four quantizations wide, or more. */
enum { VP_DECOMPOSE_WHOLE, VP_DECOMPOSE_STRIPS, VP_DECOMPOSE_COVERED };
/* Adds a convex part of a triangle. */
typedef vp_status vp_decompose_add_free(vp_decomposing *d, uint32_t triangle, const double (*corner)[3], uint32_t corners);
/* Cuts a triangle until no closed shell crosses the place just in front of any part, and adds the parts without the solid there.
   @return VP_E_MEMORY, VP_E_LIMIT if `progress` cancels, or the status of `add` */
vp_status vp_decompose_cut_free(vp_decomposing *d, uint32_t triangle, vp_decompose_add_free *add, uint8_t *cover);
/* Finds the longest ray into a hull of dimension 3 from any point of the surface, or one that is longer than allowed. @return VP_E_MEMORY
 */
vp_status vp_decompose_measure_exactly(const vp_decomposing *d, const vp_decompose_union *u, const vp_aabb *box, vp_decompose_ray *out);

/* ---- certify.c ---- */

/* Clips a convex polygon to the side of a plane below a limit. @return the number of corners, at most `room` */
uint32_t vp_decompose_clip_polygon(const double (*corner)[3], uint32_t corners, const double normal[4], double limit, double (*out)[3],
                                   uint32_t room);
/* Whether a hull has a ray longer than allowed, from any point of a triangle where its former hull has none. @return VP_E_MEMORY */
vp_status vp_decompose_has_longer_ray(const vp_decomposing *d, const vp_hull *hull, const vp_aabb *box, const vp_hull *former,
                                      bool *has_longer);
/* Whether a node's hull with points inside the solid is farther outside it than allowed, in a face at such a point. */
bool vp_decompose_reaches_too_far(const vp_decomposing *d, const vp_decompose_union *extended, uint32_t node);

/* Sets the planes of a hull whose reach is known. @return false without memory */
bool vp_decompose_set_tested(const vp_decomposing *d, const vp_decompose_union *u, vp_decompose_tested *out);
/* Likewise for a triangle of the mesh. @param plane [3], of the result */
void vp_decompose_set_tested_triangle(const vp_decomposing *d, uint32_t triangle, double (*plane)[4], vp_decompose_tested *out);
void vp_decompose_drop_tested(const vp_decomposing *d, vp_decompose_tested *tested);

static inline void vp_decompose_set_point(double out[3], const vp_vec3 *p)
{
    out[0] = (double)p->x;
    out[1] = (double)p->y;
    out[2] = (double)p->z;
}

static inline void vp_decompose_set_corners(const vp_decompose_mesh *m, uint32_t triangle, double out[3][3])
{
    for (int k = 0; k < 3; k++)
        vp_decompose_set_point(out[k], &m->vertex[m->triangle[triangle][k]]);
}

/* The distance of two points, and its square. */
static inline double vp_decompose_square_apart(const double a[3], const double b[3])
{
    const double v[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return vp_dot(v, v);
}

static inline double vp_decompose_apart(const double a[3], const double b[3])
{
    return sqrt(vp_decompose_square_apart(a, b));
}

/* Sets the plane of three points: a normal, of length 1 or 0, and its offset. @return twice the triangle's area */
static inline double vp_decompose_set_plane(const double a[3], const double b[3], const double c[3], double out[4])
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    vp_cross(u, v, out);
    const double size = sqrt(vp_dot(out, out));
    for (int k = 0; k < 3 && size > 0.0; k++)
        out[k] /= size;
    out[3] = vp_dot(out, a);
    return size;
}

/* ---- nearest.c ---- */

/* The square of a point's distance from a segment a-b. @param from the point minus a */
double vp_decompose_square_to_segment(const double a[3], const double b[3], const double from[3]);

/* The distance of a point from a triangle, whose normal may be 0. INFINITY if its plane is farther away than a limit. */
double vp_decompose_distance_to_triangle(const vp_decomposing *d, uint32_t triangle, const double p[3], double limit);

/* Finds the triangle of `every` nearest to a point, or one that is no farther than `enough`. Begins with a triangle and its distance. */
void vp_decompose_find_nearest(const vp_decomposing *d, const double p[3], double enough, double *away, uint32_t *triangle);
/* Goes from a triangle to its neighbours while they are nearer to a point. @return the last one's distance */
double vp_decompose_walk_nearer(const vp_decomposing *d, const double p[3], uint32_t *triangle);
/* Sets the planes, boxes and neighbours of triangles. @return false without memory */
bool vp_decompose_set_faces(vp_decomposing *d);

/* ---- reach.c ---- */

/* A box whose sides are moved inwards to numbers that a face can have, with the same faces in it. */
typedef struct vp_decompose_span {
    float low[3], high[3];
} vp_decompose_span;

static inline vp_decompose_span vp_decompose_set_span(const double low[3], const double high[3])
{
    vp_decompose_span out;
    for (int k = 0; k < 3; k++) {
        const float from = (float)low[k], to = (float)high[k];
        out.low[k] = (double)from < low[k] ? nextafterf(from, INFINITY) : from;
        out.high[k] = (double)to > high[k] ? nextafterf(to, -INFINITY) : to;
    }
    return out;
}

static inline bool vp_decompose_meets(const vp_decompose_face *f, const vp_decompose_span *box)
{
    return ((f->low[0] <= box->high[0]) & (f->high[0] >= box->low[0])) & ((f->low[1] <= box->high[1]) & (f->high[1] >= box->low[1])) &
           ((f->low[2] <= box->high[2]) & (f->high[2] >= box->low[2]));
}

/* Whether no point of a hull is farther from the solid than allowed. The limit is reduced by the hull's error and thickness, and by
   the quantization if points were joined. @param of  receives its reach, if it is close  @param former  hulls that were tested before,
   whose points are skipped  @return VP_E_MEMORY */
vp_status vp_decompose_is_close(const vp_decomposing *d, vp_decompose_union *of, const vp_decompose_tested *former, uint32_t formers,
                                bool *out);
/* Whether the hull of a link's two nodes is close enough. */
vp_status vp_decompose_link_is_close(const vp_decomposing *d, const vp_decompose_link *link, vp_decompose_union *both, bool *out,
                                     vp_error *error);
/* Finds an upper bound of each hull's reach. @return VP_E_MEMORY */
vp_status vp_decompose_certify(vp_decomposing *d, vp_decomposition *out, vp_error *error);

/* ---- fill.c ---- */

/* Lists pairs of hulls of one shell, or of a void and the shell around it, with a gap between them. Memory stays until the end. @param pair
 * NULL if there are none */
vp_status vp_decompose_pair_hulls(vp_decomposing *d, uint32_t (**pair)[2], uint32_t *pairs, vp_error *error);
/* Lists pairs of hulls of different shells whose boxes are no farther apart than the allowed error. Likewise. */
vp_status vp_decompose_pair_shells(vp_decomposing *d, uint32_t (**pair)[2], uint32_t *pairs, vp_error *error);
/* Extends hulls into gaps, and gives flat ones a thickness. */
vp_status vp_decompose_fill(vp_decomposing *d, vp_error *error);

/* ---- samples.c ---- */

vp_status vp_decompose_sample(vp_decomposing *d, vp_error *error);
/* Places all samples, so that threads only read them. */
void vp_decompose_place_all(vp_decomposing *d);
/* The triangle of a sample. */
uint32_t vp_decompose_sample_triangle(const vp_decomposing *d, uint32_t sample);

/* ---- predict.c ---- */

/* Makes the hull of nodes a and b. b may be VP_DECOMPOSE_NONE. @return VP_E_MEMORY, and nothing has to be dropped */
vp_status vp_decompose_unite(const vp_decomposing *d, uint32_t a, uint32_t b, vp_decompose_union *out, vp_error *error);
void vp_decompose_drop_union(const vp_decomposing *d, vp_decompose_union *u);
/* The box around two nodes. */
vp_aabb vp_decompose_box(const vp_decomposing *d, const uint32_t node[2]);
/* Sets a link's error to its lower bound, a ray that it inherits, and its diagonal. */
void vp_decompose_bound_link(const vp_decomposing *d, vp_decompose_link *link);
/* Predicts the first link of the queue, and with several threads also next ones. */
vp_status vp_decompose_predict_front(vp_decomposing *d, vp_error *error);
/* Sets a link's error from its prediction. */
void vp_decompose_settle_link(vp_decomposing *d, uint32_t link);
/* Frees a link's prediction, if any. */
void vp_decompose_drop_prediction(vp_decomposing *d, uint32_t link);
void vp_decompose_drop_predictions(vp_decomposing *d);
/* Finds the longest ray into a hull of dimension 3, from a sample, or with `def->exact` from any point. @return VP_E_MEMORY */
vp_status vp_decompose_measure(const vp_decomposing *d, const vp_decompose_union *both, const vp_aabb *box, vp_decompose_ray *out);
/* Whether a ray, which may be inherited, is longer than allowed. */
static inline bool vp_decompose_is_refused(const vp_decomposing *d, uint32_t link)
{
    return d->link[link].by == VP_DECOMPOSITION_BY_RAY && d->link[link].error > d->allowed;
}

/* ---- threads.c ---- */

/* Whether tasks of some nanoseconds each are worth other threads. */
bool vp_decompose_may_use_threads(const vp_decomposing *d, double each);
/* Calls a task for each i < count, with other threads only if the rest is worth them. @param each  updated nanoseconds of a task. 0 = not
   known, NULL = known by none before */
void vp_decompose_for(vp_decomposing *d, uint32_t count, vp_task_fn *task, void *argument, double *each);
/* Whether the next predictions are made by threads together, because that takes less time. */
bool vp_decompose_use_threads(vp_decomposing *d);
/* Predicts the links of `count` slots on threads, if there are enough. @param begun  when they were chosen, nanoseconds  @param count > 1
 */
void vp_decompose_predict_together(vp_decomposing *d, uint64_t begun, const uint32_t *slot, uint32_t count, vp_task_fn *task,
                                   void *argument);

/* ---- queue.c ---- */

/* Whether the first link comes before the second, and the criterion. */
bool vp_decompose_before(const vp_decomposing *d, uint32_t a, uint32_t b, vp_decomposition_tie *by);
void vp_decompose_push(vp_decomposing *d, uint32_t link);
/* Removes a link. No-op for one that is not in the queue. */
void vp_decompose_take_out(vp_decomposing *d, uint32_t link);
static inline uint32_t vp_decompose_first(const vp_decomposing *d)
{
    return d->queue[0].link;
}
/* The first links of the queue, in order. @return their number, at most VP_DECOMPOSE_FRONT */
uint32_t vp_decompose_front(const vp_decomposing *d, uint32_t front[VP_DECOMPOSE_FRONT]);

/* ---- graph.c ---- */

/* Makes a node for each triangle, and a link for each edge. */
vp_status vp_decompose_begin(vp_decomposing *d, vp_error *error);
/* Collapses and drops until the queue is empty. */
vp_status vp_decompose_run(vp_decomposing *d, vp_error *error);
/* Frees the memory of nodes. */
void vp_decompose_drop_nodes(vp_decomposing *d);

/* ---- record.c ---- */

/* Records the beginning. VP_OK without a recorder. */
vp_status vp_decompose_record_start(vp_decomposing *d, const vp_decomposition_start *start, vp_error *error);
vp_status vp_decompose_record_step(vp_decomposing *d, const vp_decomposition_step *step, vp_error *error);
/* Records that a node's hull was extended. All points of `u` are vertices. */
vp_status vp_decompose_record_extended(vp_decomposing *d, uint32_t node, const vp_decompose_union *u, vp_error *error);

/* ---- step.c ---- */

/* Starts the clock, and asks whether the time is over. */
void vp_decompose_start_clock(vp_decomposing *d);
bool vp_decompose_is_late(const vp_decomposing *d);
/* Reports progress. @return VP_E_LIMIT if it cancels */
vp_status vp_decompose_report_progress(vp_decomposing *d, vp_error *error);
/* Reports a step to the watch and the recorder. `merged` is the hull of both. NULL = not made yet. */
vp_status vp_decompose_print(vp_decomposing *d, uint32_t link, const vp_decompose_union *merged, vp_error *error);

#endif
