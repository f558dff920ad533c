/* SPDX-License-Identifier: MIT */
/* MagicaVoxel files: a head, then chunks of models, colours and scene nodes, all little-endian. Their z axis points up,
   as y does here, so voxel (x, y, z) becomes (x, z, -y), which keeps the handedness. Colours become materials. The
   caller chooses the colour of water, because the file does not. */
#include "import/vox_scene.h"

#include "src/core/bytes.h"
#include "import/def.h"
#include "import/grow.h"
#include "import/text.h"

enum { HEAD = 12, MODEL_MAX = 256, LAST_MATERIAL = 255 };

typedef struct vox_reader {
    const uint8_t *bytes;
    size_t size;
    vp_vox_file file;
    vp_dims next_size; /* extents of the last SIZE without an XYZI, 0 = none */
    vp_error *error;
} vox_reader;

static vp_status take_size(vox_reader *r, size_t at, size_t size)
{
    if (size < 12)
        return vp_fail(r->error, VP_E_FORMAT, "byte %zu: a SIZE of %zu bytes", at, size);
    vp_dims s = {vp_get_le32(r->bytes + at), vp_get_le32(r->bytes + at + 4), vp_get_le32(r->bytes + at + 8)};
    if (s.x < 1 || s.y < 1 || s.z < 1 || s.x > MODEL_MAX || s.y > MODEL_MAX || s.z > MODEL_MAX)
        return vp_fail(r->error, VP_E_FORMAT, "byte %zu: a model of %u x %u x %u; 1 to %d each can be", at, s.x, s.y, s.z, MODEL_MAX);
    r->next_size = s;
    return VP_OK;
}

static vp_status take_voxels(vox_reader *r, size_t at, size_t size)
{
    if (r->next_size.x == 0)
        return vp_fail(r->error, VP_E_FORMAT, "byte %zu: an XYZI without a SIZE before it", at - HEAD);
    if (size < 4)
        return vp_fail(r->error, VP_E_FORMAT, "byte %zu: an XYZI of %zu bytes", at, size);
    uint32_t count = vp_get_le32(r->bytes + at);
    if (count > (size - 4) / 4)
        return vp_fail(r->error, VP_E_FORMAT, "byte %zu: %u voxels in an XYZI of %zu bytes", at, count, size);
    vp_vox_model model = {r->next_size, r->bytes + at + 4, count};
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *v = model.voxel + (size_t)i * 4;
        if (v[0] >= model.size.x || v[1] >= model.size.y || v[2] >= model.size.z)
            return vp_fail(r->error, VP_E_FORMAT, "byte %zu: voxel (%u, %u, %u) outside its model of %u x %u x %u", at + 4 + (size_t)i * 4,
                           v[0], v[1], v[2], model.size.x, model.size.y, model.size.z);
        if (v[3] == 0)
            return vp_fail(r->error, VP_E_FORMAT, "byte %zu: a voxel of colour 0; colours are 1 to 255", at + 7 + (size_t)i * 4);
    }
    vp_vox_model *more = vp_import_grow(&r->file.allocator, r->file.model, r->file.models + 1, &r->file.model_capacity, sizeof *more);
    if (more == NULL)
        return vp_fail(r->error, VP_E_MEMORY, "no memory for %zu models", r->file.models + 1);
    r->file.model = more;
    r->file.model[r->file.models++] = model;
    r->next_size = (vp_dims){0, 0, 0};
    return VP_OK;
}

static vp_status take_node(vox_reader *r, vp_vox_kind kind, size_t at, size_t size)
{
    vp_vox_node *more = vp_import_grow(&r->file.allocator, r->file.node, r->file.nodes + 1, &r->file.node_capacity, sizeof *more);
    if (more == NULL)
        return vp_fail(r->error, VP_E_MEMORY, "no memory for a scene of %zu nodes", r->file.nodes + 1);
    r->file.node = more;
    vp_status status = vp_vox_read_node(kind, r->bytes + at, size, at, &r->file.node[r->file.nodes], r->error);
    r->file.nodes += status == VP_OK ? 1 : 0;
    return status;
}

static vp_status take_chunk(vox_reader *r, const uint8_t *tag, size_t at, size_t size)
{
    if (memcmp(tag, "SIZE", 4) == 0)
        return take_size(r, at, size);
    if (memcmp(tag, "XYZI", 4) == 0)
        return take_voxels(r, at, size);
    if (memcmp(tag, "nTRN", 4) == 0)
        return take_node(r, VP_VOX_TRANSFORM, at, size);
    if (memcmp(tag, "nGRP", 4) == 0)
        return take_node(r, VP_VOX_GROUP, at, size);
    if (memcmp(tag, "nSHP", 4) == 0)
        return take_node(r, VP_VOX_SHAPE, at, size);
    if (memcmp(tag, "RGBA", 4) == 0) {
        if (size != 1024)
            return vp_fail(r->error, VP_E_FORMAT, "byte %zu: a palette of %zu bytes; 1024 are read", at, size);
        r->file.palette = r->bytes + at;
    }
    return VP_OK; /* materials, layers and cameras are skipped */
}

static vp_status read_chunks(vox_reader *r)
{
    if (r->size < 20)
        return vp_fail(r->error, VP_E_FORMAT, "byte %zu: the file ends within its head", r->size);
    if (memcmp(r->bytes, "VOX ", 4) != 0 || memcmp(r->bytes + 8, "MAIN", 4) != 0)
        return vp_fail(r->error, VP_E_FORMAT, "byte 0: not a MagicaVoxel file: it lacks \"VOX \" or \"MAIN\"");
    uint32_t version = vp_get_le32(r->bytes + 4);
    if (version != 150 && version != 200)
        return vp_fail(r->error, VP_E_FORMAT, "byte 4: version %u of the format; 150 and 200 are read", version);
    uint64_t content = vp_get_le32(r->bytes + 12), end = 20 + content + vp_get_le32(r->bytes + 16);
    if (end != r->size)
        return vp_fail(r->error, VP_E_FORMAT, "byte 12: the file should have %llu bytes and has %zu", (unsigned long long)end, r->size);
    for (size_t at = 20 + (size_t)content; at < r->size;) {
        if (r->size - at < HEAD)
            return vp_fail(r->error, VP_E_FORMAT, "byte %zu: the file ends within the head of a chunk", r->size);
        uint64_t own = vp_get_le32(r->bytes + at + 4), children = vp_get_le32(r->bytes + at + 8);
        if (own + children > r->size - at - HEAD)
            return vp_fail(r->error, VP_E_FORMAT, "byte %zu: a chunk of %llu bytes where %zu are left", at + 4,
                           (unsigned long long)(own + children), r->size - at - HEAD);
        VP_RETURN_IF_FAILED(take_chunk(r, r->bytes + at, at + HEAD, (size_t)own));
        at += HEAD + (size_t)(own + children);
    }
    if (r->next_size.x != 0)
        return vp_fail(r->error, VP_E_FORMAT, "byte %zu: the file ends after a SIZE without its XYZI", r->size);
    return VP_OK;
}

/* ---- the world ---- */

static uint8_t material_of(uint8_t colour, const vp_import_def *def)
{
    if (colour == def->vox_water_colour)
        return VP_WATER;
    return colour < LAST_MATERIAL - 1 ? (uint8_t)(colour + 1) : LAST_MATERIAL;
}

/* Finds the smallest box around all voxels, low[i] <= v <= high[i]. */
static vp_status find_bounds(const vox_reader *r, const vp_vox_scene *scene, int64_t low[3], int64_t high[3])
{
    if (scene->voxels == 0)
        return vp_fail(r->error, VP_E_FORMAT, "the scene has no voxels");
    bool first = true;
    for (size_t n = 0; n < scene->count; n++) {
        const vp_vox_model *model = &r->file.model[scene->instance[n].model];
        for (uint32_t i = 0; i < model->count; i++) {
            int64_t at[3];
            vp_vox_apply(&scene->instance[n], model, model->voxel + (size_t)i * 4, at);
            for (int k = 0; k < 3; k++) {
                low[k] = first || at[k] < low[k] ? at[k] : low[k];
                high[k] = first || at[k] > high[k] ? at[k] : high[k];
            }
            first = false;
        }
    }
    return VP_OK;
}

static void describe(const vox_reader *r, const vp_vox_scene *scene, const uint64_t used[256], const vp_import_def *def, vp_text *note)
{
    vp_text_add(note, "MagicaVoxel scene, %zu models, %zu placed", r->file.models, scene->count);
    if (scene->hidden != 0)
        vp_text_add(note, ", %u hidden nodes left out", scene->hidden);
    vp_text_add(note, "\nmaterial, voxels, colour:\n");
    for (unsigned c = 1; c < 256; c++) {
        if (used[c] == 0)
            continue;
        vp_text_add(note, "%u %llu %u", material_of((uint8_t)c, def), (unsigned long long)used[c], c);
        const uint8_t *rgba = r->file.palette != NULL ? r->file.palette + (size_t)(c - 1) * 4 : NULL;
        if (rgba != NULL)
            vp_text_add(note, " #%02x%02x%02x", rgba[0], rgba[1], rgba[2]);
        vp_text_add(note, "\n");
    }
}

static vp_status make_world(const vox_reader *r, const vp_vox_scene *scene, const vp_import_def *def, vp_world **out, vp_blob *note)
{
    int64_t low[3] = {0}, high[3] = {0};
    VP_RETURN_IF_FAILED(find_bounds(r, scene, low, high));
    int64_t sx = high[0] - low[0] + 1, sy = high[2] - low[2] + 1, sz = high[1] - low[1] + 1;
    if (sx > VP_WORLD_MAX_XZ || sy > VP_WORLD_MAX_Y || sz > VP_WORLD_MAX_XZ)
        return vp_fail(r->error, VP_E_ARGUMENT, "a scene of %lld x %lld x %lld voxels (Y up); at most %d x %d x %d fit", (long long)sx,
                       (long long)sy, (long long)sz, VP_WORLD_MAX_XZ, VP_WORLD_MAX_Y, VP_WORLD_MAX_XZ);
    vp_world *world = NULL;
    uint64_t used[256] = {0};
    vp_status status = vp_import_create_world(def, (vp_dims){(uint32_t)sx, (uint32_t)sy, (uint32_t)sz}, &world, r->error);
    for (size_t n = 0; status == VP_OK && n < scene->count; n++) {
        const vp_vox_model *model = &r->file.model[scene->instance[n].model];
        for (uint32_t i = 0; status == VP_OK && i < model->count; i++) {
            const uint8_t *v = model->voxel + (size_t)i * 4;
            int64_t at[3];
            vp_vox_apply(&scene->instance[n], model, v, at);
            vp_ivec3 to = {(int32_t)(at[0] - low[0]), (int32_t)(at[2] - low[2]), (int32_t)(high[1] - at[1])};
            used[v[3]]++;
            status = vp_world_set_voxel(world, to, (vp_voxel){material_of(v[3], def), 255}, NULL, r->error);
        }
    }
    if (status == VP_OK) {
        vp_text text = vp_text_begin(def->allocator);
        describe(r, scene, used, def, &text);
        status = vp_text_finish(&text, note, r->error);
    }
    if (status != VP_OK) {
        vp_world_destroy(world);
        return status;
    }
    *out = world;
    return VP_OK;
}

vp_status vp_import_vox(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error)
{
    VP_RETURN_IF_NULL(error, out);
    VP_RETURN_IF_ARRAY_NULL(error, bytes, size);
    const vp_import_def chosen = vp_import_def_or_default(def);
    if (chosen.vox_water_colour > 255)
        return vp_fail(error, VP_E_ARGUMENT, "water of colour %u; colours are 1 to 255", chosen.vox_water_colour);
    vox_reader r = {.bytes = bytes, .size = size, .error = error};
    r.file.allocator = vp_allocator_or_default(chosen.allocator);
    vp_vox_scene scene = {0};
    vp_status status = read_chunks(&r);
    if (status == VP_OK)
        status = vp_vox_make_scene(&r.file, &scene, error);
    if (status == VP_OK)
        status = make_world(&r, &scene, &chosen, out, note);
    vp_vox_drop_scene(&r.file, &scene);
    vp_release(&r.file.allocator, r.file.model, r.file.model_capacity, sizeof *r.file.model);
    vp_release(&r.file.allocator, r.file.node, r.file.node_capacity, sizeof *r.file.node);
    return status == VP_OK ? vp_succeed(error) : status;
}
