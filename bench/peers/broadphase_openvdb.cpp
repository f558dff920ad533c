/* SPDX-License-Identifier: MIT */
/* OpenVDB's morphological dilation (tools/Morphology.h) of two mask trees, for the solid voxels and for water. It
 * dilates by one voxel in all 26 directions, on one thread. The trees hold only leaves, no tiles. Pruned trees must be
 * voxelised before dilation and were not faster. */
#include "bench/peers/library.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/Morphology.h>

namespace
{

using openvdb::Coord;
using openvdb::MaskTree;

struct OpenvdbDilation {
    MaskTree solid, water;                                  // the world
    std::unique_ptr<MaskTree> dilated_solid, dilated_water; // copies that a run dilates
    vp_dims chunks;
    std::vector<vp_chunk_masks> masks; // for the caller of answers
};

void activate(OpenvdbDilation &work, const vp_world *world)
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

void *make(const vp_peer *, const vp_data *data)
{
    const auto *world = static_cast<const vp_world *>(data->set);
    return unless_thrown([&]() -> void * {
        openvdb::initialize();
        auto work = std::make_unique<OpenvdbDilation>();
        activate(*work, world);
        work->chunks = vp_world_chunks(world);
        work->masks.resize(size_t{work->chunks.x} * work->chunks.y * work->chunks.z);
        return work.release();
    });
}

bool rewind(void *work)
{
    OpenvdbDilation &w = *static_cast<OpenvdbDilation *>(work);
    return unless_thrown([&] {
        w.dilated_solid = std::make_unique<MaskTree>(w.solid);
        w.dilated_water = std::make_unique<MaskTree>(w.water);
        return true;
    });
}

void dilate(MaskTree &tree)
{
    openvdb::tools::dilateActiveValues(tree, 1, openvdb::tools::NN_FACE_EDGE_VERTEX, openvdb::tools::IGNORE_TILES, false);
}

bool run(void *work, uint32_t)
{
    OpenvdbDilation &w = *static_cast<OpenvdbDilation *>(work);
    dilate(*w.dilated_solid);
    dilate(*w.dilated_water);
    return true;
}

// The mask of one chunk. OpenVDB's leaves cover the same 8^3 voxels as our chunks.
void read_mask(const MaskTree &tree, vp_ivec3 chunk, uint64_t slice[8])
{
    const MaskTree::LeafNodeType *leaf = tree.probeConstLeaf(Coord(chunk.x * 8, chunk.y * 8, chunk.z * 8));
    for (int y = 0; y < 8; y++) {
        slice[y] = 0;
        for (int i = 0; leaf != nullptr && i < 64; i++)
            slice[y] |= static_cast<uint64_t>(leaf->isValueOn(Coord(i % 8, y, i / 8))) << i;
    }
}

bool answers(void *work, uint32_t, vp_peer_answers *out)
{
    OpenvdbDilation &w = *static_cast<OpenvdbDilation *>(work);
    for (uint32_t c = 0; c < w.masks.size(); c++) {
        const vp_ivec3 chunk = {static_cast<int32_t>(c % w.chunks.x), static_cast<int32_t>(c / w.chunks.x / w.chunks.z),
                                static_cast<int32_t>(c / w.chunks.x % w.chunks.z)};
        read_mask(*w.dilated_solid, chunk, w.masks[c].solid);
        read_mask(*w.dilated_water, chunk, w.masks[c].water);
    }
    out->masks = w.masks.data();
    return true;
}

} // namespace

extern "C" const vp_peer vp_peers_broadphase_openvdb[] = {
    {"openvdb", OPENVDB_LIBRARY_VERSION_STRING,
     "OpenVDB " OPENVDB_LIBRARY_VERSION_STRING " dilateActiveValues, 26 neighbours, 1 thread. For it: it starts from masks, "
     "reads no bytes, makes no tags, and copying its trees is not timed. Against it: its trees are sparse "
     "and general",
     VP_KERNEL_dilate_world, false, true, make, rewind, run, answers, drop<OpenvdbDilation>},
    VP_PEERS_END};
