/* SPDX-License-Identifier: MIT */
/* docs/CONTRACT.md: MAN-9. Manifolds on blocks equal those of vp_manifold_mesh with triangles gathered by hand. */
#include "cases/narrowphase/shapes.h"
#include "tests/narrowphase/block_scene.h"
#include "tests/narrowphase/manifold_scene.h"

enum { EDGE = 8, NEAR = 16384, MOST = 16 };

/* Uneven ground in all eight chunks, with blocks in the air. */
static int begin_blocks(void **state)
{
    vp_random r = {5};
    clear_blocks();
    for (int y = -EDGE; y < EDGE; y++)
        for (int z = -EDGE; z < EDGE; z++)
            for (int x = -EDGE; x < EDGE; x++) {
                const bool solid = y < (x * x + 3 * z) % 3 || vp_random_below(&r, 9) == 0;
                *cell_at(x, y, z) = (uint8_t)(solid ? 1 + vp_random_below(&r, 2) : 0);
            }
    return begin(state);
}

static vp_manifold_body body_on_blocks(vp_random *r, int i)
{
    static const vp_collide_shape large = {.kind = VP_COLLIDE_BOX, .half = {4.5f, 3.0f, 4.0f}};
    vp_manifold_body body = {i % 8 == 0 ? &large : &bodies[i % VP_BODIES].shape, {.position = {0.0f, 0.0f, 0.0f}}};
    const float reach = (float)EDGE;
    body.pose.position =
        (vp_vec3){vp_random_between(r, -reach, reach), vp_random_between(r, -2.0f, 4.0f), vp_random_between(r, -reach, reach)};
    vp_random_rotation(r, body.pose.rotation);
    if (i % 3 == 0) { /* on a block, or next to one */
        body.pose = vp_pose_at(
            (vp_vec3){floorf(body.pose.position.x) + 0.5f, floorf(body.pose.position.y) + 0.5f, floorf(body.pose.position.z) + 0.5f});
    }
    return body;
}

static vp_status make_by_hand(const vp_manifold_def *def, const vp_manifold_body *body, vp_manifold_scratch *room, vp_manifold *out,
                              uint32_t *made)
{
    static vp_collide_triangle near[NEAR];
    uint32_t count;
    vp_aabb box;
    assert_ok(vp_collide_bounds(body->shape, &body->pose, def->margin, &box, &error));
    const float by = vp_collide_gather_margin(body->shape);
    box.min = vp_vec3_sub(box.min, (vp_vec3){by, by, by});
    box.max = vp_vec3_add(box.max, (vp_vec3){by, by, by});
    assert_ok(vp_collide_blocks(&view, &box, near, NEAR, &count, &error));
    assert_true(count <= NEAR);
    return vp_manifold_mesh(def, body, near, count, room, out, MOST * BLOCK_CHUNKS, made, NULL);
}

/* With enough room and with too little. */
TEST(by_hand)
{
    vp_random r = {17};
    uint32_t touching = 0, limited = 0;
    for (int i = 0; i < POSES; i++) {
        const vp_manifold_def def = {.margin = i % 2 == 0 ? 0.02f : 0.3f, .by_chunk = i % 5 == 0};
        const vp_manifold_body body = body_on_blocks(&r, i);
        for (uint32_t capacity = ROOM; capacity >= VP_MANIFOLD_MIN_TRIANGLES; capacity /= ROOM / VP_MANIFOLD_MIN_TRIANGLES) {
            vp_manifold got[MOST * BLOCK_CHUNKS], right[MOST * BLOCK_CHUNKS];
            vp_manifold_scratch room = {scratch.memory, capacity, 0};
            uint32_t made = 0, expected = 0;
            const vp_status status = make_by_hand(&def, &body, &room, right, &expected);
            assert_int_equal(vp_manifold_blocks(&def, &body, &view, &room, got, MOST * BLOCK_CHUNKS, &made, NULL), status);
            assert_int_equal(made, expected);
            assert_true(made <= MOST * BLOCK_CHUNKS);
            assert_memory_equal(got, right, made * sizeof *got);
            touching += capacity == ROOM && made > 0;
            limited += status == VP_E_LIMIT;
            if (status == VP_E_LIMIT && room.needed <= ROOM) { /* `needed` is enough */
                room.capacity = room.needed;
                assert_ok(vp_manifold_blocks(&def, &body, &view, &room, got, MOST * BLOCK_CHUNKS, &made, &error));
            }
        }
    }
    printf("%d poses, %u touch, %u without room\n", POSES, touching, limited);
    assert_true(touching > POSES / 3 && limited > POSES / 40);
}

TEST(many)
{
    enum { BODIES = 40 };
    static vp_manifold all[BODIES * MOST], one[MOST];
    vp_manifold_body body[BODIES];
    vp_manifold_result result[BODIES];
    vp_random r = {23};
    uint32_t made, total = 0;
    const vp_manifold_def def = {.margin = 0.05f};
    for (int i = 0; i < BODIES; i++)
        body[i] = body_on_blocks(&r, i);
    body[7].pose.position.x = 3e7f;
    body[9].pose.position.x = NAN;
    assert_ok(vp_manifold_blocks_many(&def, body, BODIES, &view, &scratch, all, BODIES * MOST, result, &made, &error));
    for (int i = 0; i < BODIES; i++) {
        uint32_t count;
        assert_int_equal(vp_manifold_blocks(&def, &body[i], &view, &scratch, one, MOST, &count, NULL), result[i].status);
        assert_true(result[i].status == (i == 7 || i == 9 ? VP_E_ARGUMENT : VP_OK));
        assert_true(result[i].first == total && result[i].count == count);
        assert_memory_equal(one, &all[total], count * sizeof *one);
        total += count;
    }
    assert_int_equal(made, total);
    assert_true(total > 0);
}

TEST(refused)
{
    vp_manifold m[MOST];
    vp_manifold_result result;
    uint32_t made = 7;
    const vp_manifold_def def = {.margin = 0.0f, .by_chunk = true}, bad = {.margin = -1.0f};
    vp_manifold_body body = {&bodies[VP_BODY_BOX].shape, vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f})};
    assert_refused(vp_manifold_blocks(&def, &body, NULL, &scratch, m, MOST, &made, &error), VP_E_ARGUMENT, "view is NULL");
    assert_int_equal(made, 0);
    assert_refused(vp_manifold_blocks_many(&def, &body, 1, NULL, &scratch, m, MOST, &result, &made, &error), VP_E_ARGUMENT, "view is NULL");
    assert_refused(vp_manifold_blocks_many(&bad, &body, 1, &view, &scratch, m, MOST, &result, &made, &error), VP_E_ARGUMENT, "-1");
    body.pose.position.y = 3e7f;
    assert_refused(vp_manifold_blocks(&def, &body, &view, &scratch, m, MOST, &made, &error), VP_E_ARGUMENT, "29999992 to 30000008");
}

int main(void)
{
    return test_run_all(begin_blocks, end);
}
