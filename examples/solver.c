/* SPDX-License-Identifier: MIT */
/* Rigid bodies with solver.h. Crates, a ball, a capsule and a barrel fall on terrain and on each other until all sleep. Then the ground
 * below a stack is dug away, which wakes only the stack. */
#include "solver.h"

#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 6, TRIANGLES = 1024, MOST_FRAMES = 900 };
static const float margin = 0.02f;

typedef struct game {
    vp_world *world;
    vp_terrain *terrain;
    vp_contacts *contacts;
    vp_chunk_set stale; /* edits that the contacts don't know yet */
    vp_manifold_scratch scratch;
    solver_body body[BODIES];
    uint32_t object[BODIES];                     /* number of each body among the contacts */
    solver_pair pair[BODIES * (BODIES + 1) / 2]; /* pair of bodies a > b at a * (a + 1) / 2 + b; a == b: the body and the ground */
} game;

/* Wakes the bodies near edits, and reports to the contacts which bodies moved and which fell asleep. */
static vp_status update_contacts(game *g, vp_error *error)
{
    uint32_t events;
    vp_status status = vp_contacts_terrain_changed(g->contacts, &g->stale, error);
    if (status == VP_OK)
        vp_chunk_set_clear(&g->stale);
    const vp_contact_event *event = vp_contacts_events(g->contacts, &events);
    for (uint32_t k = 0; k < events; k++)
        for (int i = 0; i < BODIES; i++)
            if (event[k].change == VP_CONTACT_WOKE && event[k].contact.object == g->object[i])
                g->body[i].calm = 0;
    vp_contacts_clear_events(g->contacts);
    for (int i = 0; i < BODIES && status == VP_OK; i++) {
        vp_aabb box;
        if (!vp_contacts_awake(g->contacts, g->object[i]) && solver_sleeps(&g->body[i]))
            continue;
        status = vp_collide_bounds(g->body[i].at.shape, &g->body[i].at.pose, 0.0f, &box, error);
        if (status == VP_OK)
            status = vp_contacts_move(g->contacts, g->object[i], &box, error);
        if (status == VP_OK && solver_sleeps(&g->body[i]))
            status = vp_contacts_sleep(g->contacts, g->object[i], error);
    }
    return status;
}

/* Renews the pairs with a body that is awake. */
static vp_status touch(game *g, const vp_terrain_reader *reader, vp_error *error)
{
    vp_status status = VP_OK;
    for (int a = 0; a < BODIES; a++)
        for (int b = 0; b <= a && status == VP_OK; b++) {
            solver_pair *p = &g->pair[a * (a + 1) / 2 + b];
            if (solver_sleeps(&g->body[a]) && solver_sleeps(&g->body[b]))
                continue;
            status = a == b ? solver_touch_terrain(g->body, a, margin, reader, &g->scratch, p, error)
                            : solver_touch_bodies(g->body, a, b, margin, p, error);
        }
    return status;
}

static vp_status move_frame(game *g, vp_error *error)
{
    vp_terrain_reader reader;
    vp_terrain_acquire_reader(g->terrain, &reader);
    vp_status status = update_contacts(g, error);
    if (status == VP_OK)
        status = touch(g, &reader, error);
    vp_terrain_release_reader(&reader);
    return status != VP_OK ? status : solver_solve(g->body, BODIES, g->pair, BODIES * (BODIES + 1) / 2, error);
}

static int count_asleep(const game *g)
{
    int asleep = 0;
    for (int i = 0; i < BODIES; i++)
        asleep += solver_sleeps(&g->body[i]);
    return asleep;
}

static vp_status move_until_asleep(game *g, const char *when, vp_error *error)
{
    vp_status status = move_frame(g, error);
    for (int frame = 1; frame < MOST_FRAMES && status == VP_OK && count_asleep(g) < BODIES; frame++)
        status = move_frame(g, error);
    if (status == VP_OK)
        printf("%s: %d of %d bodies sleep\n", when, count_asleep(g), BODIES);
    return status;
}

static vp_status run(game *g, vp_error *error)
{
    const vp_voxel rock = {.material = 2, .occupancy = 255}, air = {.material = 0, .occupancy = 0};
    const vp_collide_shape crate = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f}), ball = vp_collide_sphere(0.5f),
                           capsule = vp_collide_capsule(0.4f, 0.4f), barrel = vp_collide_cylinder(0.5f, 0.6f);
    const struct {
        const vp_collide_shape *shape;
        vp_pose pose;
    } start[BODIES] = {
        {&crate, {{20.0f, 8.6f, 22.0f}, {0.0f, 0.0f, 0.0f, 1.0f}}},   {&crate, {{20.0f, 9.7f, 22.0f}, {0.0f, 0.0f, 0.0f, 1.0f}}},
        {&crate, {{10.0f, 10.0f, 10.0f}, {0.3f, 0.2f, 0.1f, 0.9f}}},  {&ball, {{10.3f, 12.0f, 10.2f}, {0.0f, 0.0f, 0.0f, 1.0f}}},
        {&capsule, {{20.0f, 10.0f, 8.0f}, {0.2f, 0.1f, 0.5f, 0.8f}}}, {&barrel, {{8.0f, 10.0f, 22.0f}, {0.5f, 0.1f, 0.2f, 0.8f}}},
    };
    vp_status status = vp_world_create(&(vp_world_def){.size = {32, 32, 32}}, &g->world, error);
    if (status == VP_OK)
        status = vp_world_fill_box(g->world, (vp_ivec3){0, 0, 0}, (vp_ivec3){32, 8, 32}, rock, NULL, error);
    if (status == VP_OK)
        status = vp_terrain_create(&(vp_terrain_def){.world = g->world}, &g->terrain, error);
    if (status == VP_OK)
        status = vp_chunk_set_create(vp_world_chunks(g->world), NULL, &g->stale, error);
    if (status == VP_OK)
        status =
            vp_contacts_create(&(vp_contacts_def){.broadphase = vp_terrain_broadphase(g->terrain), .margin = margin}, &g->contacts, error);
    vp_terrain_reader reader;
    vp_aabb box;
    for (int i = 0; i < BODIES && status == VP_OK; i++) {
        status = solver_create_body(start[i].shape, start[i].pose, &g->body[i], error);
        if (status == VP_OK)
            status = vp_collide_bounds(start[i].shape, &start[i].pose, 0.0f, &box, error);
        vp_terrain_acquire_reader(g->terrain, &reader);
        if (status == VP_OK)
            status = vp_contacts_add(g->contacts, &box, &g->object[i], error);
        vp_terrain_release_reader(&reader);
    }
    if (status == VP_OK)
        status = move_until_asleep(g, "dropped", error);
    const float before = g->body[0].at.pose.position.y;
    if (status == VP_OK)
        status = vp_terrain_fill_box(g->terrain, (vp_ivec3){18, 6, 20}, (vp_ivec3){22, 8, 24}, air, &g->stale, error);
    if (status == VP_OK)
        status = move_frame(g, error);
    if (status == VP_OK)
        printf("the dig wakes %d of them\n", BODIES - count_asleep(g));
    if (status == VP_OK)
        status = move_until_asleep(g, "dug", error);
    if (status == VP_OK)
        printf("the stack stands %.1f voxels lower, its crates %.1f apart\n", (double)(before - g->body[0].at.pose.position.y),
               (double)(g->body[1].at.pose.position.y - g->body[0].at.pose.position.y));
    return status;
}

int main(void)
{
    static game g;
    vp_error error = {VP_E_MEMORY, "no memory"};
    g.scratch = (vp_manifold_scratch){malloc(vp_manifold_scratch_bytes(TRIANGLES)), TRIANGLES, 0};
    const vp_status status = g.scratch.memory == NULL ? VP_E_MEMORY : run(&g, &error);
    if (status != VP_OK)
        fprintf(stderr, "%s: %s\n", vp_status_name(status), error.message);
    vp_contacts_destroy(g.contacts);
    vp_chunk_set_destroy(&g.stale);
    vp_terrain_destroy(g.terrain);
    vp_world_destroy(g.world);
    free(g.scratch.memory);
    return status != VP_OK;
}
