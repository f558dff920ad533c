/* SPDX-License-Identifier: MIT */
/* The marks between which a tool counts instructions. */
#ifndef VP_BENCH_COUNT_MARKS_H
#define VP_BENCH_COUNT_MARKS_H

/* Callgrind receives its own client requests. The emulator's plugin watches writes to a file descriptor that cannot be open. A write of
 * five bytes starts counting, a write of three bytes ends it. In a native run both do nothing. */
enum { VP_COUNT_FILE = 987654 };
void vp_count_begin(void);
/* @param name  name of callgrind's dump. Other tools read the names from the program's output, which has the same order */
void vp_count_end(const char *name);

#endif
