/* SPDX-License-Identifier: MIT */
/* Output common to hulls and polygons. */
#include "tools/hull/hull.h"

#include <jansson.h>
#include <stdio.h>

#include "tools/choices.h"

json_t *vp_hull_json_begin(const vp_hull_run *r, vp_kernel_id kernel)
{
    return json_pack("{s:o, s:o, s:I, s:s, s:f, s:o}", "input", vp_json_name(r->source.name), "hash_checked",
                     vp_json_checked(r->source.content), "points", (json_int_t)r->source.points.count, "kernel",
                     vp_isa_shown(vp_kernels_isa(&r->kernels, kernel)), "seconds", r->seconds, "digest", vp_json_hex(r->digest));
}

int vp_hull_end(const vp_hull_run *r, int code)
{
    if (r->findings.valid)
        return code;
    fprintf(stderr, "voxphys hull: the hull of %s is not valid: %s%s\n", r->source.name, r->findings.reason,
            r->out != NULL ? "; nothing is written" : "");
    return VP_EXIT_FAILED;
}
