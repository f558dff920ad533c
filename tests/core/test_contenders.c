/* SPDX-License-Identifier: MIT */
/* The kernel tables match their names. Each listed version exists and is not the scalar reference under another name. Comparisons of
 * answers rely on this and cannot detect a violation. */
#include <voxphys/kernels.h>
#include "tests/support/check.h"

#include <string.h>

#include "cases/case.h"

typedef void any_function(void);

/* A table as an array of functions by kernel. */
typedef struct functions {
    any_function *of[VP_KERNEL_COUNT];
} functions;

static functions functions_of(const vp_kernels *table)
{
    functions f;
#define TAKE(k, ...) f.of[VP_KERNEL_##k] = (any_function *)table->k;
    VP_KERNELS(TAKE)
    return f;
}

/* The reference's functions by name. */
static functions scalar_functions(void)
{
    functions f;
#define NAME(k, ...) f.of[VP_KERNEL_##k] = (any_function *)vp_##k##_scalar;
    VP_KERNELS(NAME)
    return f;
}

/* The function of one version by name, or NULL if this build does not have it. */
static any_function *version_function(vp_kernel_id kernel, vp_isa isa)
{
#define VP_HAVE_scalar     VP_VIA_NATIVE
#define VIA_OF(k, i)       SECOND(VP_LACKS_##k##_##i, VP_HAVE_##i, )
#define SECOND(...)        SECOND_(__VA_ARGS__)
#define SECOND_(a, b, ...) b
#define IF_HAVE(via, ...)  IF_HAVE_(via, __VA_ARGS__)
#define IF_HAVE_(via, ...) IF_##via(__VA_ARGS__)
#define IF_VP_VIA_NONE(...)
#define IF_VP_VIA_NATIVE(...) __VA_ARGS__
#define IF_VP_VIA_SIMDE(...)  __VA_ARGS__
#define FIND_IN(k, i)                                                                                                                      \
    if (kernel == VP_KERNEL_##k && isa == VP_ISA_##i)                                                                                      \
        return (any_function *)vp_##k##_##i;
#define FIND(k, i)                    IF_HAVE(VIA_OF(k, i), FIND_IN(k, i))
#define FINDS(k, file, versions, ...) FIND_IN(k, scalar) VP_ON_##versions(FIND, k)
    VP_KERNELS(FINDS)
    return NULL;
}

/* How this build has each instruction set, as the build system defines it. */
static vp_via via_of(vp_isa isa)
{
#define VIA(i) VP_HAVE_##i,
    static const vp_via via[VP_ISA_COUNT] = {VP_ISAS(VIA)};
    return via[isa];
}

/* ---- the registry ---- */

/* Every version that this build can have is in its row once, the scalar one first. */
TEST(versions_are_listed)
{
    unsigned seen[VP_KERNEL_COUNT][VP_ISA_COUNT] = {{0}};
    for (size_t v = 0; v < vp_version_count; v++) {
        const vp_version *version = &vp_versions[v];
        if (version->isa == VP_ISA_scalar)
            for (unsigned i = 0; i < VP_ISA_COUNT; i++)
                assert_int_equal(seen[version->kernel][i], 0);
        seen[version->kernel][version->isa]++;
        assert_int_equal(version->via, via_of(version->isa));
    }
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++)
        for (unsigned i = 0; i < VP_ISA_COUNT; i++) {
            unsigned expected = version_function((vp_kernel_id)k, (vp_isa)i) != NULL ? 1 : 0;
            if (seen[k][i] != expected)
                fail_msg("%s of %s is listed %u times, expected %u", vp_kernel_name((vp_kernel_id)k), vp_isa_name((vp_isa)i), seen[k][i],
                         expected);
        }
}

/* A table by name holds that set's versions, even if this machine cannot run them. Nothing is called here. */
TEST(tables_hold_what_they_say)
{
    const functions scalar = scalar_functions();
    for (unsigned i = 0; i < VP_ISA_COUNT; i++) {
        vp_isa isa = (vp_isa)i;
        vp_kernels table;
        vp_kernels_best(&table, 1u << isa);
        functions got = functions_of(&table);
        for (unsigned k = 0; k < VP_KERNEL_COUNT; k++) {
            vp_kernel_id kernel = (vp_kernel_id)k;
            any_function *expected = version_function(kernel, isa);
            if (expected == NULL)
                expected = scalar.of[k];
            if (got.of[k] != expected)
                fail_msg("the table of %s has another function for %s", vp_isa_name(isa), vp_kernel_name(kernel));
            assert_int_equal(vp_kernels_isa(&table, kernel), version_function(kernel, isa) != NULL ? isa : VP_ISA_scalar);
        }
    }
}
