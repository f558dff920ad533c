/* SPDX-License-Identifier: MIT */
/* Constructs the bit broadphase: voxel terrain article, "Bit broadphase: construction".
 *
 * The mesh of a solid voxel may spill into any of its 26 neighbours, so a voxel's bit is set if anything in the 3^3
 * around it is solid. The same is done for water. One chunk needs the 10^3 voxels around it. The article packs them
 * into 10x10 rows of 16-bit integers, dilates each row along x with two shifts, then ORs neighbouring rows along z and
 * along y, and keeps the inner 8x8 rows of 8 bits. Chunks whose 1000 voxels are all air, all solid or all water have a
 * tag instead, and need no masks. */
#include <voxphys/kernel/broadphase.h>

#include <string.h>

enum { EDGE = VP_NEIGHBOURHOOD_EDGE };

/* Rows [y][z], bit x. The article's "array of 10^2 16-bit integers". */
typedef struct chunk_rows {
    uint16_t row[EDGE][EDGE];
} chunk_rows;

static bool is_solid(uint8_t material)
{
    return material >= VP_FIRST_SOLID;
}

static bool is_water(uint8_t material)
{
    return material == VP_WATER;
}

/* Dilates in place along x, then z, then y. The outermost rows and bits, which lack a neighbour, are
 * not used afterwards. */
static void dilate(chunk_rows *data)
{
    chunk_rows temp;
    for (int y = 0; y < EDGE; y++)
        for (int z = 0; z < EDGE; z++) {
            uint16_t r = data->row[y][z];
            data->row[y][z] = (uint16_t)(r << 1 | r | r >> 1);
        }
    for (int y = 0; y < EDGE; y++)
        for (int z = 1; z < EDGE - 1; z++)
            temp.row[y][z] = data->row[y][z - 1] | data->row[y][z] | data->row[y][z + 1];
    for (int y = 1; y < EDGE - 1; y++)
        for (int z = 1; z < EDGE - 1; z++)
            data->row[y][z] = temp.row[y - 1][z] | temp.row[y][z] | temp.row[y + 1][z];
}

/* The chunk's own 8x8 rows of 8 bits, as one 64-bit word a Y-slice. */
static void extract_row(const chunk_rows *data, uint64_t slice[8])
{
    for (int y = 0; y < 8; y++) {
        slice[y] = 0;
        for (int z = 0; z < 8; z++) {
            uint64_t eight = data->row[y + 1][z + 1] >> 1 & 0xff;
            slice[y] |= eight << (z * 8);
        }
    }
}

uint32_t vp_dilate_chunk_rows_scalar(const uint8_t *material, vp_chunk_masks *out)
{
    chunk_rows solid, water;
    int solid_count = 0, water_count = 0;
    for (int y = 0; y < EDGE; y++)
        for (int z = 0; z < EDGE; z++) {
            uint32_t solid_row = 0, water_row = 0;
            for (int x = 0; x < EDGE; x++) {
                uint8_t m = material[(y * EDGE + z) * EDGE + x];
                solid_row |= (uint32_t)is_solid(m) << x;
                water_row |= (uint32_t)is_water(m) << x;
                solid_count += is_solid(m);
                water_count += is_water(m);
            }
            solid.row[y][z] = (uint16_t)solid_row;
            water.row[y][z] = (uint16_t)water_row;
        }

    dilate(&solid);
    dilate(&water);
    extract_row(&solid, out->solid);
    extract_row(&water, out->water);

    if (solid_count == VP_NEIGHBOURHOOD_VOXELS)
        return VP_CHUNK_FULL_SOLID;
    if (water_count == VP_NEIGHBOURHOOD_VOXELS)
        return VP_CHUNK_FULL_WATER;
    if (solid_count + water_count == 0)
        return VP_CHUNK_EMPTY;
    return VP_CHUNK_MIXED;
}

/* ---- one chunk of a world of bricks ---- */

/* The row of 8 voxels at voxel coordinates (y, z), from the bricks in column cx. NULL outside the world. */
static const uint8_t *find_brick_row(const vp_bricks *world, int64_t cx, int64_t y, int64_t z)
{
    vp_dims n = world->chunks;
    if (cx < 0 || y < 0 || z < 0 || cx >= n.x || y >= (int64_t)n.y * 8 || z >= (int64_t)n.z * 8)
        return NULL;
    size_t brick = ((size_t)(y / 8) * n.z + (size_t)(z / 8)) * n.x + (size_t)cx;
    return world->material + brick * VP_CHUNK_VOXELS + (y % 8) * 64 + (z % 8) * 8;
}

/* The 10^3 materials around a chunk. Each row is the last voxel of the brick before, 8 of its own, and the first of
   the brick after. */
static inline void gather_neighbourhood(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, uint8_t *material)
{
    for (int y = 0; y < EDGE; y++)
        for (int z = 0; z < EDGE; z++, material += EDGE) {
            int64_t wy = (int64_t)cy * 8 + y - 1, wz = (int64_t)cz * 8 + z - 1;
            const uint8_t *before = find_brick_row(world, (int64_t)cx - 1, wy, wz);
            const uint8_t *own = find_brick_row(world, cx, wy, wz);
            const uint8_t *after = find_brick_row(world, (int64_t)cx + 1, wy, wz);
            material[0] = before != NULL ? before[7] : VP_AIR;
            if (own != NULL)
                memcpy(material + 1, own, 8);
            else
                memset(material + 1, VP_AIR, 8);
            material[9] = after != NULL ? after[0] : VP_AIR;
        }
}

uint32_t vp_dilate_chunk_scalar(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_chunk_masks *out)
{
    uint8_t material[VP_NEIGHBOURHOOD_VOXELS];
    gather_neighbourhood(world, cx, cy, cz, material);
    return vp_dilate_chunk_rows_scalar(material, out);
}

/* ---- all chunks ---- */

/* Stores one chunk's tag, and its masks if it has any. @return the filled entries of the pool */
static uint32_t store_chunk(const vp_dilate_job *build, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t tag, const vp_chunk_masks *masks,
                            uint32_t filled)
{
    size_t at = (size_t)cy * (size_t)build->slot_stride_y + (size_t)cz * (size_t)build->slot_stride_z + cx;
    if (tag != VP_CHUNK_MIXED) {
        build->slot[at] = tag;
        return filled;
    }
    build->slot[at] = build->first + filled;
    build->pool[filled] = *masks;
    return filled + 1;
}

uint32_t vp_dilate_world_scalar(const vp_dilate_job *build)
{
    vp_bricks world = {build->material, build->chunks};
    uint32_t filled = 0;
    for (uint32_t cy = build->y_begin; cy < build->y_end; cy++)
        for (uint32_t cz = 0; cz < build->chunks.z; cz++)
            for (uint32_t cx = 0; cx < build->chunks.x; cx++) {
                vp_chunk_masks masks;
                uint32_t tag = vp_dilate_chunk_scalar(&world, cx, cy, cz, &masks);
                filled = store_chunk(build, cx, cy, cz, tag, &masks, filled);
            }
    return filled;
}

/* The 10^3 materials around a chunk of a world in rows. */
static void gather_from_rows(const vp_dilate_job *build, uint32_t cx, uint32_t cy, uint32_t cz, uint8_t *material)
{
    int64_t nx = (int64_t)build->chunks.x * 8, ny = (int64_t)build->chunks.y * 8, nz = (int64_t)build->chunks.z * 8;
    int64_t x0 = (int64_t)cx * 8;
    for (int y = 0; y < EDGE; y++)
        for (int z = 0; z < EDGE; z++, material += EDGE) {
            int64_t wy = (int64_t)cy * 8 + y - 1, wz = (int64_t)cz * 8 + z - 1;
            memset(material, VP_AIR, EDGE);
            if (wy < 0 || wz < 0 || wy >= ny || wz >= nz)
                continue;
            const uint8_t *row = build->material + (wy * nz + wz) * nx;
            if (x0 > 0)
                material[0] = row[x0 - 1];
            memcpy(material + 1, row + x0, 8);
            if (x0 + 8 < nx)
                material[9] = row[x0 + 8];
        }
}

uint32_t vp_dilate_world_rows_scalar(const vp_dilate_job *build)
{
    uint32_t filled = 0;
    for (uint32_t cy = build->y_begin; cy < build->y_end; cy++)
        for (uint32_t cz = 0; cz < build->chunks.z; cz++)
            for (uint32_t cx = 0; cx < build->chunks.x; cx++) {
                uint8_t material[VP_NEIGHBOURHOOD_VOXELS];
                vp_chunk_masks masks;
                gather_from_rows(build, cx, cy, cz, material);
                uint32_t tag = vp_dilate_chunk_rows_scalar(material, &masks);
                filled = store_chunk(build, cx, cy, cz, tag, &masks, filled);
            }
    return filled;
}
