/* SPDX-License-Identifier: MIT */
/* What the files of `voxphys blocks` share: what is made of chunks, meshes of it, and what several commands tell. */
#ifndef VP_TOOLS_BLOCKS_BLOCKS_H
#define VP_TOOLS_BLOCKS_BLOCKS_H

#include <voxphys/block_shapes.h>
#include <voxphys/mesh.h>

#include "host/mesh_file.h"
#include "tools/sources/block_source.h"

struct json_t;

/* The commands: argv[0] is the command's own name. */
int vp_blocks_planet(int argc, char **argv);
int vp_blocks_mesh(int argc, char **argv);
int vp_blocks_colliders(int argc, char **argv);
int vp_blocks_sweep_command(int argc, char **argv);
int vp_blocks_edit_command(int argc, char **argv);
int vp_blocks_save_command(int argc, char **argv);
int vp_blocks_load_command(int argc, char **argv);

/* ---- what is made of chunks ---- */

/* What is to be made. */
typedef struct vp_making_of {
    bool quads, boxes;      /* which of the two */
    bool merged, occlusion; /* of quads */
    bool alone;             /* as if there were no other chunk */
    uint32_t edge;          /* 32, or 16 and 8: halved */
} vp_making_of;

/* What was made of a chunk. */
typedef struct vp_made {
    vp_block_quads quads;
    vp_block_boxes boxes;
    double quads_seconds, boxes_seconds;
    vp_status status;
    vp_error error;
} vp_made;

/* Makes it of chunks, on the executor's threads, with a progress bar of that name. `out` has room for `count`; drop it, also after a
 * failure. */
vp_status vp_make_chunks(vp_blocks *blocks, const vp_ivec3 *chunk, uint32_t count, const vp_making_of *what, uint32_t threads,
                         const char *bar, vp_made **out, vp_error *error);
void vp_made_drop(vp_made *made, uint32_t count);

/* Sums. */
typedef struct vp_made_sum {
    uint64_t quads[VP_SIDE_COUNT + 1];             /* of each side, and all */
    uint64_t boxes, most_boxes, most_quads, empty; /* at most of a chunk; chunks without quads and boxes */
    uint64_t beyond[4], edges;                     /* faces of boxes: covered, exposed, mixed; T-edges */
    double seconds;
    uint64_t digest;
} vp_made_sum;
vp_made_sum vp_made_sum_of(const vp_made *made, const vp_ivec3 *chunk, uint32_t count);

/* ---- meshes for files ---- */

/* Quads of all chunks; begins as all zero bytes. */
typedef struct vp_drawing {
    vp_mesh mesh;
    uint32_t room, looks_used;
    vp_looks looks;
} vp_drawing;

/* Where a quad goes and how it looks: `side` and its number of it. */
typedef struct vp_drawn {
    uint32_t colour;
    bool clear; /* as water */
    char name[40];
    vp_vec3 shift;
} vp_drawn;
typedef void vp_draw_fn(const void *user, const vp_block_quads *quads, uint32_t quad, const uint8_t light[4], vp_drawn *out);

/* Adds a chunk's quads. @return VP_E_ARGUMENT for more than 256 looks, or too many quads */
vp_status vp_drawing_add(vp_drawing *d, const vp_block_quads *quads, vp_ivec3 chunk, const vp_block_rounding *rounding, vp_draw_fn *draw,
                         const void *user, vp_error *error);
vp_status vp_drawing_write(const vp_drawing *d, const char *path, vp_mesh_format format, const char *what, vp_error *error);
void vp_drawing_drop(vp_drawing *d);

/* ---- options and telling ---- */

/* Whether --codec NAME names one, or nothing; if not, that is told. */
bool vp_blocks_codec(const char *command, const char *codec);
/* -o FILE of a mesh must end so and be none that is read. */
vp_status vp_blocks_check_out(const vp_block_source_world *world, const char *path, vp_error *error);
/* The middle of a world's chunks, in blocks. */
vp_vec3 vp_blocks_middle(const vp_block_source_world *world);
/* Source, whether its hash was checked, chunks, blocks that are something, bytes, digest. */
struct json_t *vp_blocks_world_json(vp_block_source_world *world);
void vp_blocks_print_world(vp_block_source_world *world);

#endif
