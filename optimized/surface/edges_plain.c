/* SPDX-License-Identifier: MIT */
/* Edge flags in plain C. The algorithm of edges_body.h. */
#include "optimized/simd/plain.h"

#include "optimized/surface/edges_body.h"

void vp_edge_flags_plain(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, const vp_chunk_mesh *mesh,
                        uint8_t *flags)
{
    edge_flags(world, cx, cy, cz, surface, mesh, flags);
}
