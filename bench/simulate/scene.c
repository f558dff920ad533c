/* SPDX-License-Identifier: MIT */
#include "bench/simulate/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/version.h>

#include "cases/narrowphase/manifold.h"
#include "datasets/hash.h"
#include "src/core/error.h"

/* ---- the scene ---- */

/* Bodies of datasets/scenes/thousand.json, dropped from a lower height so that all land soon. Each cell of a grid has `layers` of each. */
static const struct {
    vp_collide_shape shape;
    double x, z, density;
    uint32_t layers;
} groups[] = {
    {{.kind = VP_COLLIDE_BOX, .half = {0.5f, 0.5f, 0.5f}}, 6, 6, 0.7, 4},
    {{.kind = VP_COLLIDE_SPHERE, .radius = 0.5f}, 8.8, 6, 1.5, 3},
    {{.kind = VP_COLLIDE_CYLINDER, .radius = 0.5f, .half_height = 0.5f}, 6, 8.8, 1, 2},
    {{.kind = VP_COLLIDE_CAPSULE, .radius = 0.4f, .half_height = 0.5f}, 8.5, 8.5, 1, 1},
};
enum { GROUPS = sizeof groups / sizeof groups[0], A_CELL = 10, LEAST_ROW = 5 };
static const double apart = 5.6, drop = 1.2, layer = 1.5;

/* Copies the world without its water, because other libraries have none. */
static vp_status copy_solids(const vp_world *from, vp_world **out, vp_error *error)
{
    const vp_dims size = vp_world_size(from);
    vp_status status = vp_world_create(&(vp_world_def){.size = size}, out, error);
    for (int32_t y = 0; y < (int32_t)size.y; y++)
        for (int32_t z = 0; z < (int32_t)size.z; z++)
            for (int32_t x = 0; x < (int32_t)size.x && status == VP_OK; x++) {
                const vp_voxel voxel = vp_world_voxel(from, (vp_ivec3){x, y, z});
                if (voxel.material >= VP_FIRST_SOLID)
                    status = vp_world_set_voxel(*out, (vp_ivec3){x, y, z}, voxel, NULL, error);
            }
    return status;
}

/* y above the highest solid voxel of nine columns. */
static double top_of(const vp_world *world, double x, double z)
{
    for (int32_t y = (int32_t)vp_world_size(world).y; y > 0; y--)
        for (int32_t i = 0; i < 9; i++)
            if (vp_world_voxel(world, (vp_ivec3){(int32_t)x + i % 3 - 1, y - 1, (int32_t)z + i / 3 - 1}).material >= VP_FIRST_SOLID)
                return y;
    return 0;
}

static vp_status place_bodies(vp_body_scene *s, vp_error *error)
{
    const uint32_t cells = s->bodies / A_CELL;
    uint32_t row = LEAST_ROW, n = 0;
    vp_status status = VP_OK;
    while (row * row < cells)
        row *= 2;
    for (uint32_t cell = 0; cell < cells; cell++)
        for (uint32_t g = 0; g < GROUPS; g++)
            for (uint32_t k = 0; k < groups[g].layers && status == VP_OK; k++, n++) {
                const double x = groups[g].x + apart * (cell % row), z = groups[g].z + apart * (cell / row);
                s->body[n] = (vp_sim_body_def){.shape = groups[g].shape,
                                               .position = {x, top_of(s->world, x, z) + drop + layer * k, z},
                                               .rotation = {0, 0, 0, 1},
                                               .density = groups[g].density,
                                               .friction = 0.6};
                status = vp_mass_of_shape(&s->body[n].shape, s->body[n].density, &s->mass[n], error);
            }
    return status;
}

static vp_status make_scene(const vp_data *data, uint32_t variant, void **out, vp_error *error)
{
    const uint32_t bodies = variant & (VP_SCENE_REUSES - 1);
    const vp_aabb everywhere = {{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}};
    const vp_kernels scalar = vp_scalar_kernels();
    vp_body_scene *s = *out = calloc(1, sizeof *s);
    if (s == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a scene");
    s->bodies = bodies;
    s->land = (variant & VP_SCENE_RESTS) != 0 ? 10 * VP_SCENE_LAND : VP_SCENE_LAND;
    s->def = (vp_sim_def){.gravity = 10, .step = 1.0 / 60, .friction = 0.6, .substeps = 4, .restless = true};
    s->def.reuse = (variant & VP_SCENE_REUSES) != 0 ? 0.01 : 0;
    s->body = calloc(bodies + 1u, sizeof *s->body);
    s->mass = calloc(bodies + 1u, sizeof *s->mass);
    if (s->body == NULL || s->mass == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u bodies", bodies);
    vp_status status = copy_solids(data->set, &s->world, error);
    if (status == VP_OK)
        status = vp_manifold_case_terrain(s->world, &scalar, &s->terrain, error);
    if (status == VP_OK)
        status = vp_manifold_case_triangles(s->terrain, &everywhere, &s->triangle, &s->triangles, error);
    return status == VP_OK ? place_bodies(s, error) : status;
}

static void drop_scene(void *derived)
{
    vp_body_scene *s = derived;
    if (s != NULL) {
        vp_terrain_destroy(s->terrain);
        vp_world_destroy(s->world);
        free(s->triangle);
        free(s->body);
        free(s->mass);
        free(s->landed);
    }
    free(s);
}

const vp_derivation vp_body_scene_derivation = {"body-scene", make_scene, drop_scene};

/* ---- voxphys ---- */

typedef struct simulation_work {
    const vp_body_scene *scene;
    vp_kernels kernels;
    vp_terrain *terrain;
    vp_sim *sim;
    vp_sim_body *end;
    double *state;
    vp_simulated result;
} simulation_work;

static vp_status create_sim(const vp_body_scene *s, const vp_kernels *kernels, vp_terrain *terrain, const vp_sim_body *from, vp_sim **out,
                            vp_error *error)
{
    vp_sim_def def = s->def;
    uint32_t number;
    def.terrain = terrain;
    def.kernels = kernels;
    vp_status status = vp_sim_create(&def, out, error);
    for (uint32_t i = 0; i < s->bodies && status == VP_OK; i++) {
        vp_sim_body_def body = s->body[i];
        if (from != NULL) {
            memcpy(body.position, from[i].position, sizeof body.position);
            memcpy(body.rotation, from[i].rotation, sizeof body.rotation);
            memcpy(body.velocity, from[i].velocity, sizeof body.velocity);
            memcpy(body.spin, from[i].spin, sizeof body.spin);
        }
        status = vp_sim_add(*out, &body, &number, error);
    }
    return status;
}

static vp_status take_steps(vp_sim *sim, uint32_t steps, double seconds[VP_SCENE_PARTS], vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < steps && status == VP_OK; i++) {
        status = vp_sim_step(sim, error);
        const vp_sim_times *t = &vp_sim_stats_of(sim)->seconds;
        const double of[VP_SCENE_PARTS] = {t->broadphase, t->pairs, t->ground, t->solve, t->sleep};
        for (int p = 0; seconds != NULL && p < VP_SCENE_PARTS; p++)
            seconds[p] += of[p];
    }
    return status;
}

/* Lets the bodies fall, once. States are the same by all kernels. */
static vp_status land(vp_body_scene *s)
{
    const vp_kernels scalar = vp_scalar_kernels();
    vp_sim *sim = NULL;
    if (s->landed != NULL)
        return VP_OK;
    vp_sim_body *landed = calloc(s->bodies + 1u, sizeof *landed);
    vp_status status = landed == NULL ? VP_E_MEMORY : create_sim(s, &scalar, s->terrain, NULL, &sim, NULL);
    if (status == VP_OK)
        status = take_steps(sim, s->land, NULL, NULL);
    for (uint32_t i = 0; i < s->bodies && status == VP_OK; i++)
        landed[i] = vp_sim_body_of(sim, i);
    vp_sim_destroy(sim);
    if (status == VP_OK)
        s->landed = landed;
    else
        free(landed);
    return status;
}

static void drop_work(void *argument)
{
    simulation_work *w = argument;
    if (w != NULL) {
        vp_sim_destroy(w->sim);
        vp_terrain_destroy(w->terrain);
        free(w->end);
        free(w->state);
    }
    free(w);
}

static void *make_work(const vp_peer *peer, const vp_data *data)
{
    simulation_work *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    vp_body_scene *s = (vp_body_scene *)(uintptr_t)data->set;
    w->scene = s;
    w->end = calloc(s->bodies + 1u, sizeof *w->end);
    w->state = calloc((size_t)VP_SIM_STATE_DOUBLES * (s->bodies + 1u), sizeof *w->state);
    if (w->end != NULL && w->state != NULL && land(s) == VP_OK && vp_kernels_named(peer->name, &w->kernels, NULL) == VP_OK &&
        vp_manifold_case_terrain(s->world, &w->kernels, &w->terrain, NULL) == VP_OK && vp_terrain_prepare(w->terrain, NULL) == VP_OK)
        return w;
    drop_work(w);
    return NULL;
}

static bool rewind_work(void *argument)
{
    simulation_work *w = argument;
    vp_sim_destroy(w->sim);
    w->sim = NULL;
    return create_sim(w->scene, &w->kernels, w->terrain, w->scene->landed, &w->sim, NULL) == VP_OK &&
           take_steps(w->sim, VP_SCENE_WARM, NULL, NULL) == VP_OK;
}

static bool run_work(void *argument, uint32_t step)
{
    simulation_work *w = argument;
    (void)step;
    memset(w->result.seconds, 0, sizeof w->result.seconds);
    return take_steps(w->sim, VP_SCENE_TIMED, w->result.seconds, NULL) == VP_OK;
}

static bool answers_of_work(void *argument, uint32_t step, vp_peer_answers *out)
{
    simulation_work *w = argument;
    const uint32_t bodies = w->scene->bodies;
    vp_hasher hasher;
    (void)step;
    for (uint32_t i = 0; i < bodies; i++)
        w->end[i] = vp_sim_body_of(w->sim, i);
    vp_sim_state(w->sim, w->state);
    vp_hash_begin(&hasher);
    vp_hash_longs(&hasher, w->state, (size_t)VP_SIM_STATE_DOUBLES * bodies);
    w->result.digest = vp_hash_end(&hasher);
    w->result.landed = w->scene->landed;
    w->result.end = w->end;
    w->result.contacts = vp_sim_stats_of(w->sim)->contacts;
    out->simulated = &w->result;
    return true;
}

vp_peer vp_simulate_ours(const char *kernels)
{
    return (vp_peer){kernels,   VP_VERSION_STRING, "ours",   VP_SIMULATE_ROW, true,     true,
                     make_work, rewind_work,       run_work, answers_of_work, drop_work};
}

vp_status vp_body_scene_digest(const vp_data *data, uint64_t *out, vp_error *error)
{
    vp_body_scene *s = (vp_body_scene *)(uintptr_t)data->set;
    const vp_peer scalar = vp_simulate_ours("scalar");
    vp_peer_answers got = {0};
    void *w = s->digest == 0 ? make_work(&scalar, data) : NULL;
    if (w != NULL && rewind_work(w) && run_work(w, 0) && answers_of_work(w, 0, &got))
        s->digest = got.simulated->digest;
    drop_work(w);
    *out = s->digest;
    return *out != 0 ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for the simulation on %s", data->name);
}

/* ---- the judge ---- */

static const double slow = 0.05, lift = 0.01; /* voxels/s; height in voxels by which rounding may lift all bodies */

static double square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* Kinetic energy, and potential energy about y = 0. */
static double energy_of(const vp_body_scene *s, uint32_t i, const vp_sim_body *b)
{
    const double x = b->rotation[0], y = b->rotation[1], z = b->rotation[2], w = b->rotation[3], *o = b->spin;
    const double axis[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                               {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                               {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}};
    double twice = s->mass[i].mass * square(b->velocity);
    for (int k = 0; k < 3; k++) {
        const double along = axis[k][0] * o[0] + axis[k][1] * o[1] + axis[k][2] * o[2];
        twice += s->mass[i].inertia[k] * along * along; /* these shapes' tensors are diagonal */
    }
    return twice / 2 + s->mass[i].mass * s->def.gravity * b->position[1];
}

static bool is_finite(const vp_sim_body *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += b->position[k] + b->velocity[k] + b->spin[k] + b->rotation[k];
    return isfinite(sum + b->rotation[3]);
}

/* Judges one body. The terrain is finite. A body that rolls over its side falls forever and counts as having left. */
static vp_status judge_body(const vp_body_scene *s, const vp_terrain_reader *reader, const vp_sim_body *b, vp_scene_tally *out,
                            vp_error *error)
{
    const vp_dims size = vp_world_size(s->world);
    const double *p = b->position;
    bool inside = false;
    out->resting += square(b->velocity) < slow * slow && square(b->spin) < slow * slow;
    if (p[0] < 0 || p[2] < 0 || p[0] > size.x || p[2] > size.z) {
        out->left++;
        return VP_OK;
    }
    const vp_vec3 centre = {(float)p[0], (float)p[1], (float)p[2]};
    const vp_status status = p[1] > 0 ? vp_terrain_reader_inside(reader, VP_SURFACE_SOLID, centre, &inside, error) : VP_OK;
    out->below_ground += inside || !(p[1] > 0);
    return status;
}

vp_status vp_scene_judge(const vp_body_scene *s, const vp_simulated *run, vp_scene_tally *out, vp_error *error)
{
    vp_terrain_reader reader;
    vp_status status = VP_OK;
    double gained = 0, most = 0;
    *out = (vp_scene_tally){0};
    vp_terrain_acquire_reader(s->terrain, &reader);
    for (uint32_t i = 0; i < s->bodies && status == VP_OK; i++) {
        if (!is_finite(&run->landed[i]) || !is_finite(&run->end[i])) {
            out->no_number++;
            continue;
        }
        gained += energy_of(s, i, &run->end[i]) - energy_of(s, i, &run->landed[i]);
        most += s->mass[i].mass * s->def.gravity * lift;
        status = judge_body(s, &reader, &run->end[i], out, error);
    }
    vp_terrain_release_reader(&reader);
    out->gained_energy = gained > most;
    return status;
}
