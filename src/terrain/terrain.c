/* SPDX-License-Identifier: MIT */
/* Terrain as an object: creation, destruction, statistics, reading and saving. Queries are in terrain/query.c, edits in
 * terrain/edit.c, and the cache of trees in terrain/cache.c. */
#include "src/terrain/terrain_internal.h"

#include "src/core/error.h"
#include "src/core/executor.h"
#include "src/terrain/walk.h"
#include "src/core/file.h"
#include "src/core/memory.h"
#include "src/world/world_internal.h"

#include <voxphys/world_file.h>

/* ---- errors ---- */

vp_status vp_terrain_refuse_surface(const vp_terrain *terrain, vp_surface surface, vp_error *error)
{
    if (terrain == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "the reader has ended, or is all 0: vp_terrain_acquire_reader begins it");
    if ((unsigned)surface >= VP_SURFACE_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "surface is %d; must be 0 (solid) or 1 (water)", (int)surface);
    return vp_fail(error, VP_E_ARGUMENT, "surface is %d (%s), which vp_terrain_def.surfaces did not include", (int)surface,
                   surface == VP_SURFACE_SOLID ? "solid" : "water");
}

vp_status vp_terrain_no_memory(uint32_t chunk, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory to make the mesh and the tree of chunk %u", chunk);
}

/* ---- creating and destroying ---- */

static bool is_in_size(int32_t first, uint32_t count, uint32_t size)
{
    return first >= 0 && count != 0 && (uint32_t)first < size && count <= size - (uint32_t)first;
}

static bool is_whole_world(const vp_terrain_def *def)
{
    return def->chunks.x == 0 && def->chunks.y == 0 && def->chunks.z == 0 && def->first.x == 0 && def->first.y == 0 && def->first.z == 0;
}

static vp_status check_def(const vp_terrain_def *def, vp_error *error)
{
    if (def->world == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_terrain_def.world is NULL");
    if ((def->surfaces & ~(uint32_t)(VP_TERRAIN_SOLID | VP_TERRAIN_WATER)) != 0)
        return vp_fail(error, VP_E_ARGUMENT, "vp_terrain_def.surfaces is %u; must be 1 (solid), 2 (water), 3 (both) or 0 = solid",
                       def->surfaces);
    if ((unsigned)def->form >= VP_KD_FORM_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "vp_terrain_def.form is %d; must be 0 to %d", (int)def->form, VP_KD_FORM_COUNT - 1);
    const vp_dims n = def->world->chunks, box = def->chunks;
    const vp_ivec3 first = def->first;
    if (is_whole_world(def) || (is_in_size(first.x, box.x, n.x) && is_in_size(first.y, box.y, n.y) && is_in_size(first.z, box.z, n.z)))
        return VP_OK;
    if (box.x == 0 && box.y == 0 && box.z == 0)
        return vp_fail(error, VP_E_ARGUMENT, "vp_terrain_def.first is (%d, %d, %d) but chunks is 0 x 0 x 0: set both or neither", first.x,
                       first.y, first.z);
    if (box.x == 0 || box.y == 0 || box.z == 0)
        return vp_fail(error, VP_E_ARGUMENT, "vp_terrain_def.chunks is %u x %u x %u: must not be empty; 0 x 0 x 0 is the whole world",
                       box.x, box.y, box.z);
    return vp_fail(error, VP_E_ARGUMENT,
                   "vp_terrain_def: %u x %u x %u chunks from (%d, %d, %d) are not inside a world of %u x %u x %u chunks", box.x, box.y,
                   box.z, first.x, first.y, first.z, n.x, n.y, n.z);
}

static vp_top_source source_of(const vp_terrain *t)
{
    return (vp_top_source){vp_broadphase_bits(t->broadphase), vp_world_voxels(t->world)};
}

/* A surface's entries for kernels. NULL if trees can be evicted. */
static const vp_kd_view *const *entries_of(const vp_terrain *t, uint32_t which)
{
    const void *entries = t->cache.entry + (size_t)which * t->cache.chunks;
    return t->cache.limited ? NULL : entries;
}

void vp_terrain_renew_views(vp_terrain *terrain)
{
    for (uint32_t i = 0; i < terrain->surface_count; i++) {
        terrain->query[i].view = (vp_terrain_view){
            .bits = vp_broadphase_bits(terrain->broadphase),
            .surface = terrain->top[i].surface,
            .first = terrain->first,
            .chunks = terrain->chunks,
            .box = vp_chunks_box(terrain->first, terrain->chunks),
            .top = vp_terrain_top_view(&terrain->top[i]),
            .tree = entries_of(terrain, i),
            .find = vp_cache_find,
            .make = vp_cache_make,
        };
        vp_cache_enter(&terrain->cache, i, &terrain->query[i].user);
    }
}

/* The cache's budget for the budget of a definition. */
static size_t budget_of(size_t given)
{
    return given == 0 ? VP_TERRAIN_DEFAULT_BUDGET : given == VP_TERRAIN_NO_CACHE ? 0 : given;
}

/* Allocates everything. */
static vp_status allocate_terrain(vp_terrain *t, const vp_terrain_def *def, vp_error *error)
{
    const vp_broadphase_def broadphase = {def->world, &t->kernels, &t->executor, &t->allocator};
    VP_RETURN_IF_FAILED(vp_broadphase_create(&broadphase, &t->broadphase, error));
    VP_RETURN_IF_FAILED(vp_chunk_set_create(def->world->chunks, &t->allocator, &t->stale, error));
    const vp_top_source source = source_of(t);
    bool done = vp_cache_begin(&t->cache, t->surface_count, budget_of(def->budget), &t->allocator);
    for (uint32_t i = 0; done && i < t->surface_count; i++) {
        done = vp_terrain_top_create(t->cache.surface[i], t->first, t->chunks, &t->allocator, &t->top[i]);
        if (done)
            vp_terrain_top_derive(&t->top[i], &source);
    }
    if (!done)
        return vp_fail(error, VP_E_MEMORY, "no memory for the terrain of %u x %u x %u chunks", def->world->chunks.x, def->world->chunks.y,
                       def->world->chunks.z);
    vp_terrain_renew_views(t);
    return VP_OK;
}

static void fill_entries(vp_terrain *t, const vp_terrain_def *def)
{
    const uint32_t surfaces = def->surfaces != 0 ? def->surfaces : VP_TERRAIN_SOLID;
    t->world = def->world;
    t->first = def->first;
    t->chunks = is_whole_world(def) ? def->world->chunks : def->chunks;
    t->executor = vp_executor_or_serial(def->executor);
    for (int s = 0; s < VP_SURFACE_COUNT; s++) {
        t->which[s] = -1;
        if ((surfaces >> s & 1) != 0) {
            t->which[s] = (int8_t)t->surface_count;
            t->cache.surface[t->surface_count++] = (vp_surface)s;
        }
    }
    t->cache.kernels = t->kernels;
    t->cache.voxels = vp_world_voxels(def->world);
    t->cache.form = def->form;
    t->cache.chunks = (uint32_t)vp_chunk_count(def->world->chunks);
}

vp_status vp_terrain_create(const vp_terrain_def *def, vp_terrain **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    vp_kernels kernels;
    VP_RETURN_IF_FAILED(check_def(def, error));
    if (def->kernels == NULL)
        VP_RETURN_IF_FAILED(vp_kernels_default(&kernels, error));
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    vp_terrain *t = vp_allocate_zero(&allocator, 1, sizeof *t);
    if (t == NULL || !vp_gate_begin(&t->gate)) {
        vp_release(&allocator, t, 1, sizeof *t);
        return vp_fail(error, VP_E_MEMORY, "no memory for a terrain");
    }
    t->allocator = allocator;
    t->kernels = def->kernels != NULL ? *def->kernels : kernels;
    fill_entries(t, def);
    vp_status status = allocate_terrain(t, def, error);
    if (status != VP_OK) {
        vp_terrain_destroy(t);
        return status;
    }
    *out = t;
    return vp_succeed(error);
}

void vp_terrain_destroy(vp_terrain *terrain)
{
    if (terrain == NULL)
        return;
    const vp_allocator allocator = terrain->allocator;
    vp_cache_end(&terrain->cache);
    for (uint32_t i = 0; i < terrain->surface_count; i++)
        if (terrain->top[i].node != NULL)
            vp_terrain_top_destroy(&terrain->top[i]);
    if (terrain->stale.word != NULL)
        vp_chunk_set_destroy(&terrain->stale);
    vp_broadphase_destroy(terrain->broadphase);
    vp_gate_end(&terrain->gate);
    vp_release(&allocator, terrain, 1, sizeof *terrain);
}

bool vp_terrain_has_chunk(const vp_terrain *terrain, uint32_t chunk, vp_ivec3 *in)
{
    const vp_ivec3 at = vp_chunk_at(terrain->world->chunks, chunk), first = terrain->first;
    *in = (vp_ivec3){at.x - first.x, at.y - first.y, at.z - first.z};
    return chunk < terrain->cache.chunks && vp_voxel_inside(terrain->chunks, *in);
}

static vp_status may_write(vp_terrain *terrain, vp_error *error)
{
    if (!vp_gate_is_held(&terrain->gate))
        return VP_OK;
    return vp_fail(error, VP_E_ARGUMENT, "this thread holds a reader; call vp_terrain_release_reader before editing");
}

vp_status vp_terrain_enter_write(vp_terrain *terrain, vp_error *error)
{
    VP_RETURN_IF_FAILED(may_write(terrain, error));
    vp_gate_enter_write(&terrain->gate);
    return VP_OK;
}

/* ---- the cache ---- */

/* Chunks whose trees are to be built, one task each. */
typedef struct preparation {
    vp_terrain *terrain;
    uint32_t *entry;
    atomic_bool full, failed;
} preparation;

static void prepare_one(void *argument, uint32_t index)
{
    preparation *p = argument;
    vp_tree_cache *cache = &p->terrain->cache;
    const uint32_t entry = p->entry[index];
    vp_tree_user user;
    vp_cache_enter(cache, entry / cache->chunks, &user);
    user.preparing = true;
    vp_cache_make(&user, entry % cache->chunks);
    vp_cache_leave(&user);
    if (user.full)
        atomic_store(&p->full, true);
    if (user.failed)
        atomic_store(&p->failed, true);
}

/* The lowest chunk from `from` on that may have triangles and has no tree, with its surface. Numbers are chunk *
 * surface_count + which. UINT64_MAX: there is none. */
static uint64_t find_next_unmade(const vp_terrain *t, uint64_t from)
{
    vp_ivec3 in;
    for (uint64_t i = from; i < (uint64_t)t->cache.chunks * t->surface_count; i++) {
        const uint32_t c = (uint32_t)(i / t->surface_count), which = (uint32_t)(i % t->surface_count);
        if (vp_terrain_has_chunk(t, c, &in) && (t->top[which].layers[(size_t)in.z * t->chunks.x + (uint32_t)in.x] >> in.y & 1) != 0 &&
            atomic_load_explicit(&t->cache.entry[(size_t)which * t->cache.chunks + c], memory_order_relaxed) == NULL)
            return i;
    }
    return UINT64_MAX;
}

static void update_top(vp_terrain *t, const vp_top_source *source, const vp_built_tree *made)
{
    vp_terrain_top_learn(&t->top[made->entry / t->cache.chunks], source, made->entry % t->cache.chunks, made->empty ? NULL : &made->box);
}

/* Passes the boxes of trees built since the last call to the top level. Alone inside the gate. */
static void update_top_from_pending(vp_terrain *t)
{
    vp_built_tree made[VP_MADE_MAX];
    uint32_t from, end;
    const vp_top_source source = source_of(t);
    const uint32_t count = vp_cache_take_pending(&t->cache, made, &from, &end);
    for (uint32_t i = 0; i < count; i++)
        update_top(t, &source, &made[i]);
    for (; vp_cache_next_unreported(&t->cache, from, end, made); from = made->entry + 1)
        update_top(t, &source, made);
}

void vp_terrain_take_pending(vp_terrain *terrain)
{
    if (atomic_load_explicit(&terrain->cache.has_pending, memory_order_relaxed))
        update_top_from_pending(terrain);
}

void vp_terrain_refresh_slowly(vp_terrain *terrain)
{
    if (!vp_gate_try_enter_write(&terrain->gate))
        return;
    vp_terrain_take_pending(terrain);
    vp_gate_leave_write(&terrain->gate);
}

/* Builds chunks in parallel only where all of them surely fit, so that the set of built chunks does not depend on
 * the threads. */
vp_status vp_terrain_prepare(vp_terrain *terrain, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    enum { MAX = 256 };
    uint32_t entry[MAX];
    preparation p = {terrain, entry, false, false};
    VP_RETURN_IF_FAILED(may_write(terrain, error));
    vp_gate_enter_read(&terrain->gate);
    uint64_t next = find_next_unmade(terrain, 0);
    while (next != UINT64_MAX && !atomic_load(&p.full) && !atomic_load(&p.failed)) {
        const vp_terrain_stats stats = vp_cache_stats(&terrain->cache);
        const size_t max = vp_chunk_tree_scratch_bytes(terrain->cache.form); /* upper bound of one tree's bytes */
        const size_t sure = (stats.budget - stats.bytes) / max;
        uint32_t count = 0;
        do {
            entry[count++] = (uint32_t)(next % terrain->surface_count) * terrain->cache.chunks + (uint32_t)(next / terrain->surface_count);
            next = find_next_unmade(terrain, next + 1);
        } while (next != UINT64_MAX && count < MAX && count < sure);
        if (count == 1)
            prepare_one(&p, 0);
        else
            terrain->executor.parallel_for(terrain->executor.user, count, prepare_one, &p);
        vp_gate_leave_read(&terrain->gate); /* lets a waiting edit in before all chunks are built, and queries that wait for the edit */
        vp_gate_enter_read(&terrain->gate);
        if (next != UINT64_MAX)
            next = find_next_unmade(terrain, next);
    }
    vp_gate_leave_read(&terrain->gate);
    vp_gate_enter_write(&terrain->gate);
    update_top_from_pending(terrain);
    vp_gate_leave_write(&terrain->gate);
    if (atomic_load(&p.failed))
        return vp_fail(error, VP_E_MEMORY, "no memory for the meshes and trees of all chunks");
    return vp_succeed(error);
}

vp_status vp_terrain_set_budget(vp_terrain *terrain, size_t budget, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    VP_RETURN_IF_FAILED(vp_terrain_enter_write(terrain, error));
    vp_cache_set_budget(&terrain->cache, budget_of(budget));
    vp_terrain_renew_views(terrain);
    vp_gate_leave_write(&terrain->gate);
    return vp_succeed(error);
}

vp_terrain_stats vp_terrain_stats_of(vp_terrain *terrain)
{
    vp_terrain_stats stats = vp_cache_stats(&terrain->cache);
    stats.fixed_bytes = sizeof *terrain + vp_cache_fixed_bytes(&terrain->cache) + vp_chunk_set_bytes(terrain->stale.chunks);
    for (uint32_t i = 0; i < terrain->surface_count; i++)
        stats.fixed_bytes += vp_terrain_top_bytes(&terrain->top[i]);
    return stats;
}

/* ---- reading and saving ---- */

vp_voxel vp_terrain_voxel(vp_terrain *terrain, vp_ivec3 at)
{
    vp_gate_enter_read(&terrain->gate);
    const vp_voxel voxel = vp_world_voxel(terrain->world, at);
    vp_gate_leave_read(&terrain->gate);
    return voxel;
}

void vp_terrain_acquire_reader(vp_terrain *terrain, vp_terrain_reader *out)
{
    out->terrain = terrain;
    vp_gate_hold(&terrain->gate, &out->holder);
}

void vp_terrain_release_reader(vp_terrain_reader *reader)
{
    if (reader == NULL || reader->terrain == NULL)
        return;
    vp_terrain *const t = reader->terrain;
    reader->terrain = NULL;
    vp_gate_let_go(&t->gate, &reader->holder);
    vp_terrain_refresh_top_level(t);
}

const vp_world *vp_terrain_reader_world(const vp_terrain_reader *reader)
{
    return reader->terrain != NULL ? reader->terrain->world : NULL;
}

const vp_broadphase *vp_terrain_reader_broadphase(const vp_terrain_reader *reader)
{
    return reader->terrain != NULL ? reader->terrain->broadphase : NULL;
}

const vp_broadphase *vp_terrain_broadphase(const vp_terrain *terrain)
{
    return terrain->broadphase;
}

/* Encodes the file in memory under the gate and writes it outside, so that edits do not wait for the disk. */
vp_status vp_terrain_save(vp_terrain *terrain, const char *note, const char *path, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain, path);
    vp_blob file;
    vp_gate_enter_read(&terrain->gate);
    vp_status status = vp_world_encode(terrain->world, note, &terrain->allocator, &file, error);
    vp_gate_leave_read(&terrain->gate);
    if (status != VP_OK)
        return status;
    status = vp_file_replace(path, file.bytes, file.size, error);
    vp_blob_destroy(&file);
    return status;
}
