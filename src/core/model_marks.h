/* SPDX-License-Identifier: MIT */
/* Marks for a static model of a processor (llvm-mca), which examines the compiler's output between them. Only
 * bench/models is compiled with them. They enclose the body of a loop, so constants stay in registers. No memory access
 * moves across a mark. */
#ifndef VP_CORE_MODEL_MARKS_H
#define VP_CORE_MODEL_MARKS_H

#define VP_MODEL_BEGIN(name) __asm__ volatile("# LLVM-MCA-BEGIN " name ::: "memory")
#define VP_MODEL_END()       __asm__ volatile("# LLVM-MCA-END" ::: "memory")

#endif
