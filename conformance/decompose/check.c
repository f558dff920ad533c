/* SPDX-License-Identifier: MIT */
#include "conformance/decompose/check.h"

#include <stdlib.h>

void vp_verdict_drop(vp_verdict *verdict)
{
    free(verdict->hull);
    *verdict = (vp_verdict){0};
}
