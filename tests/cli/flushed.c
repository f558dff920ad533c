/* SPDX-License-Identifier: MIT */
/* Makes denormal results 0 before a program's main, as linking a library built with -ffast-math does. */
#include <xmmintrin.h>

__attribute__((constructor)) static void flush_denormals(void)
{
    _mm_setcsr(_mm_getcsr() | 0x8000u);
}
