/* SPDX-License-Identifier: MIT */
/* The sphere tree as an object: ids, memory, and checks. */
#include <inttypes.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/spheretree/bound.h"
#include "src/spheretree/meld.h"
#include "src/spheretree/events.h"
#include "src/spheretree/tree.h"

/* ---- memory ---- */

/* Grows an array to `room` elements. @return false without memory, with the array as it was */
static bool grow_array(const vp_allocator *allocator, void **array, uint32_t *room, uint32_t used, uint32_t wanted, size_t size)
{
    if (wanted <= *room)
        return true;
    void *larger = vp_allocate(allocator, wanted, size);
    if (larger == NULL)
        return false;
    if (used > 0)
        memcpy(larger, *array, used * size);
    vp_release(allocator, *array, *room, size);
    *array = larger;
    *room = wanted;
    return true;
}

/* Room for that many more, or for half as many again as are used, whichever is larger. */
static uint32_t find_room(uint32_t used, uint32_t more)
{
    const uint32_t min = used + more, half_more = used + used / 2 + 8;
    return min > half_more ? min : half_more;
}

static vp_status report_no_memory(uint32_t leaves, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for a sphere tree of %" PRIu32 " leaves", leaves);
}

/* Makes room for that many more leaves. */
static bool reserve_leaves(vp_spheretree *t, uint32_t leaves)
{
    const uint32_t nodes = 2 * leaves, left = t->node_room - t->node_used + t->node_spare;
    void *array = t->view.node;
    if (t->view.wide != NULL)
        return vp_wide_reserve(&t->wide, t->leaves, leaves);
    if (nodes <= left)
        return true;
    const bool grown =
        grow_array(&t->allocator, &array, &t->node_room, t->node_used, find_room(t->node_room, nodes - left), sizeof *t->view.node);
    t->view.node = array;
    return grown;
}

static bool reserve_objects(vp_spheretree *t, uint32_t count)
{
    void *array = t->object;
    const uint32_t left = t->object_room - t->objects; /* free entries and unused ones */
    if (count <= left)
        return vp_scene_events_reserve(t, t->object_room);
    const uint32_t wanted = find_room(t->object_room, count - left);
    const bool grown = grow_array(&t->allocator, &array, &t->object_room, t->object_used, wanted, sizeof *t->object);
    t->view.object = t->object = array;
    return grown && vp_scene_events_reserve(t, t->object_room);
}

static bool reserve_mesh(vp_spheretree *t)
{
    void *array = t->mesh;
    if (t->mesh_free != VP_SPHERETREE_NONE)
        return true;
    const uint32_t wanted = t->mesh_used < t->mesh_room ? t->mesh_room : find_room(t->mesh_used, 1);
    const bool grown = grow_array(&t->allocator, &array, &t->mesh_room, t->mesh_used, wanted, sizeof *t->mesh);
    t->view.mesh = t->mesh = array;
    return grown;
}

static uint32_t allocate_node(vp_spheretree *t)
{
    if (t->node_free == VP_SPHERETREE_NONE)
        return t->node_used++;
    const uint32_t node = t->node_free;
    t->node_free = t->view.node[node].child[0];
    t->node_spare--;
    return node;
}

static void free_node(vp_spheretree *t, uint32_t node)
{
    t->view.node[node].child[0] = t->node_free;
    t->node_free = node;
    t->node_spare++;
}

static uint32_t allocate_object(vp_spheretree *t)
{
    t->objects++;
    if (t->object_free == VP_SPHERETREE_NONE)
        return t->object_used++;
    const uint32_t id = t->object_free;
    t->object_free = (uint32_t)t->object[id].data;
    return id;
}

static void free_object(vp_spheretree *t, uint32_t id)
{
    vp_scene_note_removal(t, id);
    t->object[id] = (vp_spheretree_entry){t->object_free, 0, VP_SPHERETREE_NONE};
    t->object_free = id;
    t->objects--;
}

static void reset_tree(vp_spheretree *t)
{
    vp_wide_reset(&t->wide);
    t->view.root = VP_SPHERETREE_NONE;
    t->node_used = t->object_used = t->mesh_used = t->node_spare = t->objects = t->leaves = 0;
    t->node_free = t->object_free = t->mesh_free = VP_SPHERETREE_NONE;
}

static void drop_mesh_leaves(vp_spheretree *t)
{
    for (uint32_t m = 0; m < t->mesh_used; m++)
        if (t->mesh[m].object != VP_SPHERETREE_NONE)
            vp_release(&t->allocator, t->mesh[m].leaf, t->mesh[m].leaf_count, sizeof *t->mesh[m].leaf);
}

vp_status vp_spheretree_create(const vp_spheretree_def *def, vp_spheretree **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    vp_kernels kernels;
    if ((int)def->rule < 0 || def->rule >= VP_SPHERETREE_RULE_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "vp_spheretree_def.rule is %d; must be a vp_spheretree_rule", (int)def->rule);
    if ((int)def->form < 0 || def->form >= VP_SPHERETREE_FORM_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "vp_spheretree_def.form is %d; must be a vp_spheretree_form", (int)def->form);
    if (def->capacity > VP_SPHERETREE_MAX_LEAVES)
        return vp_fail(error, VP_E_ARGUMENT, "vp_spheretree_def.capacity is %" PRIu32 "; must be at most %d", def->capacity,
                       VP_SPHERETREE_MAX_LEAVES);
    if (def->kernels != NULL) {
        kernels = *def->kernels;
    } else {
        const vp_status status = vp_kernels_default(&kernels, error);
        if (status != VP_OK)
            return status;
    }
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    vp_spheretree *t = vp_allocate_zero(&allocator, 1, sizeof *t);
    if (t == NULL)
        return report_no_memory(def->capacity, error);
    t->allocator = allocator;
    t->kernels = kernels;
    t->view.rule = def->rule;
    t->view.wide = def->form == VP_SPHERETREE_WIDE ? &t->wide.view : NULL;
    t->wide.allocator = &t->allocator;
    t->wide.kernels = &t->kernels;
    t->wide.object = &t->object;
    t->events.on = def->events;
    t->events.contact_free = VP_SPHERETREE_NONE;
    reset_tree(t);
    void *array = NULL;
    const uint32_t objects = def->capacity < VP_SPHERETREE_MAX_OBJECTS ? def->capacity : VP_SPHERETREE_MAX_OBJECTS;
    bool all = true;
    if (t->view.wide != NULL)
        all = def->capacity == 0 || vp_wide_reserve(&t->wide, 0, def->capacity);
    else
        all = grow_array(&allocator, &array, &t->node_room, 0, def->capacity * 2, sizeof *t->view.node);
    t->view.node = array;
    array = NULL;
    all = all && grow_array(&allocator, &array, &t->object_room, 0, objects, sizeof *t->object);
    t->view.object = t->object = array;
    if (!all || !vp_scene_events_reserve(t, t->object_room)) {
        vp_spheretree_destroy(t);
        return report_no_memory(def->capacity, error);
    }
    *out = t;
    return vp_succeed(error);
}

void vp_spheretree_destroy(vp_spheretree *t)
{
    if (t == NULL)
        return;
    const vp_allocator allocator = t->allocator;
    drop_mesh_leaves(t);
    vp_wide_release(&t->wide);
    vp_scene_events_release(t);
    vp_release(&allocator, t->view.node, t->node_room, sizeof *t->view.node);
    vp_release(&allocator, t->object, t->object_room, sizeof *t->object);
    vp_release(&allocator, t->mesh, t->mesh_room, sizeof *t->mesh);
    vp_release(&allocator, t, 1, sizeof *t);
}

/* ---- checks ---- */

static bool is_object(const vp_spheretree *t, uint32_t id)
{
    return id < t->object_used && t->object[id].leaf != VP_SPHERETREE_NONE;
}

static vp_status check_id(const vp_spheretree *t, uint32_t id, vp_error *error)
{
    return is_object(t, id) ? VP_OK : vp_fail(error, VP_E_ARGUMENT, "object %" PRIu32 " does not exist", id);
}

static vp_status check_room(const vp_spheretree *t, uint32_t objects, uint32_t leaves, vp_error *error)
{
    if (objects > VP_SPHERETREE_MAX_OBJECTS - t->objects)
        return vp_fail(error, VP_E_LIMIT, "%" PRIu32 " objects more than %" PRIu32 ": must be at most %d", objects, t->objects,
                       VP_SPHERETREE_MAX_OBJECTS);
    if (leaves > VP_SPHERETREE_MAX_LEAVES - t->leaves)
        return vp_fail(error, VP_E_LIMIT, "%" PRIu32 " leaves more than %" PRIu32 ": must be at most %d", leaves, t->leaves,
                       VP_SPHERETREE_MAX_LEAVES);
    return VP_OK;
}

/* ---- in and out ---- */

/* Begins an insertion of leaves. If they are many, the wide form is built anew of a list.
 * @return false without memory, with the tree as it was */
static bool begin_leaves(vp_spheretree *t, uint32_t count)
{
    const uint32_t all = t->leaves + count;
    if (t->view.wide == NULL || count <= VP_SPHERETREE_WIDTH || count < t->leaves / 2)
        return reserve_leaves(t, count);
    t->list = vp_allocate(&t->allocator, all, sizeof *t->list);
    if (t->list == NULL || !vp_wide_prepare(&t->wide, all, &t->nodes)) {
        vp_release(&t->allocator, t->list, all, sizeof *t->list);
        t->list = NULL;
        return false;
    }
    vp_wide_list(&t->wide, t->list);
    return true;
}

static void end_leaves(vp_spheretree *t)
{
    if (t->list != NULL) {
        vp_wide_build(&t->wide, &t->nodes, t->list, t->leaves);
        vp_release(&t->allocator, t->list, t->leaves, sizeof *t->list);
        t->list = NULL;
    } else if (t->view.wide != NULL) {
        vp_wide_refit(&t->wide, t->leaves);
    }
}

static void put_leaf(vp_spheretree *t, uint32_t leaf)
{
    const uint32_t inner = t->view.root == VP_SPHERETREE_NONE ? VP_SPHERETREE_NONE : allocate_node(t);
    t->kernels.scene_insert(&t->view, leaf, inner);
    t->leaves++;
}

/* @return the node, of the wide form the index of a leaf with triangles */
static uint32_t add_leaf(vp_spheretree *t, const vp_sphere *sphere, uint32_t object, uint32_t triangles, uint32_t mask)
{
    const vp_sphere bound = {sphere->centre, sphere->radius + 0.0f}; /* no -0 */
    if (t->view.wide != NULL) {
        const uint32_t child = triangles == VP_SPHERETREE_NONE ? object : vp_wide_add_leaf(&t->wide, object, triangles);
        vp_wide_item one, *item = t->list != NULL ? &t->list[t->leaves] : &one;
        *item = (vp_wide_item){bound, child, mask};
        if (item == &one)
            vp_wide_insert(&t->wide, item);
        t->leaves++;
        return child & ~VP_SPHERETREE_LEAF;
    }
    const uint32_t leaf = allocate_node(t);
    t->view.node[leaf] = (vp_spheretree_node){bound, VP_SPHERETREE_NONE, {VP_SPHERETREE_LEAF | object, triangles}, mask};
    put_leaf(t, leaf);
    return leaf;
}

/* Removes a leaf from the tree. The caller still owns the node itself. */
static void cut_leaf(vp_spheretree *t, uint32_t leaf)
{
    vp_spheretree_node *node = t->view.node;
    const uint32_t parent = node[leaf].parent;
    t->leaves--;
    if (parent == VP_SPHERETREE_NONE) {
        t->view.root = VP_SPHERETREE_NONE;
        return;
    }
    const uint32_t sibling = node[parent].child[node[parent].child[0] == leaf], above = node[parent].parent;
    node[sibling].parent = above;
    if (above == VP_SPHERETREE_NONE)
        t->view.root = sibling;
    else
        node[above].child[node[above].child[1] == parent] = sibling;
    free_node(t, parent);
    for (uint32_t at = above; at != VP_SPHERETREE_NONE; at = node[at].parent) {
        const vp_spheretree_node *a = &node[node[at].child[0]], *b = &node[node[at].child[1]];
        const vp_sphere bound = vp_scene_melded(&a->bound, &b->bound);
        if (bound.radius < node[at].bound.radius)
            node[at].bound = bound;
        node[at].mask = a->mask | b->mask;
    }
}

static void add_object(vp_spheretree *t, const vp_spheretree_object *object, uint32_t *id)
{
    *id = allocate_object(t);
    t->object[*id] = (vp_spheretree_entry){object->data, object->mask, 0};
    const uint32_t leaf = add_leaf(t, &object->sphere, *id, VP_SPHERETREE_NONE, object->mask);
    if (t->view.wide == NULL)
        t->object[*id].leaf = leaf;
    vp_scene_note_new(t, *id, object->with);
}

vp_status vp_spheretree_insert(vp_spheretree *t, const vp_spheretree_object *object, uint32_t *id, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, object, id", t, object, id);
    return vp_spheretree_insert_batch(t, object, 1, id, error);
}

vp_status vp_spheretree_insert_batch(vp_spheretree *t, const vp_spheretree_object *object, uint32_t count, uint32_t *id, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree", t);
    VP_RETURN_IF_ARRAY_NULL(error, object, count);
    VP_RETURN_IF_ARRAY_NULL(error, id, count);
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < count; i++)
        status = vp_scene_check_sphere(&object[i].sphere, error);
    if (status == VP_OK)
        status = check_room(t, count, count, error);
    if (status != VP_OK)
        return status;
    if (!reserve_objects(t, count) || !begin_leaves(t, count))
        return report_no_memory(t->leaves + count, error);
    for (uint32_t i = 0; i < count; i++)
        add_object(t, &object[i], &id[i]);
    end_leaves(t);
    return vp_succeed(error);
}

static uint32_t count_shared_corners(const uint32_t a[3], const uint32_t b[3])
{
    uint32_t count = 0;
    for (int i = 0; i < 3; i++)
        count += a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
    return count;
}

/* The number of triangles in the leaf that begins with triangle `first`. */
static uint32_t leaf_of(const vp_triangles *triangles, uint32_t first)
{
    uint32_t a[3], b[3];
    if (first + 1 == triangles->triangle_count)
        return 1;
    vp_triangle_corners(triangles, first, a);
    vp_triangle_corners(triangles, first + 1, b);
    return count_shared_corners(a, b) >= 2 && count_shared_corners(b, a) >= 2 ? 2 : 1;
}

vp_status vp_spheretree_insert_mesh(vp_spheretree *t, const vp_triangles *triangles, uint64_t data, uint32_t mask, uint32_t *id,
                                    vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, triangles, id", t, triangles, id);
    uint32_t leaves = 0;
    vp_status status = vp_scene_check_mesh(triangles, error);
    for (uint32_t i = 0; status == VP_OK && i < triangles->triangle_count; i += leaf_of(triangles, i))
        leaves++;
    if (status == VP_OK)
        status = check_room(t, 1, leaves, error);
    if (status != VP_OK)
        return status;
    uint32_t *leaf = vp_allocate(&t->allocator, leaves, sizeof *leaf);
    if (leaf == NULL || !reserve_objects(t, 1) || !reserve_mesh(t) || (t->view.wide != NULL && !vp_wide_reserve_leaves(&t->wide, leaves)) ||
        !begin_leaves(t, leaves)) {
        vp_release(&t->allocator, leaf, leaves, sizeof *leaf);
        return report_no_memory(t->leaves + leaves, error);
    }
    uint32_t mesh = t->mesh_free;
    if (mesh == VP_SPHERETREE_NONE)
        mesh = t->mesh_used++;
    else
        t->mesh_free = t->mesh[mesh].leaf_count;
    *id = allocate_object(t);
    t->object[*id] = (vp_spheretree_entry){data, mask, VP_SPHERETREE_MESH | mesh};
    t->mesh[mesh] = (vp_spheretree_mesh){*triangles, leaf, leaves, *id};
    for (uint32_t i = 0, n = 0; i < triangles->triangle_count; n++) {
        const uint32_t count = leaf_of(triangles, i);
        const vp_sphere bound = vp_scene_bound_of(triangles, i, count);
        leaf[n] = add_leaf(t, &bound, *id, i << 1 | (count - 1), mask);
        i += count;
    }
    t->wide.view.meshes++;
    vp_scene_note_new(t, *id, 0);
    end_leaves(t);
    return vp_succeed(error);
}

static void remove_leaf(vp_spheretree *t, uint32_t leaf, bool mesh)
{
    if (t->view.wide == NULL) {
        cut_leaf(t, leaf);
        free_node(t, leaf);
        return;
    }
    t->leaves--;
    vp_wide_remove(&t->wide, mesh ? t->wide.view.leaf[leaf].slot : leaf);
    if (mesh)
        vp_wide_free_leaf(&t->wide, leaf);
}

static void remove_object(vp_spheretree *t, uint32_t id)
{
    const uint32_t leaf = t->object[id].leaf;
    if ((leaf & VP_SPHERETREE_MESH) == 0) {
        remove_leaf(t, leaf, false);
    } else {
        vp_spheretree_mesh *mesh = &t->mesh[leaf & ~VP_SPHERETREE_MESH];
        for (uint32_t i = 0; i < mesh->leaf_count; i++)
            remove_leaf(t, mesh->leaf[i], true);
        vp_release(&t->allocator, mesh->leaf, mesh->leaf_count, sizeof *mesh->leaf);
        *mesh = (vp_spheretree_mesh){.leaf_count = t->mesh_free, .object = VP_SPHERETREE_NONE};
        t->mesh_free = leaf & ~VP_SPHERETREE_MESH;
        t->wide.view.meshes--;
    }
    free_object(t, id);
}

vp_status vp_spheretree_remove(vp_spheretree *t, uint32_t id, vp_error *error)
{
    return vp_spheretree_remove_batch(t, &id, 1, error);
}

vp_status vp_spheretree_remove_batch(vp_spheretree *t, const uint32_t *id, uint32_t count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree", t);
    VP_RETURN_IF_ARRAY_NULL(error, id, count);
    vp_status status = vp_succeed(error);
    for (uint32_t i = 0; status == VP_OK && i < count; i++) {
        status = check_id(t, id[i], error);
        if (status == VP_OK)
            remove_object(t, id[i]);
    }
    if (t->view.wide != NULL)
        vp_wide_refit(&t->wide, t->leaves);
    return status;
}

vp_status vp_spheretree_move(vp_spheretree *t, uint32_t id, const vp_sphere *sphere, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, sphere", t, sphere);
    return vp_spheretree_move_batch(t, &id, sphere, 1, error);
}

/* Whether a sphere is surely valid: no number above 2^60, no radius below 0. Compares the bits of two numbers at once, because that is the
 * quickest way: a carry into bit 31 of either half shows a larger one. */
static inline bool is_valid_sphere(const vp_sphere *s)
{
    enum { LARGEST = 0x5d800000 }; /* bits of VP_SPHERETREE_MAX */
    const uint64_t both = UINT64_C(0x100000001), sign = both << 31, more = (INT32_MAX - LARGEST) * both;
    uint64_t xy, zr;
    uint32_t radius;
    memcpy(&xy, &s->centre.x, sizeof xy);
    memcpy(&zr, &s->centre.z, sizeof zr);
    memcpy(&radius, &s->radius, sizeof radius);
    return (((((xy & ~sign) + more) | ((zr & ~sign) + more)) & sign) | (radius & (uint32_t)INT32_MIN)) == 0;
}

static vp_status check_move(const vp_spheretree *t, uint32_t id, const vp_sphere *to, vp_error *error)
{
    vp_status status = check_id(t, id, error);
    if (status == VP_OK)
        status = vp_scene_check_sphere(to, error);
    if (status == VP_OK && (t->object[id].leaf & VP_SPHERETREE_MESH) != 0)
        status = vp_fail(error, VP_E_ARGUMENT, "object %" PRIu32 " is a mesh, which can't be moved", id);
    return status;
}

/* Moves valid objects of a wide tree up to the first one that needs more. @return their number */
static uint32_t move_many(vp_spheretree *t, const uint32_t *id, const vp_sphere *sphere, uint32_t count)
{
    const vp_spheretree_entry *object = t->object;
    const vp_spheretree_wide_info *info = t->wide.view.info;
    vp_spheretree_wide_node *node = t->wide.view.node;
    const uint32_t used = t->object_used;
    uint32_t i = 0;
    for (; i < count && id[i] < used; i++) {
        const uint32_t leaf = object[id[i]].leaf, at = leaf / VP_WIDE;
        if ((leaf & VP_SPHERETREE_MESH) != 0 || !is_valid_sphere(&sphere[i]))
            break;
        vp_wide_write(&node[at], leaf % VP_WIDE, &sphere[i]);
        if (!info[at].dirty)
            vp_wide_mark_dirty(&t->wide, at);
    }
    return i;
}

vp_status vp_spheretree_move_batch(vp_spheretree *t, const uint32_t *id, const vp_sphere *sphere, uint32_t count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree", t);
    VP_RETURN_IF_ARRAY_NULL(error, id, count);
    VP_RETURN_IF_ARRAY_NULL(error, sphere, count);
    vp_status status = vp_succeed(error);
    const vp_spheretree_entry *object = t->object;
    const uint32_t used = t->object_used;
    const bool wide = t->view.wide != NULL, events = t->events.on;
    for (uint32_t i = wide && !events ? move_many(t, id, sphere, count) : 0; i < count; i++) {
        const uint32_t leaf = id[i] < used ? object[id[i]].leaf : VP_SPHERETREE_NONE;
        vp_sphere to = sphere[i];
        if ((leaf & VP_SPHERETREE_MESH) != 0 || !is_valid_sphere(&to)) {
            status = check_move(t, id[i], &to, error);
            if (status != VP_OK)
                break;
            to.radius += 0.0f; /* no -0 */
        }
        if (wide) {
            vp_wide_move(&t->wide, leaf, &to);
        } else {
            cut_leaf(t, leaf);
            t->view.node[leaf].bound = to;
            put_leaf(t, leaf);
        }
        if (events)
            vp_scene_note_move(t, id[i]);
    }
    if (t->view.wide != NULL)
        vp_wide_refit(&t->wide, t->leaves);
    return status;
}

void vp_spheretree_clear(vp_spheretree *t)
{
    drop_mesh_leaves(t);
    for (uint32_t id = 0; t->events.on && id < t->object_used; id++)
        if (is_object(t, id))
            vp_scene_note_removal(t, id);
    reset_tree(t);
}

static vp_status build_wide(vp_spheretree *t, const vp_spheretree_object *object, uint32_t count, vp_error *error)
{
    if (count == 0)
        return vp_succeed(error);
    uint32_t *id = vp_allocate(&t->allocator, count, sizeof *id);
    if (id == NULL)
        return report_no_memory(count, error);
    const vp_status status = vp_spheretree_insert_batch(t, object, count, id, error);
    vp_release(&t->allocator, id, count, sizeof *id);
    return status;
}

vp_status vp_spheretree_build(vp_spheretree *t, const vp_spheretree_object *object, uint32_t count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree", t);
    VP_RETURN_IF_ARRAY_NULL(error, object, count);
    vp_status status = VP_OK;
    if (t->objects > 0)
        return vp_fail(error, VP_E_ARGUMENT, "the tree has %" PRIu32 " objects: only an empty one is built", t->objects);
    if (t->view.wide != NULL) {
        vp_spheretree_clear(t);
        return build_wide(t, object, count, error);
    }
    if (count > VP_SPHERETREE_MAX_BUILD)
        return vp_fail(error, VP_E_LIMIT, "%" PRIu32 " objects to build: must be at most %d", count, VP_SPHERETREE_MAX_BUILD);
    for (uint32_t i = 0; status == VP_OK && i < count; i++)
        status = vp_scene_check_sphere(&object[i].sphere, error);
    if (status != VP_OK || count == 0)
        return status != VP_OK ? status : vp_succeed(error);
    vp_spheretree_clear(t);
    uint32_t *scratch = vp_allocate(&t->allocator, count, 4 * sizeof *scratch);
    void *array = t->object;
    const bool all =
        scratch != NULL && reserve_leaves(t, count) && grow_array(&t->allocator, &array, &t->object_room, 0, count, sizeof *t->object);
    t->view.object = t->object = array;
    if (!all || !vp_scene_events_reserve(t, t->object_room)) {
        vp_release(&t->allocator, scratch, count, 4 * sizeof *scratch);
        return report_no_memory(count, error);
    }
    for (uint32_t i = 0; i < count; i++) {
        const vp_spheretree_object *o = &object[i];
        const vp_sphere bound = {o->sphere.centre, o->sphere.radius + 0.0f};
        t->object[i] = (vp_spheretree_entry){o->data, o->mask, i};
        t->view.node[i] = (vp_spheretree_node){bound, VP_SPHERETREE_NONE, {VP_SPHERETREE_LEAF | i, VP_SPHERETREE_NONE}, o->mask};
    }
    t->kernels.scene_build(t->view.node, count, scratch);
    vp_release(&t->allocator, scratch, count, 4 * sizeof *scratch);
    t->objects = t->leaves = t->object_used = count;
    t->node_used = 2 * count - 1;
    t->view.root = t->node_used - 1;
    for (uint32_t i = 0; i < count; i++)
        vp_scene_note_new(t, i, object[i].with);
    return vp_succeed(error);
}

bool vp_spheretree_find(const vp_spheretree *t, uint32_t id, vp_spheretree_object *out)
{
    if (!is_object(t, id))
        return false;
    const vp_spheretree_entry *o = &t->object[id];
    *out = (vp_spheretree_object){.data = o->data, .mask = o->mask, .with = t->events.on ? t->events.object[id].with : 0};
    if ((o->leaf & VP_SPHERETREE_MESH) == 0)
        out->sphere = t->view.wide != NULL ? vp_wide_sphere(t->view.wide, o->leaf) : t->view.node[o->leaf].bound;
    return true;
}

uint32_t vp_spheretree_next(const vp_spheretree *t, uint32_t id)
{
    while (id < t->object_used && !is_object(t, id))
        id++;
    return id < t->object_used ? id : VP_SPHERETREE_NONE;
}
