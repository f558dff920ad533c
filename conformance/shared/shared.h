/* SPDX-License-Identifier: MIT */
/* Shared by families: parts of questions, checkers of properties, and ways to answer. */
#ifndef VP_CONFORMANCE_SHARED_H
#define VP_CONFORMANCE_SHARED_H

#include <voxphys/voxphys.h>

#include "conformance/family.h"

/* ---- grids ---- */

typedef struct vp_query_grid {
    vp_dims extents; /* x fastest, then z, then y */
    bool placed;
    vp_ivec3 first; /* lowest cell of a placed grid */
    char *cells;    /* '.' air, '#' solid, '~' water, with a final 0, NULL if `full` is used */
    uint8_t *full;  /* 0 = air, otherwise (full + 1)/256 full. Or a type, 0 = empty */
} vp_query_grid;

extern const vp_part vp_part_grid, vp_part_placed_grid, vp_part_full_grid, vp_part_typed_grid, vp_part_placed_types;

/* The number of cells of a grid. */
static inline size_t vp_grid_cells(const vp_query_grid *q)
{
    return (size_t)q->extents.x * q->extents.y * q->extents.z;
}

/* Converts the index of a cell to its position and back, SIZE_MAX for a position outside. */
vp_ivec3 vp_grid_place(const vp_query_grid *q, size_t cell);
size_t vp_grid_number(const vp_query_grid *q, int64_t x, int64_t y, int64_t z);

/* A world of air with the grid in it. Cells are as full of the material as `full` says, and the lowest cell is `border` voxels from
 * the world's corner on each axis. vp_grid_broadphase makes a world of water without a border, and its broadphase. Destroy them, also
 * after a failure. */
vp_status vp_grid_world(const vp_query_grid *q, uint32_t border, uint8_t material, vp_world **out, vp_error *error);
vp_status vp_grid_broadphase(const vp_query_grid *q, const vp_kernels *kernels, vp_world **world, vp_broadphase **out, vp_error *error);

/* ---- blocks ---- */

/* A chunk of blocks, which a grid of types lies in or next to. Outside the grid all is empty. */
typedef struct vp_query_chunk {
    uint32_t edge;
    uint32_t *is; /* bits of each type from byte 1 on. Larger bytes have no bits */
    uint32_t types;
} vp_query_chunk;

extern const vp_part vp_part_chunk;

/* For questions that begin with placed types and a chunk: whether the question is invalid, and the expected answer to it, or NULL. */
bool vp_blocks_refused(const vp_question *q);
json_t *vp_blocks_unsound(const vp_question *q);
/* Makes the chunk and one layer around it. The caller frees `memory`, which is NULL after a failure. @return VP_E_ARGUMENT for
 * an invalid question */
vp_status vp_blocks_window(const vp_question *question, vp_block_window *out, void **memory, vp_error *error);

/* ---- points and triangles ---- */

typedef struct vp_query_mesh {
    vp_vec3 *point; /* corners of a triangle, vertices or points, z = 0 for flat ones */
    uint32_t points;
    uint32_t (*triangle)[3]; /* indices below `points`, none for a set of points */
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

/* The expected answer for hulls of no points or of points that are not finite, NULL otherwise. */
json_t *vp_hull_unsound(const vp_question *question);

/* Tolerances for hulls judged without an oracle, as parts of the extent: how far outside a point may be, and how close to a line or plane
 * it leaves the result open. */
#define VP_LIKE_TOLERANCE 1e-6

/* ---- bodies ---- */

enum { VP_BODY_NUMBERS = 3 };

/* A posed shape. The points of a hull are another part of the question, which other shapes leave empty. */
typedef struct vp_query_body {
    vp_pose pose;
    float margin;                  /* of a vp_part_body_margin, otherwise 0 */
    vp_vec3 translation;           /* of a vp_part_body_way, otherwise 0 */
    int kind;                      /* vp_collide_kind, VP_COLLIDE_KINDS = none, for a vp_part_target_body */
    float number[VP_BODY_NUMBERS]; /* lengths, in the order of the words */
} vp_query_body;

extern const vp_part vp_part_body, vp_part_body_margin, vp_part_body_way;
/* The second shape of a question, required or optional. */
extern const vp_part vp_part_other_body, vp_part_target_body;

/* Makes the shape and its hull, if it has one. Destroy the hull, also after a failure. @return VP_E_ARGUMENT for an invalid shape */
vp_status vp_body_shape(const vp_query_body *q, const vp_query_mesh *points, const vp_kernels *kernels, vp_collide_owned_hull *solid,
                        vp_collide_shape *out, vp_error *error);
/* Whether the shape and its pose are valid. A hull may still be flat. */
bool vp_body_is_sound(const vp_part *of, const vp_query_body *body, const vp_query_mesh *points);

/* Judges of hulls try all triples of points, so points of part `first` of a question, and of `other` unless it is 0, are limited.
 * vp_hulls_sound reports more points in the input of a vector. */
bool vp_hulls_are_small(const vp_question *q, int first, int other);
vp_status vp_hulls_sound(const vp_question *q, int first, int other, vp_error *error);
/* The mesh's triangles with room for some more. The caller frees them, NULL without memory. */
vp_collide_triangle *vp_mesh_collided(const vp_query_mesh *q, size_t more);

/* ---- boxes and rays ---- */

extern const vp_part vp_part_box; /* vp_aabb */
extern const vp_part vp_part_ray; /* vp_ray */

/* Whether a box or ray is valid. */
bool vp_box_is_sound(const vp_aabb *box);
bool vp_ray_is_sound(const vp_ray *ray);

/* The nearest triangle that a ray meets. */
vp_status vp_ray_cast(const vp_triangles *triangles, const vp_ray *ray, const vp_kernels *kernels, vp_hit *out, vp_error *error);

/* Families of rays at cells or triangles answer "none", or "hit", the item and t. Without an oracle, the trusted program is also asked
 * about nearby rays. */
bool vp_ray_read(const vp_question *q, vp_words *words, vp_answer *out);
vp_status vp_ray_judge(const vp_judging *j, bool *right);
json_t *vp_ray_unsound(const vp_question *q);
vp_status vp_ray_like(const vp_likening *l, const vp_answer *right);
extern const vp_value vp_is_range; /* the lowest and the highest valid t */
bool vp_is_within(float value, const json_t *range);
/* The bits of `value` as a binary32, rounded towards an infinity. */
json_t *vp_bits_json(double value, float towards);

/* ---- words and sets ---- */

/* One word for each expected member, with family.letters letters for each cell of the grid, 0 = any number. */
bool vp_words_read(const vp_question *q, vp_words *words, vp_answer *out);
vp_status vp_words_judge(const vp_judging *j, bool *right);
void vp_words_unread(const vp_question *q, const char *text, char reason[VP_REASON_BYTES]);
json_t *vp_words_expect(const vp_question *q, const vp_answer *right);
vp_status vp_words_sound(const vp_question *q, const json_t *alternative, vp_error *error);

/* Numbers, unordered pairs, or longer rows. The answer must have every row of one member exactly once, and otherwise only rows of
 * the other member. */
vp_status vp_set_judge(const vp_judging *j, uint32_t each, const char *must, const char *may, bool *right);
/* Packs a row into a number, and sorts such numbers in ascending order. */
uint64_t vp_set_key(const uint32_t *number, uint32_t each);
void vp_set_sort(uint64_t *key, size_t count);

/* ---- families ---- */

/* For a family whose file uses these function names. Variants exist for words, where the members describe the answer, and for rays. */
#define VP_FAMILY_ANSWERED(called, of) .name = called, .promises = of, .expected = expected, .answer = answer
#define VP_FAMILY(called, of)          VP_FAMILY_ANSWERED(called, of), .forms = forms, .judge = judge
#define VP_FAMILY_OF_WORDS(called, of, each)                                                                                               \
    VP_FAMILY_ANSWERED(called, of), .letters = each, .read = vp_words_read, .unread = vp_words_unread, .judge = vp_words_judge,            \
                                    .expect = vp_words_expect, .sound = vp_words_sound
#define VP_FAMILY_OF_RAYS(called)                                                                                                          \
    VP_FAMILY_ANSWERED(called, VP_EXACT | VP_TIE | VP_BOUND | VP_NONE | VP_REFUSED), .read = vp_ray_read, .judge = vp_ray_judge,           \
                                                                                     .unsound = vp_ray_unsound, .like = vp_ray_like

/* ---- checkers of properties, which set `reason`, empty = right ---- */

/* Checks that point indices are the corners of the 2D hull, counterclockwise and once around. Points may lie outside by `tolerance`
 * times the extent. */
void vp_check_polygon(const vp_query_mesh *q, const vp_answer *answer, double tolerance, char reason[VP_REASON_BYTES]);

/* Checks that triangles are the 3D hull up to `tolerance` times the extent, and enclose as much volume. For points in a plane, each side
 * that is present must cover the polygon once. Corners are point indices, or for VP_ANSWER_MESH the answer's own vertices, which may lie
 * outside by the same tolerance. `vertex` lists every vertex of the exact hull. */
typedef struct vp_hull_wanted {
    uint32_t dimension;
    const uint32_t *vertex; /* indices of points */
    uint32_t vertices;
    double volume, tolerance;
} vp_hull_wanted;
vp_status vp_check_hull(const vp_query_mesh *q, const vp_answer *answer, const vp_hull_wanted *wanted, char reason[VP_REASON_BYTES],
                        vp_error *error);

/* Checks a mesh around cells. It must be closed, with the centres of cells more than half full inside and all others outside, including
 * those around the grid. It must not pass between two neighbours on the same side. Each part must surround a centre and stay within the
 * cells next to inner ones. */
vp_status vp_check_surface(const vp_query_grid *q, const vp_answer *answer, char reason[VP_REASON_BYTES], vp_error *error);

/* ---- the triangles of an answer as a surface ---- */

typedef struct vp_shell {
    vp_vec3 *place;   /* of the vertices that triangles use */
    uint32_t *number; /* their indices in the answer */
    uint32_t places;
    uint32_t (*corner)[3]; /* indices of places */
    uint32_t *part;        /* connected part of each triangle, from 0; set by vp_shell_close */
    uint32_t triangles, parts;
} vp_shell;

/* A triangle's edge: its lower and higher end, and the direction. */
typedef struct vp_half_edge {
    uint32_t low, high;
    int32_t way;
    uint32_t triangle;
} vp_half_edge;

/* Compares by x, then y, then z. */
int vp_place_compare(vp_vec3 a, vp_vec3 b);

/* Reports the first vertex of a triangle that is not finite, if any. */
void vp_check_finite(const vp_vec3 *vertex, const uint32_t *number, uint32_t triangles, char reason[VP_REASON_BYTES]);

/* Makes a shell of triangles with finite vertices. With `weld`, vertices in one place become one, and triangles that use a place twice are
 * left out, because they have no area and no unmatched edge. Drop the shell, also after a failure. */
vp_status vp_shell_make(const vp_vec3 *vertex, uint32_t vertices, const uint32_t *number, uint32_t triangles, bool weld, vp_shell *out,
                        vp_error *error);
void vp_shell_drop(vp_shell *s);

/* The edges of all triangles, sorted by their ends. The caller frees them, NULL without memory. */
vp_half_edge *vp_shell_edges(const vp_shell *s);

/* Checks that each edge is used equally often in both directions. If so, fills `part` with the connected part of each triangle. */
vp_status vp_shell_close(vp_shell *s, char reason[VP_REASON_BYTES], vp_error *error);

/* Checks that triangles of point indices are the hull of points in a plane. They must be one side of the polygon or both, without overlaps,
 * gaps or triangles without area. */
vp_status vp_check_flat(const vp_query_mesh *q, const vp_answer *answer, const vp_hull_wanted *wanted, char reason[VP_REASON_BYTES],
                        vp_error *error);

/* ---- contacts ---- */

/* Checks contacts of three vertices each: the distance as an x, the normal, and the position on the mesh relative to the shape. Their
 * number is limited. Each lies on the mesh and on the shape, has a normal that the mesh has there, and is within the margin. The `contacts`
 * in JSON must be among them. */
void vp_check_contacts(const vp_query_mesh *mesh, const vp_query_mesh *points, const vp_query_body *body, const vp_answer *answer,
                       const json_t *contacts, char reason[VP_REASON_BYTES]);

#endif
