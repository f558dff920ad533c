/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_HULL_H
#define VOXPHYS_HULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/hull.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>

/** @file hull.h
 *  Convex hulls of points (convex decomposition article, "Quickhull").
 *
 *  **Exact.** Which points are vertices, and which of them are corners of one face, is decided without rounding: of a whole hull of
 *  three dimensions no point is outside of any triangle's plane, not by a bit; every vertex sticks out; the surface is closed. Distance
 * from the origin and unit do not matter to that. The answer depends on the array of points alone, down to the order of everything in it:
 * not on the kernels, and not on the order in which an algorithm takes the points.
 *
 *  **One tolerance**, a distance. A set whose box is no longer than that is a point. It is a segment if no point is further than that from
 * the line through the ends of the box's longest side; a polygon if it lies between two planes no further apart, parallel to the plane
 * through three points that are far apart, or, where that is close, to one of the exact hull's 32 largest faces. (A set of which only
 * another plane would say so keeps its volume.) And faces that lie within the tolerance of one plane are one face, the largest first, as
 * long as it is one piece without holes and has three corners, and no vertex is lost that sticks out by more than some tolerances (but
 * for the tip of a rare needle, by some hundred of them): the hull of a rotated grid of points has six, though rounding has made
 * hundreds of slivers of them. The triangles stay as they are; a face is a name for some of them, and a polygon. The tolerance that is used
 * where none is given is some roundings of the coordinates, so by it a set that lies some 2^22 of its extents away from the origin is a
 *  point: who wants the hull of that gives a smaller one.
 *
 *  **Fewer vertices**, for those who would rather have a simple hull than the whole one: `max_vertices` and `max_error`. Some of
 *  the whole hull's vertices are chosen, and the answer is the exact hull of these: it lies inside the whole one, and `error` says how
 *  far the furthest point that was left out is from it. The choice is greedy: four vertices that are far apart, then always the one that is
 *  furthest from the hull of those before it. So the vertices for a lower `max_vertices` are among those for a higher one, and `error` does
 *  not grow with more of them but for a rounding; that no other choice of as many would do better is not said. It is the set's alone too.
 *  A set that has a volume keeps one, and of one that is flat the polygon's corners are chosen in the same way. `contain` is for
 *  those who need a shape around all points: the planes of faces are moved outwards. The vertices stay where they are; vp_hull_enclose
 * makes the polytope that the moved planes enclose, by vertices of its own.
 *
 *  **Threads.** Calls share nothing: any number of threads may make hulls, also of the same points. A hull is not changed by reading. */

#ifdef __cplusplus
extern "C" {
#endif

/** A hull. Its arrays are its own, and live until vp_hull_destroy; a copy of the struct has the same ones. An array of no elements may
 *  be NULL or not. */
typedef struct vp_hull {
    uint32_t dimension; /**< 3; 2: a polygon, of two faces back to back; 1: a segment, of two vertices; 0: a point. */
    float tolerance;    /**< That was used: the def's, or vp_hull_tolerance, or what is the least; in the points' unit. */

    uint32_t vertex_count;   /**< How many points are vertices. */
    uint32_t triangle_count; /**< 2 * vertex_count - 4, of dimensions 2 and 3; otherwise 0. */
    uint32_t face_count;     /**< At least 4; 2 of dimension 2, and 0 below. */
    uint32_t corner_count;   /**< Of all faces' polygons together. */

    const uint32_t *vertex;        /**< Points of the set, ascending; of points in one place the first. What follows calls them by
                                        their numbers here. */
    const uint32_t (*triangle)[3]; /**< Counterclockwise seen from outside. Those of one face are not one behind the other. */
    const uint32_t (*beside)[3];   /**< The triangle beyond the edge from triangle[i][k] to triangle[i][(k + 1) % 3]. */
    const uint32_t *face_of;       /**< Of each triangle. */

    const uint32_t *first_corner; /**< Of each face, where its polygon begins in `corner`; one more for the end. */
    const uint32_t *corner;       /**< Vertices, counterclockwise seen from outside, from each face's lowest on (of the second face of
                                       dimension 2 from another on, for both are cut into triangles from there). A vertex where only two
                                       faces meet, or one, is corner of none. */
    const uint32_t *across;       /**< The face beyond the edge from this corner to its face's next. */
    const double (*plane)[4];     /**< Of each face: a normal n of length 1, outwards, and what the points of the face reach along it: p is
                                       above the plane if n.p is more. The normal is right to 40 bits: where no faces are joined, other
                                       points of the whole hull's set are above by less than 2^-38 of the largest magnitude of a coordinate.
                                       If the def has `contain`: what all points of the set reach along it, rounded up, so that none is above
                                       it: what the planes enclose then has every point in it, and is larger than the polytope of the vertices
                                       by `moved` along each normal at most: at sharp edges it reaches further.
                                       vp_hull_enclose tells its vertices. Of dimension 2 there are two planes, and none at the rim; below there
                                     are     no planes. */

    double volume;      /**< Enclosed by the triangles, also where planes were moved; 0 below dimension 3. */
    double area;        /**< Of all triangles: of dimension 2 of both sides together. */
    double centroid[3]; /**< Of the volume; of dimension 2 of the polygon, of 1 the middle of the segment, of 0 the point. */
    double inertia[6];  /**< About the centroid, of density 1: xx, yy, zz, xy, yz, zx; 0 below dimension 3. The first three are moments:
                             integrals of y*y + z*z and so on. The last three are integrals of x*y, y*z and z*x; the tensor has their
                             negatives. */
    double error;  /**< How far the furthest point of the set is from the hull, at the nearest point of its surface, in the points' unit:
                        not less than that, and more by no more than 2^-47 of the longest side of their box; 0 if no vertex was left
                        out. Of a flat set, of the polygon's corners, from its rim, which is not less than from the polygon. Planes that were
                      moved  are not regarded. */
    double moved;  /**< If the def has `contain`, by how much, at most, a plane was moved, in the points' unit; otherwise 0. */
    uint64_t work; /**< How often a point was compared with a plane or a line, which is each kernel's own affair: by hull3, or hull2
                        too, of the points that hull_filter has left, if it was asked; to choose vertices; and, of boxes of
                        points too, to move planes. */

    vp_hull_cost cost; /**< Of hull3 in the same way; hull_bounds and hull_filter read points besides. */

    vp_allocator allocator; /**< Where the arrays come from. */
    void *block;            /**< All of them. */
    size_t block_bytes;     /**< Its size. */
} vp_hull;

/** What a hull is made of. All zero bytes but for `point` and `count` are a whole hull with the tolerance that is usual. */
typedef struct vp_hull_def {
    const vp_vec3 *point;          /**< Read during the call. */
    uint32_t count;                /**< 1 to VP_HULL_MAX_POINTS. */
    float tolerance;               /**< In the points' unit; 0: vp_hull_tolerance. Not less than 2^-40 of the longest side of their box is
                                        used. */
    bool separate;                 /**< Faces are those of the exact hull: none are joined that are only nearly in one plane. */
    uint64_t most_work;            /**< How often a point may be compared with a plane or a line; 0: as often as it takes. The whole
                                        hull is meant; the hull of a sample, which is made before it of 32,768 points and more, may take
                                        as much again and 256 for each point in it. What is compared to choose vertices and to move
                                        planes is counted too. Kernels take points in orders of their own, and look at the limit once
                                        a vertex: whether VP_E_LIMIT is returned depends on them. A hull that is returned does not. */
    uint32_t max_vertices;         /**< How many the hull may have, at least 4; 0: as many as there are. */
    float max_error;               /**< In the points' unit: vertices are added until no point of the set is further than this outside
                                        of the hull; 0: none is given. If both are, whichever comes first ends it, and the
                                        answer's `error` says what was reached. */
    bool contain;                  /**< The planes of faces are moved outwards until no point of the set is above any of them. With all
                                        vertices too: a face of several that are nearly in one plane has no plane above all. */
    const vp_kernels *kernels;     /**< NULL: as vp_kernels_default says. */
    const vp_allocator *allocator; /**< NULL: C's own. */
} vp_hull_def;

/** The tolerance that a def without one has: 2^-22 of the longest side of the points' box or of the largest magnitude of a coordinate,
 *  whichever is more, and a side that is beyond the largest float counts as that: some roundings of binary32. Bounds in which `bad`
 *  names a point have none. O(1). */
VP_API float vp_hull_tolerance(const vp_hull_bounds *bounds);

/** Makes a hull. O(n log h) for n points of which h are vertices, as a rule, and O(n^2) for points that are laid out against it; to choose
 *  some of the vertices takes O(h log h) more, and `contain` O(h log h + f sqrt(h)) for f faces, as a rule.
 *  While it runs it needs vp_hull_scratch_bytes more than it keeps, much of it never touched.
 *  @param def  not NULL
 *  @param out  VP_OK: the hull, to be freed by vp_hull_destroy; what was in it before is not looked at, and not freed. Otherwise it is
 *              left as it was: it can be destroyed if it was zero.
 *  @return VP_E_ARGUMENT for no points or too many, for a point with a coordinate that is not finite (the message names the first of
 *          them), for a tolerance or a max_error that is negative or not finite, for a max_vertices of 1 to 3;
 *          for VOXPHYS_ISA in the environment where it is no name of an ISA; VP_E_UNSUPPORTED where it names what this machine or build
 *          lacks; VP_E_LIMIT if it took more than `most_work`; VP_E_MEMORY. */
VP_API vp_status vp_hull_create(const vp_hull_def *def, vp_hull *out, vp_error *error);
/** Frees a hull, which is not NULL; one that is all zero bytes is left alone. */
VP_API void vp_hull_destroy(vp_hull *hull);

/** Bytes that vp_hull_create asks for beside what it keeps; with max_vertices, max_error or contain at most twice as many. O(1). */
VP_API size_t vp_hull_scratch_bytes(uint32_t count);

/** A polytope around all points of a set, as vertices and as a hull of these. */
typedef struct vp_hull_enclosure {
    vp_vec3 *point; /**< Its vertices, hull.vertex_count of them, in no order that means anything. */
    vp_hull hull;   /**< Theirs, of dimension 3 and with `contain`; each of them is a vertex, so that hull.vertex[i] is i. */
} vp_hull_enclosure;

/** Makes the polytope that a hull's moved planes enclose, for those who need a shape of few vertices around all points.
 *
 *  **Every point of the set is in the convex hull of the vertices as they are told, in binary32: exactly, none is outside by a bit.** For
 *  that, planes are moved outwards by more than `moved`: by less than 2^-20 of the largest magnitude of a coordinate in the set's box moved
 * out by 4 * moved. Otherwise the polytope is what the planes enclose, but where that reaches out of the set's box by more than 4 * moved
 * and 2^-16 of that magnitude: there the box, moved out by less than that, cuts it, so that planes that meet at a sharp edge make no spike.
 * (To both of these 2^-144 is added, for the smallest numbers.) Where more than three planes meet in a point before they are moved, they
 * meet in several after it; of vertices that only roundings tell apart, one is left.
 *
 *  Three planes meet at a vertex, as a rule: there are at most 2 * face_count + 8 vertices around a hull of dimension 3, and of a def with
 *  `max_vertices` at most 4 * max_vertices + 4, as a rule 4 * max_vertices - 12. Around flat sets it is a thin solid: a polygon's two
 * planes get a rim, a segment four sides and two ends, a point a small box. It depends on the set, the def and the hull alone, not on the
 * kernels.
 *
 *  Where the box, moved out so, reaches beyond half of the largest float, the polytope is that box, held at the largest float.
 *
 *  Takes about as long as making the hull of the set once more, and asks for twelve bytes a point beside what that asks for.
 *  @param def   not NULL: what the hull was made of. Of it `point`, `count`, `separate`, `most_work` (of each hull that is made on the
 * way), `kernels` and `allocator` are read.
 *  @param hull  not NULL: made with `contain`, with or without limits
 *  @param out   VP_OK: the polytope, to be freed by vp_hull_enclosure_destroy; what was in it before is not looked at. Otherwise it is left
 * as it was.
 *  @return VP_E_ARGUMENT for a hull that was made without `contain`, or whose planes are not around these points; VP_E_LIMIT, VP_E_MEMORY;
 *          and what vp_hull_create says. */
VP_API vp_status vp_hull_enclose(const vp_hull_def *def, const vp_hull *hull, vp_hull_enclosure *out, vp_error *error);
/** Frees a polytope, which is not NULL; one that is all zero bytes is left alone. */
VP_API void vp_hull_enclosure_destroy(vp_hull_enclosure *enclosure);

/** A hull that grows: points are added to it, one or many at a time, and none is ever made twice.
 *
 *  A point that is added is numbered behind those before it. **What vp_hull_builder_make gives is what vp_hull_create would of all points
 * in that order**, bit for bit but for `work` and `cost`, whichever way they came: one by one, all at once, or as the vertices of a hull.
 *
 *  While all points are in one plane, on one line or in one place, exactly, they are only kept. The first one that is outside makes a
 *  tetrahedron of three of them and itself, to which the others are added. From then on a point that is outside of the hull replaces the
 *  triangles that it sees, those above whose planes it lies, by new ones between their rim and itself (convex decomposition article,
 *  "Quickhull"). What it sees is decided without rounding, as in vp_hull_create, and only what it sees and the neighbours of that are
 *  looked at. The first triangle that it sees is found by a walk from triangle to neighbour, towards it.
 *
 *  A builder belongs to one thread at a time; builders share nothing. */
typedef struct vp_hull_builder vp_hull_builder;

/** What points have cost since the builder was created or begun. */
typedef struct vp_hull_builder_cost {
    uint32_t points;    /**< That the set has. */
    uint32_t vertices;  /**< Points that triangles have now: not fewer than the hull's vertices, for some may lie in the middle of a face or
                             of an edge. */
    uint32_t triangles; /**< There are now; 0 as long as all points are in one plane. */
    uint64_t walked;    /**< Triangles that walks went through, the last of each too. */
    uint64_t seen;      /**< Triangles that a point saw, and that were taken away. */
    uint64_t beside;    /**< Neighbours of those that it did not see. No others were looked at, and each once a point. */
    uint64_t made;      /**< New triangles. */
    uint64_t work;      /**< How often a point was compared with a plane, by walks and for what they see. */
} vp_hull_builder_cost;

/** Makes a builder. O(1), and as vp_hull_builder_add for the def's points.
 *  @param def  not NULL: `point` and `count` are the first points, of which there may be none, `point` is then NULL or not; the rest says
 *              how hulls are made of it. `most_work` is looked at by vp_hull_builder_make.
 *  @param out  VP_OK: the builder, to be freed by vp_hull_builder_destroy; otherwise it is left as it was
 *  @return VP_E_ARGUMENT, VP_E_UNSUPPORTED, VP_E_MEMORY as vp_hull_create. */
VP_API vp_status vp_hull_builder_create(const vp_hull_def *def, vp_hull_builder **out, vp_error *error);
/** Frees a builder; NULL is left alone. */
VP_API void vp_hull_builder_destroy(vp_hull_builder *builder);

/** Begins anew with the vertices of a hull, in its order, as points 0, 1, ...: its triangles are taken as they are, and no point is looked
 *  at twice. The memory of what was before is kept for what comes. O(v) for v vertices.
 *
 *  The set is then those vertices: other points that the hull was made of lie inside of it, or, where it was made with limits or is flat by
 *  its tolerance, are left out as they were.
 *  @param hull   NULL: without points. Otherwise of any dimension and def.
 *  @param point  the set that it was made of, read during the call
 *  @param count  how many
 *  @return VP_E_ARGUMENT for a vertex that is not one of these points or is not finite, for a hull that is not one: with a triangle whose
 *          neighbour is above it, or with neighbours that share no edge (the message names the first of them); VP_E_MEMORY. Then the
 *          builder is as it was. */
VP_API vp_status vp_hull_builder_begin(vp_hull_builder *builder, const vp_hull *hull, const vp_vec3 *point, uint32_t count,
                                       vp_error *error);

/** Adds points. O(s + w) each, for s triangles that it sees, their neighbours too, and a walk of w: O(sqrt(t)) of t triangles as a rule.
 *  @param point  read during the call; not the builder's own
 *  @return VP_E_ARGUMENT for a coordinate that is not finite (the message names the point, by its place in `point`), for more than
 *          VP_HULL_MAX_POINTS with those before; VP_E_MEMORY. Then none of them is added. */
VP_API vp_status vp_hull_builder_add(vp_hull_builder *builder, const vp_vec3 *point, uint32_t count, vp_error *error);

/** Makes the hull of all points so far; more may be added afterwards. O(n + h log h) for n points and h vertices, as a rule.
 *  @param out  VP_OK: the hull, to be freed by vp_hull_destroy, which may outlive the builder; otherwise it is left as it was
 *  @return VP_E_ARGUMENT where there are no points, VP_E_LIMIT where adding them and making it took more than the def's `most_work`,
 *          VP_E_MEMORY. */
VP_API vp_status vp_hull_builder_make(const vp_hull_builder *builder, vp_hull *out, vp_error *error);

/** What it has cost so far. O(1). */
VP_API vp_hull_builder_cost vp_hull_builder_told(const vp_hull_builder *builder);
/** The points of the set, in order; valid until more are added or it begins anew. O(1). */
VP_API const vp_vec3 *vp_hull_builder_points(const vp_hull_builder *builder);

/** What can be wrong with a hull. */
typedef enum vp_hull_fault {
    VP_HULL_INDEX = 1,   /**< A corner is no point of the set. Nothing else is looked at. */
    VP_HULL_OPEN = 2,    /**< An edge of a triangle is not that of exactly one other triangle, the other way round. */
    VP_HULL_EULER = 4,   /**< Vertices - edges + triangles is not 2: several surfaces, or one with handles. */
    VP_HULL_CONCAVE = 8, /**< Two triangles meet in a valley that is too deep. */
    VP_HULL_OUTSIDE = 16 /**< A point is too far outside of a triangle's plane. */
} vp_hull_fault;

/** A hull by anybody. */
typedef struct vp_hull_validate_def {
    const vp_vec3 *point;          /**< The set, finite. */
    uint32_t count;                /**< 1 to VP_HULL_MAX_POINTS. */
    const uint32_t (*triangle)[3]; /**< Points, counterclockwise seen from outside. A vp_hull's triangles have numbers of its vertices: of
                                      it these are vertex[triangle[i][k]]. */
    uint32_t triangle_count;       /**< At most 2^29. */
    double allowed;                /**< How far outside a point may be, and how deep a valley, in the points' unit. With 0 even an
                                        exact hull has faults of roundings; 2^-44 of the largest magnitude of a coordinate is enough for one,
                                        twice what it can have, and for one with fewer vertices its `error` more. */
    double sliver;                 /**< Planes of triangles whose height is no more than this part of their longest side mean nothing where
                                        corners are rounded, and are not looked at; 0: all are, but of triangles without area. */
    const vp_allocator *allocator; /**< NULL: C's own. */
} vp_hull_validate_def;

/** What was found. */
typedef struct vp_hull_report {
    uint32_t faults;        /**< vp_hull_fault bits; 0: it is a hull, if `slivers` is 0 too. */
    uint32_t vertices;      /**< Points that triangles have. */
    uint32_t open_edges;    /**< Half-edges without exactly one that runs the other way, or that are there twice. */
    int64_t euler;          /**< Vertices - edges + triangles, of half-edges by twos. */
    uint32_t slivers;       /**< Triangles whose planes were not looked at: those without area, and those that `sliver` leaves out. Of what
                                 lies beyond these alone, nothing is said. */
    double outside;         /**< The furthest that a point is outside of a plane; 0 or less: none is. */
    uint32_t outside_point; /**< That point, or the one that comes nearest; VP_HULL_NONE where no plane was looked at. */
    uint32_t outside_triangle; /**< And that triangle. */
    double concave;            /**< The deepest valley: how far the far corner of a triangle is above its neighbour's plane, or below 0. */
    uint32_t concave_triangle; /**< That neighbour. */
} vp_hull_report;

/** Looks whether triangles are the convex hull of a set of points, and how far they are from it. Distances are of planes whose normals are
 *  right to 47 bits, in double: of any point they are right to 2^-45 of the largest magnitude of a coordinate, however thin the triangles
 *  are, and mostly to 2^-50. O(n log n + t log t + t sqrt(n)) for
 *  n points and t triangles, as a rule.
 *  @param out  VP_OK: what was found, whatever it is; otherwise it is left as it was
 *  @return VP_E_ARGUMENT for counts that are too high, for no points or no triangles, for a point that is not finite (the message names the
 *          first), for `allowed` or `sliver` negative or NaN; VP_E_MEMORY. */
VP_API vp_status vp_hull_validate(const vp_hull_validate_def *subject, vp_hull_report *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
