/* SPDX-License-Identifier: MIT */
/* Shared by the files of `voxphys blocks`, which are quads and boxes of chunks, meshes of them, and common output. */
#ifndef VP_TOOLS_BLOCKS_BLOCKS_H
#define VP_TOOLS_BLOCKS_BLOCKS_H

#include <voxphys/block_shapes.h>
#include <voxphys/mesh.h>

#include "host/mesh_file.h"
#include "tools/sources/block_source.h"

struct json_t;

/* The commands. argv[0] is the command's own name. */
int vp_blocks_planet(int argc, char **argv);
int vp_blocks_mesh(int argc, char **argv);
int vp_blocks_colliders(int argc, char **argv);
int vp_blocks_sweep_command(int argc, char **argv);
int vp_blocks_edit_command(int argc, char **argv);
int vp_blocks_save_command(int argc, char **argv);
int vp_blocks_load_command(int argc, char **argv);

/* ---- quads and boxes of chunks ---- */

/* The products to make of each chunk. */
typedef struct vp_making_of {
    bool quads, boxes;      /* products to make */
    bool merged, occlusion; /* quads only */
    bool alone;             /* ignore other chunks */
    uint32_t edge;          /* cells along a chunk's edge: 32, or 16 or 8 */
} vp_making_of;

/* The products of a chunk. */
typedef struct vp_chunk_products {
    vp_block_quads quads;
    vp_block_boxes boxes;
    double quads_seconds, boxes_seconds;
    vp_status status;
    vp_error error;
} vp_chunk_products;

/* Makes quads and boxes of chunks on several threads, with a progress bar. `out` has room for `count`. Free them with
 * vp_made_drop, also after a failure. */
vp_status vp_make_chunks(vp_blocks *blocks, const vp_ivec3 *chunk, uint32_t count, const vp_making_of *what, uint32_t threads,
                         const char *bar, vp_chunk_products **out, vp_error *error);
void vp_made_drop(vp_chunk_products *made, uint32_t count);

/* Sums. */
typedef struct vp_made_sum {
    uint64_t quads[VP_SIDE_COUNT + 1];             /* by side, and in total */
    uint64_t boxes, most_boxes, most_quads, empty; /* maximum boxes and quads of a chunk, chunks without either */
    uint64_t beyond[4], edges;                     /* faces of boxes (covered, exposed, mixed), and T-edges */
    double seconds;
    uint64_t digest;
} vp_made_sum;
vp_made_sum vp_made_sum_of(const vp_chunk_products *made, const vp_ivec3 *chunk, uint32_t count);

/* ---- meshes for files ---- */

/* Quads of all chunks. Begins as all zero bytes. */
typedef struct vp_drawing {
    vp_mesh mesh;
    size_t vertex_room, quad_room, material_room;
    uint32_t looks_used;
    vp_looks looks;
} vp_drawing;

/* Place and look of a quad: `side`, and its number there. */
typedef struct vp_drawn {
    uint32_t colour;
    bool clear; /* transparent, as water */
    char name[40];
    vp_vec3 shift;
} vp_drawn;
typedef void vp_draw_fn(const void *user, const vp_block_quads *quads, uint32_t quad, const uint8_t light[4], vp_drawn *out);

/* Adds a chunk's quads. @return VP_E_ARGUMENT for more than 256 looks, or too many quads */
vp_status vp_drawing_add(vp_drawing *d, const vp_block_quads *quads, vp_ivec3 chunk, const vp_block_rounding *rounding, vp_draw_fn *draw,
                         const void *user, vp_error *error);
vp_status vp_drawing_write(const vp_drawing *d, const char *path, vp_mesh_format format, const char *what, vp_error *error);
void vp_drawing_drop(vp_drawing *d);

/* ---- options and output ---- */

/* Whether --codec NAME is valid or not given. Otherwise prints a message. */
bool vp_blocks_codec(const char *command, const char *codec);
/* Checks -o FILE: it must have the end of a mesh's name and be no file that is read. */
vp_status vp_blocks_check_out(const vp_block_source_world *world, const char *path, vp_error *error);
/* The middle of a world's chunks, in blocks. */
vp_vec3 vp_blocks_middle(const vp_block_source_world *world);
/* JSON of a world: source, whether its hash was checked, chunks, blocks other than air, bytes, digest. */
struct json_t *vp_blocks_world_json(vp_block_source_world *world);
void vp_blocks_print_world(vp_block_source_world *world);

#endif
