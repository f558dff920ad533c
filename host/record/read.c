/* SPDX-License-Identifier: MIT */
#include "host/record/read.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "host/record/reader.h"

/* ---- blocks ---- */

static vp_status add_block(vp_record *r, const vp_read_block *block, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_grow_array(&r->block, &r->block_room, (size_t)r->block_count + 1, sizeof *block, "blocks", error));
    r->block[r->block_count++] = *block;
    return VP_OK;
}

/* Whether the file has an end, which gives the offset of the index. */
static bool was_ended(const vp_record *r, uint64_t *index)
{
    if (r->size < VP_RECORD_MAGIC_BYTES + VP_RECORD_HEAD_BYTES + VP_RECORD_END_BYTES)
        return false;
    const uint8_t *end = r->bytes + r->size - VP_RECORD_END_BYTES;
    *index = vp_get_le64(end);
    return memcmp(end + 8, VP_RECORD_ENDING, 4) == 0 && *index <= r->size - VP_RECORD_END_BYTES - VP_RECORD_HEAD_BYTES;
}

static vp_status check_head(const vp_record *r, const uint8_t *head, const vp_read_block *b, size_t at, vp_error *error)
{
    if (vp_crc32(vp_crc32(0, head, VP_RECORD_HEAD_BYTES - 4), r->bytes + b->at, b->stored) != vp_get_le32(head + 20))
        return vp_fail(error, VP_E_FORMAT, "the block at byte %zu is damaged: its checksum differs", at);
    if (b->raw > VP_RECORD_MOST_RAW || b->raw < b->stored || (uint64_t)b->raw > (uint64_t)b->stored * VP_RECORD_MOST_RATIO)
        return vp_fail(error, VP_E_FORMAT, "the block at byte %zu: %u bytes can't be stored as %u", at, b->raw, b->stored);
    return VP_OK;
}

/* Walks over the blocks up to the index, or to the point where the file was cut. */
static vp_status find_blocks(vp_record *r, vp_error *error)
{
    uint64_t index = 0;
    const bool ended = was_ended(r, &index);
    size_t at = VP_RECORD_MAGIC_BYTES;
    bool whole = false;
    while (!whole && r->size - at >= VP_RECORD_HEAD_BYTES) {
        const uint8_t *head = r->bytes + at;
        const vp_read_block b = {.kind = vp_get_le32(head),
                                 .first = vp_get_le32(head + 4),
                                 .count = vp_get_le32(head + 8),
                                 .raw = vp_get_le32(head + 12),
                                 .stored = vp_get_le32(head + 16),
                                 .at = at + VP_RECORD_HEAD_BYTES};
        if (b.stored > r->size - b.at)
            break;
        VP_RETURN_IF_FAILED(check_head(r, head, &b, at, error));
        VP_RETURN_IF_FAILED(add_block(r, &b, error));
        whole = b.kind == VP_RECORD_BLOCK_INDEX;
        if (whole && ended && index != at)
            return vp_fail(error, VP_E_FORMAT, "the end says that the index is at byte %llu; it is at byte %zu", (unsigned long long)index,
                           at);
        at = b.at + b.stored;
    }
    r->info.cut = !whole || r->size - at < VP_RECORD_END_BYTES;
    r->info.bytes = at;
    if (ended && !whole)
        return vp_fail(error, VP_E_FORMAT, "the block at byte %zu is damaged: it goes beyond the end", at);
    if (whole && r->size - at >= VP_RECORD_END_BYTES && (!ended || r->size - at > VP_RECORD_END_BYTES))
        return vp_fail(error, VP_E_FORMAT, "the data after the index, at byte %zu, is damaged", at);
    r->info.bytes = r->info.cut ? at : r->size;
    return VP_OK;
}

static vp_status unpack(const vp_record *r, const vp_read_block *b, uint8_t **out, vp_error *error)
{
    *out = malloc((size_t)b->raw + 1);
    if (*out == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a block of %u bytes", b->raw);
    const vp_status status = vp_record_unpack(r->bytes + b->at, b->stored, *out, b->raw, error);
    if (status != VP_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

/* The index repeats the heads, for readers that don't walk over all blocks. */
static vp_status check_index(const vp_record *r, const vp_read_block *index, vp_error *error)
{
    uint8_t *raw;
    VP_RETURN_IF_FAILED(unpack(r, index, &raw, error));
    bool same = index->raw == (uint64_t)(r->block_count - 1) * VP_RECORD_ENTRY_BYTES && index->count == r->block_count - 1;
    for (uint32_t i = 0; i + 1 < r->block_count && same; i++) {
        const size_t at = r->block[i].at - VP_RECORD_HEAD_BYTES;
        const uint8_t *entry = raw + (size_t)i * VP_RECORD_ENTRY_BYTES;
        same = memcmp(entry, r->bytes + at, 20) == 0 && vp_get_le64(entry + 20) == at;
    }
    free(raw);
    return same ? VP_OK : vp_fail(error, VP_E_FORMAT, "the index does not say where the %u blocks are", r->block_count - 1);
}

/* ---- shapes ---- */

static vp_status find_shapes(vp_record *r, vp_read_block *b, vp_error *error)
{
    VP_RETURN_IF_FAILED(unpack(r, b, &b->bytes, error));
    vp_cursor c = {.at = b->bytes, .end = b->bytes + b->raw};
    if (b->first != r->shape_count || b->count > b->raw)
        return vp_fail(error, VP_E_FORMAT, "a block has %u shapes from %u on; %u were there before", b->count, b->first, r->shape_count);
    VP_RETURN_IF_FAILED(vp_grow_array(&r->shape, &r->shape_room, (size_t)r->shape_count + b->count, sizeof *r->shape, "shapes", error));
    for (uint32_t i = 0; i < b->count && !c.failed; i++) {
        const uint32_t size = vp_get_count(&c, 1);
        r->shape[r->shape_count++] = (vp_read_shape){c.at, size};
        c.at += size;
    }
    if (c.failed || c.at != c.end)
        return vp_fail(error, VP_E_FORMAT, "the shapes from %u on do not fill their block", b->first);
    return VP_OK;
}

const uint8_t *vp_record_shape_bytes(const vp_record *r, uint32_t shape, size_t *size)
{
    *size = r->shape[shape].size;
    return r->shape[shape].at;
}

static bool read_mesh(vp_cursor *c, vp_record_shape *out, float *corner, uint32_t *triangle, uint8_t *material)
{
    uint32_t high = 0;
    for (int k = 0; k < 3; k++) {
        int64_t last = 0;
        for (uint32_t i = 0; i < out->corner_count && !c->failed; i++)
            corner[3 * (size_t)i + (size_t)k] = (float)(vp_get_next(c, &last) / out->scale);
    }
    for (size_t i = 0; i < (size_t)3 * out->triangle_count && !c->failed; i++) {
        const uint64_t back = vp_get_u(c);
        c->failed = c->failed || back > high || (back == 0 && high == out->corner_count);
        triangle[i] = c->failed ? 0 : high - (uint32_t)back;
        high += back == 0;
    }
    for (uint32_t i = 0; i < out->triangle_count && !c->failed;) {
        const uint64_t run = vp_get_u(c);
        const uint8_t what = vp_get_byte(c);
        c->failed = c->failed || run == 0 || run > out->triangle_count - i;
        for (uint64_t k = 0; k < run && !c->failed; k++)
            material[i++] = what;
    }
    return !c->failed;
}

vp_status vp_record_shape_read(const vp_record *r, uint32_t shape, vp_record_shape *out, vp_error *error)
{
    static const uint8_t sizes[VP_RECORD_FORMS] = {3, 1, 2, 2, 0};
    vp_cursor c = {.at = r->shape[shape].at, .end = r->shape[shape].at + r->shape[shape].size};
    *out = (vp_record_shape){.form = (vp_record_form)vp_get_byte(&c), .scale = vp_get_f64(&c)};
    c.failed = c.failed || (uint32_t)out->form >= VP_RECORD_FORMS || !(out->scale > 0) || out->scale > 1e300;
    for (int k = 0; !c.failed && k < sizes[out->form]; k++) {
        const uint64_t steps = vp_get_u(&c);
        c.failed = c.failed || steps > INT32_MAX;
        out->size[k] = (double)steps / out->scale;
    }
    if (!c.failed && out->form == VP_RECORD_MESH) {
        out->corner_count = vp_get_count(&c, 3);
        out->triangle_count = vp_get_count(&c, 3);
        float *corner = malloc(((size_t)out->corner_count * 3 + 1) * sizeof *corner);
        uint32_t *triangle = malloc(((size_t)out->triangle_count * 3 + 1) * sizeof *triangle);
        uint8_t *material = malloc((size_t)out->triangle_count + 1);
        out->corner = corner;
        out->triangle = triangle;
        out->material = material;
        if (corner == NULL || triangle == NULL || material == NULL) {
            vp_record_shape_drop(out);
            return vp_fail(error, VP_E_MEMORY, "no memory for shape %u", shape);
        }
        read_mesh(&c, out, corner, triangle, material);
    }
    if (!c.failed && c.at == c.end)
        return vp_succeed(error);
    vp_record_shape_drop(out);
    return vp_fail(error, VP_E_FORMAT, "shape %u is damaged", shape);
}

void vp_record_shape_drop(vp_record_shape *shape)
{
    free((void *)(uintptr_t)shape->corner);
    free((void *)(uintptr_t)shape->triangle);
    free((void *)(uintptr_t)shape->material);
    *shape = (vp_record_shape){.form = shape->form};
}

/* ---- a recording ---- */

static vp_status read_blocks(vp_record *r, vp_error *error)
{
    uint8_t *raw = NULL;
    if (r->block_count == 0 || r->block[0].kind != VP_RECORD_BLOCK_HEADER)
        return vp_fail(error, VP_E_FORMAT, "the recording ends before its header does");
    vp_status status = unpack(r, &r->block[0], &raw, error);
    if (status == VP_OK)
        status = vp_record_header_read(raw, r->block[0].raw, &r->root, &r->info.about, r->layers, &r->info.layer_count, error);
    free(raw);
    for (uint32_t i = 1; i < r->block_count && status == VP_OK; i++) {
        vp_read_block *b = &r->block[i];
        if (b->kind == VP_RECORD_BLOCK_SHAPES)
            status = find_shapes(r, b, error);
        if (b->kind == VP_RECORD_BLOCK_INDEX)
            status = check_index(r, b, error);
        if (b->kind != VP_RECORD_BLOCK_FRAMES)
            continue;
        if (r->info.frames == 0)
            r->info.about.first = b->first;
        if (b->first != r->info.about.first + r->info.frames || b->count == 0 || b->count > b->raw || b->first > INT32_MAX - b->count)
            status = vp_fail(error, VP_E_FORMAT, "a block has %u frames from %u on; frame %u is the next", b->count, b->first,
                             r->info.about.first + r->info.frames);
        else
            r->info.frames += b->count;
    }
    r->info.shapes = r->shape_count;
    r->info.blocks = r->block_count;
    r->info.layers = r->layers;
    return status;
}

vp_status vp_record_open(const uint8_t *bytes, size_t size, vp_record **out, vp_error *error)
{
    if (size < VP_RECORD_MAGIC_BYTES || memcmp(bytes, VP_RECORD_MAGIC, VP_RECORD_MAGIC_BYTES) != 0)
        return vp_fail(error, VP_E_FORMAT, "this is not a recording of voxphys");
    vp_record *r = calloc(1, sizeof *r);
    if (r == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a recording");
    r->bytes = bytes;
    r->size = size;
    vp_status status = find_blocks(r, error);
    if (status == VP_OK)
        status = read_blocks(r, error);
    if (status != VP_OK) {
        vp_record_close(r);
        return status;
    }
    *out = r;
    return vp_succeed(error);
}

void vp_record_close(vp_record *r)
{
    if (r == NULL)
        return;
    vp_read_layers_clear(r);
    for (uint32_t i = 0; i < r->block_count; i++)
        free(r->block[i].bytes);
    vp_record_header_drop(r->root, r->layers, r->info.layer_count);
    free(r->open);
    free(r->block);
    free(r->shape);
    free(r);
}

vp_record_info vp_record_info_of(const vp_record *r)
{
    return r->info;
}

/* ---- frames ---- */

static vp_status open_block(vp_record *r, uint32_t frame, vp_error *error)
{
    uint32_t i = 0;
    while (r->block[i].kind != VP_RECORD_BLOCK_FRAMES || frame - r->block[i].first >= r->block[i].count)
        i++;
    const vp_read_block *b = &r->block[i];
    if (r->open != NULL && r->open_block == i && r->next <= frame + 1)
        return VP_OK;
    vp_read_layers_clear(r);
    if (r->open == NULL || r->open_block != i) {
        free(r->open);
        r->open = NULL;
        VP_RETURN_IF_FAILED(unpack(r, b, &r->open, error));
    }
    r->open_block = i;
    r->next = b->first;
    r->cursor = (vp_cursor){.at = r->open, .end = r->open + b->raw};
    return VP_OK;
}

/* Clears layers whose content lasts one frame. */
static void forget(vp_record *r)
{
    for (uint32_t i = 0; i < r->info.layer_count; i++)
        if ((r->layers[i].kind == VP_RECORD_ARRAY || r->layers[i].kind == VP_RECORD_TEXTS) && !r->layers[i].hold)
            r->now[i].count = 0;
}

static vp_status read_frame(vp_record *r, vp_error *error)
{
    vp_cursor *c = &r->cursor;
    bool memory = true;
    uint32_t layer = 0;
    const uint32_t size = vp_get_count(c, 1);
    vp_cursor f = {.at = c->at, .end = c->at + size, .failed = c->failed};
    c->at += size;
    forget(r);
    while (!f.failed && memory && f.at < f.end) {
        const uint64_t number = vp_get_u(&f);
        const uint32_t bytes = vp_get_count(&f, 1);
        f.failed = f.failed || number <= layer || number > r->info.layer_count;
        if (f.failed)
            break;
        layer = (uint32_t)number;
        vp_cursor one = {.at = f.at, .end = f.at + bytes};
        f.at += bytes;
        if (!vp_read_layer_bytes(r, layer - 1, &one, &memory) && memory)
            return vp_fail(error, VP_E_FORMAT, "frame %u: layer \"%s\" is damaged", r->next, r->layers[layer - 1].name);
    }
    if (!memory)
        return vp_fail(error, VP_E_MEMORY, "no memory for frame %u", r->next);
    const vp_read_block *b = &r->block[r->open_block];
    const bool last = r->next == b->first + b->count - 1;
    if (f.failed || (last && c->at != c->end))
        return vp_fail(error, VP_E_FORMAT, "frame %u is damaged", r->next);
    r->next++;
    return VP_OK;
}

vp_status vp_record_seek(vp_record *r, uint32_t frame, vp_error *error)
{
    if (frame - r->info.about.first >= r->info.frames)
        return vp_fail(error, VP_E_ARGUMENT, "frame %u: the recording has %u from %u on", frame, r->info.frames, r->info.about.first);
    vp_status status = open_block(r, frame, error);
    while (status == VP_OK && r->next <= frame)
        status = read_frame(r, error);
    if (status != VP_OK) { /* the layers hold half of a frame */
        free(r->open);
        r->open = NULL;
        return status;
    }
    return vp_succeed(error);
}

vp_status vp_record_layer_now(vp_record *r, uint32_t layer, vp_record_now *out, vp_error *error)
{
    const vp_record_layer *l = &r->layers[layer];
    vp_read_layer *n = &r->now[layer];
    *out = (vp_record_now){.count = n->count};
    if (l->kind == VP_RECORD_ITEMS) {
        VP_RETURN_IF_FAILED(vp_grow_array(&n->shown, &n->shown_room, n->count, sizeof *n->shown, "items", error));
        for (uint32_t i = 0; i < n->count; i++) {
            const vp_read_item *item = &n->item[i];
            n->shown[i] = (vp_record_item){.id = item->id, .shape = item->shape, .state = item->state};
            for (int k = 0; k < 3; k++)
                n->shown[i].position[k] = item->position[k] / l->scale;
            for (int k = 0; k < 4; k++)
                n->shown[i].rotation[k] = (double)item->turn[k] / VP_RECORD_TURN;
            n->shown[i].values = l->column_count > 0 ? n->values + (size_t)i * l->column_count : NULL;
        }
        out->items = n->shown;
    }
    out->rows = l->kind == VP_RECORD_ARRAY ? n->values : NULL;
    out->scalars = l->kind == VP_RECORD_SCALARS ? n->values : NULL;
    out->texts = n->texts;
    out->voxels = n->voxels;
    return vp_succeed(error);
}

vp_status vp_record_check(vp_record *r, vp_error *error)
{
    for (uint32_t i = 0; i < r->shape_count; i++) {
        vp_record_shape shape;
        VP_RETURN_IF_FAILED(vp_record_shape_read(r, i, &shape, error));
        vp_record_shape_drop(&shape);
    }
    for (uint32_t i = 0; i < r->info.frames; i++)
        VP_RETURN_IF_FAILED(vp_record_seek(r, r->info.about.first + i, error));
    return VP_OK;
}
