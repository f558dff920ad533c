/* SPDX-License-Identifier: MIT */
/* Trees in memory of exactly the documented sizes, as whoever calls the kernels may have them: the nodes in use; of items and their
 * numbers VP_KD_ITEM_SLACK more in the forms that say so; what packed and implied trees say of their vertices; vertices, indices and
 * lists without any slack. (Where an implied tree's vertices are stays where it was.) Every version gives the answers that
 * testing every triangle gives, and touches no byte beyond: on the heap, where sanitizers know each block's end, and between
 * pages that cannot be touched, in every build. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200112L /* posix_memalign: aligned_alloc takes whole multiples of its alignment alone */
#endif
#include "tests/support/check.h"
#include "tests/support/forms.h"
#include "tests/support/guard.h"
#include "tests/support/triangles.h"

#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "src/kd/corners.h"

typedef enum place { ON_HEAP, BEHIND_PAGE, BEFORE_PAGE, PLACES } place;

static const char *const place_name[PLACES] = {"on the heap", "behind a page", "before a page"};

typedef struct block {
    void *data;
    test_guard guard; /* where it is not on the heap */
} block;

/* Before a page a block ends as near to it as its alignment allows. */
static block block_make(place at, size_t bytes, size_t alignment)
{
    block b = {0};
    if (at == ON_HEAP) {
        assert_int_equal(posix_memalign(&b.data, 64, bytes), 0);
        return b;
    }
    const size_t whole = (bytes + alignment - 1) / alignment * alignment;
    b.guard = test_guard_make(at == BEFORE_PAGE ? whole : bytes, at == BEFORE_PAGE ? TEST_FLUSH_END : TEST_FLUSH_BEGIN);
    b.data = b.guard.data;
    return b;
}

static void block_free(block *b)
{
    if (b->guard.mapping != NULL)
        test_guard_free(&b->guard);
    else
        free(b->data);
}

/* ---- questions, and their answers by every triangle ---- */

enum { RAYS = 48, BOXES = 24, MAX_MET = 512, PACKETS = 6 };

typedef struct questions {
    vp_ray ray[RAYS];
    float radius[RAYS];
    vp_hit closest[RAYS], touched[RAYS], met[RAYS][MAX_MET];
    uint32_t meetings[RAYS];
    vp_ray packet[PACKETS][16];
    vp_hit of_packet[PACKETS][16];
    vp_aabb box[BOXES];
    uint32_t *inside[BOXES], found[BOXES];
} questions;

/* Rays from one place around a corner, as a camera's: packets of others are asked one by one. The last one has strangers. */
static void packets_make(vp_random *r, const vp_triangles *t, questions *q)
{
    for (int p = 0; p < PACKETS; p++) {
        vp_vec3 corner[3], from;
        test_corners(t, vp_random_below(r, t->triangle_count), corner);
        from.x = corner[0].x + vp_random_between(r, -5.0f, 5.0f);
        from.y = corner[0].y + vp_random_between(r, 5.0f, 9.0f);
        from.z = corner[0].z + vp_random_between(r, -5.0f, 5.0f);
        for (int i = 0; i < 16; i++) {
            vp_vec3 to = vp_vec3_sub(corner[0], from);
            to.x += vp_random_between(r, -0.5f, 0.5f);
            to.z += vp_random_between(r, -0.5f, 0.5f);
            q->packet[p][i] = p == PACKETS - 1 ? test_ray(r, t) : (vp_ray){from, to, 100.0f};
            q->of_packet[p][i] = test_closest(t, &q->packet[p][i]);
        }
    }
}

static void questions_make(vp_random *r, const vp_triangles *t, questions *q)
{
    for (int i = 0; i < RAYS; i++) {
        q->ray[i] = test_ray(r, t);
        q->radius[i] = vp_random_between(r, 0.0f, 3.0f);
        q->closest[i] = test_closest(t, &q->ray[i]);
        q->touched[i] = test_first_touched(t, &q->ray[i], q->radius[i]);
        q->meetings[i] = test_all(t, &q->ray[i], q->met[i], MAX_MET);
    }
    for (int i = 0; i < BOXES; i++) {
        const vp_vec3 low = q->ray[i].origin;
        const float size = vp_random_below(r, 4) == 0 ? 100.0f : 6.0f;
        q->box[i] = (vp_aabb){{low.x - size, low.y - size, low.z - size}, {low.x + size, low.y + size, low.z + size}};
        q->inside[i] = malloc((t->triangle_count + 1u) * sizeof *q->inside[i]);
        assert_non_null(q->inside[i]);
        q->found[i] = test_overlapping(t, &q->box[i], q->inside[i]);
    }
    packets_make(r, t, q);
}

static void questions_free(questions *q)
{
    for (int i = 0; i < BOXES; i++)
        free(q->inside[i]);
}

/* ---- asked of one tree ---- */

static int by_number(const void *one, const void *two)
{
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)two;
    return (a > b) - (a < b);
}

static bool rays_are_right(const vp_kernels *k, const vp_kd_view *tree, const questions *q, place at)
{
    bool right = true;
    for (uint32_t i = 0; i < RAYS; i++) {
        const vp_ray *ray = &q->ray[i];
        const vp_hit hit = k->kd_ray(tree, ray), touched = k->kd_sphere_sweep(tree, ray, q->radius[i]);
        right = right && memcmp(&hit, &q->closest[i], sizeof hit) == 0 && memcmp(&touched, &q->touched[i], sizeof hit) == 0;
        right = right && k->kd_ray_any(tree, ray) == (q->meetings[i] != 0);
        block list = block_make(at, q->meetings[i] * sizeof(vp_hit), 4);
        right = right && k->kd_ray_all(tree, ray, list.data, q->meetings[i]) == q->meetings[i] &&
                (q->meetings[i] == 0 || memcmp(list.data, q->met[i], q->meetings[i] * sizeof(vp_hit)) == 0);
        block_free(&list);
    }
    for (int p = 0; p < PACKETS; p++) {
        vp_hit hit[16];
        k->kd_ray16(tree, q->packet[p], 16, hit);
        right = right && memcmp(hit, q->of_packet[p], sizeof hit) == 0;
        k->kd_ray8(tree, q->packet[p] + 8, 8, hit);
        right = right && memcmp(hit, q->of_packet[p] + 8, 8 * sizeof *hit) == 0;
    }
    return right;
}

static bool boxes_are_right(const vp_kernels *k, const vp_kd_view *tree, const questions *q, place at)
{
    bool right = true;
    for (uint32_t i = 0; i < BOXES; i++) {
        const uint32_t found = q->found[i], more = k->kd_gather_leaves(tree, &q->box[i], NULL, 0);
        block list = block_make(at, found * sizeof(uint32_t), 4), leaves = block_make(at, more * sizeof(uint32_t), 4);
        right = right && k->kd_gather(tree, &q->box[i], list.data, found) == found && more >= found;
        right = right && k->kd_gather_leaves(tree, &q->box[i], leaves.data, more) == more;
        if (right && found != 0) {
            qsort(list.data, found, sizeof(uint32_t), by_number);
            qsort(leaves.data, more, sizeof(uint32_t), by_number);
            right = memcmp(list.data, q->inside[i], found * sizeof(uint32_t)) == 0;
            for (uint32_t n = 0; n < found; n++)
                right = right && bsearch(&q->inside[i][n], leaves.data, more, sizeof(uint32_t), by_number) != NULL;
        }
        block_free(&list);
        block_free(&leaves);
    }
    return right;
}

static block copy(place at, const void *from, size_t bytes, size_t more, size_t alignment)
{
    block b = block_make(at, bytes + more, alignment);
    memcpy(b.data, from, bytes);
    memset((char *)b.data + bytes, 0xff, more);
    return b;
}

/* The same with slack behind it that is the first record again. */
static block copy_items(place at, const void *from, uint32_t items, size_t size, size_t alignment)
{
    block b = copy(at, from, items * size, VP_KD_ITEM_SLACK * size, alignment);
    for (uint32_t i = 0; i < VP_KD_ITEM_SLACK; i++)
        memcpy((char *)b.data + (items + i) * size, from, size);
    return b;
}

/* How many vertices a packed or implied tree has: those of its items alone. */
static uint32_t vertices_of(const vp_kd_view *view, uint32_t items)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < items; i++)
        for (uint32_t c = 0; c < 4; c++) {
            uint32_t vertex;
            if (view->form == VP_KD_PACKED) {
                vertex = view->corner[i][c];
            } else {
                const uint32_t cell = view->edge[i].cell & 0xfffu, kind = view->edge[i].cell >> 12;
                vertex = vp_kd_rank(view->cells, vp_kd_cell_number(view->cells, cell + vp_kd_around(kind, c)));
            }
            most = vertex > most ? vertex : most;
        }
    return most + 1;
}

/* A packed or an implied tree moved into blocks of its own. */
static void ask_little(const vp_kernels *k, const vp_kd *tree, const questions *q, place at, const char *isa)
{
    const vp_kd_memory memory = vp_kd_memory_of(tree);
    vp_kd_view view = *vp_kd_view_of(tree);
    const uint32_t items = vp_kd_item_count(&view.triangles), vertices = vertices_of(&view, items);
    block node = copy(at, view.line, memory.node_bytes, 0, 64), item, id = {0}, vertex;
    view.line = node.data;
    if (view.form == VP_KD_PACKED) {
        item = copy_items(at, view.corner, items, sizeof *view.corner, 2);
        id = copy_items(at, view.corner_id, items, sizeof *view.corner_id, 2);
        vertex = copy(at, view.lattice, vertices * sizeof *view.lattice, 2, 2);
        view.corner = item.data;
        view.corner_id = id.data;
        view.lattice = vertex.data;
    } else {
        item = copy_items(at, view.edge, items, sizeof *view.edge, 2);
        vertex = copy(at, view.within, vertices * sizeof *view.within, 1, 1);
        view.edge = item.data;
        view.within = vertex.data;
    }
    if (!rays_are_right(k, &view, q, at) || !boxes_are_right(k, &view, q, at))
        fail_msg("%s, form %d, %u triangles, %s: other answers than by every triangle", isa, (int)view.form,
                 view.triangles.triangle_count, place_name[at]);
    block_free(&node);
    block_free(&item);
    block_free(&id);
    block_free(&vertex);
}

/* The tree moved into blocks of its own. */
static void ask_there(const vp_kernels *k, const vp_kd *tree, const questions *q, place at, const char *isa)
{
    const vp_kd_memory memory = vp_kd_memory_of(tree);
    vp_kd_view view = *vp_kd_view_of(tree);
    vp_triangles *t = &view.triangles;
    const uint32_t items = vp_kd_item_count(t);
    block vertex = copy(at, t->vertex, t->vertex_count * sizeof *t->vertex, 0, 4);
    block index = copy(at, t->index, (size_t)items * (t->quads ? 4 : 3) * sizeof *t->index, 0, 4), node, item = {0}, id = {0};
    t->vertex = vertex.data;
    t->index = index.data;
    if (view.form == VP_KD_WIDE) {
        node = copy(at, view.wide, memory.node_bytes, 0, 64);
        item = copy(at, view.item, items * sizeof *view.item, VP_KD_ITEM_SLACK * sizeof *view.item, 16);
        id = copy(at, view.item_id, items * sizeof *view.item_id, VP_KD_ITEM_SLACK * sizeof *view.item_id, 4);
        for (uint32_t i = items; i < items + VP_KD_ITEM_SLACK; i++) {
            for (int c = 0; c < 4; c++)
                ((vp_kd_item *)item.data)[i].vertex[c] = t->vertex_count - 1;
            ((uint32_t *)id.data)[i] = UINT32_MAX;
        }
        view.wide = node.data;
        view.item = item.data;
        view.item_id = id.data;
    } else {
        node = copy(at, view.node, memory.node_bytes, 0, 4);
        view.node = node.data;
    }
    if (!rays_are_right(k, &view, q, at) || !boxes_are_right(k, &view, q, at))
        fail_msg("%s, form %d, %u triangles, %s: other answers than by every triangle", isa, (int)view.form, t->triangle_count,
                 place_name[at]);
    block_free(&vertex);
    block_free(&index);
    block_free(&node);
    block_free(&item);
    block_free(&id);
}

/* On x86 vector registers of the oldest kind are long double's: a kernel that does not give them back spoils it. */
static void expect_long_double_to_work(void)
{
    volatile long double two = 2.0L;
    assert_true(two * two == 4.0L);
}

/* @return how many trees of packed and implied forms there were */
static uint32_t ask_everywhere(vp_random *r, const vp_triangles *t)
{
    static questions q;
    uint32_t little = 0;
    questions_make(r, t, &q);
    for (int isa = 0; isa < VP_ISA_COUNT; isa++) {
        vp_kernels kernels;
        vp_kernels_best(&kernels, 0);
        if (!vp_isa_usable((vp_isa)isa))
            continue;
        for (int k = 0; k < VP_KERNEL_COUNT; k++)
            vp_kernels_use(&kernels, (vp_kernel_id)k, (vp_isa)isa);
        for (int f = 0; f < VP_KD_FORM_COUNT; f++) {
            const vp_kd_def def = {.triangles = *t, .form = (vp_kd_form)f, .kernels = &kernels};
            vp_kd *tree;
            vp_error why;
            const vp_status status = vp_kd_create(&def, &tree, &why);
            if (f > VP_KD_WIDE && status == VP_E_ARGUMENT)
                continue; /* not every mesh fits */
            assert_int_equal(status, VP_OK);
            for (int at = 0; at < PLACES; at++)
                (f > VP_KD_WIDE ? ask_little : ask_there)(&kernels, tree, &q, (place)at, vp_isa_name((vp_isa)isa));
            little += f > VP_KD_WIDE;
            vp_kd_destroy(tree);
            expect_long_double_to_work();
        }
    }
    questions_free(&q);
    return little;
}

static void trees_in_exact_memory(void **state)
{
    (void)state;
    static const uint32_t triangles[] = {1, 2, 3, 4, 5, 6, 7, 9, 13, 21, 34, 70, 150}, voxels[] = {1, 2, 3, 6, 12};
    vp_random r = {4711};
    test_triangles set;
    for (size_t i = 0; i < sizeof triangles / sizeof triangles[0]; i++) {
        test_soup(&r, triangles[i], &set);
        ask_everywhere(&r, &set.view);
        test_triangles_free(&set);
    }
    for (size_t i = 0; i < sizeof voxels / sizeof voxels[0]; i++) {
        test_heap(&r, voxels[i], &set);
        ask_everywhere(&r, &set.view);
        test_triangles_free(&set);
    }
    for (uint32_t count = 1; count <= 60; count = count * 2 + 1) {
        test_lattice_soup(&r, count, &set);
        assert_true(ask_everywhere(&r, &set.view) != 0);
        test_triangles_free(&set);
    }
    for (int i = 0; i < 4; i++) {
        test_chunk(&r, &set);
        assert_true(ask_everywhere(&r, &set.view) != 0);
        test_triangles_free(&set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_in_exact_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
