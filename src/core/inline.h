/* SPDX-License-Identifier: MIT */
/* Functions that must be inlined, because they are a kernel's inner steps, or are compiled once for
   each constant argument. */
#ifndef VP_CORE_INLINE_H
#define VP_CORE_INLINE_H

#define VP_INLINE static inline __attribute__((always_inline))

/* Functions that must not be, because their callers would save more registers. */
#define VP_APART static __attribute__((noinline))

#endif
