/* SPDX-License-Identifier: MIT */
/* test_cases COMPONENT...: every version of every kernel of these components, on small hostile sets, in all variants. Checks answers,
 * memory of exact size between forbidden pages, repeated runs, allocation failures, and that records detect each flipped bit. Judges
 * examine shapes, paths and components of blocks block by block, follow casts along their whole way, and validate hulls.
 * docs/CONTRACT.md: ALL-4, BSH-1, BSH-2, BSH-3, BSH-4, BSH-5, BSH-6, BSH-7, BSH-8, BSH-9, CMP-1, CMP-2, HUL-5, HUL-6
 * docs/CONTRACT.md: CAS-2, CAS-3, NAR-1, NAR-2, NAR-3, NAR-4, NAR-5, PSH-1, PSH-2, PSH-3, MAN-1, MAN-2, RAY-10, BOX-3, BOX-4
 * docs/CONTRACT.md: OVL-5, OVL-6 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/case.h"

#ifdef TEST_THIN
enum { SETS = 1, FLIPPED = 0 };
#elif !defined TEST_DEEP
enum { SETS = 4, FLIPPED = 2 };
#else
enum { SETS = 6, FLIPPED = 2 }; /* each flip needs a judge, so only the first sets are flipped, once */
#endif

static unsigned checks, wrong;

static void expect(const vp_check *check, vp_row_id kernel, const char *version, const vp_data *data, uint32_t variant)
{
    const char *form = vp_case_variant(vp_cases[kernel], variant);
    checks++;
    if (check->mismatches == 0)
        return;
    wrong++;
    fprintf(stderr, "on %s%s%s, %s of %s %s\n", data->name, form != NULL ? " " : "", form != NULL ? form : "", vp_rows[kernel].name,
            version, check->why.message);
}

static vp_status test_variant(vp_row_id kernel, const vp_data *data, uint32_t variant, bool flipped, vp_error *error)
{
    vp_contender version[VP_CONTENDERS_MAX];
    const size_t count = vp_contenders(kernel, version);
    vp_kernels table = vp_contender_table(&version[0], kernel);
    vp_records want = {0};
    vp_check check;
    vp_status status = vp_case_reference(vp_cases[kernel], &table, data, variant, flipped, &want, &check, error);
    if (status == VP_OK)
        expect(&check, kernel, "the reference", data, variant);
    for (size_t i = 0; status == VP_OK && i < count; i++) {
        if (!version[i].usable)
            continue;
        table = vp_contender_table(&version[i], kernel);
        status = vp_case_check(vp_cases[kernel], &(vp_setting){&table, NULL}, data, variant, &want, true, &check, error);
        if (status == VP_OK)
            expect(&check, kernel, version[i].name, data, variant);
        volatile long double two = 2.0L; /* on x86, the oldest vector registers are also those of long double, so a kernel must restore
                                          * their state */
        if (two * two != 4.0L)
            abort();
    }
    vp_records_destroy(&want);
    return status;
}

static bool is_wanted(vp_row_id kernel, int count, char **component)
{
    for (int i = 0; i < count; i++)
        if (strcmp(vp_row_component(kernel), component[i]) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    vp_store *store;
    vp_error error;
    vp_status status = vp_store_create(NULL, 2, &store, &error);
    for (int set = 0; status == VP_OK && set < SETS; set++) {
        char name[16];
        snprintf(name, sizeof name, "fuzz-%d", set);
        for (unsigned k = 0; status == VP_OK && k < VP_ROW_COUNT; k++) {
            const vp_case *c = vp_cases[k];
            const vp_data *data;
            if (!is_wanted((vp_row_id)k, argc - 1, argv + 1))
                continue;
            status = vp_store_open(store, c->kind, name, &data, &error);
            for (uint32_t v = 0; status == VP_OK && v < vp_case_variants(c); v++)
                if (vp_case_takes(c, data, v))
                    status = test_variant((vp_row_id)k, data, v, set < FLIPPED, &error);
        }
        if (status == VP_OK)
            vp_store_empty(store);
    }
    if (status != VP_OK) {
        fprintf(stderr, "test_cases: %s\n", error.message);
        return 1;
    }
    vp_store_destroy(store);
    printf("%u checks, %u wrong\n", checks, wrong);
    return checks == 0 || wrong != 0;
}
