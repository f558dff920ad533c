/* SPDX-License-Identifier: MIT */
/* Every function that returns a status rejects a needed pointer that is NULL, and names it. Every function that destroys accepts NULL.
 * null_rows.py writes a call for each function of the headers. */
#include "tests/support/check.h"

#include <voxphys/import.h>
#include <voxphys/voxphys.h>

static uint64_t block[256]; // vp_world_neighbourhood writes 1,000 bytes, vp_manifold_cache has 1,240
static uint32_t passed, null_at, pointers;
static const char *null_name;

/* The argument `name` of a call: NULL for one, a block for the others. */
static void *pass(const char *name)
{
    if (passed++ != null_at)
        return block;
    null_name = name;
    return NULL;
}
#define P(name) pass(#name)

static void check_message(const char *call, vp_status status, const vp_error *error)
{
    const size_t length = strlen(null_name);
    if (status != VP_E_ARGUMENT || strncmp(error->message, null_name, length) != 0 || strncmp(error->message + length, " is NULL", 8) != 0)
        fail_msg("%s with %s NULL: %s, \"%s\"", call, null_name, vp_status_name(status), error->message);
}

/* Makes a call once for each of its P(name), which is NULL then. The call must reject it by its name. Nothing is read through the other
 * pointers then, so all point to one block. */
#define REJECTS(call)                                                                                                                      \
    do {                                                                                                                                   \
        null_at = 0;                                                                                                                       \
        do {                                                                                                                               \
            vp_error error = {VP_OK, ""};                                                                                                  \
            passed = 0;                                                                                                                    \
            const vp_status status = call;                                                                                                 \
            check_message(#call, status, &error);                                                                                          \
        } while (++null_at < passed);                                                                                                      \
        pointers += passed;                                                                                                                \
    } while (0)

TEST(each_pointer)
{
#include "null_rows.h"
    assert_in_range(pointers, 530, 3000);
}

TEST(arrays_with_elements)
{
    const vp_boxes boxes = {.count = 1};
    const vp_chunk_mesh chunk = {.quad_count = 1};
    const vp_mesh mesh = {.quad_count = 1};
    const vp_surroundings around = {.body_count = 1};
    const vp_manifold_def def = {0};
    void *const any = block;
    vp_manifold_result result;
    assert_refused(vp_broadphase_overlap_batch(any, &boxes, NULL, &error), VP_E_ARGUMENT, "touch is NULL");
    assert_refused(vp_edge_flags(any, NULL, (vp_ivec3){0}, 0, &chunk, NULL, &error), VP_E_ARGUMENT, "flags is NULL");
    assert_refused(vp_mesh_edge_flags(&mesh, NULL, &error), VP_E_ARGUMENT, "flags is NULL");
    assert_refused(vp_blocks_fill(any, (vp_ivec3){0}, (vp_dims){1, 1, 1}, NULL, NULL, NULL, &error), VP_E_ARGUMENT, "fill is NULL");
    assert_refused(vp_surroundings_manifolds_many(&around, &def, NULL, any, 1, 1, any, NULL, &error), VP_E_ARGUMENT, "result is NULL");
    assert_refused(vp_surroundings_manifolds_many(&around, &def, NULL, any, 1, 1, NULL, &result, &error), VP_E_ARGUMENT, "out is NULL");
}
