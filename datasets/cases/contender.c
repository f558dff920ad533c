/* SPDX-License-Identifier: MIT */
/* The contenders: what the registry has, and the auto-vectorised reference. */
#include "datasets/cases/cases.h"

#include <stdio.h>

#include "datasets/autovec.h"

size_t vp_contenders(vp_kernel_id kernel, vp_contender out[VP_CONTENDERS_MAX])
{
    size_t count = 0;
    for (size_t v = 0; v < vp_version_count; v++) {
        const vp_version *version = &vp_versions[v];
        if (version->kernel != kernel)
            continue;
        vp_contender *c = &out[count++];
        *c = (vp_contender){.isa = version->isa, .usable = vp_isa_usable(version->isa)};
        c->how = version->via == VP_VIA_SIMDE ? VP_HOW_SIMDE : VP_HOW_NATIVE;
        snprintf(c->name, sizeof c->name, "%s%s", vp_isa_name(version->isa),
                 c->how == VP_HOW_SIMDE ? "-simde" : "");
        if (version->isa == VP_ISA_scalar && vp_autovec_isa() != VP_ISA_COUNT) {
            c = &out[count++];
            *c = (vp_contender){.isa = vp_autovec_isa(), .how = VP_HOW_AUTOVEC, .usable = true};
            snprintf(c->name, sizeof c->name, "scalar-autovec");
        }
    }
    return count;
}

vp_kernels vp_contender_table(const vp_contender *contender, vp_kernel_id kernel)
{
    vp_kernels table;
    vp_kernels_best(&table, 0);
    if (contender->how == VP_HOW_AUTOVEC)
        vp_autovec_use(&table, kernel, contender->isa);
    else
        vp_kernels_use(&table, kernel, contender->isa);
    return table;
}
