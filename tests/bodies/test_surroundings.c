/* SPDX-License-Identifier: MIT */
/* Queries over a terrain, blocks and bodies. Each expected result is composed from the calls for one of them, without bounding boxes.
 * docs/CONTRACT.md: SUR-1, SUR-2, SUR-3, SUR-4, SUR-5 */
#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "tests/narrowphase/manifold_scene.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

enum { BODIES = 24, PARTS = 3, THINGS = BODIES + 2, MOST = 4 * THINGS, THREADS = 4 };

static const vp_manifold_def def = {.margin = 0.05f};
static manifold_world hill;
static uint8_t cells[VP_BLOCK_CELLS];
static vp_block_cells chunk = {.cell = cells, .width = 1};
static const vp_block_type types[] = {{0, 0}, {VP_BLOCK_COLLIDES, 0}};
static const vp_block_view view = {.chunk = &chunk, .size = {1, 1, 1}, .type = types, .type_count = 2};
static const vp_material table[] = {{0.5f, 0.1f, 7}, {0.9f, 0.0f, 8}, {0.1f, 0.8f, 9}};

static vp_compound_part part[BODIES][PARTS];
static vp_compound compound[BODIES];
static vp_surroundings_body body[BODIES];
static vp_surroundings around;

static vp_compound_body body_of(uint32_t i)
{
    return (vp_compound_body){body[i].compound, body[i].pose};
}

/* Compounds near the surface, in heaps, with every third one still. The last two are cubes in the air, closer than the margin. */
static void place_bodies(uint64_t seed)
{
    static const vp_collide_shape cube = {.kind = VP_COLLIDE_BOX, .half = {0.5f, 0.5f, 0.5f}};
    vp_random r = {seed};
    for (uint32_t i = 0; i < BODIES; i++) {
        compound[i] = (vp_compound){part[i], 1 + i % PARTS};
        for (uint32_t k = 0; k < compound[i].count; k++) {
            part[i][k] = (vp_compound_part){.shape = &bodies[(i + k) % VP_BODIES].shape, .density = 1.0};
            part[i][k].pose.position = (vp_vec3){k > 0 ? random_sign(&r) : 0.0f, k > 0 ? 0.5f * random_sign(&r) : 0.0f, 0.0f};
            vp_random_rotation(&r, part[i][k].pose.rotation);
        }
        vp_compound_body at = {&compound[i], some_body(&r, &hill, VP_BODY_BOX).pose};
        if (i % 3 > 0)
            at.pose.position = vp_vec3_add(body[i - 1].pose.position, (vp_vec3){random_sign(&r), 0.8f, random_sign(&r)});
        if (i >= BODIES - 2) {
            part[i][0] = (vp_compound_part){.shape = &cube, .pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f})};
            compound[i].count = 1;
            at.pose = vp_pose_at((vp_vec3){20.0f, 25.0f + 1.03f * (float)(i % 2), 20.0f});
        }
        assert_ok(vp_surroundings_place(&at, (uint8_t)(i % 4), &body[i], &error));
        assert_false(body[i].at_rest);
        body[i].at_rest = i % 3 == 0;
    }
}

static int begin_all(void **state)
{
    if (begin(state) != 0)
        return 1;
    open_scene(&hill, hills, (vp_ivec3){0, 0, 0}, NULL);
    vp_random r = {1};
    for (int i = 0; i < VP_BLOCK_CELLS; i++) /* blocks floating above the ground and in it */
        cells[i] = i / 1024 > 6 && i / 1024 < 16 && vp_random_below(&r, 40) == 0;
    around = (vp_surroundings){.terrain = &hill.reader,
                               .blocks = &view,
                               .body = body,
                               .body_count = BODIES,
                               .material = table,
                               .material_count = sizeof table / sizeof table[0]};
    place_bodies(5);
    return 0;
}

static int end_all(void **state)
{
    close_scene(&hill);
    return end(state);
}

/* One of the bodies, or a copy of one in another place. @return its index, if it is one of them */
static uint32_t choose_body(vp_random *r, int i, vp_compound_body *out)
{
    const uint32_t k = vp_random_below(r, BODIES);
    *out = body_of(k);
    if (i % 2 == 0)
        return k;
    out->pose.position =
        vp_vec3_add(body[vp_random_below(r, BODIES)].pose.position, (vp_vec3){random_sign(r), random_sign(r), random_sign(r)});
    return VP_SURROUNDINGS_NO_BODY;
}

/* ---- manifolds ---- */

typedef struct manifold_list {
    vp_surroundings_manifold list[MOST];
    uint32_t count;
} manifold_list;

static void list_manifolds(manifold_list *l, vp_surroundings_part on, const vp_manifold *m, uint32_t made)
{
    for (uint32_t i = 0; i < made; i++) {
        l->list[l->count] = (vp_surroundings_manifold){on, m[i]};
        for (uint32_t k = 0; on.kind == VP_SURROUNDINGS_BODY && k < m[i].count; k++)
            l->list[l->count].manifold.point[k].material = (uint8_t)(on.body % 4);
        l->count++;
    }
}

/* @param all with every body, otherwise without awake bodies before `self` */
static void list_by_hand(const vp_compound_body *of, uint32_t self, bool all, manifold_list *l)
{
    vp_manifold m[MANIFOLDS];
    uint32_t made;
    l->count = 0;
    assert_ok(vp_manifold_compound_terrain(&def, of, &hill.reader, &scratch, m, MANIFOLDS, &made, &error));
    list_manifolds(l, (vp_surroundings_part){VP_SURROUNDINGS_TERRAIN, 0}, m, made);
    assert_ok(vp_manifold_compound_blocks(&def, of, &view, &scratch, m, MANIFOLDS, &made, &error));
    list_manifolds(l, (vp_surroundings_part){VP_SURROUNDINGS_BLOCKS, 0}, m, made);
    for (uint32_t i = 0; i < BODIES; i++) {
        const vp_compound_body other = body_of(i);
        if (i == self || (!all && i < self && !body[i].at_rest))
            continue;
        assert_ok(vp_manifold_compounds(of, &other, def.margin, &scratch, m, MANIFOLDS, &made, &error));
        list_manifolds(l, (vp_surroundings_part){VP_SURROUNDINGS_BODY, i}, m, made);
    }
}

static void assert_listed(const manifold_list *l, const vp_surroundings_manifold *got, uint32_t made)
{
    assert_int_equal(made, l->count);
    for (uint32_t i = 0; i < made; i++) {
        assert_true(got[i].on.kind == l->list[i].on.kind && got[i].on.body == l->list[i].on.body);
        assert_memory_equal(&got[i].manifold, &l->list[i].manifold, sizeof got[i].manifold);
    }
}

/* docs/CONTRACT.md: SUR-1 */
TEST(manifolds)
{
    vp_random r = {7};
    uint32_t kinds[4] = {0};
    for (int i = 0; i < POSES; i++) {
        static vp_surroundings_manifold m[MOST];
        static manifold_list l;
        vp_compound_body asked;
        uint32_t made;
        const uint32_t self = choose_body(&r, i, &asked);
        assert_ok(vp_surroundings_manifolds(&around, &def, &asked, self, &scratch, m, MOST, &made, &error));
        list_by_hand(&asked, self, true, &l);
        assert_listed(&l, m, made);
        for (uint32_t k = 0; k < made; k++)
            kinds[m[k].on.kind]++;
        if (made > 1) { /* fewer than fit */
            m[1].on.kind = VP_SURROUNDINGS_NOTHING;
            uint32_t again;
            assert_ok(vp_surroundings_manifolds(&around, &def, &asked, self, &scratch, m, 1, &again, &error));
            assert_true(again == made && m[1].on.kind == VP_SURROUNDINGS_NOTHING);
        }
    }
    assert_true(POSES < 100 || (kinds[VP_SURROUNDINGS_TERRAIN] > POSES / 4 && kinds[VP_SURROUNDINGS_BLOCKS] > POSES / 16 &&
                                kinds[VP_SURROUNDINGS_BODY] > POSES / 4));
}

/* docs/CONTRACT.md: SUR-2. On 1 to 4 threads, with 1 to 4 scratches. */
TEST(many)
{
    enum { ROOM_EACH = 6 };
    static vp_surroundings_manifold m[BODIES * ROOM_EACH];
    static manifold_list l;
    vp_manifold_result result[BODIES];
    vp_manifold_scratch own[THREADS];
    uint32_t pairs = 0;
    for (int k = 0; k < THREADS; k++)
        own[k] = (vp_manifold_scratch){malloc(vp_manifold_scratch_bytes(ROOM)), ROOM, 0};
    for (uint32_t threads = 0; threads <= THREADS; threads++) {
        const vp_executor executor = test_threads(threads);
        assert_ok(vp_surroundings_manifolds_many(&around, &def, threads > 0 ? &executor : NULL, own, threads > 0 ? threads : 2, ROOM_EACH,
                                                 m, result, &error));
        for (uint32_t i = 0; i < BODIES; i++) {
            const vp_compound_body asked = body_of(i);
            assert_true(result[i].first == i * ROOM_EACH && result[i].status == VP_OK);
            l.count = 0;
            if (!body[i].at_rest)
                list_by_hand(&asked, i, false, &l);
            assert_int_equal(result[i].count, l.count);
            for (uint32_t k = 0; k < l.count && k < ROOM_EACH; k++) {
                assert_memory_equal(&m[i * ROOM_EACH + k].manifold, &l.list[k].manifold, sizeof(vp_manifold));
                assert_true(m[i * ROOM_EACH + k].on.kind == l.list[k].on.kind && m[i * ROOM_EACH + k].on.body == l.list[k].on.body);
                pairs += l.list[k].on.kind == VP_SURROUNDINGS_BODY;
            }
        }
    }
    assert_true(pairs > 0);
    /* an invalid body, and one with too little room, do not stop the others */
    const vp_surroundings_body was = body[4];
    body[4].pose.rotation[0] = NAN;
    own[0].capacity = VP_MANIFOLD_MIN_TRIANGLES;
    assert_ok(vp_surroundings_manifolds_many(&around, &def, NULL, own, 1, ROOM_EACH, m, result, &error));
    for (uint32_t i = 0; i < BODIES; i++)
        assert_true(result[i].status == VP_OK || result[i].status == VP_E_LIMIT || result[i].status == VP_E_ARGUMENT);
    assert_int_equal(result[4].status, VP_E_ARGUMENT);
    assert_int_equal(result[4].count, 0);
    body[4] = was;
    for (int k = 0; k < THREADS; k++)
        free(own[k].memory);
}

/* ---- casts ---- */

static void keep_first(vp_surroundings_hit *best, vp_surroundings_part on, uint32_t mover, const vp_cast_hit *hit)
{
    bool is_better = hit->found && (!best->cast.found || hit->t < best->cast.t);
    if (hit->found && best->cast.found && hit->t == best->cast.t && hit->started_inside)
        is_better = !best->cast.started_inside || hit->depth > best->cast.depth;
    if (is_better)
        *best = (vp_surroundings_hit){on, mover, *hit};
}

/* docs/CONTRACT.md: SUR-3 */
TEST(casts)
{
    vp_random r = {13};
    uint32_t kinds[4] = {0};
    for (int i = 0; i < POSES; i++) {
        vp_compound_body mover;
        vp_surroundings_hit got, right = {.cast.at = {VP_COLLIDE_NO_CHUNK, VP_CAST_NO_TRIANGLE}};
        const uint32_t self = choose_body(&r, i, &mover);
        const float up = i % 4 == 0 ? 0.0f : 6.0f;
        mover.pose.position.y += up;
        const vp_vec3 way = {4.0f * random_sign(&r), -up * 1.2f, 4.0f * random_sign(&r)};
        assert_ok(vp_surroundings_cast(&around, NULL, &mover, self, way, &got, &error));
        for (uint32_t thing = 0; thing < THINGS; thing++)
            for (uint32_t k = 0; k < mover.compound->count; k++) {
                const vp_compound_part *p = &mover.compound->part[k];
                const vp_cast_def cast = {.shape = p->shape, .pose = vp_compound_part_pose(p, &mover.pose), .translation = way};
                const uint32_t other = thing - 2;
                vp_cast_hit hit;
                if (thing == 0) {
                    assert_ok(vp_cast_terrain(&hill.reader, VP_SURFACE_SOLID, &cast, &hit, &error));
                    keep_first(&right, (vp_surroundings_part){VP_SURROUNDINGS_TERRAIN, 0}, k, &hit);
                } else if (thing == 1) {
                    assert_ok(vp_cast_blocks(&view, &cast, &hit, &error));
                    keep_first(&right, (vp_surroundings_part){VP_SURROUNDINGS_BLOCKS, 0}, k, &hit);
                } else if (other != self) {
                    for (uint32_t q = 0; q < compound[other].count; q++) {
                        const vp_manifold_body rests = {part[other][q].shape, vp_compound_part_pose(&part[other][q], &body[other].pose)};
                        assert_ok(vp_cast_shape(&cast, &rests, &hit, &error));
                        hit.material = body[other].material;
                        hit.at.triangle = q;
                        keep_first(&right, (vp_surroundings_part){VP_SURROUNDINGS_BODY, other}, k, &hit);
                    }
                }
            }
        assert_true(got.on.kind == right.on.kind && got.on.body == right.on.body && got.part == right.part);
        assert_true(got.cast.found == right.cast.found && got.cast.started_inside == right.cast.started_inside);
        assert_true(got.cast.t == right.cast.t && got.cast.depth == right.cast.depth && got.cast.material == right.cast.material);
        assert_memory_equal(&got.cast.point, &right.cast.point, sizeof got.cast.point);
        assert_memory_equal(&got.cast.normal, &right.cast.normal, sizeof got.cast.normal);
        assert_memory_equal(&got.cast.at, &right.cast.at, sizeof got.cast.at);
        kinds[got.on.kind]++;
    }
    assert_true(POSES < 100 || (kinds[VP_SURROUNDINGS_TERRAIN] > POSES / 16 && kinds[VP_SURROUNDINGS_BLOCKS] > POSES / 16 &&
                                kinds[VP_SURROUNDINGS_BODY] > POSES / 16));
}

/* ---- overlap ---- */

/* docs/CONTRACT.md: SUR-4 */
TEST(overlaps)
{
    vp_random r = {17};
    uint32_t several = 0;
    for (int i = 0; i < POSES; i++) {
        vp_compound_body asked;
        vp_surroundings_part got[THINGS], right[THINGS];
        uint32_t count, expected = 0;
        const uint32_t self = choose_body(&r, i, &asked);
        assert_ok(vp_surroundings_overlap(&around, NULL, &asked, self, got, THINGS, &count, &error));
        for (uint32_t thing = 0; thing < THINGS; thing++) {
            const uint32_t other = thing - 2;
            bool any = false;
            for (uint32_t k = 0; k < asked.compound->count; k++) {
                const vp_compound_part *p = &asked.compound->part[k];
                const vp_manifold_body own = {p->shape, vp_compound_part_pose(p, &asked.pose)};
                const vp_cast_def cast = {.shape = own.shape, .pose = own.pose};
                bool one = false;
                if (thing == 0)
                    assert_ok(vp_overlap_terrain(&hill.reader, VP_SURFACE_SOLID, &cast, &one, &error));
                else if (thing == 1)
                    assert_ok(vp_overlap_blocks(&view, &cast, &one, &error));
                for (uint32_t q = 0; thing > 1 && other != self && q < compound[other].count && !one; q++) {
                    const vp_manifold_body rests = {part[other][q].shape, vp_compound_part_pose(&part[other][q], &body[other].pose)};
                    assert_ok(vp_shapes_overlap(&own, &rests, &one, &error));
                }
                any = any || one;
            }
            if (any)
                right[expected++] = (vp_surroundings_part){thing == 0   ? VP_SURROUNDINGS_TERRAIN
                                                           : thing == 1 ? VP_SURROUNDINGS_BLOCKS
                                                                        : VP_SURROUNDINGS_BODY,
                                                           thing > 1 ? other : 0};
        }
        assert_int_equal(count, expected);
        for (uint32_t k = 0; k < count; k++)
            assert_true(got[k].kind == right[k].kind && got[k].body == right[k].body);
        several += count > 1;
        assert_ok(vp_surroundings_overlap(&around, NULL, &asked, self, NULL, 0, &count, &error));
        assert_int_equal(count, expected);
    }
    assert_true(POSES < 100 || (several > POSES / 8));
}

/* ---- closest point ---- */

/* docs/CONTRACT.md: SUR-5 */
TEST(closest)
{
    vp_random r = {19};
    uint32_t kinds[4] = {0}, inside = 0;
    for (int i = 0; i < POSES; i++) {
        const uint32_t self = i % 3 == 0 ? vp_random_below(&r, BODIES) : VP_SURROUNDINGS_NO_BODY, near = vp_random_below(&r, BODIES);
        const float most = i % 4 == 0 ? 0.3f : i % 4 == 1 ? INFINITY : 2.0f, spread = i % 5 == 0 ? 0.2f : 2.0f;
        const vp_vec3 p =
            vp_vec3_add(body[near].pose.position, (vp_vec3){spread * random_sign(&r), spread * random_sign(&r), spread * random_sign(&r)});
        vp_surroundings_closest got;
        vp_closest found[2], right = {.at = {VP_COLLIDE_NO_CHUNK, VP_CAST_NO_TRIANGLE}};
        vp_surroundings_part on = {VP_SURROUNDINGS_NOTHING, 0};
        assert_ok(vp_surroundings_closest_point(&around, p, self, most, &got, &error));
        assert_ok(vp_closest_terrain(&hill.reader, VP_SURFACE_SOLID, p, most, &found[0], &error));
        assert_ok(vp_closest_blocks(&view, p, most, &found[1], &error));
        for (int k = 0; k < 2; k++)
            if (found[k].found && (on.kind == VP_SURROUNDINGS_NOTHING || found[k].distance < right.distance)) {
                on.kind = k == 0 ? VP_SURROUNDINGS_TERRAIN : VP_SURROUNDINGS_BLOCKS;
                right = found[k];
            }
        for (uint32_t b = 0; b < BODIES; b++)
            for (uint32_t k = 0; b != self && k < compound[b].count; k++) {
                const vp_pose pose = vp_compound_part_pose(&part[b][k], &body[b].pose);
                vp_shape_point at;
                assert_ok(vp_shape_closest_point(part[b][k].shape, &pose, p, &at, &error));
                if (at.distance <= most && (on.kind == VP_SURROUNDINGS_NOTHING || at.distance < right.distance)) {
                    on = (vp_surroundings_part){VP_SURROUNDINGS_BODY, b};
                    right = (vp_closest){true, body[b].material, at.distance, at.point, at.normal, {VP_COLLIDE_NO_CHUNK, k}};
                }
            }
        assert_true(got.on.kind == on.kind && got.on.body == on.body && got.closest.found == right.found);
        assert_true(got.closest.distance == right.distance && got.closest.material == right.material);
        assert_memory_equal(&got.closest.point, &right.point, sizeof right.point);
        assert_memory_equal(&got.closest.at, &right.at, sizeof right.at);
        kinds[on.kind]++;
        inside += got.closest.distance < 0.0f;
    }
    assert_true(POSES < 100 ||
                (kinds[0] > 0 && kinds[1] > POSES / 16 && kinds[2] > POSES / 16 && kinds[3] > POSES / 8 && inside > POSES / 16));
}

/* ---- empty surroundings, checks, materials ---- */

TEST(refused)
{
    vp_compound_body asked = body_of(0);
    vp_surroundings_body out;
    vp_surroundings_hit hit;
    vp_surroundings_closest near;
    vp_surroundings_manifold m[1];
    vp_manifold_result result[BODIES];
    vp_manifold_scratch none = {NULL, ROOM, 0}, small = {scratch.memory, 5, 0};
    const vp_manifold_def bad = {.margin = -3.0f};
    uint32_t made;
    assert_refused(vp_surroundings_manifolds(&around, &bad, &asked, 0, &scratch, m, 1, &made, &error), VP_E_ARGUMENT, "-3");
    assert_refused(vp_surroundings_manifolds(&around, &def, &asked, 0, &none, m, 1, &made, &error), VP_E_ARGUMENT, "memory is NULL");
    assert_refused(vp_surroundings_manifolds_many(&around, &def, NULL, &small, 1, 0, m, result, &error), VP_E_ARGUMENT,
                   "vp_manifold_scratch.capacity is 5");
    assert_refused(vp_surroundings_manifolds_many(&around, &def, NULL, &small, 0, 0, m, result, &error), VP_E_ARGUMENT,
                   "scratch_count is 0");
    assert_refused(vp_surroundings_manifolds_many(&around, &def, NULL, &scratch, 1, UINT32_MAX, m, result, &error), VP_E_ARGUMENT,
                   "4294967295");
    assert_refused(vp_surroundings_cast(&around, NULL, &asked, 0, (vp_vec3){NAN, 0.0f, 0.0f}, &hit, &error), VP_E_ARGUMENT, "nan");
    assert_refused(vp_surroundings_closest_point(&around, asked.pose.position, 0, -1.0f, &near, &error), VP_E_ARGUMENT, "-1");
    assert_refused(vp_surroundings_closest_point(&around, (vp_vec3){0.0f, INFINITY, 0.0f}, 0, 1.0f, &near, &error), VP_E_ARGUMENT, "inf");
    asked.pose.rotation[1] = INFINITY;
    assert_refused(vp_surroundings_place(&asked, 0, &out, &error), VP_E_ARGUMENT, "inf");
    /* an invalid body is named, with its part */
    const vp_compound_part was = part[5][1];
    vp_compound_body on_it = body_of(5);
    part[5][1].pose.rotation[2] = NAN;
    const vp_compound_body other = body_of(8);
    on_it.compound = other.compound;
    assert_refused(vp_surroundings_manifolds(&around, &def, &on_it, VP_SURROUNDINGS_NO_BODY, &scratch, m, 1, &made, &error), VP_E_ARGUMENT,
                   "body 5: part 1: ");
    part[5][1] = was;
}

TEST(materials)
{
    assert_true(vp_surroundings_material(&around, 1).friction == 0.9f && vp_surroundings_material(&around, 2).user == 9);
    assert_true(vp_surroundings_material(&around, 3).friction == 0.0f && vp_surroundings_material(&around, 255).user == 0);
    assert_true(vp_surroundings_material(&(vp_surroundings){0}, 0).restitution == 0.0f);
}

int main(void)
{
    return test_run_all(begin_all, end_all);
}
