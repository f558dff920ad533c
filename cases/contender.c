/* SPDX-License-Identifier: MIT */
/* The contenders: the versions in the registry and the auto-vectorised reference. */
#include "cases/case.h"

#include <stdio.h>
#include <string.h>

#include "datasets/autovec.h"

/* Whether an operation can call kernels, and its component has one with more than a reference. */
static bool has_versions(vp_row_id operation)
{
    for (size_t v = 0; v < vp_version_count && !vp_cases[operation]->has_no_kernels; v++)
        if (vp_versions[v].isa != VP_ISA_scalar && strcmp(vp_row_component(vp_versions[v].kernel), vp_row_component(operation)) == 0)
            return true;
    return false;
}

size_t vp_contenders(vp_row_id kernel, vp_contender out[VP_CONTENDERS_MAX])
{
    size_t count = 0;
    for (vp_isa isa = 0; kernel >= VP_KERNEL_COUNT && isa < VP_ISA_COUNT; isa++)
        if (vp_isa_via(isa) == VP_VIA_NATIVE && (isa == VP_ISA_scalar || has_versions(kernel))) {
            vp_contender *c = &out[count++];
            *c = (vp_contender){.isa = isa, .usable = vp_isa_usable(isa)};
            snprintf(c->name, sizeof c->name, "%s", vp_isa_name(isa));
        }
    for (size_t v = 0; v < vp_version_count; v++) {
        const vp_version *version = &vp_versions[v];
        if (version->kernel != kernel)
            continue;
        vp_contender *c = &out[count++];
        *c = (vp_contender){.isa = version->isa, .usable = vp_isa_usable(version->isa)};
        c->how = version->via == VP_VIA_SIMDE ? VP_HOW_SIMDE : VP_HOW_NATIVE;
        snprintf(c->name, sizeof c->name, "%s%s", vp_isa_name(version->isa), c->how == VP_HOW_SIMDE ? "-simde" : "");
        if (version->isa == VP_ISA_scalar && vp_autovec_isa() != VP_ISA_COUNT) {
            c = &out[count++];
            *c = (vp_contender){.isa = vp_autovec_isa(), .how = VP_HOW_AUTOVEC, .usable = true};
            snprintf(c->name, sizeof c->name, "scalar-autovec");
        }
    }
    return count;
}

vp_kernels vp_contender_table(const vp_contender *contender, vp_row_id kernel)
{
    vp_kernels table;
    vp_kernels_best(&table, 0);
    if (kernel >= VP_KERNEL_COUNT)
        (void)vp_kernels_named(contender->name, &table, NULL);
    else if (contender->how == VP_HOW_AUTOVEC)
        vp_autovec_use(&table, kernel, contender->isa);
    else
        vp_kernels_use(&table, kernel, contender->isa);
    return table;
}
