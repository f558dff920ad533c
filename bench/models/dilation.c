/* SPDX-License-Identifier: MIT */
/* Steps of the dilation kernels, between marks. bench/static-models reads them. */
#if defined(VP_MODEL_avx2)
#include "optimized/simd/avx2.h"
#elif defined(VP_MODEL_avx512)
#include "optimized/simd/avx512.h"
#elif defined(VP_MODEL_plain)
#include "optimized/broadphase/slices_plain.h"
#else
#include "optimized/broadphase/slices_neon.h"
#endif

#include "optimized/broadphase/slices.h"
#include "src/core/model_marks.h"

void step_words(const uint8_t *brick, uint64_t *solid, uint64_t *water, uint32_t chunks);
void step_words(const uint8_t *brick, uint64_t *solid, uint64_t *water, uint32_t chunks)
{
    for (; chunks > 0; chunks--, brick += 512, solid += 8, water += 8) {
        VP_MODEL_BEGIN("dilation: bytes of a chunk to words, both classes/1 chunk");
        words_from_slice(brick, &solid[0], &water[0]);
        words_from_slice(brick + 64, &solid[1], &water[1]);
        words_from_slice(brick + 128, &solid[2], &water[2]);
        words_from_slice(brick + 192, &solid[3], &water[3]);
        words_from_slice(brick + 256, &solid[4], &water[4]);
        words_from_slice(brick + 320, &solid[5], &water[5]);
        words_from_slice(brick + 384, &solid[6], &water[6]);
        words_from_slice(brick + 448, &solid[7], &water[7]);
        VP_MODEL_END();
    }
}

/* One class. Chunks lie in a row along x, with the neighbours at both ends, the words below and the slices above. */
void step_axes(const uint64_t *mid, const uint64_t *back, const uint64_t *front, const uint64_t *above, const uint64_t *below,
               uint64_t *out, uint32_t chunks);
void step_axes(const uint64_t *mid, const uint64_t *back, const uint64_t *front, const uint64_t *above, const uint64_t *below,
               uint64_t *out, uint32_t chunks)
{
    for (; chunks > 0; chunks--, mid += 8, back += 8, front += 8, above += 8, below++, out += 8) {
        VP_MODEL_BEGIN("dilation: along x, z and y, one class/1 chunk");
        const u64x8 x = slices_dilate_x(u64x8_load(mid - 8), u64x8_load(mid), u64x8_load(mid + 8));
        const u64x8 z = slices_dilate_z(u64x8_load(back), x, u64x8_load(front));
        u64x8_store(out, slices_dilate_y(*below, z, u64x8_load(above)));
        VP_MODEL_END();
    }
}
