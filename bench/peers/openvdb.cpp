/* SPDX-License-Identifier: MIT */
/* OpenVDB's morphological dilation (tools/Morphology.h) of two mask trees, one of the solid voxels and one of water, by
 * one voxel in all 26 directions, on one thread. The trees hold leaves only, no tiles: trees pruned to tiles must be
 * voxelised before they are dilated, and were not faster. */
#include "bench/peers/peer.h"

#include <cstdint>
#include <memory>
#include <new>

#include <openvdb/openvdb.h>
#include <openvdb/tools/Morphology.h>

namespace {

using openvdb::Coord;
using openvdb::MaskTree;

struct Work {
    MaskTree solid, water;                          // the world
    std::unique_ptr<MaskTree> dilated_solid, dilated_water; // copies of it, dilated by a run
};

void activate(Work &work, const vp_world *world)
{
    openvdb::tree::ValueAccessor<MaskTree> solid(work.solid), water(work.water);
    const vp_dims n = vp_world_chunks(world);
    const uint8_t *material = vp_world_bricks(world).material;
    for (uint32_t cy = 0; cy < n.y; cy++)
        for (uint32_t cz = 0; cz < n.z; cz++)
            for (uint32_t cx = 0; cx < n.x; cx++)
                for (uint32_t i = 0; i < VP_CHUNK_VOXELS; i++, material++) {
                    const Coord at(static_cast<int>(cx * 8 + i % 8), static_cast<int>(cy * 8 + i / 64),
                                   static_cast<int>(cz * 8 + i / 8 % 8));
                    if (*material >= VP_FIRST_SOLID)
                        solid.setValueOn(at);
                    else if (*material == VP_WATER)
                        water.setValueOn(at);
                }
}

void *make(const vp_world *world)
{
    try {
        openvdb::initialize();
        auto work = std::make_unique<Work>();
        activate(*work, world);
        return work.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

bool prepare(void *work)
{
    Work &w = *static_cast<Work *>(work);
    try {
        w.dilated_solid = std::make_unique<MaskTree>(w.solid);
        w.dilated_water = std::make_unique<MaskTree>(w.water);
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
}

void dilate(MaskTree &tree)
{
    openvdb::tools::dilateActiveValues(tree, 1, openvdb::tools::NN_FACE_EDGE_VERTEX, openvdb::tools::IGNORE_TILES, false);
}

void run(void *work)
{
    Work &w = *static_cast<Work *>(work);
    dilate(*w.dilated_solid);
    dilate(*w.dilated_water);
}

// The mask of one chunk: OpenVDB's leaves are chunks of the same 8^3 voxels.
void read_mask(const MaskTree &tree, vp_ivec3 chunk, uint64_t slice[8])
{
    const MaskTree::LeafNodeType *leaf = tree.probeConstLeaf(Coord(chunk.x * 8, chunk.y * 8, chunk.z * 8));
    for (int y = 0; y < 8; y++) {
        slice[y] = 0;
        for (int i = 0; leaf != nullptr && i < 64; i++)
            slice[y] |= static_cast<uint64_t>(leaf->isValueOn(Coord(i % 8, y, i / 8))) << i;
    }
}

uint64_t differences(const void *work, const vp_broadphase *broadphase)
{
    const Work &w = *static_cast<const Work *>(work);
    const vp_dims n = vp_broadphase_bits(broadphase).chunks;
    uint64_t different = 0;
    for (uint32_t c = 0; c < n.x * n.y * n.z; c++) {
        const vp_ivec3 chunk = {static_cast<int32_t>(c % n.x), static_cast<int32_t>(c / n.x / n.z),
                                static_cast<int32_t>(c / n.x % n.z)};
        const vp_chunk_masks *ours = vp_broadphase_masks(broadphase, chunk);
        uint64_t solid[8], water[8];
        read_mask(*w.dilated_solid, chunk, solid);
        read_mask(*w.dilated_water, chunk, water);
        bool same = true;
        for (int y = 0; y < 8; y++)
            same = same && solid[y] == ours->solid[y] && water[y] == ours->water[y];
        different += !same;
    }
    return different;
}

void drop(void *work)
{
    delete static_cast<Work *>(work);
}

} // namespace

const vp_dilation_peer vp_peer_openvdb = {
    "openvdb",
    "OpenVDB " OPENVDB_LIBRARY_VERSION_STRING " dilateActiveValues, 26 neighbours, 1 thread. For it: it starts from masks, "
    "reads no bytes, makes no tags, and copying its trees is not timed. Against it: its trees are sparse and general",
    make, prepare, run, differences, drop};
