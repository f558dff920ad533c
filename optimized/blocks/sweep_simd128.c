/* SPDX-License-Identifier: MIT */
/* A box that moves through blocks on WebAssembly SIMD128. */
#include "optimized/simd/simd128.h"

#include "optimized/blocks/sweep_body.h"

void vp_block_sweep_simd128(const vp_block_view *view, const vp_block_path *path, vp_block_hit *out)
{
    sweep_blocks(view, path, out);
}
