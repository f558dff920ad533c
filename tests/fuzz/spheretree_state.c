/* SPDX-License-Identifier: MIT */
/* Sphere trees as bytes, read unchanged and again with checksums and size corrected. An accepted tree is complete: it finds all of
 * its objects by their own spheres, and can be changed. */
#include "tests/fuzz/fuzz.h"

#include <voxphys/spheretree.h>

enum { HEADER = 48, ITEMS = 4096 };

static void check_objects(const vp_spheretree *tree)
{
    static vp_spheretree_item item[ITEMS];
    for (uint32_t id = 0; (id = vp_spheretree_next(tree, id)) != VP_SPHERETREE_NONE; id++) {
        const vp_spheretree_query query = {.mask = UINT32_MAX};
        vp_spheretree_object object;
        uint32_t count, found = 0;
        FUZZ_CHECK(vp_spheretree_find(tree, id, &object));
        FUZZ_CHECK(vp_spheretree_sphere(tree, &object.sphere, &query, item, ITEMS, &count, NULL) == VP_OK);
        for (uint32_t i = 0; i < count && i < ITEMS; i++)
            found += item[i].object == id;
        FUZZ_CHECK(found == (object.mask != 0) || count > ITEMS);
    }
}

static void check(const uint8_t *bytes, size_t size)
{
    const vp_allocator allocator = fuzz_allocator();
    const vp_spheretree_def def = {.form = VP_SPHERETREE_WIDE, .allocator = &allocator, .events = true};
    const vp_spheretree_object more = {{{1, 2, 3}, 4}, 5, 6, 7};
    vp_spheretree *tree = NULL;
    vp_blob blob = {0};
    vp_error error;
    uint32_t id;
    const vp_status status = vp_spheretree_decode(bytes, size, &def, &tree, &error);
    if (status != VP_OK) {
        FUZZ_CHECK(status == VP_E_FORMAT || status == VP_E_MEMORY);
        FUZZ_CHECK(error.status == status && error.message[0] != '\0' && tree == NULL);
        return;
    }
    check_objects(tree);
    if (vp_spheretree_insert(tree, &more, &id, &error) == VP_OK) {
        check_objects(tree);
        FUZZ_CHECK(vp_spheretree_remove(tree, id, &error) == VP_OK);
    }
    while ((id = vp_spheretree_next(tree, 0)) != VP_SPHERETREE_NONE)
        FUZZ_CHECK(vp_spheretree_move(tree, id, &more.sphere, &error) == VP_OK && vp_spheretree_remove(tree, id, &error) == VP_OK);
    FUZZ_CHECK(vp_spheretree_encode(tree, NULL, &blob, &error) == VP_OK);
    vp_spheretree_destroy(tree);
    vp_blob_destroy(&blob);
}

static void repair(uint8_t *state, size_t size)
{
    fuzz_seal(state, size, "\x89VPS\r\n\x1a\n\1\0\0", HEADER, 32);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_also_repaired(bytes, size, HEADER + 4, repair, check);
    return 0;
}
