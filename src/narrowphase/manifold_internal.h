/* SPDX-License-Identifier: MIT */
/* How manifolds are made (narrowphase.h): triangles are gathered and collided (manifold_gather.c), answers are
 * corrected (correct.c), faces are cut (manifold_contacts.c), and points are chosen (manifold.c).
 *
 * Triangles are sorted by their corners, not by their numbers. So the first among equals does not depend on chunk
 * borders or on the order of the input. */
#ifndef VP_NARROWPHASE_MANIFOLD_INTERNAL_H
#define VP_NARROWPHASE_MANIFOLD_INTERNAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/manifold.h>
#include <voxphys/narrowphase.h>

#include "src/terrain/terrain_internal.h"

/* Directions that differ by at most 5 degrees count as one. This is the cosine of 5 degrees. */
#define VP_MANIFOLD_ONE_DIRECTION 0.99619470f
/* Depths that differ by at most this part of the shape's radius count as equal. */
#define VP_MANIFOLD_SAME_DEPTH 0x1p-8f
/* For shapes that are farther apart than that, distances count as equal only up to this part of the radius. */
#define VP_MANIFOLD_SAME_DISTANCE 0x1p-16f
/* Distances of places that differ by at most this part of the shape's radius count as equal. */
#define VP_MANIFOLD_SAME_PLACE 0x1p-8f
/* A corner of the shape is preferred to another contact that is farther out by at most this part of the radius. */
#define VP_MANIFOLD_FIRM_PLACE 0x1p-6f
/* A contact closer than this part of the shape's radius to the area of the chosen points adds no area. */
#define VP_MANIFOLD_NO_AREA 0x1p-5f

/* Contacts of one triangle: the points of the cut, and its own answer. */
enum { VP_CUT_POINTS = 8, VP_CONTACTS_A_TRIANGLE = VP_CUT_POINTS + 1 };

/* Names of a shape's parts. An edge of a polytope is named by its ends, so its name does not depend on the face. */
#define VP_NAME_FACE(number)   ((uint64_t)(number))
#define VP_NAME_EDGE(a, b)     (UINT64_C(1) << 62 | (uint64_t)((a) < (b) ? (a) : (b)) << 31 | (uint64_t)((a) < (b) ? (b) : (a)))
#define VP_NAME_CORNER(number) (UINT64_C(2) << 62 | (uint64_t)(number))
#define VP_NAME_RIM(number)    (UINT64_C(3) << 62 | (uint64_t)(number))
/* Parts of a cylinder:
 *   - its two rims
 *   - places on the rims: the ends of a line of its side, and eight around each cap
 *   - the sides between these eight
 *   - the two places where a triangle's side crosses each rim */
enum {
    VP_RIM_PLACES = 2,
    VP_RIM_CAPS = 4,
    VP_RIM = 8,
    VP_RIM_SIDES = VP_RIM_CAPS + 2 * VP_RIM,
    VP_RIM_CROSSINGS = VP_RIM_SIDES + 2 * VP_RIM
};

/* Candidate for a point of a manifold. */
typedef struct vp_manifold_contact {
    float distance;
    vp_vec3 normal, on_shape, on_triangle; /* as in vp_manifold_point */
    uint32_t triangle;                     /* index in the list */
    uint16_t part;                         /* vp_triangle_feature */
    uint16_t body_part;                    /* part of a compound */
    bool is_spare;                         /* on a cleared triangle, chosen after all others */
    uint8_t direction;                     /* while points are chosen: direction of the normal, VP_MANIFOLD_DIRECTIONS = none */
    bool is_chosen;
    float out;      /* distance from the middle or from the area of the chosen points */
    uint64_t shape; /* VP_NAME_... */
} vp_manifold_contact;

/* Marks of a triangle. */
enum {
    VP_MANIFOLD_OVERLAPPED = 1, /* the shape overlapped or touched it before the correction */
    VP_MANIFOLD_KEPT = 2,       /* its own answer becomes a contact */
    VP_MANIFOLD_CONNECTED = 4,  /* << edge: connected, or searched for neighbours in vain */
    VP_MANIFOLD_PAIRED = 32     /* `pair` has its sides' neighbours */
};

/* Working state of one body. While triangles are gathered and cut, it describes one part of the body, in the scratch
 * that earlier parts leave. */
typedef struct vp_manifold_work {
    const vp_manifold_def *def;
    float reach; /* margin plus the length of the motion */
    const vp_kernels *kernels;
    const vp_manifold_body *body;
    const struct vp_manifold_source *source;
    vp_quad_reader *quads; /* of a terrain, while triangles are corrected and points are named */
    vp_collide_frame frame;
    float radius; /* radius of the shape, or radius about the origin for a body of several parts */
    /* in the scratch, [capacity] */
    uint32_t capacity;
    vp_collide_triangle *triangle;
    vp_collide_result *answer;
    vp_vec3 *raw;   /* normals before the correction */
    uint8_t *marks; /* VP_MANIFOLD_... */
    uint32_t *order;
    uint32_t *words;                /* [VP_COLLIDE_CONNECT_WORDS(capacity)] */
    vp_manifold_contact *contact;   /* [capacity * VP_CONTACTS_A_TRIANGLE], holds page and page_answer while triangles are gathered */
    vp_collide_triangle *page;      /* triangles delivered by a source */
    vp_collide_result *page_answer; /* their answers */
    /* triangle[0..touched) are touched, and triangle[touched..count) share a corner with one of them, unless they are a terrain's */
    uint32_t count, touched, contacts, page_count;
    uint32_t kept;           /* order[0..kept) are the triangles with a contact, deepest first */
    bool is_lazy;            /* cleared triangles are cut when a direction wants their points */
    uint32_t pages;          /* pages delivered by the first walk */
    bool is_page_near;       /* pages have only triangles that meet the body's box */
    bool is_one_page;        /* the page has all triangles that may be neighbours */
    uint32_t touched_in_all; /* more than `touched` if they did not fit */
    uint32_t needed_count;   /* `count` with unlimited room */
    vp_aabb body_box;        /* bounds of the body, grown by the margin and the motion */
    vp_sphere body_ball;     /* the same as a ball */
    vp_aabb touched_bounds;  /* bounds of all touched triangles */
    vp_aabb kept_bounds;     /* bounds of triangle[0..touched) */
    /* for the whole body */
    uint32_t share;           /* maximum capacity of each part */
    uint32_t part_needed;     /* needed by the last part */
    uint32_t needed_by_parts; /* sum of part_needed */
    uint32_t needed;          /* capacity that suffices for all triangles */
    bool lost;                /* some triangles did not fit */
} vp_manifold_work;

/* A source of triangles. Those of blocks and of a mesh have flags and their neighbours' normals. A terrain finds neighbours by their
 * cells (vp_quad_reader). */
typedef enum vp_manifold_source_kind { VP_MANIFOLD_TERRAIN, VP_MANIFOLD_BLOCKS, VP_MANIFOLD_MESH } vp_manifold_source_kind;

typedef struct vp_manifold_source {
    vp_manifold_source_kind kind;
    float reach; /* largest extent of a mesh's triangle along an axis */
    /* one of these */
    const vp_terrain_reader *reader;
    const vp_block_view *view;
    const vp_collide_triangle *triangle;
    uint32_t triangle_count;
} vp_manifold_source;

vp_manifold_source vp_manifold_source_terrain(const vp_terrain_reader *reader);
vp_manifold_source vp_manifold_source_blocks(const vp_block_view *view);
vp_manifold_source vp_manifold_source_mesh(const vp_collide_triangle *triangle, uint32_t count);
/* Checks arguments that do not depend on the body. A gather checks a terrain and blocks again. A mesh must be checked,
 * because this sets its reach. */
vp_status vp_manifold_check_source(vp_manifold_source *source, const vp_manifold_def *def, vp_error *error);

/* Checks the scratch and lays it out. */
vp_status vp_manifold_lay_out(vp_manifold_scratch *scratch, vp_manifold_work *out, vp_error *error);
/* The same, and also checks the settings. */
vp_status vp_manifold_begin(const vp_manifold_def *def, vp_manifold_scratch *scratch, vp_kernels *default_kernels, vp_manifold_work *out,
                            vp_error *error);
/* Starts a body. @param share  maximum capacity of each part, at least VP_MANIFOLD_MIN_TRIANGLES */
void vp_manifold_begin_body(vp_manifold_work *work, uint32_t share);
/* Adds the contacts of a convex part of the body. If not all triangles fit, the deepest are kept and work->lost is set.
 * @param offset  from the body's position to the part's */
vp_status vp_manifold_add_part(vp_manifold_work *work, const vp_manifold_body *part, uint16_t number, vp_vec3 offset,
                               const vp_manifold_source *source, vp_error *error);
/* Chooses the manifolds of a body from its contacts. @param radius  of the body  @return VP_E_LIMIT if triangles did not fit */
vp_status vp_manifold_end_body(vp_manifold_work *work, float radius, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                               uint32_t *made, vp_error *error);
/* Finds the touched triangles with their answers, and the triangles that share a corner with them. Keeps the deepest if not all fit.
 * @param needed  receives the capacity that suffices for all, or an upper bound */
vp_status vp_manifold_gather(vp_manifold_work *work, const vp_manifold_source *source, uint32_t *needed, vp_error *error);

/* A terrain's triangles that are corrected, whose edges are connected when they are needed. */
typedef struct vp_terrain_edges {
    vp_quad_reader *quads;
    vp_collide_triangle *triangle; /* those of the job */
    uint8_t *marks;
    uint32_t count; /* 0 = search none */
    uint32_t *slot; /* hash table of the triangles by their ids, 0 = empty, 1 + number. NULL = no table */
    uint32_t slots;
    const uint32_t *pair; /* of a large box: the opposite side of each side, as 3*triangle + edge (early.c) */
} vp_terrain_edges;

/* Sets the normals of triangles that have corners and ids alone. Their edges are open. If there are many, they are put into a table, so
 * that an edge of two of them is connected once.
 * @param words  [VP_COLLIDE_CONNECT_WORDS(count)], used as long as edges are connected */
void vp_begin_edges(vp_terrain_edges *edges, uint32_t count, uint32_t *words);
/* Connects the edges whose bits are set in `which` of a triangle, like vp_collide_connect. Cost: O(1). */
void vp_connect_edges(const vp_terrain_edges *edges, uint32_t number, unsigned which);
/* Connects the edge that vp_is_of_surface reads for an answer. @param edges  NULL = all are connected */
void vp_connect_nearest_edge(const vp_terrain_edges *edges, uint32_t number, const vp_collide_result *answer);

/* The name of a shape's part, from its feature in an answer. */
uint64_t vp_manifold_name_of_feature(const vp_collide_shape *shape, uint32_t feature);
/* Turns the answers that are kept into contacts, and clips the faces of the shape that lie along triangles. */
void vp_manifold_find_contacts(vp_manifold_work *work);
/* Adds the contacts on cleared triangles whose normal belongs to a direction, the first that it fits, whose bit is set in `wanted`.
 * @param direction  normals. If there are none, all such contacts are added */
void vp_manifold_cut_cleared(vp_manifold_work *work, const vp_vec3 direction[], uint32_t count, unsigned wanted);
/* Chooses the manifolds, deepest first.  @param chunk  stored in them  @return their number */
uint32_t vp_manifold_choose(vp_manifold_work *work, uint32_t chunk, vp_manifold out[VP_MANIFOLD_DIRECTIONS]);

/* A hash of a hash and a word (SplitMix64). */
static inline uint64_t vp_manifold_mix(uint64_t hash, uint64_t word)
{
    return vp_mix64((hash ^ word) + UINT64_C(0x9e3779b97f4a7c15));
}

static inline vp_aabb vp_triangle_bounds(const vp_vec3 corner[3])
{
    return (vp_aabb){vp_vec3_min(vp_vec3_min(corner[0], corner[1]), corner[2]), vp_vec3_max(vp_vec3_max(corner[0], corner[1]), corner[2])};
}

/* Distances that differ from a distance by at most this count as equal to it, for a shape of this radius. */
static inline float vp_manifold_slack(float radius, float distance)
{
    const float slack = radius * VP_MANIFOLD_SAME_DEPTH;
    return distance > 0.0f ? fmaxf(slack - distance, radius * VP_MANIFOLD_SAME_DISTANCE) : slack;
}

static inline bool vp_is_same_place(vp_vec3 a, vp_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Bits of a number, the same for -0 and 0, which are the same place. */
static inline uint32_t vp_place_bits(float number)
{
    uint32_t bits;
    number += 0.0f;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline uint32_t vp_hash_place(vp_vec3 p)
{
    const uint32_t hash =
        vp_place_bits(p.x) * UINT32_C(0x9e3779b1) ^ vp_place_bits(p.y) * UINT32_C(0x85ebca6b) ^ vp_place_bits(p.z) * UINT32_C(0xc2b2ae35);
    return hash ^ hash >> 15;
}

/* The slot of a hash in a table of `slots`. */
static inline uint32_t vp_slot_of(uint32_t hash, uint32_t slots)
{
    return (uint32_t)((uint64_t)(hash * UINT32_C(0x9e3779b1)) * slots >> 32);
}

static inline bool vp_has_corner(const vp_collide_triangle *t, vp_vec3 p)
{
    return vp_is_same_place(t->corner[0], p) || vp_is_same_place(t->corner[1], p) || vp_is_same_place(t->corner[2], p);
}

/* Largest distance of a contact. Farther apart along the normal, the body stays beyond the margin during its motion. */
static inline float vp_manifold_margin(const vp_manifold_def *def, vp_vec3 normal)
{
    return def->margin + vp_max(0.0f, -vp_vec3_dot(def->motion, normal));
}

static inline bool vp_is_one_direction(vp_vec3 a, vp_vec3 b)
{
    return vp_vec3_dot(a, b) >= VP_MANIFOLD_ONE_DIRECTION;
}

#endif
