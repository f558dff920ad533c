/* SPDX-License-Identifier: MIT */
/* A synthetic recording of every recordable thing, and the contents of each frame. */
#ifndef TEST_VIEW_SAMPLE_H
#define TEST_VIEW_SAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/record.h>

enum { SAMPLE_IDS = 40, SAMPLE_SHAPES = 8, SAMPLE_ROWS = 5, SAMPLE_CELLS = 20 * 6 * 9 };

/* Contents of the layers in a frame. */
typedef struct frame_sample {
    uint64_t random;
    struct {
        bool there;
        vp_record_item item;
        double values[3], speed[3];
    } item[2][SAMPLE_IDS];
    double rows[SAMPLE_ROWS][7], table[SAMPLE_ROWS][4], held[2][7];
    uint32_t row_count, table_count, held_count, text_count;
    vp_record_text text[2];
    char letters[2][40];
    double scalars[2];
    uint8_t cell[SAMPLE_CELLS];
    uint32_t layer[8];
} frame_sample;

static inline double sample_random(frame_sample *s) /* 0 to 1 */
{
    s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(s->random >> 40) / (1 << 24);
}

static inline uint32_t sample_below(frame_sample *s, uint32_t count)
{
    return (uint32_t)(sample_random(s) * count);
}

/* The layers, and shapes of every form. */
static inline void sample_begin(frame_sample *s, const vp_recorder *to)
{
    static const vp_record_name states[] = {{"awake", 0xe07b39}, {"asleep", VP_RECORD_ANY_COLOUR}};
    static const vp_record_name words[] = {{"merged", VP_RECORD_ANY_COLOUR}, {"dropped", VP_RECORD_ANY_COLOUR}};
    static const vp_record_name materials[] = {{"empty", VP_RECORD_ANY_COLOUR}, {"wood", 0x7b5433}, {"leaf", 0x4f8a3c}};
    static const vp_record_column of_hull[] = {{.name = "volume"},
                                               {.name = "from", .scale = 1, .meaning = VP_RECORD_ORIGIN},
                                               {.name = "and", .scale = 1, .meaning = VP_RECORD_ORIGIN}};
    static const vp_record_column of_table[] = {{.name = "a", .scale = 1, .meaning = VP_RECORD_ITEM, .of = 0},
                                                {.name = "b", .scale = 1, .meaning = VP_RECORD_ITEM, .of = 1},
                                                {.name = "error", .scale = 1000},
                                                {.name = "then", .scale = 1, .meaning = VP_RECORD_WORD, .words = words, .word_count = 2}};
    static const vp_record_column of_row[] = {{.name = "depth"}};
    static const vp_record_column of_figures[] = {{.name = "energy"}, {.name = "</script><b>count</b>"}};
    const vp_record_layer layers[] = {
        {.name = "hulls", .kind = VP_RECORD_ITEMS, .scale = 4096, .colouring = VP_RECORD_BY_ID, .columns = of_hull, .column_count = 3},
        {.name = "bodies", .kind = VP_RECORD_ITEMS, .scale = 256, .states = states, .state_count = 2, .opacity = 0.75},
        {.name = "contacts", .kind = VP_RECORD_ARRAY, .draw = VP_RECORD_ARROWS, .scale = 1024, .columns = of_row, .column_count = 1},
        {.name = "held", .kind = VP_RECORD_ARRAY, .draw = VP_RECORD_BOXES, .scale = 16, .hold = true, .columns = of_row, .column_count = 1},
        {.name = "decisions", .kind = VP_RECORD_ARRAY, .about = "Why were these two not merged?", .columns = of_table, .column_count = 4},
        {.name = "labels", .kind = VP_RECORD_TEXTS, .placed = true, .scale = 64},
        {.name = "figures", .kind = VP_RECORD_SCALARS, .columns = of_figures, .column_count = 2},
        {.name = "cells", .kind = VP_RECORD_VOXELS, .size = {20, 6, 9}, .low = {-10, 0, 4}, .materials = materials, .material_count = 3},
    };
    static const float corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 9, 9, 9, 0, 0, 1}; /* one shape is unused */
    static const uint32_t triangle[] = {4, 1, 2, 0, 4, 2, 0, 1, 4, 0, 2, 1};
    static const uint8_t material[] = {1, 1, 2, 0};
    for (int i = 0; i < 8; i++)
        s->layer[i] = to->layer(to->user, &layers[i]);
    for (int i = 0; i < SAMPLE_SHAPES; i++) {
        const vp_record_shape shape = {.form = i < 5 ? (vp_record_form)i : VP_RECORD_MESH,
                                       .scale = 4096,
                                       .size = {0.5 + i * 0.125, 0.25, 1},
                                       .corner = corner,
                                       .corner_count = 5,
                                       .triangle = triangle,
                                       .triangle_count = i == 7 ? 0 : 4,
                                       .material = i == 6 ? material : NULL};
        to->shape(to->user, &shape);
    }
}

static inline void sample_turn(frame_sample *s, double q[4])
{
    double length = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = sample_random(s) - 0.5;
        length += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(length);
}

static inline void sample_item(frame_sample *s, const vp_recorder *to, int layer, uint32_t id)
{
    vp_record_item *i = &s->item[layer][id].item;
    double *speed = s->item[layer][id].speed, *values = s->item[layer][id].values;
    if (!s->item[layer][id].there || sample_below(s, 12) == 0) {
        *i = (vp_record_item){.id = id * 7, .shape = sample_below(s, SAMPLE_SHAPES), .state = 0};
        for (int k = 0; k < 3; k++) {
            i->position[k] = 40 * sample_random(s) - 20;
            speed[k] = sample_random(s) - 0.5;
        }
        values[0] = sample_random(s) * 1e-3;
        values[1] = (double)sample_below(s, SAMPLE_IDS) * 7 - 7;
        values[2] = -1;
    }
    if (sample_below(s, 4) != 0)
        for (int k = 0; k < 3; k++)
            i->position[k] += speed[k];
    if (sample_below(s, 3) == 0)
        sample_turn(s, i->rotation);
    if (sample_below(s, 5) == 0)
        values[0] += 1;
    i->state = layer == 1 ? sample_below(s, 2) : 0;
    if (sample_below(s, 60) == 0) /* a jump far away */
        i->position[0] = i->position[0] > 0 ? -5e5 : 5e5;
    i->values = layer == 0 ? values : NULL;
    s->item[layer][id].there = true;
    to->item(to->user, s->layer[layer], i);
}

/* Records a frame except for its end. */
static inline void sample_frame(frame_sample *s, const vp_recorder *to)
{
    for (int layer = 0; layer < 2; layer++)
        for (uint32_t id = 0; id < SAMPLE_IDS; id++) {
            const uint32_t what = sample_below(s, 10);
            if (what < 5 && (s->item[layer][id].there || what == 0))
                sample_item(s, to, layer, id);
            if (what >= 8 && s->item[layer][id].there && sample_below(s, 6) == 0) {
                s->item[layer][id].there = false;
                to->remove(to->user, s->layer[layer], id * 7);
                if (sample_below(s, 2) == 0) /* and added again */
                    sample_item(s, to, layer, id);
            }
        }
    s->row_count = sample_below(s, SAMPLE_ROWS + 1);
    s->table_count = sample_below(s, SAMPLE_ROWS + 1);
    for (int i = 0; i < SAMPLE_ROWS; i++)
        for (int k = 0; k < 7; k++)
            s->rows[i][k] = 1000 * sample_random(s) - 500;
    for (int i = 0; i < SAMPLE_ROWS; i++) {
        s->table[i][0] = sample_below(s, SAMPLE_IDS) * 7;
        s->table[i][1] = sample_below(s, SAMPLE_IDS) * 7;
        s->table[i][2] = sample_random(s);
        s->table[i][3] = sample_below(s, 2);
    }
    if (s->row_count > 0 || sample_below(s, 2) == 0)
        to->rows(to->user, s->layer[2], s->rows[0], s->row_count);
    if (s->table_count > 0)
        to->rows(to->user, s->layer[4], s->table[0], s->table_count);
    if (sample_below(s, 9) == 0) {
        s->held_count = sample_below(s, 3);
        for (int k = 0; k < 14; k++)
            s->held[k / 7][k % 7] = sample_below(s, 100);
        to->rows(to->user, s->layer[3], s->held[0], s->held_count);
    }
    s->text_count = sample_below(s, 3);
    for (uint32_t i = 0; i < s->text_count; i++) {
        snprintf(s->letters[i], sizeof s->letters[i], "</script> \xc3\xa4 %u", sample_below(s, 1000));
        s->text[i] = (vp_record_text){.at = {sample_below(s, 50), 3, -7}, .text = s->letters[i]};
    }
    to->texts(to->user, s->layer[5], s->text, s->text_count);
    if (sample_below(s, 3) != 0) {
        s->scalars[0] = sample_random(s) / 3;
        s->scalars[1] += 1;
        to->scalars(to->user, s->layer[6], s->scalars);
    }
    for (uint32_t i = sample_below(s, 12); i > 0; i--) {
        const vp_record_voxel v = {sample_below(s, SAMPLE_CELLS), (uint8_t)sample_below(s, 3)};
        s->cell[v.cell] = v.material;
        to->voxels(to->user, s->layer[7], &v, 1);
    }
}

#endif
