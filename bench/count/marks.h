/* SPDX-License-Identifier: MIT */
/* Between these two, instructions are counted, by whoever counts them. */
#ifndef VP_BENCH_COUNT_MARKS_H
#define VP_BENCH_COUNT_MARKS_H

/* Callgrind is told by its own requests. An emulator's plugin sees a write to a file that cannot be open: of five bytes where counting
   begins, of three where it ends. Natively both do nothing. */
enum { VP_COUNT_FILE = 987654 };
void vp_count_begin(void);
/* @param name  for callgrind's dump; one's own output names what was counted for others, in the same order */
void vp_count_end(const char *name);

#endif
