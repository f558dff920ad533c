/* SPDX-License-Identifier: MIT */
/* The answers of every operation of the vocabulary. Compiled once for each ISA, after its header, with VP_ANSWERS as the function's name.
 * operations.py writes the calls. */
#include "tests/simd/inputs.h"

#include <math.h>
#include <string.h>

/* Writes a vector's lanes. All NaN are the same, because their signs and payloads depend on the ISA. */
#define PUT(type, lanes, scalar, value)                                                                                                    \
    do {                                                                                                                                   \
        scalar put_[lanes];                                                                                                                \
        type##_store((void *)put_, value);                                                                                                 \
        for (int k_ = 0; k_ < lanes; k_++)                                                                                                 \
            put_[k_] = isnan((double)put_[k_]) ? (scalar)123 : put_[k_];                                                                   \
        memcpy(answer, put_, sizeof put_);                                                                                                 \
        answer += sizeof put_;                                                                                                             \
    } while (0)

#define PUT_NUMBER(scalar, value)                                                                                                          \
    do {                                                                                                                                   \
        const scalar put_ = (value);                                                                                                       \
        memcpy(answer, &put_, sizeof put_);                                                                                                \
        answer += sizeof put_;                                                                                                             \
    } while (0)

#define PUT_BYTES(size)                                                                                                                    \
    do {                                                                                                                                   \
        memcpy(answer, buffer, size);                                                                                                      \
        answer += size;                                                                                                                    \
    } while (0)

/* The widest native vector of words. */
#define WORDS_(lanes, rest)   u64x##lanes##rest
#define WORDS(lanes, rest)    WORDS_(lanes, rest)
#define FOLDED_HAS(a, a_word) WORDS(VP_F64N, _any)(WORDS(VP_F64N, _and)(a, WORDS(VP_F64N, _set1)(a_word)))

size_t VP_ANSWERS(const inputs *in, uint8_t *answers)
{
    uint8_t *answer = answers;
    uint64_t room[32];
    void *const buffer = room;
    f32x4 first, second, third;
    f32x4_load3(in->f, &first, &second, &third);
    PUT(f32x4, 4, float, f32x4_add(f32x4_load(in->f), f32x4_load(in->f + 4)));
    PUT(f32x4, 4, float, first);
    for (size_t i = 0; i < STARTS; i++) {
#include "operations.h"
    }
    return (size_t)(answer - answers);
}
