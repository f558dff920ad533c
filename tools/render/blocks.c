/* SPDX-License-Identifier: MIT */
#include "tools/render/blocks.h"

#include <stdlib.h>

#include "host/program.h"
#include "tools/choices.h"

/* Faces +x -x +y -y +z -z: normals, and corners counterclockwise as seen from outside. */
static const int8_t out_of[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
static const int8_t corner[6][4][3] = {{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}}, {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0}},
                                       {{0, 1, 0}, {0, 1, 1}, {1, 1, 1}, {1, 1, 0}}, {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}},
                                       {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}, {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}};

static bool is_solid(uint8_t material)
{
    return material >= VP_FIRST_SOLID;
}

/* The material of a voxel from unpacked bricks, which is faster than vp_world_voxel. Air outside the world. */
static inline uint8_t material_at(const vp_bricks *b, int32_t x, int32_t y, int32_t z)
{
    const uint32_t ux = (uint32_t)x, uy = (uint32_t)y, uz = (uint32_t)z;
    if (ux / VP_CHUNK_EDGE >= b->chunks.x || uy / VP_CHUNK_EDGE >= b->chunks.y || uz / VP_CHUNK_EDGE >= b->chunks.z)
        return VP_AIR;
    const size_t chunk = ((size_t)(uy / VP_CHUNK_EDGE) * b->chunks.z + uz / VP_CHUNK_EDGE) * b->chunks.x + ux / VP_CHUNK_EDGE;
    return b->material[chunk * VP_CHUNK_VOXELS + uy % VP_CHUNK_EDGE * 64 + uz % VP_CHUNK_EDGE * 8 + ux % VP_CHUNK_EDGE];
}

/* Bit f is set if face f of a voxel is visible. */
static uint32_t seen_faces(const vp_bricks *bricks, vp_surface surface, vp_ivec3 at, uint8_t material)
{
    uint32_t faces = 0;
    if (surface == VP_SURFACE_SOLID ? !is_solid(material) : material != VP_WATER)
        return 0;
    for (int f = 0; f < 6; f++) {
        const uint8_t next = material_at(bricks, at.x + out_of[f][0], at.y + out_of[f][1], at.z + out_of[f][2]);
        faces |= (uint32_t)(surface == VP_SURFACE_SOLID ? !is_solid(next) : next == VP_AIR) << f;
    }
    return faces;
}

/* Adds all faces to a mesh, or only counts them if it has no capacity yet. */
static void walk(const vp_world *world, vp_surface surface, vp_mesh *mesh)
{
    const vp_dims size = vp_world_size(world);
    const vp_bricks bricks = vp_world_bricks(world);
    uint32_t count = 0;
    for (int32_t y = 0; y < (int32_t)size.y; y++)
        for (int32_t z = 0; z < (int32_t)size.z; z++)
            for (int32_t x = 0; x < (int32_t)size.x; x++) {
                const uint8_t material = material_at(&bricks, x, y, z);
                const uint32_t faces = seen_faces(&bricks, surface, (vp_ivec3){x, y, z}, material);
                for (int f = 0; f < 6; f++) {
                    if ((faces >> f & 1u) == 0)
                        continue;
                    for (uint32_t k = 0; k < 4 && mesh->quad != NULL; k++) {
                        const int8_t *c = corner[f][k];
                        mesh->vertex[(size_t)count * 4 + k] = (vp_vec3){(float)(x + c[0]), (float)(y + c[1]), (float)(z + c[2])};
                        mesh->quad[count][k] = count * 4 + k;
                        mesh->material[count] = material;
                    }
                    count++;
                }
            }
    mesh->quad_count = count;
    mesh->vertex_count = count * 4;
}

vp_status vp_block_faces(const vp_world *world, vp_surface surface, vp_surface_mesh *out, vp_error *error)
{
    const double begin = vp_seconds();
    vp_mesh mesh = {.allocator = vp_allocator_default()};
    *out = (vp_surface_mesh){0};
    walk(world, surface, &mesh); /* at most one face between two voxels, so 32 bits suffice */
    const size_t count = mesh.quad_count;
    if (count > VP_KD_MAX_TRIANGLES / 2)
        return vp_fail(error, VP_E_ARGUMENT, "the %s voxels have %zu faces; a tree has at most %d", vp_surface_names[surface], count,
                       VP_KD_MAX_TRIANGLES / 2);
    if (count == 0)
        return VP_OK;
    const vp_allocator *a = &mesh.allocator;
    mesh.vertex = a->allocate(a->user, count * 4 * sizeof *mesh.vertex, 64);
    mesh.quad = a->allocate(a->user, count * sizeof *mesh.quad, 64);
    mesh.material = a->allocate(a->user, count, 64);
    out->world_mesh = mesh;
    if (mesh.vertex == NULL || mesh.quad == NULL || mesh.material == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu faces", count);
    walk(world, surface, &out->world_mesh);
    out->triangles = vp_triangles_of(&out->world_mesh);
    out->material = mesh.material;
    out->seconds = vp_seconds() - begin;
    return VP_OK;
}
