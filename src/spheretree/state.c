/* SPDX-License-Identifier: MIT */
/* Trees of the wide form as bytes (docs/FORMATS.md): a header, the number of children of each node, objects, and free ids. Bounds are not
 * stored but computed, so no bytes can make a tree that loses something. */
#include <inttypes.h>
#include <string.h>

#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/spheretree/events.h"
#include "src/spheretree/tree.h"

enum { VERSION = 1, HEADER_BYTES = 48, OBJECT_BYTES = 36, CRC_BYTES = 4 };

/* Highest level of a root. Trees have fewer levels. Changes can add 10 to those of damaged bytes, because each new one needs 8 times the
 * nodes on the root's level. */
enum { MAX_LEVEL = 12 };

static const uint8_t magic[8] = {0x89, 'V', 'P', 'S', '\r', '\n', 0x1a, '\n'};

/* ---- writing ---- */

typedef struct state_writer {
    const vp_spheretree *tree;
    uint8_t *node, *object; /* next ones */
} state_writer;

static uint32_t count_nodes(const vp_spheretree_wide *wide, uint32_t at)
{
    uint32_t count = 1;
    for (uint32_t lane = 0; wide->info[at].level > 0 && lane < wide->info[at].count; lane++)
        count += count_nodes(wide, wide->node[at].child[lane]);
    return count;
}

static void write_node(state_writer *w, uint32_t at)
{
    const vp_spheretree_wide *wide = w->tree->view.wide;
    const uint32_t children = wide->info[at].count;
    *w->node++ = (uint8_t)children;
    for (uint32_t lane = 0; lane < children; lane++) {
        const uint32_t child = wide->node[at].child[lane];
        if (wide->info[at].level > 0) {
            write_node(w, child);
            continue;
        }
        const vp_spheretree_entry *object = &w->tree->object[child];
        const vp_sphere sphere = vp_wide_sphere(wide, at * VP_WIDE + lane);
        uint32_t bits[4];
        memcpy(bits, &sphere, sizeof bits);
        vp_put_le64(w->object, object->data);
        vp_put_le32(w->object + 8, child);
        vp_put_le32(w->object + 12, object->mask);
        vp_put_le32(w->object + 16, w->tree->events.on ? w->tree->events.object[child].with : 0);
        for (int k = 0; k < 4; k++)
            vp_put_le32(w->object + 20 + 4 * k, bits[k]);
        w->object += OBJECT_BYTES;
    }
}

vp_status vp_spheretree_encode(const vp_spheretree *t, const vp_allocator *allocator, vp_blob *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, out", t, out);
    if (t->view.wide == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "the tree has the published form; only the wide one can be encoded");
    if (t->view.wide->meshes > 0)
        return vp_fail(error, VP_E_ARGUMENT, "the tree has %" PRIu32 " meshes, whose arrays belong to the caller", t->view.wide->meshes);
    const vp_spheretree_wide *wide = t->view.wide;
    const bool empty = wide->root == VP_SPHERETREE_NONE;
    const uint32_t nodes = empty ? 0 : count_nodes(wide, wide->root), free_ids = t->object_used - t->objects;
    const uint64_t size = HEADER_BYTES + (uint64_t)nodes + (uint64_t)t->objects * OBJECT_BYTES + (uint64_t)free_ids * 4 + CRC_BYTES;
    vp_blob blob = {.allocator = vp_allocator_or_default(allocator)};
    blob.size = blob.capacity = (size_t)size;
    blob.bytes = blob.size == size ? vp_allocate_zero(&blob.allocator, blob.capacity, 1) : NULL;
    if (blob.bytes == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a sphere tree of %" PRIu64 " bytes", size);
    memcpy(blob.bytes, magic, sizeof magic);
    const uint32_t head[] = {VERSION, empty ? 0 : wide->info[wide->root].level, nodes, t->objects, free_ids};
    for (size_t i = 0; i < 5; i++)
        vp_put_le32(blob.bytes + 8 + 4 * i, head[i]);
    vp_put_le64(blob.bytes + 32, size);
    vp_put_le32(blob.bytes + 44, vp_crc32(0, blob.bytes, 44));
    state_writer w = {t, blob.bytes + HEADER_BYTES, blob.bytes + HEADER_BYTES + nodes};
    if (!empty)
        write_node(&w, wide->root);
    for (uint32_t id = t->object_free; id != VP_SPHERETREE_NONE; id = (uint32_t)t->object[id].data, w.object += 4)
        vp_put_le32(w.object, id);
    vp_put_le32(w.object, vp_crc32(0, blob.bytes + HEADER_BYTES, blob.size - HEADER_BYTES - CRC_BYTES));
    *out = blob;
    return vp_succeed(error);
}

/* ---- reading ---- */

/* A tree, found in bytes. */
typedef struct tree_contents {
    const uint8_t *bytes;
    uint32_t level, nodes, objects, free_ids;
    size_t first_object, first_free;
    uint32_t node, object; /* next ones */
    uint32_t inner;        /* nodes with nodes */
} tree_contents;

static vp_status check_header(const uint8_t *bytes, size_t size, tree_contents *out, vp_error *error)
{
    if (size < HEADER_BYTES + CRC_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
        return vp_fail(error, VP_E_FORMAT, "byte 0: not a sphere tree: it is short or does not begin with 89 56 50 53 0d 0a 1a 0a");
    const uint32_t version = vp_get_le32(bytes + 8), crc = vp_get_le32(bytes + 44), is = vp_crc32(0, bytes, 44);
    if (version != VERSION)
        return vp_fail(error, VP_E_FORMAT, "byte 8: version %" PRIu32 " is unknown; this library reads version %d", version, VERSION);
    if (crc != is)
        return vp_fail(error, VP_E_FORMAT, "byte 44: the header's CRC-32 says %08" PRIx32 " and is %08" PRIx32, crc, is);
    *out = (tree_contents){.bytes = bytes,
                           .level = vp_get_le32(bytes + 12),
                           .nodes = vp_get_le32(bytes + 16),
                           .objects = vp_get_le32(bytes + 20),
                           .free_ids = vp_get_le32(bytes + 24)};
    const uint64_t first_object = HEADER_BYTES + (uint64_t)out->nodes, first_free = first_object + (uint64_t)out->objects * OBJECT_BYTES,
                   end = first_free + (uint64_t)out->free_ids * 4, reported = vp_get_le64(bytes + 32);
    if (reported != size || end + CRC_BYTES != size)
        return vp_fail(error, VP_E_FORMAT, "byte 32: the tree says %" PRIu64 " bytes, has %zu, and its parts have %" PRIu64, reported, size,
                       end + CRC_BYTES);
    if (out->level > MAX_LEVEL || (uint64_t)out->objects + out->free_ids > VP_SPHERETREE_MAX_OBJECTS ||
        (out->nodes == 0) != (out->objects == 0) || out->nodes > (uint64_t)out->objects * (out->level + 1))
        return vp_fail(error, VP_E_FORMAT,
                       "byte 12: no tree has %" PRIu32 " levels, %" PRIu32 " nodes, %" PRIu32 " objects and %" PRIu32 " free ids",
                       out->level + 1, out->nodes, out->objects, out->free_ids);
    const uint32_t body = vp_get_le32(bytes + end), body_is = vp_crc32(0, bytes + HEADER_BYTES, (size_t)end - HEADER_BYTES);
    if (body != body_is)
        return vp_fail(error, VP_E_FORMAT, "byte %" PRIu64 ": the CRC-32 after the header is %08" PRIx32 ", computed %08" PRIx32, end, body,
                       body_is);
    out->first_object = (size_t)first_object;
    out->first_free = (size_t)first_free;
    return VP_OK;
}

/* Checks a node and all below it. */
static vp_status check_node(tree_contents *c, uint32_t level, vp_error *error)
{
    if (c->node == c->nodes)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: a node is missing", c->first_object);
    const uint32_t at = c->node++, count = c->bytes[HEADER_BYTES + at];
    if (count == 0 || count > VP_WIDE || (at == 0 && level > 0 && count == 1))
        return vp_fail(error, VP_E_FORMAT, "byte %" PRIu32 ": a node has %" PRIu32 " children", HEADER_BYTES + at, count);
    if (level == 0) {
        if (count > c->objects - c->object)
            return vp_fail(error, VP_E_FORMAT, "byte %" PRIu32 ": more leaves than objects", HEADER_BYTES + at);
        c->object += count;
        return VP_OK;
    }
    vp_status status = VP_OK;
    c->inner++;
    for (uint32_t i = 0; i < count && status == VP_OK; i++)
        status = check_node(c, level - 1, error);
    return status;
}

static vp_sphere sphere_at(const uint8_t *object)
{
    vp_sphere sphere;
    uint32_t bits[4];
    for (int k = 0; k < 4; k++)
        bits[k] = vp_get_le32(object + 20 + 4 * k);
    memcpy(&sphere, bits, sizeof sphere);
    return sphere;
}

static vp_status check_contents(tree_contents *c, vp_error *error)
{
    vp_status status = c->nodes > 0 ? check_node(c, c->level, error) : VP_OK;
    if (status == VP_OK && (c->node != c->nodes || c->object != c->objects))
        return vp_fail(error, VP_E_FORMAT, "byte 16: the tree has %" PRIu32 " nodes and %" PRIu32 " objects, the header says otherwise",
                       c->node, c->object);
    for (uint32_t i = 0; status == VP_OK && i < c->objects; i++) {
        const size_t at = c->first_object + (size_t)i * OBJECT_BYTES;
        const vp_sphere sphere = sphere_at(c->bytes + at);
        vp_error why;
        if (vp_scene_check_sphere(&sphere, &why) != VP_OK || vp_get_le32(c->bytes + at + 32) >> 31 != 0)
            return vp_fail(error, VP_E_FORMAT, "byte %zu: a sphere is invalid", at + 20);
    }
    c->node = c->object = 0;
    return status;
}

/* Claims an id. @return whether it is free */
static bool claim_id(vp_spheretree *t, uint32_t id)
{
    if (id >= t->object_used || t->object[id].leaf != VP_SPHERETREE_NONE)
        return false;
    t->object[id].leaf = 0;
    return true;
}

static vp_status read_ids(vp_spheretree *t, const tree_contents *c, vp_error *error)
{
    uint32_t previous = VP_SPHERETREE_NONE;
    t->objects = t->leaves = c->objects;
    t->object_used = c->objects + c->free_ids;
    for (uint32_t id = 0; id < t->object_used; id++)
        t->object[id] = (vp_spheretree_entry){VP_SPHERETREE_NONE, 0, VP_SPHERETREE_NONE};
    for (uint32_t i = 0; i < c->objects; i++) {
        const uint8_t *from = c->bytes + c->first_object + (size_t)i * OBJECT_BYTES;
        const uint32_t id = vp_get_le32(from + 8);
        if (!claim_id(t, id))
            return vp_fail(error, VP_E_FORMAT, "object %" PRIu32 " has id %" PRIu32 ", which is too large or another's", i, id);
        t->object[id].data = vp_get_le64(from);
        t->object[id].mask = vp_get_le32(from + 12);
    }
    for (uint32_t i = 0; i < c->free_ids; i++) {
        const uint32_t id = vp_get_le32(c->bytes + c->first_free + 4 * (size_t)i);
        if (!claim_id(t, id))
            return vp_fail(error, VP_E_FORMAT, "free id %" PRIu32 " is too large or an object's", id);
        if (previous == VP_SPHERETREE_NONE)
            t->object_free = id;
        else
            t->object[previous].data = id;
        previous = id;
    }
    for (uint32_t id = t->object_free; id != VP_SPHERETREE_NONE; id = (uint32_t)t->object[id].data)
        t->object[id].leaf = VP_SPHERETREE_NONE;
    return VP_OK;
}

/* Makes a node and all below it. There is room. */
static uint32_t read_node(vp_spheretree *t, tree_contents *c, uint32_t level)
{
    vp_wide_item item[VP_WIDE];
    const uint32_t at = vp_wide_allocate_node(&t->wide, level), count = c->bytes[HEADER_BYTES + c->node++];
    for (uint32_t i = 0; i < count; i++) {
        if (level > 0) {
            item[i] = vp_wide_finish_node(&t->wide, read_node(t, c, level - 1));
            continue;
        }
        const uint8_t *from = c->bytes + c->first_object + (size_t)c->object++ * OBJECT_BYTES;
        const uint32_t id = vp_get_le32(from + 8);
        item[i] = (vp_wide_item){sphere_at(from), id, t->object[id].mask};
        t->wide.view.common_mask &= item[i].mask;
        vp_scene_note_new(t, id, vp_get_le32(from + 16));
    }
    vp_wide_fill_node(&t->wide, at, item, count);
    return at;
}

vp_status vp_spheretree_decode(const void *bytes, size_t size, const vp_spheretree_def *def, vp_spheretree **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    VP_RETURN_IF_ARRAY_NULL(error, bytes, size);
    vp_spheretree_def as = *def;
    tree_contents c = {0};
    vp_spheretree *t;
    if (as.form != VP_SPHERETREE_WIDE)
        return vp_fail(error, VP_E_ARGUMENT, "vp_spheretree_def.form is %d; must be VP_SPHERETREE_WIDE", (int)as.form);
    vp_status status = check_header(bytes, size, &c, error);
    if (status == VP_OK)
        status = check_contents(&c, error);
    if (status != VP_OK)
        return status;
    as.capacity = 0;
    status = vp_spheretree_create(&as, &t, error);
    if (status != VP_OK)
        return status;
    vp_wide_nodes nodes;
    const uint32_t ids = c.objects + c.free_ids;
    vp_spheretree_entry *object = ids > 0 ? vp_allocate(&t->allocator, ids, sizeof *object) : NULL;
    if (object != NULL) {
        t->view.object = t->object = object;
        t->object_room = ids;
    }
    if ((ids > 0 && object == NULL) || !vp_scene_events_reserve(t, ids) ||
        (c.nodes > 0 && !vp_wide_allocate_nodes(&t->wide, (uint64_t)c.nodes + 4 * VP_WIDE, (uint64_t)c.inner + 4 * VP_WIDE, &nodes))) {
        vp_spheretree_destroy(t);
        return vp_fail(error, VP_E_MEMORY, "no memory for a sphere tree of %" PRIu32 " objects", c.objects);
    }
    if (c.nodes > 0)
        vp_wide_replace_nodes(&t->wide, &nodes);
    status = read_ids(t, &c, error);
    if (status != VP_OK) {
        vp_spheretree_destroy(t);
        return status;
    }
    if (c.nodes > 0)
        t->wide.view.root = vp_wide_finish_node(&t->wide, read_node(t, &c, c.level)).child;
    *out = t;
    return vp_succeed(error);
}
