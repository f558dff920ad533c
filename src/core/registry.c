/* SPDX-License-Identifier: MIT */
/* The registry's mechanism, which names no kernel. The build defines the instruction sets. VP_HAVE_avx2 and the
   others are VP_VIA_NATIVE, VP_VIA_SIMDE or VP_VIA_NONE. */
#include <voxphys/kernels.h>

#include "src/core/error.h"
#include "src/core/isa_names.h"
#include "src/core/preference.h"

#include <stdlib.h>
#include <string.h>

/* ---- which sets are in this build ---- */

#define VP_HAVE_scalar VP_VIA_NATIVE

#define ISA_ROW(i) [VP_ISA_##i] = {#i, VP_HAVE_##i},
static const struct {
    const char *name;
    vp_via via;
} isa_table[VP_ISA_COUNT] = {VP_ISAS(ISA_ROW)};

const char *vp_isa_name(vp_isa isa)
{
    return (unsigned)isa < VP_ISA_COUNT ? isa_table[isa].name : "unknown";
}

vp_via vp_isa_via(vp_isa isa)
{
    return (unsigned)isa < VP_ISA_COUNT ? isa_table[isa].via : VP_VIA_NONE;
}

bool vp_isa_usable(vp_isa isa)
{
    switch (vp_isa_via(isa)) {
    case VP_VIA_NATIVE:
        return (vp_cpu_isas() >> isa & 1u) != 0;
    case VP_VIA_SIMDE:
        return true;
    case VP_VIA_NONE:
        break;
    }
    return false;
}

/* ---- the rows ---- */

#define KERNEL_ROW(k, file, versions, group, unit, sentence) [VP_KERNEL_##k] = {#k, #file, group, unit, sentence},
#define OPERATION_ROW(o, group, unit, sentence)              [VP_OPERATION_##o] = {#o, NULL, group, unit, sentence},
const vp_row vp_rows[VP_ROW_COUNT] = {VP_KERNELS(KERNEL_ROW) VP_OPERATIONS(OPERATION_ROW)};

#define ONE(...)         +1
#define ROWS_OF(c, C, X) {#c, 0 VP_##C##_KERNELS(ONE), 0 VP_##C##_OPERATIONS(ONE)},
static const struct {
    const char *name;
    unsigned kernels, operations;
} components[] = {VP_COMPONENTS(ROWS_OF, )};

const char *vp_row_component(vp_row_id row)
{
    const bool kernel = (unsigned)row < VP_KERNEL_COUNT;
    unsigned left = kernel ? (unsigned)row : (unsigned)row - VP_KERNEL_COUNT;
    for (size_t c = 0; c < sizeof components / sizeof components[0]; c++) {
        const unsigned here = kernel ? components[c].kernels : components[c].operations;
        if (left < here)
            return components[c].name;
        left -= here;
    }
    return "unknown";
}

const char *vp_kernel_name(vp_kernel_id kernel)
{
    return (unsigned)kernel < VP_KERNEL_COUNT ? vp_rows[kernel].name : "unknown";
}

/* ---- the versions ---- */

/* How this build has a version. Where a port lacks a kernel's file, the build defines VP_LACKS_<kernel>_<isa> as
   0,VP_VIA_NONE. */
#define VIA(k, i)          SECOND(VP_LACKS_##k##_##i, VP_HAVE_##i, )
#define SECOND(...)        SECOND_(__VA_ARGS__)
#define SECOND_(a, b, ...) b

/* Keeps the rest if this build has the version. */
#define IF_HAVE(via, ...)  IF_HAVE_(via, __VA_ARGS__)
#define IF_HAVE_(via, ...) IF_##via(__VA_ARGS__)
#define IF_VP_VIA_NONE(...)
#define IF_VP_VIA_NATIVE(...) __VA_ARGS__
#define IF_VP_VIA_SIMDE(...)  __VA_ARGS__

#define VERSION_IN(k, i)                 {VP_KERNEL_##k, VP_ISA_##i, VP_HAVE_##i},
#define VERSION(k, i)                    IF_HAVE(VIA(k, i), VERSION_IN(k, i))
#define VERSIONS(k, file, versions, ...) VERSION_IN(k, scalar) VP_ON_##versions(VERSION, k)
const vp_version vp_versions[] = {VP_KERNELS(VERSIONS)};
const size_t vp_version_count = sizeof vp_versions / sizeof vp_versions[0];

bool vp_kernels_use(vp_kernels *table, vp_kernel_id kernel, vp_isa isa)
{
#define USE_IN(k, i)                                                                                                                       \
    if (kernel == VP_KERNEL_##k && isa == VP_ISA_##i) {                                                                                    \
        table->k = vp_##k##_##i;                                                                                                           \
        return true;                                                                                                                       \
    }
#define USE(k, i)                    IF_HAVE(VIA(k, i), USE_IN(k, i))
#define USES(k, file, versions, ...) USE_IN(k, scalar) VP_ON_##versions(USE, k)
    VP_KERNELS(USES)
    return false;
}

vp_isa vp_kernels_isa(const vp_kernels *table, vp_kernel_id kernel)
{
#define IS_IN(k, i)                                                                                                                        \
    if (kernel == VP_KERNEL_##k && table->k == vp_##k##_##i)                                                                               \
        return VP_ISA_##i;
#define IS(k, i)                     IF_HAVE(VIA(k, i), IS_IN(k, i))
#define ISES(k, file, versions, ...) IS_IN(k, scalar) VP_ON_##versions(IS, k)
    VP_KERNELS(ISES)
    return VP_ISA_COUNT;
}

/* ---- choice ---- */

void vp_kernels_best_on(vp_uarch uarch, vp_kernels *table, uint32_t isas)
{
    /* In the default order, the last version wins. */
#define PREFER_IN(k, i)                                                                                                                    \
    if ((isas >> VP_ISA_##i & 1u) != 0)                                                                                                    \
        table->k = vp_##k##_##i;
#define PREFER(k, i) IF_HAVE(VIA(k, i), PREFER_IN(k, i))
#define BEST(k, file, versions, ...)                                                                                                       \
    table->k = vp_##k##_scalar;                                                                                                            \
    VP_ON_##versions(PREFER, k)
    VP_KERNELS(BEST)
    for (size_t p = 0; p < vp_preference_count; p++) {
        const vp_preference *measured = &vp_preferences[p];
        if (measured->uarch == uarch && (isas >> measured->isa & 1u) != 0 &&
            vp_kernels_isa(table, measured->kernel) == measured->instead_of)
            vp_kernels_use(table, measured->kernel, measured->isa);
    }
}

void vp_kernels_best(vp_kernels *table, uint32_t isas)
{
    vp_kernels_best_on(vp_uarch_now(), table, isas);
}

/* The native sets of this machine, as bits. Not plain, because the reference is often faster. */
static uint32_t find_native_isas(void)
{
    uint32_t isas = 0;
    for (unsigned i = 0; i < VP_ISA_COUNT; i++)
        if (i != VP_ISA_plain && vp_isa_via((vp_isa)i) == VP_VIA_NATIVE && vp_isa_usable((vp_isa)i))
            isas |= 1u << i;
    return isas;
}

/* Splits "neon-simde" into its set and its way. Returns false for an unknown name. */
static bool parse_isa(const char *name, vp_isa *isa, vp_via *via)
{
    static const char suffix[] = "-simde";
    size_t length = strlen(name);
    *via = VP_VIA_NATIVE;
    if (length > sizeof suffix - 1 && strcmp(name + length - (sizeof suffix - 1), suffix) == 0) {
        *via = VP_VIA_SIMDE;
        length -= sizeof suffix - 1;
    }
    for (unsigned i = 0; i < VP_ISA_COUNT; i++)
        if (strlen(isa_table[i].name) == length && strncmp(name, isa_table[i].name, length) == 0) {
            *isa = (vp_isa)i;
            return !(*via == VP_VIA_SIMDE && (*isa == VP_ISA_scalar || *isa == VP_ISA_plain));
        }
    return false;
}

vp_status vp_kernels_named(const char *name, vp_kernels *table, vp_error *error)
{
    VP_RETURN_IF_NULL(error, name, table);
    vp_isa isa;
    vp_via via;
    if (strcmp(name, "best") == 0) {
        vp_kernels_best(table, find_native_isas());
        return vp_succeed(error);
    }
    if (!parse_isa(name, &isa, &via))
        return vp_fail(error, VP_E_ARGUMENT, "instruction set \"%.40s\" is unknown; the names are best, " VP_ISA_NAMES, name);
    if (vp_isa_via(isa) == VP_VIA_NONE)
        return vp_fail(error, VP_E_UNSUPPORTED, "instruction set \"%s\" is not in this build", name);
    if (vp_isa_via(isa) != via)
        return vp_fail(error, VP_E_UNSUPPORTED, "instruction set \"%s\" is not in this build; \"%s%s\" is", name, vp_isa_name(isa),
                       via == VP_VIA_NATIVE ? "-simde" : "");
    if (!vp_isa_usable(isa))
        return vp_fail(error, VP_E_UNSUPPORTED, "instruction set \"%s\": this machine does not have it", name);
    if (via == VP_VIA_SIMDE)
        vp_kernels_best(table, 1u << isa);
    else
        vp_kernels_best(table, find_native_isas() & ((2u << isa) - 1u));
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++) /* the requested set, even if a row prefers another */
        vp_kernels_use(table, (vp_kernel_id)k, isa);
    return vp_succeed(error);
}

vp_status vp_kernels_default(vp_kernels *table, vp_error *error)
{
    VP_RETURN_IF_NULL(error, table);
    const char *name = getenv("VOXPHYS_ISA");
    if (name == NULL || name[0] == '\0')
        return vp_kernels_named("best", table, error);
    vp_error reason;
    vp_status status = vp_kernels_named(name, table, &reason);
    if (status != VP_OK)
        return vp_fail(error, status, "VOXPHYS_ISA: %.200s", reason.message);
    return vp_succeed(error);
}
