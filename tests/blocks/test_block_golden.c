/* SPDX-License-Identifier: MIT */
/* The article's planet: how many triangles, boxes and contacts it has, as another program counted them block by block and pair by pair; and
 * how many faces a camera needs. */
#include "tests/support/check.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/block_shapes.h>
#include <voxphys/blocks.h>

#include "datasets/random.h"

#ifdef TEST_THIN /* what has been counted once is counted so by every build; of memory there is nothing new in it */
enum { CAMERAS = 0, ALL_OF_IT = 0 };
#else
enum { CAMERAS = 20, ALL_OF_IT = 1 };
#endif
enum { CHUNKS = 5, ALL = CHUNKS * CHUNKS * CHUNKS };

typedef struct planet {
    vp_blocks *blocks;
    vp_block_held held;
    vp_ivec3 low;
} planet;

static void make(planet *p)
{
    const vp_block_planet_def def = {42, CHUNKS, true, false};
    vp_block_planet from;
    assert_ok(vp_block_planet_make(&def, &from, &error));
    assert_ok(vp_blocks_create(&(vp_blocks_def){0}, &p->blocks, &error));
    const vp_dims size = {CHUNKS, CHUNKS, CHUNKS};
    p->low = from.low;
    assert_ok(vp_blocks_fill(p->blocks, p->low, size, vp_block_planet_fill, &from, NULL, &error));
    assert_ok(vp_blocks_hold(p->blocks, p->low, size, &p->held, &error));
}

static void drop(planet *p)
{
    vp_blocks_let_go(p->blocks, &p->held);
    vp_blocks_destroy(p->blocks);
}

static vp_ivec3 chunk_of(const planet *p, int c)
{
    return (vp_ivec3){p->low.x + c % CHUNKS, p->low.y + c / CHUNKS / CHUNKS, p->low.z + c / CHUNKS % CHUNKS};
}

static void window_of(const planet *p, int c, uint32_t edge, uint32_t sides, vp_block_window *out)
{
    static vp_block cells[VP_BLOCK_WINDOW_CELLS];
    assert_ok(vp_block_window_fill(&p->held.view, chunk_of(p, c), edge, sides, cells, &error));
    *out = (vp_block_window){cells, edge, p->held.view.type, p->held.view.type_count};
}

static uint32_t triangles(const planet *p, uint32_t edge, uint32_t sides, bool merged, bool occlusion)
{
    uint32_t count = 0;
    for (int c = 0; c < ALL; c++) {
        vp_block_quads_def def = {.merged = merged, .occlusion = occlusion};
        vp_block_quads q;
        window_of(p, c, edge, sides, &def.window);
        assert_ok(vp_block_quads_create(&def, &q, &error));
        count += 2 * q.first[VP_SIDE_COUNT];
        vp_block_quads_destroy(&q);
    }
    return count;
}

static void as_many_triangles(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-1, BSH-3 */
    planet p;
    make(&p);
    assert_int_equal(triangles(&p, 32, VP_SIDES_ALL, false, false), 193716);
    if (!ALL_OF_IT) {
        drop(&p);
        return;
    }
    assert_int_equal(triangles(&p, 32, 0, false, false), 754608);
    const uint32_t merged = triangles(&p, 32, VP_SIDES_ALL, true, false), lit = triangles(&p, 32, VP_SIDES_ALL, true, true);
    const uint32_t half = triangles(&p, 16, VP_SIDES_ALL, false, false), quarter = triangles(&p, 8, VP_SIDES_ALL, false, false);
    print_message("merged %u, with light %u; halved %u, again %u\n", merged, lit, half, quarter);
    assert_true(merged < lit && lit < 193716);
    assert_true(quarter > 0 && quarter * 3 < half && half * 3 < 193716); /* a surface: about a quarter each time */
    drop(&p);
}

/* The light of a corner is asked of what three blocks around the corner are, whichever chunk sees them: faces of two chunks that meet in a
 * plane have the same light where they meet, if they are alike on both sides. Shown by halves: a world moved by half a chunk has the same.
 */
static void light_across_chunks(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-2 */
    planet p;
    uint64_t sums[2] = {0, 0};
    if (!ALL_OF_IT)
        return;
    make(&p);
    vp_blocks *moved = NULL;
    assert_ok(vp_blocks_create(&(vp_blocks_def){0}, &moved, &error));
    enum { EDGE = CHUNKS * 32, BY = 13 };
    vp_block *cell = malloc(VP_BLOCK_CELLS * sizeof *cell);
    assert_non_null(cell);
    for (int c = 0; c < (CHUNKS + 1) * (CHUNKS + 1) * (CHUNKS + 1); c++) {
        const vp_ivec3 chunk = {c % 6, c / 36, c / 6 % 6};
        for (int32_t i = 0; i < VP_BLOCK_CELLS; i++)
            cell[i] =
                vp_blocks_block(p.blocks, (vp_ivec3){p.low.x * 32 + chunk.x * 32 + i % 32 - BY, p.low.y * 32 + chunk.y * 32 + i / 1024 - BY,
                                                     p.low.z * 32 + chunk.z * 32 + i / 32 % 32 - BY});
        const vp_block_cells cells = {cell, 2, 0};
        assert_ok(vp_blocks_put(moved, chunk, &cells, &error));
    }
    free(cell);
    for (int k = 0; k < 2; k++) {
        planet q = {k == 0 ? p.blocks : moved, {.of = NULL}, k == 0 ? p.low : (vp_ivec3){0, 0, 0}};
        const uint32_t along = CHUNKS + (uint32_t)k;
        const vp_ivec3 first = {q.low.x * 32 + BY * k, q.low.y * 32 + BY * k, q.low.z * 32 + BY * k}; /* of the old world */
        assert_ok(vp_blocks_hold(q.blocks, q.low, (vp_dims){along, along, along}, &q.held, &error));
        for (uint32_t c = 0; c < along * along * along; c++) {
            static vp_block cells[VP_BLOCK_WINDOW_CELLS];
            const vp_ivec3 chunk = {q.low.x + (int32_t)(c % along), q.low.y + (int32_t)(c / along / along),
                                    q.low.z + (int32_t)(c / along % along)};
            vp_block_quads quads;
            assert_ok(vp_block_window_fill(&q.held.view, chunk, 32, VP_SIDES_ALL, cells, &error));
            const vp_block_quads_def def = {{cells, 32, q.held.view.type, q.held.view.type_count}, false, true, NULL, NULL};
            assert_ok(vp_block_quads_create(&def, &quads, &error));
            for (uint64_t side = 0; side < VP_SIDE_COUNT; side++)
                for (uint32_t i = quads.first[side]; i < quads.first[side + 1]; i++) {
                    const vp_block_quad *f = &quads.quad[i];
                    const uint64_t x = (uint64_t)(chunk.x * 32 + f->x - first.x), y = (uint64_t)(chunk.y * 32 + f->y - first.y),
                                   z = (uint64_t)(chunk.z * 32 + f->z - first.z);
                    vp_random mix = {((x << 8 | y) << 8 | z) << 32 | side << 28 | (uint64_t)f->occlusion << 16 | f->type};
                    sums[k] += vp_random_next(&mix);
                }
            vp_block_quads_destroy(&quads);
        }
        vp_blocks_let_go(q.blocks, &q.held);
    }
    assert_true(sums[0] == sums[1]);
    vp_blocks_destroy(moved);
    drop(&p);
}

/* Boxes in the world. */
typedef struct whole_box {
    int32_t low[3], high[3];
    vp_block_box box;
    int chunk;
} whole_box;

static bool is_marked(const whole_box *b, uint32_t side, uint32_t end)
{
    return (b->box.edges >> vp_block_box_edge(side, end) & 1u) != 0;
}

static void as_many_boxes(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-4, BSH-5 */
    planet p;
    make(&p);
    whole_box *all = malloc(10000 * sizeof *all);
    uint32_t count = 0, hidden = 0, full = 0, contacts = 0, with_t_edges = 0, across = 0;
    assert_non_null(all);
    for (int c = 0; c < ALL; c++) {
        vp_block_window window;
        vp_block_boxes b;
        const vp_ivec3 chunk = chunk_of(&p, c);
        window_of(&p, c, 32, VP_SIDES_ALL, &window);
        assert_ok(vp_block_boxes_create(&window, NULL, NULL, &b, &error));
        for (uint32_t i = 0; i < b.count; i++) {
            const int32_t first[3] = {chunk.x * 32, chunk.y * 32, chunk.z * 32};
            bool is_hidden = true;
            assert_true(count < 10000);
            whole_box *w = &all[count++];
            w->box = b.box[i];
            w->chunk = c;
            for (int a = 0; a < 3; a++) {
                w->low[a] = first[a] + b.box[i].low[a];
                w->high[a] = w->low[a] + b.box[i].size[a];
            }
            for (uint32_t s = 0; s < VP_SIDE_COUNT; s++)
                is_hidden = is_hidden && vp_block_box_side(&b.box[i], s) == VP_BOX_COVERED;
            hidden += is_hidden;
        }
        full += b.count == 1 && b.box[0].size[0] == 32 && b.box[0].size[1] == 32 && b.box[0].size[2] == 32;
        vp_block_boxes_destroy(&b);
    }
    assert_int_equal(count, 6831);
    assert_int_equal(hidden, 27);
    assert_int_equal(full, 24);
    /* every pair of boxes that touch: where the faces do not match, the edge of the one that ends is marked */
    for (uint32_t i = 0; ALL_OF_IT && i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            const whole_box *b[2] = {&all[i], &all[j]};
            int touching = 0;
            uint32_t axis = 0;
            bool beside = true, match = true;
            for (uint32_t a = 0; a < 3; a++) {
                const int32_t low = b[0]->low[a] > b[1]->low[a] ? b[0]->low[a] : b[1]->low[a];
                const int32_t high = b[0]->high[a] < b[1]->high[a] ? b[0]->high[a] : b[1]->high[a];
                beside = beside && low <= high;
                touching += low == high;
                axis = low == high ? a : axis;
            }
            if (!beside || touching != 1)
                continue;
            for (uint32_t a = 0; a < 3; a++) {
                if (a == axis)
                    continue;
                for (uint32_t end = 0; end < 2; end++) { /* which of the two ends first there, if any */
                    const int32_t reach0 = end == 0 ? -b[0]->low[a] : b[0]->high[a], reach1 = end == 0 ? -b[1]->low[a] : b[1]->high[a];
                    if (reach0 == reach1)
                        continue;
                    const int ends = reach0 < reach1 ? 0 : 1;
                    const uint32_t side = 2 * axis + (b[ends]->high[axis] == b[1 - ends]->low[axis]);
                    match = false;
                    assert_true(is_marked(b[ends], side, 2 * a + end));
                }
            }
            contacts++;
            with_t_edges += !match;
            across += b[0]->chunk != b[1]->chunk;
        }
    if (ALL_OF_IT) {
        assert_int_equal(contacts, 23168);
        assert_int_equal(with_t_edges, 22962);
        assert_true(across > 100);
    }
    free(all);
    drop(&p);
}

/* Of the six lists a camera needs, of each chunk, those whose faces may look towards it: it is beyond the lowest plane of a side, or of
 * all. */
static void lists_by_side_save_half(void **state)
{
    (void)state;
    planet p;
    vp_random r = {11};
    uint64_t faces = 0, drawn = 0, towards = 0;
    if (!ALL_OF_IT)
        return;
    make(&p);
    for (int i = 0; i < CAMERAS; i++) {
        double at[3], length = 0;
        for (int a = 0; a < 3; a++) {
            at[a] = (double)vp_random_between(&r, -1, 1);
            length += at[a] * at[a];
        }
        for (int a = 0; a < 3; a++)
            at[a] *= 130 * (1 + (double)(i % 4)) / sqrt(length); /* outside: its corners are 66 sqrt 3 away */
        for (int c = i % 5; c < ALL; c += 5) {
            vp_block_quads_def def = {.merged = false};
            vp_block_quads q;
            const vp_ivec3 chunk = chunk_of(&p, c);
            const int32_t first[3] = {chunk.x * 32, chunk.y * 32, chunk.z * 32};
            window_of(&p, c, 32, VP_SIDES_ALL, &def.window);
            assert_ok(vp_block_quads_create(&def, &q, &error));
            for (uint32_t side = 0; side < VP_SIDE_COUNT; side++) {
                const uint32_t a = side / 2;
                const bool needed = side % 2 == 1 ? at[a] > first[a] + 1 : at[a] < first[a] + 31;
                for (uint32_t f = q.first[side]; f < q.first[side + 1]; f++) {
                    const uint8_t block[3] = {q.quad[f].x, q.quad[f].y, q.quad[f].z};
                    const int32_t plane = first[a] + block[a] + (side % 2 == 1);
                    const bool seen = side % 2 == 1 ? at[a] > plane : at[a] < plane;
                    assert_true(needed || !seen); /* nothing that looks at it is left out */
                    towards += seen;
                }
                drawn += needed ? q.first[side + 1] - q.first[side] : 0;
            }
            faces += q.first[VP_SIDE_COUNT];
            vp_block_quads_destroy(&q);
        }
    }
    print_message("%.1f %% of the faces are left out, of %.1f %% that look away\n", 100 - 100 * (double)drawn / (double)faces,
                  100 - 100 * (double)towards / (double)faces);
    assert_true((double)drawn / (double)faces < 0.6 && (double)drawn / (double)faces > 0.4);
    drop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_many_triangles), cmocka_unit_test(light_across_chunks),
                                       cmocka_unit_test(as_many_boxes), cmocka_unit_test(lists_by_side_save_half)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
