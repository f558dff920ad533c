/* SPDX-License-Identifier: MIT */
/* The scene graph of a MagicaVoxel file: transforms over groups and shapes from node 0. A hostile one has loops, or
   uses a shape a billion times, so depth, visits and voxels are bounded. */
#include "import/vox_scene.h"

#include <stdlib.h>

#include "import/grow.h"
#include "src/core/bytes.h"
#include "src/core/error.h"

enum {
    DEPTH_MAX = 64,
    VISITS_MAX = 1 << 20,
    VOXELS_MAX = 1 << 26,
    MOVE_MAX = 1 << 20 /* per axis of one transform, so that sums never overflow 64 bits */
};

static const vp_vox_place identity = {{0, 1, 2}, {1, 1, 1}, {0, 0, 0}};

/* ---- reading nodes ---- */

typedef struct vox_cursor {
    const uint8_t *bytes;
    size_t size, at, base;
    vp_error *error;
} vox_cursor;

static vp_status take(vox_cursor *c, size_t n, const uint8_t **out)
{
    if (c->size - c->at < n)
        return vp_fail(c->error, VP_E_FORMAT, "byte %zu: a node of the scene ends within its content", c->base + c->size);
    *out = c->bytes + c->at;
    c->at += n;
    return VP_OK;
}

static int32_t get_signed(const uint8_t *p)
{
    uint32_t v = vp_get_le32(p);
    return v <= INT32_MAX ? (int32_t)v : -(int32_t)(UINT32_MAX - v) - 1;
}

static vp_status take_number(vox_cursor *c, int32_t *out)
{
    const uint8_t *p = NULL;
    VP_RETURN_IF_FAILED(take(c, 4, &p));
    *out = get_signed(p);
    return VP_OK;
}

static vp_status take_string(vox_cursor *c, const uint8_t **text, size_t *size)
{
    int32_t n = 0;
    VP_RETURN_IF_FAILED(take_number(c, &n));
    if (n < 0)
        return vp_fail(c->error, VP_E_FORMAT, "byte %zu: a string of %d bytes", c->base + c->at - 4, n);
    *size = (size_t)n;
    return take(c, *size, text);
}

/* Reads a decimal integer at *at of a text, and moves past it and the spaces after it. */
static bool parse_number(const uint8_t *text, size_t size, size_t *at, int64_t *out)
{
    bool minus = *at < size && text[*at] == '-';
    *at += minus ? 1 : 0;
    size_t digits = 0;
    int64_t value = 0;
    for (; *at < size && text[*at] >= '0' && text[*at] <= '9' && digits < 9; (*at)++, digits++)
        value = value * 10 + (text[*at] - '0');
    while (*at < size && text[*at] == ' ')
        (*at)++;
    *out = minus ? -value : value;
    return digits > 0;
}

static bool parse_move(const uint8_t *text, size_t size, int64_t move[3])
{
    size_t at = 0;
    for (int i = 0; i < 3; i++)
        if (!parse_number(text, size, &at, &move[i]) || move[i] < -MOVE_MAX || move[i] > MOVE_MAX)
            return false;
    return at == size;
}

/* Bits 0-1 and 2-3 are the column of the non-zero entry in rows 0 and 1 of a matrix. Bits 4, 5 and 6 are its sign in each row. */
static bool parse_turn(const uint8_t *text, size_t size, vp_vox_place *place)
{
    size_t at = 0;
    int64_t bits = 0;
    if (!parse_number(text, size, &at, &bits) || at != size || bits < 0 || bits > 127)
        return false;
    int first = (int)bits & 3, second = (int)bits >> 2 & 3;
    if (first > 2 || second > 2 || first == second)
        return false;
    const int axis[3] = {first, second, 3 - first - second};
    for (int i = 0; i < 3; i++) {
        place->axis[i] = (uint8_t)axis[i];
        place->sign[i] = (bits >> (4 + i) & 1) != 0 ? -1 : 1;
    }
    return true;
}

static bool is(const uint8_t *text, size_t size, const char *word)
{
    return size == strlen(word) && memcmp(text, word, size) == 0;
}

/* Reads a dictionary. Stores its _t, _r and _hidden in `into` unless that is NULL. */
static vp_status take_dictionary(vox_cursor *c, vp_vox_node *into)
{
    int32_t count = 0;
    vp_status status = take_number(c, &count);
    if (status == VP_OK && (count < 0 || (size_t)count > (c->size - c->at) / 8))
        return vp_fail(c->error, VP_E_FORMAT, "byte %zu: a dictionary of %d entries", c->base + c->at - 4, count);
    for (int32_t i = 0; status == VP_OK && i < count; i++) {
        const uint8_t *key = NULL, *value = NULL;
        size_t key_size = 0, value_size = 0;
        status = take_string(c, &key, &key_size);
        if (status == VP_OK)
            status = take_string(c, &value, &value_size);
        if (status != VP_OK || into == NULL)
            continue;
        size_t where = c->base + c->at - value_size;
        if (is(key, key_size, "_hidden"))
            into->hidden = is(value, value_size, "1");
        else if (is(key, key_size, "_t") && !parse_move(value, value_size, into->place.move))
            status = vp_fail(c->error, VP_E_FORMAT, "byte %zu: _t of a transform is not three numbers up to %d", where, MOVE_MAX);
        else if (is(key, key_size, "_r") && !parse_turn(value, value_size, &into->place))
            status = vp_fail(c->error, VP_E_FORMAT, "byte %zu: _r of a transform is not a turn of the axes", where);
    }
    return status;
}

static vp_status take_transform(vox_cursor *c, vp_vox_node *out)
{
    int32_t ignored = 0, frames = 0;
    vp_status status = take(c, 4, &out->child);
    out->children = 1;
    for (int i = 0; status == VP_OK && i < 2; i++) /* reserved, layer */
        status = take_number(c, &ignored);
    if (status == VP_OK)
        status = take_number(c, &frames);
    if (status == VP_OK && frames > 0)
        status = take_dictionary(c, out); /* the first frame of an animation */
    return status;
}

static vp_status take_children(vox_cursor *c, vp_vox_node *out)
{
    int32_t count = 0;
    VP_RETURN_IF_FAILED(take_number(c, &count));
    if (count < 0 || (size_t)count > (c->size - c->at) / 4)
        return vp_fail(c->error, VP_E_FORMAT, "byte %zu: a group of %d nodes", c->base + c->at - 4, count);
    out->children = (uint32_t)count;
    return take(c, (size_t)count * 4, &out->child);
}

static vp_status take_shape(vox_cursor *c, vp_vox_node *out)
{
    int32_t models = 0;
    VP_RETURN_IF_FAILED(take_number(c, &models));
    if (models < 1)
        return vp_fail(c->error, VP_E_FORMAT, "byte %zu: a shape of %d models", c->base + c->at - 4, models);
    out->children = 1; /* the first frame of an animation */
    return take(c, 4, &out->child);
}

vp_status vp_vox_read_node(vp_vox_kind kind, const uint8_t *bytes, size_t size, size_t base, vp_vox_node *out, vp_error *error)
{
    vox_cursor c = {bytes, size, 0, base, error};
    vp_vox_node node = {.kind = kind, .place = identity};
    VP_RETURN_IF_FAILED(take_number(&c, &node.id));
    VP_RETURN_IF_FAILED(take_dictionary(&c, &node));
    VP_RETURN_IF_FAILED(kind == VP_VOX_TRANSFORM ? take_transform(&c, &node)
                        : kind == VP_VOX_GROUP   ? take_children(&c, &node)
                                                 : take_shape(&c, &node));
    *out = node;
    return VP_OK;
}

/* ---- walking ---- */

typedef struct vox_walk {
    vp_vox_file *file;
    vp_vox_scene *scene;
    uint32_t visits;
    vp_error *error;
} vox_walk;

/* The transform `inner` followed by `outer`. */
static vp_vox_place compose(const vp_vox_place *outer, const vp_vox_place *inner)
{
    vp_vox_place both;
    for (int i = 0; i < 3; i++) {
        int a = outer->axis[i];
        both.axis[i] = inner->axis[a];
        both.sign[i] = (int8_t)(outer->sign[i] * inner->sign[a]);
        both.move[i] = outer->sign[i] * inner->move[a] + outer->move[i];
    }
    return both;
}

static vp_status add_instance(vox_walk *w, uint32_t model, const vp_vox_place *place)
{
    vp_vox_scene *s = w->scene;
    if (model >= w->file->models)
        return vp_fail(w->error, VP_E_FORMAT, "the scene names model %u of %zu", model, w->file->models);
    if (s->voxels + w->file->model[model].count > VOXELS_MAX)
        return vp_fail(w->error, VP_E_FORMAT, "the scene places more than %d voxels", VOXELS_MAX);
    vp_vox_instance *more = vp_import_grow(&w->file->allocator, s->instance, s->count + 1, &s->capacity, sizeof *more);
    if (more == NULL)
        return vp_fail(w->error, VP_E_MEMORY, "no memory for a scene of %zu models", s->count + 1);
    s->instance = more;
    s->instance[s->count++] = (vp_vox_instance){model, *place};
    s->voxels += w->file->model[model].count;
    return VP_OK;
}

static int compare_ids(const void *a, const void *b)
{
    int32_t x = ((const vp_vox_node *)a)->id, y = ((const vp_vox_node *)b)->id;
    return x < y ? -1 : x > y;
}

static const vp_vox_node *find_node(const vp_vox_file *file, int32_t id)
{
    vp_vox_node key = {.id = id};
    return bsearch(&key, file->node, file->nodes, sizeof key, compare_ids);
}

static vp_status visit(vox_walk *w, int32_t id, const vp_vox_place *place, int depth)
{
    if (depth > DEPTH_MAX)
        return vp_fail(w->error, VP_E_FORMAT, "the scene is deeper than %d nodes, or node %d leads to itself", DEPTH_MAX, id);
    if (++w->visits > VISITS_MAX)
        return vp_fail(w->error, VP_E_FORMAT, "the scene has more than %d nodes", VISITS_MAX);
    const vp_vox_node *node = find_node(w->file, id);
    if (node == NULL)
        return vp_fail(w->error, VP_E_FORMAT, "the scene names node %d, which is not in the file", id);
    if (node->hidden) {
        w->scene->hidden++;
        return VP_OK;
    }
    if (node->kind == VP_VOX_SHAPE)
        return add_instance(w, vp_get_le32(node->child), place);
    vp_vox_place here = node->kind == VP_VOX_TRANSFORM ? compose(place, &node->place) : *place;
    for (uint32_t i = 0; i < node->children; i++)
        VP_RETURN_IF_FAILED(visit(w, get_signed(node->child + (size_t)i * 4), &here, depth + 1));
    return VP_OK;
}

/* Places models without a scene along x. Each begins at the next multiple of 8, with at least one voxel free before it. */
static vp_status line_up(vox_walk *w)
{
    int64_t x = 0;
    for (size_t m = 0; m < w->file->models; m++) {
        vp_dims s = w->file->model[m].size;
        vp_vox_place place = identity;
        place.move[0] = x + s.x / 2;
        place.move[1] = s.y / 2;
        place.move[2] = s.z / 2;
        VP_RETURN_IF_FAILED(add_instance(w, (uint32_t)m, &place));
        x = (x + s.x) / 8 * 8 + 8;
    }
    return VP_OK;
}

vp_status vp_vox_make_scene(vp_vox_file *file, vp_vox_scene *out, vp_error *error)
{
    vp_vox_scene scene = {0};
    vox_walk w = {file, &scene, 0, error};
    vp_status status = VP_OK;
    if (file->nodes != 0) {
        qsort(file->node, file->nodes, sizeof *file->node, compare_ids);
        for (size_t i = 1; status == VP_OK && i < file->nodes; i++)
            if (file->node[i].id == file->node[i - 1].id)
                status = vp_fail(error, VP_E_FORMAT, "the scene has two nodes %d", file->node[i].id);
        if (status == VP_OK)
            status = visit(&w, 0, &identity, 1);
    } else {
        status = line_up(&w);
    }
    if (status != VP_OK) {
        vp_vox_drop_scene(file, &scene);
        return status;
    }
    *out = scene;
    return VP_OK;
}

void vp_vox_drop_scene(const vp_vox_file *file, vp_vox_scene *scene)
{
    vp_release(&file->allocator, scene->instance, scene->capacity, sizeof *scene->instance);
    *scene = (vp_vox_scene){0};
}

/* Models turn about the corner of voxels at half their size, rounded down. Centres of voxels are at halves, so counting
   in halves keeps everything an integer. */
void vp_vox_apply(const vp_vox_instance *instance, const vp_vox_model *model, const uint8_t *voxel, int64_t at[3])
{
    const uint32_t size[3] = {model->size.x, model->size.y, model->size.z};
    for (int i = 0; i < 3; i++) {
        int a = instance->place.axis[i];
        int64_t centre = 2 * (int64_t)voxel[a] + 1 - 2 * (int64_t)(size[a] / 2);
        at[i] = (instance->place.sign[i] * centre - 1) / 2 + instance->place.move[i]; /* exact because the number is even */
    }
}
