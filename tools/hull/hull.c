/* SPDX-License-Identifier: MIT */
/* What a hull and a polygon are told with alike. */
#include "tools/hull/hull.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "host/program.h"

json_t *vp_hull_json_begin(const vp_hull_run *r, vp_kernel_id kernel)
{
    char hex[17];
    snprintf(hex, sizeof hex, "%016" PRIx64, r->digest);
    const bool of_file = r->source.content == VP_CONTENT_OF_FILE;
    return json_pack("{s:o, s:o, s:I, s:s, s:f, s:s}", "input", vp_json_name(r->source.name), "hash_checked",
                     of_file ? json_null() : json_boolean(r->source.content == VP_CONTENT_CHECKED), "points",
                     (json_int_t)r->source.points.count, "kernel", vp_isa_shown(vp_kernels_isa(&r->kernels, kernel)), "seconds", r->seconds,
                     "digest", hex);
}

int vp_hull_end(const vp_hull_run *r, int code)
{
    if (r->findings.valid)
        return code;
    fprintf(stderr, "voxphys hull: the hull of %s is not valid: %s%s\n", r->source.name, r->findings.reason,
            r->out != NULL ? "; nothing is written" : "");
    return VP_EXIT_FAILED;
}
