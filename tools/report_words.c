/* SPDX-License-Identifier: MIT */
/* What each kernel does, in a sentence: a report's reader has not read the headers. */
#include <string.h>

#include "tools/report_sections.h"

static const char *const words[][2] = {
    {"dilate_chunk", "Where solid ground or water can have geometry in one chunk of 8 x 8 x 8 voxels, as after an edit: two masks of 512 bits, and a tag."},
    {"dilate_chunk_rows", "The same from the 1,000 materials in and around the chunk, in rows."},
    {"dilate_world", "The same for all chunks of a world, in one pass; only chunks at the edge of something store masks."},
    {"dilate_world_rows", "The same from a world whose voxels lie in rows instead of bricks."},
    {"overlap_one", "Whether a box touches solid ground or water, by the masks alone, one box a call."},
    {"overlap_batch", "The same for many boxes in one call."},
    {"overlap_chunks", "The chunks that a box touches, as a list."},
    {"mesh_chunk", "The surface in one chunk, from its voxels, by naive Surface Nets."},
    {"edge_flags", "How the triangles of a chunk's surface meet at their edges, across the chunk's borders as well."},
    {"brute_ray", "The nearest triangle that a ray meets, by trying every one."},
    {"kd_build", "A tree over the triangles of a mesh, in one of its forms."},
    {"kd_ray", "The nearest triangle that a ray meets, by the tree, one ray a call."},
    {"kd_ray8", "The same for eight rays in one call."},
    {"kd_ray16", "The same for sixteen rays in one call."},
    {"kd_ray_any", "Whether a ray meets any triangle."},
    {"kd_ray_all", "All triangles that a ray meets, in their order along it."},
    {"kd_sweep", "The first triangle that a sphere touches as it moves along a ray."},
    {"kd_box", "The triangles whose own boxes overlap a box."},
    {"kd_box_leaves", "All triangles in the leaves that a box reaches, without a test of each."},
    {"world_ray", "The nearest triangle of a terrain that a ray meets: a grid of chunks, each with a mesh and a tree of its own."},
    {"world_ray16", "The same for sixteen rays in one call."},
    {"world_ray_any", "Whether a ray meets the terrain."},
    {"world_ray_all", "All triangles of the terrain that a ray meets, in their order along it."},
    {"world_sweep", "The first triangle of the terrain that a sphere touches as it moves along a ray."},
    {"world_box", "The triangles of the terrain whose own boxes overlap a box."},
    {"hull_bounds", "One look at all points: the box around them, and which of them lie furthest along each axis."},
    {"hull_filter", "Points without some that lie inside of their hull, found by the hull of a sample."},
    {"hull3", "A whole convex hull, with its memory, faces and masses."},
    {"hull2", "The three polygons around the shadows of points along x, y and z."},
    {"edit_to_ray", "An edit of a terrain, and the first ray that comes to the place: what has become stale is made anew on the way."},
};

const char *vp_words_of(const char *kernel)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i][0], kernel) == 0)
            return words[i][1];
    return NULL;
}
