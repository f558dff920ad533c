/* SPDX-License-Identifier: MIT */
/* Refusals of the contact manager. test_contact_histories.c checks the contacts and the numbers of objects against the voxels,
 * test_waking.c the wakings. */
#include <voxphys/kernels.h>
#include "tests/support/check.h"
#include "tests/support/scene.h"

#include <math.h>

static vp_aabb box(float x0, float y0, float z0, float x1, float y1, float z1)
{
    return (vp_aabb){{x0, y0, z0}, {x1, y1, z1}};
}

TEST(refusals)
{
    scene *s = scene_begin(NULL, (vp_dims){2, 2, 2}, NULL, 0);
    assert_ok(vp_world_set_voxel(s->world, (vp_ivec3){4, 4, 4}, (vp_voxel){2, 255}, &s->stale, &error));
    scene_edited(s);
    uint32_t object = 77;
    vp_aabb nan_y = box(0, NAN, 0, 1, 1, 1), inverted = box(0, 0, 3.5f, 1, 1, 2.25f), good = box(3, 3, 3, 5, 5, 5);
    assert_refused(vp_contacts_add(s->contacts, &nan_y, &object, &error), VP_E_ARGUMENT, "min.y is NaN");
    assert_refused(vp_contacts_add(s->contacts, &inverted, &object, &error), VP_E_ARGUMENT, "3.5");
    assert_int_equal(object, 77);
    assert_int_equal(vp_contacts_object_count(s->contacts), 0);
    assert_refused(vp_contacts_move(s->contacts, 0, &good, &error), VP_E_ARGUMENT, "object 0");

    assert_ok(vp_contacts_add(s->contacts, &good, &object, &error));
    vp_contacts_clear_events(s->contacts);
    assert_ok(vp_contacts_sleep(s->contacts, object, &error));
    assert_refused(vp_contacts_move(s->contacts, object, &nan_y, &error), VP_E_ARGUMENT, "min.y is NaN");
    assert_refused(vp_contacts_move(s->contacts, object, &inverted, &error), VP_E_ARGUMENT, "2.25");
    assert_refused(vp_contacts_move(s->contacts, 1, &good, &error), VP_E_ARGUMENT, "object 1");
    assert_refused(vp_contacts_move(s->contacts, UINT32_MAX, &good, &error), VP_E_ARGUMENT, "object 4294967295");
    assert_refused(vp_contacts_remove(s->contacts, 64, &error), VP_E_ARGUMENT, "object 64");
    assert_refused(vp_contacts_sleep(s->contacts, 63, &error), VP_E_ARGUMENT, "object 63");
    assert_false(vp_contacts_awake(s->contacts, object)); /* a refused move does not wake */
    assert_false(vp_contacts_awake(s->contacts, 9));
    assert_int_equal(vp_contacts_of(s->contacts, 9, NULL, 0), 0);
    assert_int_equal(vp_contacts_of(s->contacts, object, NULL, 0), 1);
    uint32_t events;
    (void)vp_contacts_events(s->contacts, &events);
    assert_int_equal(events, 0);
    assert_int_equal(vp_contacts_move(s->contacts, 5, &good, NULL), VP_E_ARGUMENT); /* without an error object */

    vp_chunk_set other;
    assert_ok(vp_chunk_set_create((vp_dims){2, 3, 2}, NULL, &other, &error));
    assert_refused(vp_contacts_terrain_changed(s->contacts, &other, &error), VP_E_ARGUMENT, "2 x 3 x 2");
    uint32_t over[2] = {7, 7}, count = 99;
    assert_refused(vp_contacts_objects_over(s->contacts, &other, over, 2, &count, &error), VP_E_ARGUMENT, "2 x 3 x 2");
    vp_chunk_set_destroy(&other);
    other = (vp_chunk_set){.chunks = {2, 2, 2}};
    assert_refused(vp_contacts_terrain_changed(s->contacts, &other, &error), VP_E_ARGUMENT, "vp_chunk_set.word is NULL");
    assert_refused(vp_contacts_objects_over(s->contacts, &other, over, 2, &count, &error), VP_E_ARGUMENT, "vp_chunk_set.word is NULL");
    assert_refused(vp_contacts_objects_over(s->contacts, &s->stale, NULL, 2, &count, &error), VP_E_ARGUMENT, "out is NULL, capacity is 2");
    assert_true(over[0] == 7 && count == 99);

    vp_contacts *none = NULL;
    vp_contacts_def def = {.broadphase = NULL};
    assert_refused(vp_contacts_create(&def, &none, &error), VP_E_ARGUMENT, "broadphase");
    static const float margin[] = {-1, -0x1p-149f, INFINITY, NAN};
    static const char *const name[] = {"-1", "-1.4", "inf", "nan"};
    for (int i = 0; i < 4; i++) {
        def = (vp_contacts_def){.broadphase = s->broadphase, .margin = margin[i]};
        assert_refused(vp_contacts_create(&def, &none, &error), VP_E_ARGUMENT, name[i]);
    }
    assert_null(none);
    vp_contacts_destroy(NULL);
    scene_end(s);
}
