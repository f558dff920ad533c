/* SPDX-License-Identifier: MIT */
/* faces: the visible faces of a chunk's blocks, and the light at their corners. */
#include <stdlib.h>

#include "conformance/shared/shared.h"

enum { EACH = 5 /* a face is x, y, z, side, light */ };

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    vp_block_quads_def def = {.occlusion = true, .kernels = kernels};
    vp_block_quads faces = {.quad = NULL};
    void *memory;
    vp_status status = vp_blocks_window(question, &def.window, &memory, error);
    if (status == VP_OK)
        status = vp_block_quads_create(&def, &faces, error);
    if (status == VP_OK) {
        fprintf(to, "faces %u", faces.first[VP_SIDE_COUNT]);
        for (uint32_t side = 0; side < VP_SIDE_COUNT; side++)
            for (uint32_t i = faces.first[side]; i < faces.first[side + 1]; i++) {
                const vp_block_quad *f = &faces.quad[i];
                fprintf(to, " %u %u %u %u %u", f->x, f->y, f->z, side, f->occlusion);
            }
        vp_block_quads_destroy(&faces);
    }
    free(memory);
    return status;
}

/* ---- answers ---- */

static const vp_form forms[] = {{"faces", .is = VP_FORM_NUMBERS, .each = EACH, .limit = VP_BLOCK_LIGHT + 1}, {.word = NULL}};

static vp_status judge(const vp_judging *j, bool *right)
{
    return vp_set_judge(j, EACH, "faces", NULL, right);
}

static json_t *expect(const vp_question *q, const vp_answer *right)
{
    return json_pack("{s:o}", "faces", vp_numbers_json(right->number, right->count, EACH));
}

/* Checks that the faces belong to blocks of the chunk. */
static vp_status sound(const vp_question *question, const json_t *alternative, vp_error *error)
{
    const vp_query_chunk *q = question->part[1];
    uint32_t count, *face = vp_numbers_of(json_object_get(alternative, "faces"), EACH, &count);
    bool good = !vp_blocks_refused(question);
    if (face == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u faces", count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *f = &face[i * EACH];
        good = good && f[0] < q->edge && f[1] < q->edge && f[2] < q->edge && f[3] < VP_SIDE_COUNT;
    }
    free(face);
    return good ? VP_OK : vp_expected_wrong(alternative, "faces", error);
}

static const vp_value number = {.type = JSON_INTEGER, .most = VP_BLOCK_LIGHT}, face = {.type = JSON_ARRAY, .part = &number, .count = EACH},
                      faces = {.type = JSON_ARRAY, .part = &face, .also = vp_value_unique};
static const vp_member expected[] = {{.name = "faces", .is = &faces}, {.name = NULL}};

const vp_family vp_family_faces = {VP_FAMILY("faces", VP_SET | VP_REFUSED), .part = {&vp_part_placed_types, &vp_part_chunk}, .sound = sound,
                                   .unsound = vp_blocks_unsound, .expect = expect};
