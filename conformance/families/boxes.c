/* SPDX-License-Identifier: MIT */
/* boxes: the blocks of a chunk that collide, merged into boxes in the prescribed way or in any way. Also the blocks beyond the boxes'
 * sides, and which edges are T-edges. */
#include <stdlib.h>
#include <string.h>

#include "conformance/shared/shared.h"

enum { LOW = 0, SIZE = 3, BEYOND = 6, EDGES = 7, EACH = 8 /* numbers of a box */ };
enum { GREEDY, ANY };

static const char *const mergings[] = {"greedy", "any", NULL};
static const vp_value merging_value = {.type = JSON_STRING, .choice = &(const vp_choice){.names = mergings}};
static const vp_member merging_members[] = {{.name = "merging", .is = &merging_value}, {.name = NULL}};
static const vp_part part_merging = {.size = sizeof(uint32_t), .members = merging_members};

static bool is_any(const vp_question *q)
{
    return *(const uint32_t *)q->part[2] == ANY;
}

/* ---- answering ---- */

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    vp_block_window window;
    void *memory;
    vp_block_boxes boxes = {.box = NULL};
    vp_status status = vp_blocks_window(question, &window, &memory, error);
    if (status == VP_OK)
        status = vp_block_boxes_create(&window, kernels, NULL, &boxes, error);
    if (status == VP_OK) {
        fprintf(to, "boxes %u", boxes.count);
        for (uint32_t i = 0; i < boxes.count; i++) {
            const vp_block_box *b = &boxes.box[i];
            fprintf(to, " %u %u %u %u %u %u %u %u", b->low[0], b->low[1], b->low[2], b->size[0], b->size[1], b->size[2], b->beyond,
                    b->edges);
        }
        vp_block_boxes_destroy(&boxes);
    }
    free(memory);
    return status;
}

static const vp_form forms[] = {{"boxes", .is = VP_FORM_NUMBERS, .each = EACH, .limit = 1u << 12}, {.word = NULL}};

/* ---- the checker of any merged boxes ---- */

typedef struct boxes_check {
    const vp_block_window *window;
    const vp_answer *answer;
    uint32_t *owner; /* for each block of the chunk, 1 + its box, 0 = none */
    char *reason;
} boxes_check;

static bool is_inside(const boxes_check *c, const int32_t at[3])
{
    const int32_t edge = (int32_t)c->window->edge;
    return at[0] >= 0 && at[0] < edge && at[1] >= 0 && at[1] < edge && at[2] >= 0 && at[2] < edge;
}

static uint32_t *owner_of(const boxes_check *c, const int32_t at[3])
{
    const size_t edge = c->window->edge;
    return &c->owner[((size_t)at[1] * edge + (size_t)at[2]) * edge + (size_t)at[0]];
}

static bool collides(const boxes_check *c, const int32_t at[3])
{
    const vp_block_window *w = c->window;
    const vp_block block = w->cell[vp_block_window_at(w->edge, at[0], at[1], at[2])];
    return (vp_block_flags_of(w->type, w->type_count, block) & VP_BLOCK_COLLIDES) != 0;
}

/* Block i of a box, from 0. @return false past the end */
static bool block_of(const uint32_t *box, uint32_t i, int32_t at[3])
{
    const uint32_t *n = box + SIZE;
    at[0] = (int32_t)(box[LOW] + i % n[0]);
    at[2] = (int32_t)(box[LOW + 2] + i / n[0] % n[2]);
    at[1] = (int32_t)(box[LOW + 1] + i / n[0] / n[2]);
    return i < n[0] * n[1] * n[2];
}

/* Whether a block of a box is at one of its sides. */
static bool is_at(const uint32_t *box, const int32_t at[3], uint32_t side)
{
    const uint32_t a = side / 2;
    return (uint32_t)at[a] == (side % 2 == 0 ? box[LOW + a] : box[LOW + a] + box[SIZE + a] - 1);
}

static void step(int32_t at[3], uint32_t side)
{
    at[side / 2] += side % 2 == 0 ? -1 : 1;
}

/* Checks that boxes cover exactly blocks that collide, and do not overlap. */
static bool take_blocks(const boxes_check *c)
{
    for (uint32_t b = 0; b < c->answer->count; b++) {
        const uint32_t *box = &c->answer->number[(size_t)b * EACH];
        int32_t at[3];
        for (int a = 0; a < 3; a++)
            if (box[SIZE + a] == 0 || box[LOW + a] + box[SIZE + a] > c->window->edge) {
                vp_reason_say(c->reason, "box %u is empty, or not in the chunk", b);
                return false;
            }
        for (uint32_t i = 0; block_of(box, i, at); i++) {
            uint32_t *owner = owner_of(c, at);
            if (!collides(c, at) || *owner != 0) {
                vp_reason_say(c->reason, "block (%d, %d, %d) is in box %u, and %s", (int)at[0], (int)at[1], (int)at[2], b,
                              *owner != 0 ? "in another one" : "does not collide");
                return false;
            }
            *owner = b + 1;
        }
    }
    const uint32_t edge = c->window->edge, whole[EACH] = {0, 0, 0, edge, edge, edge};
    int32_t at[3];
    for (uint32_t i = 0; block_of(whole, i, at); i++)
        if (collides(c, at) && *owner_of(c, at) == 0) {
            vp_reason_say(c->reason, "block (%d, %d, %d) collides, and is in no box", (int)at[0], (int)at[1], (int)at[2]);
            return false;
        }
    return true;
}

static uint32_t beyond_of(const boxes_check *c, const uint32_t *box, uint32_t side)
{
    uint32_t what = 0;
    int32_t at[3];
    for (uint32_t i = 0; block_of(box, i, at); i++)
        if (is_at(box, at, side)) {
            step(at, side);
            what |= collides(c, at) ? VP_BOX_COVERED : VP_BOX_EXPOSED;
        }
    return what;
}

/* Whether the edge of a box between two sides lies within the face of a box beyond the first side. At the chunk's border, whether there
 * is a block. */
static bool ends_on_face(const boxes_check *c, const uint32_t *box, uint32_t side, uint32_t other)
{
    int32_t at[3];
    for (uint32_t i = 0; block_of(box, i, at); i++) {
        if (!is_at(box, at, side))
            continue;
        const bool at_edge = is_at(box, at, other);
        step(at, side);
        if (!is_inside(c, at)) {
            if (collides(c, at))
                return true;
            continue;
        }
        const uint32_t owner = *owner_of(c, at);
        step(at, other);
        if (at_edge && owner != 0 && is_inside(c, at) && *owner_of(c, at) == owner)
            return true;
    }
    return false;
}

static uint32_t edges_of(const boxes_check *c, const uint32_t *box)
{
    uint32_t out = 0;
    for (uint32_t side = 0; side < VP_SIDE_COUNT; side++)
        for (uint32_t other = 0; other < VP_SIDE_COUNT; other++)
            if (side / 2 != other / 2 && ends_on_face(c, box, side, other))
                out |= 1u << vp_block_box_edge(side, other);
    return out;
}

static void check_cover(const boxes_check *c)
{
    if (!take_blocks(c))
        return;
    for (uint32_t b = 0; b < c->answer->count; b++) {
        const uint32_t *box = &c->answer->number[(size_t)b * EACH], edges = edges_of(c, box);
        uint32_t beyond = 0;
        for (uint32_t side = 0; side < VP_SIDE_COUNT; side++)
            beyond |= beyond_of(c, box, side) << 2 * side;
        if (box[BEYOND] != beyond || box[EDGES] != edges) {
            vp_reason_say(c->reason, "box %u has %u beyond its sides and the T-edges %u; right is %u and %u", b, box[BEYOND], box[EDGES],
                          beyond, edges);
            return;
        }
    }
}

/* ---- judging ---- */

static vp_status judge_cover(const vp_judging *j, bool *right)
{
    vp_block_window window;
    void *memory;
    vp_status status = vp_blocks_window(j->q, &window, &memory, j->error);
    boxes_check c = {.window = &window, .answer = j->answer, .reason = j->reason};
    if (status == VP_OK)
        c.owner = calloc((size_t)window.edge * window.edge * window.edge, sizeof *c.owner);
    if (status == VP_OK && c.owner == NULL)
        status = vp_fail(j->error, VP_E_MEMORY, "no memory for a chunk of edge %u", window.edge);
    if (status == VP_OK)
        check_cover(&c);
    *right = j->reason[0] == '\0';
    free(c.owner);
    free(memory);
    return status;
}

static vp_status judge(const vp_judging *j, bool *right)
{
    if (json_object_get(j->alternative, "checker") != NULL)
        return judge_cover(j, right);
    uint32_t count, *wanted = vp_numbers_of(json_object_get(j->alternative, "boxes"), EACH, &count);
    if (wanted == NULL)
        return vp_fail(j->error, VP_E_MEMORY, "no memory for %u boxes", count);
    *right = count == j->answer->count && memcmp(wanted, j->answer->number, (size_t)count * EACH * sizeof *wanted) == 0;
    free(wanted);
    return VP_OK;
}

static vp_status like(const vp_likening *l, const vp_answer *right)
{
    bool same;
    return vp_like_expected(l, l->words,
                            is_any(l->q) ? json_pack("{s:s}", "checker", "cover")
                                         : json_pack("{s:o}", "boxes", vp_numbers_json(right->number, right->count, EACH)),
                            &same);
}

/* The question decides which of the two is expected. */
static vp_status sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    if ((json_object_get(alternative, "checker") != NULL) != is_any(q) || vp_blocks_refused(q))
        return vp_expected_wrong(alternative, "checker", error);
    return (json_object_get(alternative, "boxes") != NULL) == is_any(q) ? vp_expected_wrong(alternative, "boxes", error) : VP_OK;
}

static const vp_value number = {.type = JSON_INTEGER, .most = (1u << 12) - 1}, box = {.type = JSON_ARRAY, .part = &number, .count = EACH},
                      boxes = {.type = JSON_ARRAY, .part = &box, .also = vp_value_unique};
static const vp_member expected[] = {
    {.name = "boxes", .is = &boxes, .otherwise = ""}, {.name = "checker", .is = &vp_is_words, .otherwise = ""}, {.name = NULL}};

const vp_family vp_family_boxes = {VP_FAMILY("boxes", VP_EXACT | VP_PROPERTY | VP_REFUSED),
                                   .checker = "cover",
                                   .part = {&vp_part_placed_types, &vp_part_chunk, &part_merging},
                                   .sound = sound,
                                   .unsound = vp_blocks_unsound,
                                   .like = like};
