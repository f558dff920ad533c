/* SPDX-License-Identifier: MIT */
#include "host/record/write.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "host/program.h"
#include "host/record/writer.h"
#include "host/system.h"

enum { BLOCK_BYTES = 256 << 10, BLOCK_FRAMES = 256, MOST_FRAMES = 1024, KEYS_A_BLOCK = 4 };

/* ---- blocks ---- */

static void put(vp_record_writer *w, const void *bytes, size_t size)
{
    if (w->path == NULL)
        vp_bytes_add(&w->memory, bytes, size);
    else if (vp_writer_sound(w) && fwrite(bytes, 1, size, w->file) != size)
        vp_writer_fail(w, VP_E_IO, "cannot write %s: %s", vp_show_path(w->path).text, strerror(errno));
    if (w->memory.failed)
        vp_writer_fail(w, VP_E_MEMORY, "no memory for a recording of %llu bytes", (unsigned long long)w->written.bytes);
    w->written.bytes += size;
}

static void put_block(vp_record_writer *w, uint32_t kind, uint32_t first, uint32_t count, vp_bytes *raw)
{
    uint8_t head[VP_RECORD_ENTRY_BYTES];
    vp_bytes packed = {0};
    if (!vp_writer_sound(w))
        return;
    if (raw->failed || !vp_record_pack(raw->at, raw->size, &packed)) {
        vp_writer_fail(w, VP_E_MEMORY, "no memory to compress %zu bytes", raw->size);
    } else if (raw->size > VP_RECORD_MOST_RAW) {
        vp_writer_fail(w, VP_E_ARGUMENT, "frame %u: %zu bytes at once; must be at most %d", w->first + w->frame_count, raw->size,
                       VP_RECORD_MOST_RAW);
    } else {
        const uint64_t begin = w->written.bytes;
        vp_put_le32(head, kind);
        vp_put_le32(head + 4, first);
        vp_put_le32(head + 8, count);
        vp_put_le32(head + 12, (uint32_t)raw->size);
        vp_put_le32(head + 16, (uint32_t)packed.size);
        vp_put_le64(head + 20, begin);
        vp_bytes_add(&w->index, head, sizeof head);
        vp_put_le32(head + 20, vp_crc32(vp_crc32(0, head, 20), packed.at, packed.size));
        put(w, head, VP_RECORD_HEAD_BYTES);
        put(w, packed.at, packed.size);
        if (w->file != NULL && vp_writer_sound(w) && fflush(w->file) != 0)
            vp_writer_fail(w, VP_E_IO, "cannot write %s: %s", vp_show_path(w->path).text, strerror(errno));
        w->written.shape_bytes += kind == VP_RECORD_BLOCK_SHAPES ? w->written.bytes - begin : 0;
        w->written.frame_bytes += kind == VP_RECORD_BLOCK_FRAMES ? w->written.bytes - begin : 0;
    }
    free(packed.at);
    raw->size = 0;
}

static void put_shapes(vp_record_writer *w)
{
    if (w->shapes.size > 0)
        put_block(w, VP_RECORD_BLOCK_SHAPES, w->shape_first, w->shape_count - w->shape_first, &w->shapes);
    w->shape_first = w->shape_count;
}

static void put_frames(vp_record_writer *w)
{
    if (w->frame_count > w->block_first)
        put_block(w, VP_RECORD_BLOCK_FRAMES, w->first + w->block_first, w->frame_count - w->block_first, &w->frames);
    w->block_first = w->frame_count;
}

/* Writes the header, once all layers are named. */
static void begin_frames(vp_record_writer *w)
{
    if (w->begun || !vp_writer_sound(w))
        return;
    if (w->path != NULL && (w->file = fopen(w->path, "wb")) == NULL) {
        vp_writer_fail(w, VP_E_IO, "cannot write %s: %s", vp_show_path(w->path).text, strerror(errno));
        return;
    }
    json_object_set_new(w->head, "layers", w->layers);
    w->layers = NULL;
    char *text = json_dumps(w->head, JSON_COMPACT | JSON_REAL_PRECISION(17));
    vp_bytes raw = {0};
    if (text == NULL)
        vp_writer_fail(w, VP_E_MEMORY, "no memory for the header of a recording");
    else
        vp_bytes_add(&raw, text, strlen(text));
    put(w, VP_RECORD_MAGIC, VP_RECORD_MAGIC_BYTES);
    put_block(w, VP_RECORD_BLOCK_HEADER, 0, 1, &raw);
    free(raw.at);
    free(text);
    json_decref(w->head);
    w->head = NULL;
    w->begun = true;
}

/* ---- callbacks ---- */

static uint32_t on_layer(void *user, const vp_record_layer *layer)
{
    vp_record_writer *w = user;
    if (!vp_writer_sound(w))
        return 0;
    if (w->begun || w->layer_count == VP_RECORD_LAYERS) {
        vp_writer_fail(w, VP_E_ARGUMENT, w->begun ? "layer \"%.64s\" is named after the first frame" : "layer \"%.64s\" is one too many",
                       layer->name != NULL ? layer->name : "");
        return 0;
    }
    json_t *one = vp_writer_layer_json(w, layer);
    if (one == NULL)
        return 0;
    json_array_append_new(w->layers, one);
    vp_written_layer *l = &w->layer[w->layer_count];
    snprintf(l->name, sizeof l->name, "%s", layer->name);
    l->kind = layer->kind;
    l->draw = layer->draw;
    l->hold = layer->hold;
    l->placed = layer->placed;
    l->scale = layer->scale;
    l->numbers = layer->kind == VP_RECORD_ARRAY ? vp_record_draw_numbers(layer->draw) : 0;
    l->columns = layer->column_count;
    l->states = layer->state_count;
    l->materials = layer->material_count;
    l->cells = layer->kind == VP_RECORD_VOXELS ? layer->size.x * layer->size.y * layer->size.z : 0;
    for (uint32_t k = 0; k < l->columns; k++)
        l->column_scale[k] = layer->columns[k].scale;
    return w->layer_count++;
}

static uint32_t add_shape(vp_record_writer *w, const uint8_t *bytes, size_t size)
{
    vp_put_u(&w->shapes, size);
    vp_bytes_add(&w->shapes, bytes, size);
    if (w->shapes.failed)
        vp_writer_fail(w, VP_E_MEMORY, "no memory for shape %u of %zu bytes", w->shape_count, size);
    if (!vp_writer_sound(w))
        return 0;
    w->shape_count++;
    if (w->begun && w->shapes.size > BLOCK_BYTES)
        put_shapes(w);
    return w->shape_count - 1;
}

uint32_t vp_record_writer_copy_shape(vp_record_writer *w, const uint8_t *bytes, size_t size)
{
    return vp_writer_sound(w) ? add_shape(w, bytes, size) : 0;
}

/* Writes a mesh. Corners are renumbered in the order of use. Each is stored as its distance from the highest number so
   far. `number` has room for all corners. */
static void put_mesh(vp_record_writer *w, const vp_written_layer *as, const vp_record_shape *s, uint32_t *number, uint32_t *order,
                     vp_bytes *to)
{
    uint32_t used = 0, high = 0;
    for (uint32_t i = 0; i < s->corner_count; i++)
        number[i] = UINT32_MAX;
    for (size_t i = 0; i < (size_t)3 * s->triangle_count; i++) {
        const uint32_t c = s->triangle[i];
        if (c >= s->corner_count) {
            vp_writer_fail(w, VP_E_ARGUMENT, "shape %u: triangle %zu has corner %u of %u", w->shape_count, i / 3, c, s->corner_count);
            return;
        }
        if (number[c] == UINT32_MAX) {
            number[c] = used;
            order[used++] = c;
        }
    }
    vp_put_u(to, used);
    vp_put_u(to, s->triangle_count);
    for (int k = 0; k < 3; k++) {
        int64_t last = 0;
        for (uint32_t i = 0; i < used && vp_writer_sound(w); i++)
            vp_writer_next(w, as, "a corner's coordinate", (double)s->corner[3 * (size_t)order[i] + (size_t)k], s->scale, &last, to);
    }
    for (size_t i = 0; i < (size_t)3 * s->triangle_count; i++) {
        vp_put_u(to, high - number[s->triangle[i]]);
        high += number[s->triangle[i]] == high;
    }
    for (uint32_t i = 0, run; i < s->triangle_count; i += run) {
        const uint8_t material = s->material != NULL ? s->material[i] : 0;
        for (run = 1; i + run < s->triangle_count && (s->material == NULL || s->material[i + run] == material);)
            run++;
        vp_put_u(to, run);
        vp_bytes_add(to, &material, 1);
    }
}

static uint32_t on_shape(void *user, const vp_record_shape *s)
{
    static const uint8_t sizes[VP_RECORD_FORMS] = {3, 1, 2, 2, 0};
    vp_record_writer *w = user;
    vp_written_layer as = {0}; /* for messages */
    vp_bytes bytes = {0};
    if (!vp_writer_sound(w))
        return 0;
    snprintf(as.name, sizeof as.name, "shape %u", w->shape_count);
    if ((uint32_t)s->form >= VP_RECORD_FORMS || !(s->scale > 0) || !isfinite(s->scale)) {
        vp_writer_fail(w, VP_E_ARGUMENT, "shape %u: form %d, scale %g", w->shape_count, (int)s->form, s->scale);
        return 0;
    }
    const uint8_t form = (uint8_t)s->form;
    vp_bytes_add(&bytes, &form, 1);
    vp_put_f64(&bytes, s->scale);
    for (int k = 0; k < sizes[form]; k++) {
        const int32_t steps = vp_writer_steps(w, &as, "a size", s->size[k], s->scale);
        if (steps < 0)
            vp_writer_fail(w, VP_E_ARGUMENT, "shape %u: a size is %g", w->shape_count, s->size[k]);
        vp_put_u(&bytes, (uint64_t)(steps < 0 ? 0 : steps));
    }
    if (s->form == VP_RECORD_MESH) {
        uint32_t *number = malloc(((size_t)s->corner_count + 1) * 2 * sizeof *number);
        if (number == NULL)
            vp_writer_fail(w, VP_E_MEMORY, "no memory for a mesh of %u corners", s->corner_count);
        else
            put_mesh(w, &as, s, number, number + s->corner_count + 1, &bytes);
        free(number);
    }
    if (bytes.failed)
        vp_writer_fail(w, VP_E_MEMORY, "no memory for shape %u", w->shape_count);
    const uint32_t shape = vp_writer_sound(w) ? add_shape(w, bytes.at, bytes.size) : 0;
    free(bytes.at);
    return shape;
}

static void on_rows(void *user, uint32_t layer, const double *rows, uint32_t count)
{
    vp_record_writer *w = user;
    vp_written_layer *l = vp_writer_layer(w, layer, VP_RECORD_ARRAY);
    if (l == NULL)
        return;
    const uint32_t stride = l->numbers + l->columns;
    char what[40];
    l->content.size = 0;
    l->fresh = true;
    vp_put_u(&l->content, count);
    for (uint32_t k = 0; k < stride; k++) {
        snprintf(what, sizeof what, "number %u of a row", k);
        int64_t last = 0;
        for (uint32_t i = 0; i < count && vp_writer_sound(w); i++)
            vp_writer_next(w, l, what, rows[(size_t)i * stride + k], k < l->numbers ? l->scale : l->column_scale[k - l->numbers], &last,
                           &l->content);
    }
}

static void on_texts(void *user, uint32_t layer, const vp_record_text *texts, uint32_t count)
{
    vp_record_writer *w = user;
    vp_written_layer *l = vp_writer_layer(w, layer, VP_RECORD_TEXTS);
    if (l == NULL)
        return;
    l->content.size = 0;
    l->fresh = true;
    vp_put_u(&l->content, count);
    for (int k = 0; k < 3 && l->placed; k++) {
        int64_t last = 0;
        for (uint32_t i = 0; i < count && vp_writer_sound(w); i++)
            vp_writer_next(w, l, "a text's place", texts[i].at[k], l->scale, &last, &l->content);
    }
    for (uint32_t i = 0; i < count && vp_writer_sound(w); i++) {
        const size_t size = strlen(texts[i].text);
        if (size >= VP_RECORD_TEXT_BYTES || !vp_is_utf8(texts[i].text))
            vp_writer_fail(w, VP_E_ARGUMENT, "layer \"%s\": text %u of %zu bytes is %s", l->name, i, size,
                           size >= VP_RECORD_TEXT_BYTES ? "too long" : "not UTF-8");
        vp_put_u(&l->content, size);
        vp_bytes_add(&l->content, texts[i].text, size);
    }
}

static void on_scalars(void *user, uint32_t layer, const double *values)
{
    vp_record_writer *w = user;
    vp_written_layer *l = vp_writer_layer(w, layer, VP_RECORD_SCALARS);
    for (uint32_t k = 0; l != NULL && k < l->columns; k++) {
        char what[32];
        snprintf(what, sizeof what, "column %u", k);
        l->scalar[k] = vp_writer_finite(w, l, what, values[k]) ? values[k] : 0;
    }
}

/* ---- frames ---- */

static void put_payload(vp_record_writer *w, vp_written_layer *l, bool key)
{
    vp_bytes *to = &w->payload;
    switch (l->kind) {
    case VP_RECORD_ITEMS:
        vp_writer_put_items(w, l, key, to);
        break;
    case VP_RECORD_VOXELS:
        vp_writer_put_voxels(w, l, key, to);
        break;
    case VP_RECORD_SCALARS:
        for (uint32_t k = 0; k < l->columns; k++)
            vp_put_f64(to, l->scalar[k]);
        break;
    case VP_RECORD_ARRAY:
    case VP_RECORD_TEXTS:
        if (l->content.failed)
            vp_writer_fail(w, VP_E_MEMORY, "no memory for layer \"%s\"", l->name);
        else if (l->fresh ? l->hold || l->content.at[0] != 0 : key && l->hold)
            vp_bytes_add(to, l->content.at, l->content.size);
        l->fresh = false;
        break;
    }
}

/* Whether a block is large enough. Its first frame is a key frame. The other frames should be about as large, but quick to replay. */
static bool block_is_full(const vp_record_writer *w)
{
    const size_t most = KEYS_A_BLOCK * w->key_bytes > BLOCK_BYTES ? KEYS_A_BLOCK * w->key_bytes : BLOCK_BYTES;
    const uint32_t frames = w->frame_count - w->block_first;
    return w->frames.size >= most || frames >= MOST_FRAMES || (frames >= BLOCK_FRAMES && w->frames.size >= 2 * w->key_bytes);
}

static vp_status on_frame(void *user, vp_error *error)
{
    vp_record_writer *w = user;
    begin_frames(w);
    const bool key = w->frame_count == w->block_first;
    w->frame.size = 0;
    for (uint32_t i = 0; i < w->layer_count && vp_writer_sound(w); i++) {
        w->payload.size = 0;
        put_payload(w, &w->layer[i], key);
        if (w->payload.size == 0)
            continue;
        vp_put_u(&w->frame, i + 1);
        vp_put_u(&w->frame, w->payload.size);
        vp_bytes_add(&w->frame, w->payload.at, w->payload.size);
    }
    vp_put_u(&w->frames, w->frame.size);
    vp_bytes_add(&w->frames, w->frame.at, w->frame.size);
    if (w->payload.failed || w->frame.failed || w->frames.failed)
        vp_writer_fail(w, VP_E_MEMORY, "no memory for frame %u", w->first + w->frame_count);
    if (w->first + w->frame_count == INT32_MAX)
        vp_writer_fail(w, VP_E_ARGUMENT, "frame %d is one too many", INT32_MAX);
    if (vp_writer_sound(w)) {
        w->key_bytes = key ? w->frames.size : w->key_bytes;
        w->frame_count++;
        if (block_is_full(w)) {
            put_shapes(w); /* shapes precede the frames that show them */
            put_frames(w);
        }
    }
    return vp_writer_sound(w) ? vp_succeed(error) : vp_fail(error, w->failure.status, "%s", w->failure.message);
}

/* ---- the writer ---- */

static bool sound_text(const char *text)
{
    return text == NULL || (strlen(text) < VP_RECORD_TEXT_BYTES && vp_is_utf8(text));
}

vp_status vp_record_writer_create(const char *path, const vp_record_about *about, vp_record_writer **out, vp_error *error)
{
    if (!sound_text(about->type) || !sound_text(about->title) || !sound_text(about->command))
        return vp_fail(error, VP_E_ARGUMENT, "title, type or command of a recording is not UTF-8, or has more than %d bytes",
                       VP_RECORD_TEXT_BYTES - 1);
    if (!isfinite(about->seconds) || about->seconds < 0 || about->first > INT32_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "%g seconds a frame, first frame %u", about->seconds, about->first);
    vp_record_writer *w = calloc(1, sizeof *w);
    if (w == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a recording");
    w->recorder = (vp_recorder){.user = w,
                                .layer = on_layer,
                                .shape = on_shape,
                                .item = vp_writer_item,
                                .remove = vp_writer_remove,
                                .rows = on_rows,
                                .texts = on_texts,
                                .scalars = on_scalars,
                                .voxels = vp_writer_voxels,
                                .frame = on_frame};
    w->first = about->first;
    w->layers = json_array();
    w->head = json_pack("{s:s, s:i, s:s, s:s, s:s*, s:f}", "format", VP_RECORD_FORMAT, "version", VP_RECORD_VERSION, "type",
                        about->type != NULL ? about->type : "", "title", about->title != NULL ? about->title : "", "command",
                        about->command, "seconds", about->seconds);
    vp_status status = w->head != NULL && w->layers != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for a recording");
    if (status == VP_OK && path != NULL && (w->path = strdup(path)) == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for a file name");
    if (status == VP_OK && path != NULL)
        status = vp_can_write(path, error);
    if (status != VP_OK) {
        vp_record_writer_drop(w);
        return status;
    }
    *out = w;
    return vp_succeed(error);
}

vp_status vp_record_of_command(const char *path, const char *command, const char *source, vp_record_about about, vp_record_writer **out,
                               vp_error *error)
{
    char title[VP_RECORD_TEXT_BYTES / 2], shown[VP_RECORD_TEXT_BYTES / 4];
    vp_escape(source, shown, sizeof shown);
    snprintf(title, sizeof title, "voxphys %s %s", command, shown);
    about.type = command;
    about.title = title;
    return vp_record_writer_create(path, &about, out, error);
}

const vp_recorder *vp_record_writer_recorder(vp_record_writer *writer)
{
    return &writer->recorder;
}

static void end_file(vp_record_writer *w)
{
    uint8_t end[VP_RECORD_END_BYTES];
    begin_frames(w);
    put_shapes(w);
    put_frames(w);
    vp_put_le64(end, w->written.bytes);
    memcpy(end + 8, VP_RECORD_ENDING, 4);
    vp_bytes index = w->index;
    w->index = (vp_bytes){0};
    put_block(w, VP_RECORD_BLOCK_INDEX, 0, (uint32_t)(index.size / VP_RECORD_ENTRY_BYTES), &index);
    put(w, end, sizeof end);
    free(index.at);
    if (w->file != NULL && fclose(w->file) != 0)
        vp_writer_fail(w, VP_E_IO, "cannot write %s: %s", vp_show_path(w->path).text, strerror(errno));
    w->file = NULL;
}

vp_status vp_record_writer_close(vp_record_writer *w, vp_record_written *written, vp_bytes *bytes, vp_error *error)
{
    if (w->path == NULL || w->begun) /* without a frame the old file stays */
        end_file(w);
    w->written.frames = w->frame_count;
    w->written.shapes = w->shape_count;
    if (written != NULL)
        *written = w->written;
    const vp_error failure = w->failure;
    if (failure.status == VP_OK && bytes != NULL) {
        *bytes = w->memory;
        w->memory = (vp_bytes){0};
    }
    vp_record_writer_drop(w);
    return failure.status == VP_OK ? vp_succeed(error) : vp_fail(error, failure.status, "%s", failure.message);
}

void vp_record_writer_drop(vp_record_writer *w)
{
    if (w == NULL)
        return;
    for (uint32_t i = 0; i < w->layer_count; i++)
        vp_writer_drop_layer(&w->layer[i]);
    if (w->file != NULL)
        fclose(w->file);
    json_decref(w->head);
    json_decref(w->layers);
    free(w->memory.at);
    free(w->shapes.at);
    free(w->frames.at);
    free(w->frame.at);
    free(w->payload.at);
    free(w->index.at);
    free(w->path);
    free(w);
}
