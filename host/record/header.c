/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "host/record/header.h"
#include "host/program.h"
#include "host/record/writer.h"
#include "host/record/format.h"

static const char *const kind_names[] = {"items", "array", "texts", "scalars", "voxels", NULL};
static const char *const draw_names[] = {"table", "points", "lines", "arrows", "boxes", "spheres", "triangles", NULL};
static const char *const colouring_names[] = {"state", "material", "id", NULL};
static const char *const meaning_names[] = {"number", "word", "frame", "item", "origin", NULL};

/* ---- valid layers ---- */

static bool sound_name(const char *name)
{
    return name != NULL && name[0] != '\0' && strlen(name) < VP_RECORD_NAME_BYTES && vp_is_utf8(name);
}

static bool sound_colour(uint32_t colour)
{
    return colour <= 0xffffff;
}

static vp_status check_names(const char *layer, const char *what, const vp_record_name *names, uint32_t count, vp_error *error)
{
    if (count > VP_RECORD_NAMES)
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\" has %u %s; must be at most %d", layer, count, what, VP_RECORD_NAMES);
    for (uint32_t i = 0; i < count; i++)
        if (!sound_name(names[i].name) || !sound_colour(names[i].colour))
            return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\": name or colour of %u among its %s", layer, i, what);
    return VP_OK;
}

static vp_status check_column(const vp_record_layer *layers, uint32_t number, uint32_t k, vp_error *error)
{
    const vp_record_layer *l = &layers[number];
    const vp_record_column *c = &l->columns[k];
    if (!sound_name(c->name))
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\": the name of column %u", l->name, k);
    if (!(c->scale >= 0) || !isfinite(c->scale) || (l->kind == VP_RECORD_SCALARS && c->scale > 0))
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\": column \"%s\" has scale %g", l->name, c->name, c->scale);
    if ((uint32_t)c->meaning > VP_RECORD_ORIGIN || (l->kind == VP_RECORD_SCALARS && c->meaning != VP_RECORD_NUMBER) ||
        (l->kind != VP_RECORD_ITEMS && c->meaning == VP_RECORD_ORIGIN))
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\": column \"%s\" has meaning %d", l->name, c->name, (int)c->meaning);
    if (c->meaning == VP_RECORD_ITEM && (c->of > number || layers[c->of].kind != VP_RECORD_ITEMS))
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\": column \"%s\" is of layer %u, which has no items or comes later", l->name,
                       c->name, c->of);
    return check_names(l->name, "words", c->words, c->word_count, error);
}

static vp_status check_kind(const vp_record_layer *l, vp_error *error)
{
    const bool scaled = l->kind == VP_RECORD_ITEMS || (l->kind == VP_RECORD_ARRAY && l->draw != VP_RECORD_TABLE) ||
                        (l->kind == VP_RECORD_TEXTS && l->placed);
    if (scaled && (!(l->scale > 0) || !isfinite(l->scale)))
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\": scale is %g", l->name, l->scale);
    if (l->kind == VP_RECORD_ARRAY && (uint32_t)l->draw >= VP_RECORD_DRAWS)
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\": draw is %d", l->name, (int)l->draw);
    if (l->kind == VP_RECORD_ITEMS && (uint32_t)l->colouring > VP_RECORD_BY_ID)
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\": colouring is %d", l->name, (int)l->colouring);
    const bool columns = l->kind == VP_RECORD_ITEMS || l->kind == VP_RECORD_ARRAY || l->kind == VP_RECORD_SCALARS;
    const bool needed = l->kind == VP_RECORD_SCALARS || (l->kind == VP_RECORD_ARRAY && l->draw == VP_RECORD_TABLE);
    if (l->column_count > VP_RECORD_COLUMNS || (!columns && l->column_count > 0) || (needed && l->column_count == 0))
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\" has %u columns", l->name, l->column_count);
    const uint64_t cells = (uint64_t)l->size.x * l->size.y;
    if (l->kind == VP_RECORD_VOXELS && (cells == 0 || l->size.z == 0 || cells > VP_RECORD_CELLS || cells * l->size.z > VP_RECORD_CELLS))
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\": a grid of %u x %u x %u cells", l->name, l->size.x, l->size.y, l->size.z);
    return VP_OK;
}

/* Checks layer `number`, for writer and reader. @return VP_E_ARGUMENT with a message */
static vp_status record_layer_check(const vp_record_layer *layers, uint32_t number, vp_error *error)
{
    const vp_record_layer *l = &layers[number];
    if (!sound_name(l->name))
        return vp_fail(error, VP_E_ARGUMENT, "the name of layer %u is empty, too long, or not UTF-8", number);
    for (uint32_t i = 0; i < number; i++)
        if (strcmp(layers[i].name, l->name) == 0)
            return vp_fail(error, VP_E_ARGUMENT, "two layers have the name \"%s\"", l->name);
    if ((uint32_t)l->kind > VP_RECORD_VOXELS)
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\": kind is %d", l->name, (int)l->kind);
    if (l->about != NULL && (strlen(l->about) >= VP_RECORD_TEXT_BYTES || !vp_is_utf8(l->about)))
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\": its description is too long, or not UTF-8", l->name);
    if (!(l->opacity >= 0 && l->opacity <= 1) || !sound_colour(l->colour))
        return vp_fail(error, VP_E_ARGUMENT, "layer \"%s\": opacity %g, colour %x", l->name, l->opacity, l->colour);
    VP_RETURN_IF_FAILED(check_kind(l, error));
    for (uint32_t k = 0; k < l->column_count; k++)
        VP_RETURN_IF_FAILED(check_column(layers, number, k, error));
    VP_RETURN_IF_FAILED(check_names(l->name, "states", l->states, l->state_count, error));
    return check_names(l->name, "materials", l->materials, l->material_count, error);
}

/* ---- written ---- */

/* NULL = the member is left out. */
static json_t *colour_json(uint32_t colour)
{
    return colour != VP_RECORD_ANY_COLOUR ? json_integer(colour) : NULL;
}

static json_t *flag_json(bool flag)
{
    return flag ? json_true() : NULL;
}

static json_t *names_json(const vp_record_name *names, uint32_t count)
{
    json_t *list = count > 0 ? json_array() : NULL;
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:s, s:o*}", "name", names[i].name, "colour", colour_json(names[i].colour)));
    return list;
}

static json_t *columns_json(const vp_record_layer *layer)
{
    json_t *list = layer->column_count > 0 ? json_array() : NULL;
    for (uint32_t k = 0; k < layer->column_count; k++) {
        const vp_record_column *c = &layer->columns[k];
        json_array_append_new(
            list, json_pack("{s:s, s:o*, s:s*, s:o*, s:o*}", "name", c->name, "scale", c->scale > 0 ? json_real(c->scale) : NULL, "meaning",
                            c->meaning != VP_RECORD_NUMBER ? meaning_names[c->meaning] : NULL, "of",
                            c->meaning == VP_RECORD_ITEM ? json_integer(c->of) : NULL, "words", names_json(c->words, c->word_count)));
    }
    return list;
}

/* The names and kinds of earlier layers, which the checks of a new layer need. */
static void name_known(const vp_record_writer *w, vp_record_layer *known)
{
    for (uint32_t i = 0; i < w->layer_count; i++)
        known[i] = (vp_record_layer){.name = w->layer[i].name, .kind = w->layer[i].kind};
}

json_t *vp_writer_layer_json(vp_record_writer *w, const vp_record_layer *layer)
{
    vp_record_layer known[VP_RECORD_LAYERS];
    vp_error error;
    name_known(w, known);
    known[w->layer_count] = *layer;
    if (record_layer_check(known, w->layer_count, &error) != VP_OK) {
        vp_writer_fail(w, error.status, "%s", error.message);
        return NULL;
    }
    const bool array = layer->kind == VP_RECORD_ARRAY, voxels = layer->kind == VP_RECORD_VOXELS;
    const bool scaled = layer->kind != VP_RECORD_SCALARS && !voxels && layer->scale > 0;
    const vp_ivec3 low = layer->low;
    const vp_dims size = layer->size;
    return json_pack("{s:s, s:s, s:s*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:s*, s:s*, s:o*, s:o*, s:o*, s:o*, s:o*}", "name", layer->name,
                     "kind", kind_names[layer->kind], "about", layer->about, "hidden", flag_json(layer->hidden), "opacity",
                     layer->opacity > 0 && layer->opacity < 1 ? json_real(layer->opacity) : NULL, "scale",
                     scaled ? json_real(layer->scale) : NULL, "columns", columns_json(layer), "states",
                     names_json(layer->states, layer->state_count), "materials", names_json(layer->materials, layer->material_count),
                     "colouring", layer->kind == VP_RECORD_ITEMS ? colouring_names[layer->colouring] : NULL, "draw",
                     array ? draw_names[layer->draw] : NULL, "colour", array ? colour_json(layer->colour) : NULL, "placed",
                     flag_json(layer->placed), "hold", flag_json(layer->hold), "low",
                     voxels ? json_pack("[i, i, i]", low.x, low.y, low.z) : NULL, "size",
                     voxels ? json_pack("[I, I, I]", (json_int_t)size.x, (json_int_t)size.y, (json_int_t)size.z) : NULL);
}

/* ---- read ---- */

typedef struct reading {
    vp_error *error;
    vp_status status;
    const char *layer;
} reading;

static void wrong(reading *r, const char *key)
{
    if (r->status == VP_OK)
        r->status = vp_fail(r->error, VP_E_FORMAT, "the header: \"%s\" of layer \"%.64s\" is missing or wrong", key, r->layer);
}

static const char *text_of(reading *r, const json_t *of, const char *key, bool needed)
{
    const json_t *value = json_object_get(of, key);
    if ((value == NULL && needed) || (value != NULL && !json_is_string(value)))
        wrong(r, key);
    return json_string_value(value);
}

static double number_of(reading *r, const json_t *of, const char *key)
{
    const json_t *value = json_object_get(of, key);
    if (value != NULL && !json_is_number(value))
        wrong(r, key);
    return json_number_value(value);
}

/* An integer member, or `none` if it is missing. */
static int64_t whole_of(reading *r, const json_t *of, const char *key, int64_t low, int64_t high, int64_t none)
{
    const json_t *value = json_object_get(of, key);
    if (value == NULL)
        return none;
    const int64_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < low || number > high)
        wrong(r, key);
    return number < low ? low : number > high ? high : number;
}

static bool flag_of(reading *r, const json_t *of, const char *key)
{
    const json_t *value = json_object_get(of, key);
    if (value != NULL && !json_is_boolean(value))
        wrong(r, key);
    return json_is_true(value);
}

/* Index of a member's word. 0 if it is missing and optional. */
static int word_of(reading *r, const json_t *of, const char *key, const char *const *words, bool needed)
{
    const char *text = text_of(r, of, key, needed);
    for (int i = 0; words[i] != NULL && text != NULL; i++)
        if (strcmp(words[i], text) == 0)
            return i;
    if (text != NULL)
        wrong(r, key);
    return 0;
}

static void *entries(reading *r, const json_t *list, const char *key, size_t most, size_t size, uint32_t *count)
{
    *count = 0;
    if (list == NULL)
        return NULL;
    if (!json_is_array(list) || json_array_size(list) > most) {
        wrong(r, key);
        return NULL;
    }
    void *at = calloc(json_array_size(list) + 1, size);
    if (at == NULL && r->status == VP_OK)
        r->status = vp_fail(r->error, VP_E_MEMORY, "no memory for the header");
    *count = at != NULL ? (uint32_t)json_array_size(list) : 0;
    return at;
}

static uint32_t colour_of(reading *r, const json_t *of)
{
    return (uint32_t)whole_of(r, of, "colour", 1, 0xffffff, VP_RECORD_ANY_COLOUR);
}

static const vp_record_name *names_of(reading *r, const json_t *of, const char *key, uint32_t *count)
{
    const json_t *list = json_object_get(of, key);
    vp_record_name *names = entries(r, list, key, VP_RECORD_NAMES, sizeof *names, count);
    for (uint32_t i = 0; i < *count; i++) {
        names[i].name = text_of(r, json_array_get(list, i), "name", true);
        names[i].colour = colour_of(r, json_array_get(list, i));
    }
    return names;
}

static const vp_record_column *columns_of(reading *r, const json_t *of, uint32_t *count)
{
    const json_t *list = json_object_get(of, "columns");
    vp_record_column *columns = entries(r, list, "columns", VP_RECORD_COLUMNS, sizeof *columns, count);
    for (uint32_t i = 0; i < *count; i++) {
        const json_t *one = json_array_get(list, i);
        columns[i].name = text_of(r, one, "name", true);
        columns[i].scale = number_of(r, one, "scale");
        columns[i].meaning = (vp_record_meaning)word_of(r, one, "meaning", meaning_names, false);
        columns[i].of = (uint32_t)whole_of(r, one, "of", 0, VP_RECORD_LAYERS - 1, 0);
        columns[i].words = names_of(r, one, "words", &columns[i].word_count);
    }
    return columns;
}

static int64_t third_of(reading *r, const json_t *of, const char *key, size_t k, int64_t low, int64_t high)
{
    const json_t *value = json_array_get(json_object_get(of, key), k);
    if (!json_is_integer(value) || json_integer_value(value) < low || json_integer_value(value) > high) {
        wrong(r, key);
        return 0;
    }
    return json_integer_value(value);
}

static void read_layer(reading *r, const json_t *one, vp_record_layer *l)
{
    r->layer = "";
    l->name = text_of(r, one, "name", true);
    r->layer = l->name != NULL ? l->name : "";
    l->about = text_of(r, one, "about", false);
    l->kind = (vp_record_kind)word_of(r, one, "kind", kind_names, true);
    l->hidden = flag_of(r, one, "hidden");
    l->opacity = number_of(r, one, "opacity");
    l->scale = number_of(r, one, "scale");
    l->columns = columns_of(r, one, &l->column_count);
    l->colouring = (vp_record_colouring)word_of(r, one, "colouring", colouring_names, false);
    l->states = names_of(r, one, "states", &l->state_count);
    l->materials = names_of(r, one, "materials", &l->material_count);
    l->draw = (vp_record_draw)word_of(r, one, "draw", draw_names, l->kind == VP_RECORD_ARRAY);
    l->colour = colour_of(r, one);
    l->placed = flag_of(r, one, "placed");
    l->hold = flag_of(r, one, "hold");
    if (l->kind == VP_RECORD_VOXELS) {
        l->low =
            (vp_ivec3){(int32_t)third_of(r, one, "low", 0, INT32_MIN, INT32_MAX), (int32_t)third_of(r, one, "low", 1, INT32_MIN, INT32_MAX),
                       (int32_t)third_of(r, one, "low", 2, INT32_MIN, INT32_MAX)};
        l->size =
            (vp_dims){(uint32_t)third_of(r, one, "size", 0, 1, VP_RECORD_CELLS), (uint32_t)third_of(r, one, "size", 1, 1, VP_RECORD_CELLS),
                      (uint32_t)third_of(r, one, "size", 2, 1, VP_RECORD_CELLS)};
    }
}

static vp_status read_root(const json_t *root, vp_record_about *about, vp_record_layer *layers, uint32_t *count, vp_error *error)
{
    reading r = {.error = error, .layer = ""};
    const char *format = json_string_value(json_object_get(root, "format"));
    const json_t *list = json_object_get(root, "layers"), *version = json_object_get(root, "version");
    if (format == NULL || strcmp(format, VP_RECORD_FORMAT) != 0 || !json_is_integer(version))
        return vp_fail(error, VP_E_FORMAT, "the header says neither format nor version");
    if (json_integer_value(version) != VP_RECORD_VERSION)
        return vp_fail(error, VP_E_FORMAT, "the recording is of version %lld; this program reads version %d",
                       (long long)json_integer_value(version), VP_RECORD_VERSION);
    about->type = text_of(&r, root, "type", true);
    about->title = text_of(&r, root, "title", true);
    about->command = text_of(&r, root, "command", false);
    about->seconds = number_of(&r, root, "seconds");
    if (!json_is_array(list) || json_array_size(list) > VP_RECORD_LAYERS)
        wrong(&r, "layers");
    *count = r.status == VP_OK ? (uint32_t)json_array_size(list) : 0;
    for (uint32_t i = 0; i < *count; i++) {
        read_layer(&r, json_array_get(list, i), &layers[i]);
        if (r.status == VP_OK && record_layer_check(layers, i, error) != VP_OK)
            r.status = error != NULL ? (error->status = VP_E_FORMAT) : VP_E_FORMAT;
    }
    return r.status;
}

vp_status vp_record_header_read(const uint8_t *text, size_t size, json_t **root, vp_record_about *about, vp_record_layer *layers,
                                uint32_t *count, vp_error *error)
{
    json_error_t mistake;
    *count = 0;
    memset(layers, 0, VP_RECORD_LAYERS * sizeof *layers);
    *root = json_loadb((const char *)text, size, JSON_REJECT_DUPLICATES, &mistake);
    if (*root == NULL && json_error_code(&mistake) == json_error_out_of_memory)
        return vp_fail(error, VP_E_MEMORY, "no memory for the header");
    if (*root == NULL)
        return vp_fail(error, VP_E_FORMAT, "the header is not JSON");
    return read_root(*root, about, layers, count, error);
}

void vp_record_header_drop(json_t *root, vp_record_layer *layers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < layers[i].column_count; k++)
            free((void *)(uintptr_t)layers[i].columns[k].words);
        free((void *)(uintptr_t)layers[i].columns);
        free((void *)(uintptr_t)layers[i].states);
        free((void *)(uintptr_t)layers[i].materials);
    }
    json_decref(root);
}

/* Compressed blocks of step records. */

#ifdef VP_WITH_ZLIB
#include <zlib.h>

enum { LEVEL = 6, RAW_DEFLATE = -15, MEMORY = 8 };

bool vp_record_zlib_here(void)
{
    return true;
}

/* Deflates into `to`. @return the number of bytes, or 0 if it is not less than `size` */
static size_t deflated(const uint8_t *raw, size_t size, uint8_t *to)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)raw, .avail_in = (uInt)size, .next_out = to, .avail_out = (uInt)(size - 1)};
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, RAW_DEFLATE, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    const bool whole = deflate(&z, Z_FINISH) == Z_STREAM_END;
    const size_t bytes = z.total_out;
    deflateEnd(&z);
    return whole ? bytes : 0;
}

static vp_status inflated(const uint8_t *stored, size_t stored_size, uint8_t *raw, size_t size, vp_error *error)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)stored, .avail_in = (uInt)stored_size, .next_out = raw, .avail_out = (uInt)size};
    if (inflateInit2(&z, RAW_DEFLATE) != Z_OK)
        return vp_fail(error, VP_E_MEMORY, "no memory to inflate %zu bytes", stored_size);
    const int code = inflate(&z, Z_FINISH);
    const bool whole = code == Z_STREAM_END && z.total_out == size && z.avail_in == 0;
    inflateEnd(&z);
    if (code == Z_MEM_ERROR)
        return vp_fail(error, VP_E_MEMORY, "no memory to inflate %zu bytes", stored_size);
    return whole ? VP_OK : vp_fail(error, VP_E_FORMAT, "a block of %zu bytes does not inflate to %zu", stored_size, size);
}

#else

bool vp_record_zlib_here(void)
{
    return false;
}

static size_t deflated(const uint8_t *raw, size_t size, uint8_t *to)
{
    (void)raw, (void)size, (void)to;
    return 0;
}

static vp_status inflated(const uint8_t *stored, size_t stored_size, uint8_t *raw, size_t size, vp_error *error)
{
    (void)stored, (void)stored_size, (void)raw, (void)size;
    return vp_fail(error, VP_E_UNSUPPORTED, "the recording is compressed: reading it needs zlib, and this build has none");
}

#endif

bool vp_record_pack(const uint8_t *raw, size_t size, vp_bytes *out)
{
    uint8_t *room = size > 1 ? malloc(size) : NULL;
    if (size > 1 && room == NULL)
        return false;
    const size_t less = size > 1 ? deflated(raw, size, room) : 0;
    vp_bytes_add(out, less > 0 ? room : raw, less > 0 ? less : size);
    free(room);
    return !out->failed;
}

vp_status vp_record_unpack(const uint8_t *stored, size_t stored_size, uint8_t *raw, size_t size, vp_error *error)
{
    if (stored_size != size)
        return inflated(stored, stored_size, raw, size, error);
    if (size > 0)
        memcpy(raw, stored, size);
    return VP_OK;
}
