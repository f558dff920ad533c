/* SPDX-License-Identifier: MIT */
#include "bench/count/marks.h"

#include <unistd.h>
#ifdef VP_COUNT_CALLGRIND
#include <valgrind/callgrind.h>
#endif

void vp_count_begin(void)
{
#ifdef VP_COUNT_CALLGRIND
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
#endif
    if (write(VP_COUNT_FILE, "begin", 5) >= 0) /* if a file of that number is open after all, it receives an extra word */
        return;
}

void vp_count_end(const char *name)
{
    const int written = (int)write(VP_COUNT_FILE, "end", 3);
#ifdef VP_COUNT_CALLGRIND
    CALLGRIND_DUMP_STATS_AT(name);
    CALLGRIND_STOP_INSTRUMENTATION;
#endif
    (void)name;
    (void)written;
}
