/* SPDX-License-Identifier: MIT */
#include "tests/support/scene.h"

#include <stdlib.h>

#include "tests/support/check.h"
#include "tests/support/samples.h"

scene *scene_begin(vp_world *world_or_null, vp_dims chunks, const vp_kernels *kernels, float margin)
{
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    test_memory_begin(&s->memory);
    vp_allocator allocator = test_memory_allocator(&s->memory);
    s->world = world_or_null != NULL ? world_or_null : test_world(chunks.x, chunks.y, chunks.z, NULL);
    vp_broadphase_def broadphase = {.world = s->world, .kernels = kernels, .allocator = &allocator};
    assert_ok(vp_broadphase_create(&broadphase, &s->broadphase, &error));
    vp_contacts_def contacts = {.broadphase = s->broadphase, .margin = margin, .allocator = &allocator};
    assert_ok(vp_contacts_create(&contacts, &s->contacts, &error));
    assert_ok(vp_chunk_set_create(vp_world_chunks(s->world), &allocator, &s->stale, &error));
    return s;
}

void scene_end(scene *s)
{
    vp_chunk_set_destroy(&s->stale);
    vp_contacts_destroy(s->contacts);
    vp_broadphase_destroy(s->broadphase);
    vp_world_destroy(s->world);
    test_memory_end(&s->memory);
    free(s);
}

void scene_edited(scene *s)
{
    assert_ok(vp_broadphase_update(s->broadphase, s->world, &s->stale, &error));
    assert_ok(vp_contacts_terrain_changed(s->contacts, &s->stale, &error));
    vp_chunk_set_clear(&s->stale);
}
