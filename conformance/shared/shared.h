/* SPDX-License-Identifier: MIT */
/* What families share: parts of questions, checkers of properties, and ways to answer. */
#ifndef VP_CONFORMANCE_SHARED_H
#define VP_CONFORMANCE_SHARED_H

#include <voxphys/voxphys.h>

#include "conformance/family.h"

/* ---- grids ---- */

typedef struct vp_query_grid {
    vp_dims extents; /* x fastest, then z, then y */
    bool placed;
    vp_ivec3 first; /* of a placed one: its lowest cell */
    char *cells;    /* '.' air, '#' solid, '~' water; ends with a byte of 0; NULL where there is: */
    uint8_t *full;  /* 0 air, otherwise (full + 1)/256 full; or a byte that is a type, of which 0 is empty */
} vp_query_grid;

extern const vp_part vp_part_grid, vp_part_placed_grid, vp_part_full_grid, vp_part_typed_grid, vp_part_placed_types;

/* How many cells a grid has. */
static inline size_t vp_grid_cells(const vp_query_grid *q)
{
    return (size_t)q->extents.x * q->extents.y * q->extents.z;
}

/* Where a cell is, and what number a place has; SIZE_MAX of one outside. */
vp_ivec3 vp_grid_place(const vp_query_grid *q, size_t cell);
size_t vp_grid_number(const vp_query_grid *q, int64_t x, int64_t y, int64_t z);

/* A world with the grid in it, its lowest cell so many voxels from the world's corner on each axis, and air around, where `full` says how
   full cells are of that material; and one without a border, of water, with its broadphase. Destroy them, also after a failure. */
vp_status vp_grid_world(const vp_query_grid *q, uint32_t border, uint8_t material, vp_world **out, vp_error *error);
vp_status vp_grid_broadphase(const vp_query_grid *q, const vp_kernels *kernels, vp_world **world, vp_broadphase **out, vp_error *error);

/* ---- blocks ---- */

/* A chunk of blocks, which a grid of types lies in or beside; behind the grid there is nothing. */
typedef struct vp_query_chunk {
    uint32_t edge;
    uint32_t *is; /* of each type, from byte 1 on; bytes beyond them have no bits */
    uint32_t types;
} vp_query_chunk;

extern const vp_part vp_part_chunk;

/* Of questions that begin with placed types and a chunk: whether it is none; what is expected of such, else NULL. */
bool vp_blocks_refused(const vp_question *q);
json_t *vp_blocks_unsound(const vp_question *q);
/* The chunk and one layer around it, in memory to be freed; NULL after a failure, which is VP_E_ARGUMENT of a question that is none. */
vp_status vp_blocks_window(const vp_question *question, vp_block_window *out, void **memory, vp_error *error);

/* ---- points and triangles ---- */

typedef struct vp_query_mesh {
    vp_vec3 *point; /* a triangle's corners, vertices, points; of flat ones z is 0 */
    uint32_t points;
    uint32_t (*triangle)[3]; /* each below `points`; there are none of points alone */
    uint32_t triangles;
} vp_query_mesh;

extern const vp_part vp_part_triangle, vp_part_mesh, vp_part_points, vp_part_other_points, vp_part_flat_points;

bool vp_place_is_finite(vp_vec3 place);
bool vp_mesh_is_finite(const vp_query_mesh *q);
/* The sides of the points' box, and the longest of them. */
void vp_mesh_sides(const vp_query_mesh *q, double side[3]);
double vp_mesh_extent(const vp_query_mesh *q);
vp_triangles vp_mesh_triangles(const vp_query_mesh *q);
vp_status vp_mesh_tree(const vp_triangles *triangles, const vp_kernels *kernels, vp_kd **out, vp_error *error);

/* What is expected of hulls of no points, or of such as are not finite; NULL of any other. */
json_t *vp_hull_unsound(const vp_question *question);

/* Of hulls: how far outside a point may be, and how near to a line or a plane decides nothing, of the extent,
 * where no oracle has answered. */
#define VP_LIKE_TOLERANCE 1e-6

/* ---- bodies ---- */

enum { VP_BODY_NUMBERS = 3 };

/* A shape at its place. A hull is of the points that are another part of the question, which other shapes don't have. */
typedef struct vp_query_body {
    vp_pose pose;
    float margin;                  /* of a vp_part_body_margin, else 0 */
    vp_vec3 translation;           /* of a vp_part_body_way, else 0 */
    int kind;                      /* vp_collide_kind; VP_COLLIDE_KINDS = none, of a vp_part_target_body */
    float number[VP_BODY_NUMBERS]; /* lengths, in the words' order */
} vp_query_body;

extern const vp_part vp_part_body, vp_part_body_margin, vp_part_body_way;
/* The second shape of a question; the second or none. */
extern const vp_part vp_part_other_body, vp_part_target_body;

/* The shape, and the hull that it may point to: destroy that, also after a failure, which is VP_E_ARGUMENT of what is none. */
vp_status vp_body_shape(const vp_query_body *q, const vp_query_mesh *points, const vp_kernels *kernels, vp_collide_owned_hull *solid,
                        vp_collide_shape *out, vp_error *error);
/* Whether it is a shape at a place; a hull may be flat all the same. */
bool vp_body_is_sound(const vp_part *of, const vp_query_body *body, const vp_query_mesh *points);

/* ---- boxes and rays ---- */

extern const vp_part vp_part_box; /* vp_aabb */
extern const vp_part vp_part_ray; /* vp_ray */

/* Whether a box is one, or a ray. */
bool vp_box_is_sound(const vp_aabb *box);
bool vp_ray_is_sound(const vp_ray *ray);

/* The nearest triangle that a ray meets. */
vp_status vp_ray_cast(const vp_triangles *triangles, const vp_ray *ray, const vp_kernels *kernels, vp_hit *out, vp_error *error);

/* A family of rays at cells or at triangles answers "none", or "hit", what is met and t. Where no oracle has
   answered, the other program is asked of rays beside them. */
bool vp_ray_read(const vp_question *q, vp_words *words, vp_answer *out);
vp_status vp_ray_judge(const vp_judging *j, bool *right);
json_t *vp_ray_unsound(const vp_question *q);
vp_status vp_ray_like(const vp_likening *l, const vp_answer *right);
extern const vp_value vp_is_range; /* the lowest and the highest that t may be */
bool vp_is_within(float value, const json_t *range);
/* The bits of the nearest binary32 that is no further from an infinity. */
json_t *vp_bits_json(double value, float towards);

/* ---- words and sets ---- */

/* A word for each member that is expected, of family.letters a cell of the grid that is asked about; 0: any. */
bool vp_words_read(const vp_question *q, vp_words *words, vp_answer *out);
vp_status vp_words_judge(const vp_judging *j, bool *right);
void vp_words_unread(const vp_question *q, const char *text, char reason[VP_REASON_BYTES]);
json_t *vp_words_expect(const vp_question *q, const vp_answer *right);
vp_status vp_words_sound(const vp_question *q, const json_t *alternative, vp_error *error);

/* Numbers, pairs, either first, or rows of more: that they are all of one member's, each once, and beside those any of another's. */
vp_status vp_set_judge(const vp_judging *j, uint32_t each, const char *must, const char *may, bool *right);
/* One of them as a number, and such in ascending order. */
uint64_t vp_set_key(const uint32_t *number, uint32_t each);
void vp_set_sort(uint64_t *key, size_t count);

/* ---- families ---- */

/* Of a family whose file calls its functions so; of one that is judged by words, in what its members say; and of one of rays. */
#define VP_FAMILY_ANSWERED(called, of) .name = called, .promises = of, .expected = expected, .answer = answer
#define VP_FAMILY(called, of)          VP_FAMILY_ANSWERED(called, of), .read = read, .judge = judge
#define VP_FAMILY_OF_WORDS(called, of, each)                                                                                               \
    VP_FAMILY_ANSWERED(called, of), .letters = each, .read = vp_words_read, .unread = vp_words_unread, .judge = vp_words_judge,            \
                                    .expect = vp_words_expect, .sound = vp_words_sound
#define VP_FAMILY_OF_RAYS(called)                                                                                                          \
    VP_FAMILY_ANSWERED(called, VP_EXACT | VP_TIE | VP_BOUND | VP_NONE | VP_REFUSED), .read = vp_ray_read, .judge = vp_ray_judge,           \
                                                                                     .unsound = vp_ray_unsound, .like = vp_ray_like

/* ---- checkers of properties; each fills `reason`, or leaves it empty if there is nothing wrong ---- */

/* Points by number are the corners of the hull in the plane, counterclockwise and once around, where points
 * may be outside by so much of the extent. */
void vp_check_polygon(const vp_query_mesh *q, const vp_answer *answer, double tolerance, char reason[VP_REASON_BYTES]);

/* Triangles are the hull of points in space, up to so much of the extent, and enclose as much; of a set in a plane, each side that there is
   covers the polygon once. Corners are points by number, or of kind VP_ANSWER_MESH vertices of the answer's own, which may be as far
   outside. `vertex` is every vertex of the exact hull. */
typedef struct vp_hull_wanted {
    uint32_t dimension;
    const uint32_t *vertex; /* points */
    uint32_t vertices;
    double volume, tolerance;
} vp_hull_wanted;
vp_status vp_check_hull(const vp_query_mesh *q, const vp_answer *answer, const vp_hull_wanted *wanted, char reason[VP_REASON_BYTES],
                        vp_error *error);

/* A mesh is closed, has the centres of cells that are more than half full inside and of all others outside,
   those around the grid too, and nothing between two neighbours that are on one side; every part of it goes
   around a centre, and stays within the cells around those that are inside. */
vp_status vp_check_surface(const vp_query_grid *q, const vp_answer *answer, char reason[VP_REASON_BYTES], vp_error *error);

/* ---- the triangles of an answer as a surface: which vertices they have, which of these are one, and what hangs together ---- */

typedef struct vp_shell {
    vp_vec3 *place;   /* of the vertices that triangles have; others do not matter */
    uint32_t *number; /* and what the answer calls them */
    uint32_t places;
    uint32_t (*corner)[3]; /* places */
    uint32_t *part;        /* of each triangle: what hangs together by edges, from 0. Of vp_shell_close */
    uint32_t triangles, parts;
} vp_shell;

/* An edge of a triangle: its lower end and its higher one, and which way it is gone along. */
typedef struct vp_half_edge {
    uint32_t low, high;
    int32_t way;
    uint32_t triangle;
} vp_half_edge;

/* By x, then y, then z. */
int vp_place_compare(vp_vec3 a, vp_vec3 b);

/* The first vertex of a triangle that is not finite, in words, if there is one. */
void vp_check_finite(const vp_vec3 *vertex, const uint32_t *number, uint32_t triangles, char reason[VP_REASON_BYTES]);

/* Triangles whose corners are so many of these vertices, all finite. Where they are welded, vertices in one place are one, and triangles
   that have a place twice are left out: they have no area, and no edge that is not gone along both ways. Drop it, also after a failure. */
vp_status vp_shell_make(const vp_vec3 *vertex, uint32_t vertices, const uint32_t *number, uint32_t triangles, bool weld, vp_shell *out,
                        vp_error *error);
void vp_shell_drop(vp_shell *s);

/* The edges of triangles, sorted by their ends. Free them; NULL without memory. */
vp_half_edge *vp_shell_edges(const vp_shell *s);

/* Whether each edge is gone along as often one way as the other, and which part each triangle is of: `part`
 * is filled, if there is nothing wrong. */
vp_status vp_shell_close(vp_shell *s, char reason[VP_REASON_BYTES], vp_error *error);

/* Triangles of points by number are the hull of points in a plane: one side of the polygon, or both, each
   without an overlap, a gap or a triangle that has no area. */
vp_status vp_check_flat(const vp_query_mesh *q, const vp_answer *answer, const vp_hull_wanted *wanted, char reason[VP_REASON_BYTES],
                        vp_error *error);

/* ---- contacts ---- */

/* Contacts, three vertices each: the distance as an x, the normal, the place on the mesh relative to the shape. They are no more than there
   may be, each is on the mesh and on the shape, has a normal that the mesh has there, and is not further than the margin; those of
   `contacts`, in JSON, are among them. */
void vp_check_contacts(const vp_query_mesh *mesh, const vp_query_mesh *points, const vp_query_body *body, const vp_answer *answer,
                       const json_t *contacts, char reason[VP_REASON_BYTES]);

#endif
