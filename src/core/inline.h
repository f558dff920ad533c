/* SPDX-License-Identifier: MIT */
/* Functions that must be inlined, because they are a kernel's inner steps, or are compiled once for
   each constant argument. And rare cases that must not be, because they would slow their callers. */
#ifndef VP_CORE_INLINE_H
#define VP_CORE_INLINE_H

#define VP_INLINE   static inline __attribute__((always_inline))
#define VP_NOINLINE static __attribute__((noinline))
#define VP_COLD     static __attribute__((noinline, cold))

/* Asks for memory that will be read soon. */
#if defined(__GNUC__)
#define VP_PREFETCH(address) __builtin_prefetch(address)
#else
#define VP_PREFETCH(address) ((void)(address))
#endif

#endif
