/* SPDX-License-Identifier: MIT */
/* Sets, before a program's main, that denormal results become 0, as linking something built with -ffast-math does. */
#include <xmmintrin.h>

__attribute__((constructor)) static void flush_denormals(void)
{
    _mm_setcsr(_mm_getcsr() | 0x8000u);
}
