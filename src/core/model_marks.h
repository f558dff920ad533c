/* SPDX-License-Identifier: MIT */
/* Marks between which a static model of a processor (llvm-mca) looks at the compiler's output. Only bench/models is compiled with
 * them. What they enclose is the body of a loop, so that what is constant stays in registers. Nothing in memory moves across a mark. */
#ifndef VP_CORE_MODEL_MARKS_H
#define VP_CORE_MODEL_MARKS_H

#define VP_MODEL_BEGIN(name) __asm__ volatile("# LLVM-MCA-BEGIN " name ::: "memory")
#define VP_MODEL_END()       __asm__ volatile("# LLVM-MCA-END" ::: "memory")

#endif
