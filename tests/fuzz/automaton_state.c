/* SPDX-License-Identifier: MIT */
/* States of automata, read unchanged and again with checksums and size corrected. An accepted state is written back unchanged. It runs for
 * some steps, equally in both forms, and can be written again. */
#include "tests/fuzz/fuzz.h"

#include <voxphys/automaton.h>

enum { HEADER = 64, STEPS = 3, CELLS_MOST = 20000 /* limit for the scan form */ };

static void check(const uint8_t *bytes, size_t size)
{
    const vp_allocator allocator = fuzz_allocator();
    const vp_automaton_def list = {.allocator = &allocator}, scan = {.form = VP_AUTOMATON_SCAN, .allocator = &allocator};
    vp_automaton *a = NULL, *b = NULL;
    vp_blob blob = {0};
    vp_error error;
    const vp_status status = vp_automaton_decode(bytes, size, &list, &a, &error);
    if (status != VP_OK) {
        FUZZ_CHECK(status == VP_E_FORMAT || status == VP_E_MEMORY);
        FUZZ_CHECK(error.status == status && error.message[0] != '\0' && a == NULL);
        return;
    }
    FUZZ_CHECK(vp_automaton_encode(a, NULL, &blob, &error) == VP_OK);
    const vp_dims s = vp_automaton_size(a);
    if ((uint64_t)s.x * s.y * s.z <= CELLS_MOST && vp_automaton_living_count(a) < CELLS_MOST) {
        FUZZ_CHECK(vp_automaton_decode(blob.bytes, blob.size, &scan, &b, &error) == VP_OK);
        FUZZ_CHECK(vp_automaton_digest(a) == vp_automaton_digest(b));
        FUZZ_CHECK(vp_automaton_run(a, STEPS, NULL, &error) == VP_OK && vp_automaton_run(b, STEPS, NULL, &error) == VP_OK);
        FUZZ_CHECK(vp_automaton_digest(a) == vp_automaton_digest(b));
    }
    vp_automaton_destroy(a);
    vp_automaton_destroy(b);
    vp_blob_destroy(&blob);
}

static void repair(uint8_t *state, size_t size)
{
    fuzz_seal(state, size, "\x89VPA\r\n\x1a\n\1\0\0", HEADER, 40);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_also_repaired(bytes, size, HEADER + 4, repair, check);
    return 0;
}
