/* SPDX-License-Identifier: MIT */
/* Functions that must be inlined, because they are a kernel's inner steps, or are compiled once for
   each constant argument. */
#ifndef VP_CORE_INLINE_H
#define VP_CORE_INLINE_H

#define VP_INLINE static inline __attribute__((always_inline))

#endif
