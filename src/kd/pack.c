/* SPDX-License-Identifier: MIT */
/* The packed and the implied form: vertices on a lattice, and the layout of a tree.
 *
 * A vertex of the packed form is three integers below 2^16. They count pitches, a power of two, from the lowest corner
 * of the tree's box, which is on the lattice itself. The pitch is the finest with which the box fits. A mesh on any
 * coarser lattice is on that one too. A vertex of the implied form is its cell and a byte an axis, as in
 * kernel/surface.h. Nothing is rounded. Each vertex is decoded again and compared, bit for bit, and a mesh that is not
 * on the lattice is rejected. So queries have the results of the caller's own vertices. */
#include "src/kd/pack.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/error.h"
#include "src/kd/corners.h"

enum {
    NOT_YET = 0xffff, /* a vertex that no item has had; fewer are in use, four an item */
    CELL_STEPS = 256,
    MAX_WORDS = (VP_KD_CELLS * VP_KD_CELLS * VP_KD_CELLS + 63) / 64
};

static size_t round_up_to(size_t bytes, size_t multiple)
{
    return (bytes + multiple - 1) / multiple * multiple;
}

size_t vp_pack_scratch_bytes(uint32_t items)
{
    const size_t vertices = (size_t)items * 4;
    return round_up_to((size_t)VP_KD_PACKED_MAX_VERTICES * 2, 64) + (items / 2 + 1) * sizeof(vp_kd_packed_node) +
           round_up_to(vertices * 2, 64) + round_up_to(MAX_WORDS * 10, 64) + round_up_to(vertices * 6, 64) +
           round_up_to((size_t)items * 8, 64) + round_up_to(vertices * 2, 64) + round_up_to((size_t)items * 2, 64);
}

static void place_arrays(vp_pack *p)
{
    const size_t vertices = (size_t)p->items * 4;
    char *at = p->scratch;
    p->line = (void *)at;
    at += (p->items / 2 + 1) * sizeof(vp_kd_packed_node);
    p->corner = (void *)at;
    at += round_up_to((size_t)p->items * 8, 64);
    p->lattice = (void *)at;
    at += round_up_to(vertices * 6, 64);
    p->original = (void *)at;
    at += round_up_to(vertices * 2, 64);
    p->cell = (void *)at;
    at += round_up_to(vertices * 2, 64);
    p->edge = (void *)at;
    at += round_up_to((size_t)p->items * 2, 64);
    p->word = (void *)at;
    p->before = (void *)(at + MAX_WORDS * sizeof *p->word);
    at += round_up_to(MAX_WORDS * 10, 64);
    p->number = (void *)at;
}

static const char *name_of(vp_kd_form form)
{
    return form == VP_KD_PACKED ? "packed" : "implied";
}

vp_status vp_pack_check(vp_kd_form form, const vp_triangles *t, vp_error *error)
{
    const uint32_t items = vp_kd_item_count(t);
    if (items > VP_KD_PACKED_MAX_ITEMS)
        return vp_fail(error, VP_E_ARGUMENT, "%u %s: a tree of the %s form has at most %d", items, t->quads ? "quads" : "triangles",
                       name_of(form), VP_KD_PACKED_MAX_ITEMS);
    if (t->vertex_count > VP_KD_PACKED_MAX_VERTICES)
        return vp_fail(error, VP_E_ARGUMENT, "%u vertices: a tree of the %s form has at most %d", t->vertex_count, name_of(form),
                       VP_KD_PACKED_MAX_VERTICES);
    if (form == VP_KD_IMPLIED && !t->quads)
        return vp_fail(error, VP_E_ARGUMENT, "the implied form takes only the quads of a surface net, not other triangles");
    return VP_OK;
}

/* ---- the lattice ---- */

/* The finest power of two that covers the box in 65535 steps, but no finer than 2^-100. */
static float find_finest_pitch(const vp_aabb *box)
{
    const float length = fmaxf(box->max.x - box->min.x, fmaxf(box->max.y - box->min.y, box->max.z - box->min.z));
    float pitch = 0x1p-100f;
    if (length > pitch * 65535) {
        int exponent;
        frexpf(length, &exponent); /* 2^(exponent - 1) <= length < 2^exponent */
        pitch = ldexpf(1.0f, exponent - 16);
        if (length > pitch * 65535)
            pitch *= 2;
    }
    return pitch;
}

static void find_lattice(vp_pack *p)
{
    const float low[3] = {p->box.min.x, p->box.min.y, p->box.min.z}, high[3] = {p->box.max.x, p->box.max.y, p->box.max.z};
    p->pitch = p->form == VP_KD_PACKED ? find_finest_pitch(&p->box) : 1.0f / (float)CELL_STEPS;
    for (int k = 0; k < 3; k++) {
        p->origin[k] = low[k];
        p->limit[k] = 65535;
        if (p->form == VP_KD_PACKED)
            continue;
        const float middle = 0.5f + 0.5f / (float)CELL_STEPS, cell = floorf(low[k] - middle);
        const float cells = floorf(high[k] - middle) - cell + 1;
        p->origin[k] = cell + middle;
        p->limit[k] = (uint32_t)(cells < (float)VP_KD_CELLS ? cells : (float)VP_KD_CELLS) * CELL_STEPS - 1;
    }
}

static vp_status report_off_lattice(const vp_pack *p, uint32_t vertex, int axis, float at, vp_error *error)
{
    if (p->form == VP_KD_PACKED)
        return vp_fail(error, VP_E_ARGUMENT,
                       "vertex %u has %c = %.9g: must be a multiple of %g from %.9g, because the packed form takes meshes on a "
                       "lattice; vp_kd_quantize puts them on one",
                       vertex, "xyz"[axis], (double)at, (double)p -> pitch, (double)p -> origin[axis]);
    return vp_fail(error, VP_E_ARGUMENT,
                   "vertex %u has %c = %.9g: must be in one of %d cells from %.9g, because the implied form takes "
                   "surface nets made by vp_mesh_chunk",
                   vertex, "xyz"[axis], (double)at, VP_KD_CELLS, (double)p -> origin[axis]);
}

static bool has_same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static vp_status place_vertex(const vp_pack *p, uint32_t vertex, uint16_t to[3], vp_error *error)
{
    const vp_vec3 *v = &p->triangles->vertex[vertex];
    const float at[3] = {v->x, v->y, v->z}, inverse = 1.0f / p->pitch;
    for (int k = 0; k < 3; k++) {
        const float steps = (at[k] - p->origin[k]) * inverse;
        if (!(steps >= 0.0f && steps <= (float)p->limit[k]))
            return report_off_lattice(p, vertex, k, at[k], error);
        to[k] = (uint16_t)(int32_t)steps;
        if (!has_same_bits(p->origin[k] + (float)to[k] * p->pitch, at[k]))
            return report_off_lattice(p, vertex, k, at[k], error);
    }
    return VP_OK;
}

/* The faster way, where it is faster. All vertices, used or not, keep their numbers, and each is processed once.
   @return false if a vertex is not on the lattice, even an unused one, or if there are too many */
static bool place_all(vp_pack *p)
{
    const uint32_t count = p->triangles->vertex_count;
    const float inverse = 1.0f / p->pitch, pitch = p->pitch;
    uint32_t wrong = 0;
    if (count > p->items * UINT64_C(2))
        return false;
    for (uint32_t v = 0; v < count; v++) {
        const float at[3] = {p->triangles->vertex[v].x, p->triangles->vertex[v].y, p->triangles->vertex[v].z};
        for (int k = 0; k < 3; k++) {
            const float steps = (at[k] - p->origin[k]) * inverse;
            /* values far outside may not fit an integer, and become 0, which is decoded to another place */
            const int32_t q = (int32_t)(steps >= 0 && steps <= (float)p->limit[k] ? steps : 0.5f);
            const float back = p->origin[k] + (float)q * pitch;
            uint32_t given, again;
            memcpy(&given, &at[k], sizeof given);
            memcpy(&again, &back, sizeof again);
            wrong |= given ^ again;
            p->lattice[v][k] = (uint16_t)q;
        }
    }
    if (wrong != 0)
        return false;
    for (uint32_t v = 0; v < count; v++)
        p->original[v] = (uint16_t)v;
    for (uint32_t i = 0; i < p->items; i++)
        for (int j = 0; j < 4; j++)
            p->corner[i][j] = (uint16_t)p->item[i].vertex[j];
    p->vertices = count;
    return true;
}

/* Numbers vertices in the order of items, and puts each on the lattice. */
static vp_status find_vertices(vp_pack *p, vp_error *error)
{
    memset(p->number, 0xff, p->triangles->vertex_count * sizeof *p->number);
    for (uint32_t i = 0; i < p->items; i++)
        for (int j = 0; j < 4; j++) {
            const uint32_t vertex = p->item[i].vertex[j];
            uint16_t number = p->number[vertex];
            if (number == NOT_YET) {
                number = p->number[vertex] = (uint16_t)p->vertices;
                p->original[p->vertices] = (uint16_t)vertex;
                VP_RETURN_IF_FAILED(place_vertex(p, vertex, p->lattice[p->vertices++], error));
            }
            p->corner[i][j] = number;
        }
    return VP_OK;
}

/* ---- the cells of the implied form ---- */

static uint32_t row_of(const vp_pack *p)
{
    return (p->limit[0] + 1) / CELL_STEPS;
}

static uint32_t slice_of(const vp_pack *p)
{
    return row_of(p) * ((p->limit[2] + 1) / CELL_STEPS);
}

static uint32_t cell_of(const uint16_t lattice[3])
{
    return (uint32_t)lattice[0] >> 8 | (uint32_t)lattice[1] >> 8 << 4 | (uint32_t)lattice[2] >> 8 << 8;
}

/* An item's vp_kd_implied_item.cell. 0x6000 or more if it has none. */
static uint32_t edge_of(const vp_pack *p, const uint16_t corner[4])
{
    /* by the axes of the ways to corners 1 and 3 */
    static const uint8_t kinds[4][4] = {{6, 4, 2, 6}, {5, 6, 1, 6}, {3, 0, 6, 6}, {6, 6, 6, 6}};
    const uint32_t cell = p->cell[corner[0]], to_1 = p->cell[corner[1]] - cell, to_3 = p->cell[corner[3]] - cell;
    const uint32_t kind = kinds[(to_1 >> 4 | to_1 >> 7) & 3][(to_3 >> 4 | to_3 >> 7) & 3]; /* 1, 16, 256 become 0, 1, 2 */
    const uint32_t different =
        (to_1 ^ vp_kd_around(kind, 1)) | (to_3 ^ vp_kd_around(kind, 3)) | ((p->cell[corner[2]] - cell) ^ vp_kd_around(kind, 2));
    return different == 0 ? kind << 12 | cell : 0x6000;
}

static vp_status find_edges(const vp_pack *p, vp_error *error)
{
    for (uint32_t v = 0; v < p->vertices; v++)
        p->cell[v] = (uint16_t)cell_of(p->lattice[v]);
    for (uint32_t i = 0; i < p->items; i++) {
        p->edge[i] = (uint16_t)edge_of(p, p->corner[i]);
        if (p->edge[i] >= 0x6000) {
            const uint32_t *v = p->item[i].vertex;
            return vp_fail(error, VP_E_ARGUMENT,
                           "quad %u, of vertices %u, %u, %u and %u, is not around an edge between four cells: the implied form "
                           "is of surface nets, as vp_mesh_chunk makes them",
                           p->item_id[i], v[0], v[1], v[2], v[3]);
        }
    }
    return VP_OK;
}

static vp_status report_shared_cell(const vp_pack *p, vp_error *error)
{
    for (uint32_t v = 1;; v++)
        for (uint32_t other = 0; other < v; other++)
            if (p->cell[other] == p->cell[v])
                return vp_fail(error, VP_E_ARGUMENT,
                               "vertices %u and %u are in one cell: the implied form is of surface nets, as vp_mesh_chunk makes "
                               "them",
                               p->original[other], p->original[v]);
}

/* Computes the words and counts around a vp_kd_cells. */
static vp_status find_cells(vp_pack *p, vp_error *error)
{
    const vp_kd_cells cells = {{0, 0, 0}, (uint16_t)row_of(p), (uint16_t)slice_of(p)};
    uint32_t before = 0, last = 0;
    p->words = (slice_of(p) * ((p->limit[1] + 1) / CELL_STEPS) + 63) / 64;
    p->in_order = true;
    memset(p->word, 0, p->words * sizeof *p->word);
    for (uint32_t v = 0; v < p->vertices; v++) {
        const uint32_t number = vp_kd_cell_number(&cells, p->cell[v]);
        p->word[number >> 6] |= UINT64_C(1) << (number & 63);
        p->in_order &= v == 0 || number > last;
        last = number;
    }
    for (uint32_t w = 0; w < p->words; w++) {
        p->before[MAX_WORDS - 1 - w] = (uint16_t)before;
        before += vp_bits_of(p->word[w]);
    }
    return before == p->vertices ? VP_OK : report_shared_cell(p, error);
}

/* ---- all ---- */

/* Parts of a tree, one after the other, each a multiple of its alignment. */
typedef struct places {
    size_t items, ids, vertices, end;
} places;

static places places_of(const vp_pack *p)
{
    const size_t behind = (size_t)p->items + VP_KD_ITEM_SLACK;
    places at = {.items = p->nodes * sizeof(vp_kd_packed_node)};
    if (p->form == VP_KD_PACKED) {
        at.ids = at.items + behind * 8;
        at.vertices = at.ids + behind * 2;
        at.end = at.vertices + (size_t)p->vertices * 6 + 2;
    } else {
        at.ids = round_up_to(at.items + behind * sizeof(vp_kd_implied_item) + p->words * sizeof *p->before, 8);
        at.vertices = at.ids + sizeof(vp_kd_cells) + p->words * sizeof(uint64_t);
        at.end = at.vertices + (size_t)p->vertices * 3 + 1;
    }
    return at;
}

/* Finds the additional data of the implied form. */
static vp_status find_places(vp_pack *p, vp_error *error)
{
    if (p->form != VP_KD_IMPLIED)
        return VP_OK;
    VP_RETURN_IF_FAILED(find_edges(p, error));
    return find_cells(p, error);
}

vp_status vp_pack_plan(vp_pack *p, vp_error *error)
{
    vp_status status;
    p->vertices = p->nodes = p->words = 0;
    p->bytes = p->mesh_bytes = 0;
    if (p->items == 0)
        return VP_OK;
    place_arrays(p);
    find_lattice(p);
    status = place_all(p) ? find_places(p, error) : VP_E_ARGUMENT;
    if (status != VP_OK) { /* the cause may be a vertex that no item has */
        p->vertices = 0;
        status = find_vertices(p, error);
        if (status == VP_OK)
            status = find_places(p, error);
    }
    if (status != VP_OK)
        return status;
    p->nodes = vp_pack_nodes(p);
    const places at = places_of(p);
    p->bytes = at.end;
    p->mesh_bytes = at.end - (p->form == VP_KD_PACKED ? at.vertices : at.ids - p->words * sizeof *p->before);
    return VP_OK;
}

static void write_packed(const vp_pack *p, char *to, places at, vp_kd_view *view)
{
    uint16_t *id = (void *)(to + at.ids);
    memcpy(to + at.items, p->corner, (size_t)p->items * 8);
    memset(to + at.items + (size_t)p->items * 8, 0, (size_t)VP_KD_ITEM_SLACK * 8);
    for (uint32_t i = 0; i < p->items; i++)
        id[i] = (uint16_t)p->item_id[i];
    memset(id + p->items, 0, VP_KD_ITEM_SLACK * sizeof *id);
    memcpy(to + at.vertices, p->lattice, (size_t)p->vertices * 6);
    memset(to + at.vertices + (size_t)p->vertices * 6, 0, 2);
    view->pitch = p->pitch;
    view->corner = (void *)(to + at.items);
    view->corner_id = id;
    view->lattice = (void *)(to + at.vertices);
}

static void write_implied(const vp_pack *p, char *to, places at, vp_kd_view *view)
{
    vp_kd_implied_item *edge = (void *)(to + at.items);
    vp_kd_cells *cells = (void *)(to + at.ids);
    uint8_t(*within)[3] = (void *)(to + at.vertices);
    memset(edge, 0, at.ids - at.items);
    for (uint32_t i = 0; i < p->items; i++)
        edge[i] = (vp_kd_implied_item){p->edge[i], (uint16_t)p->item_id[i]};
    for (uint32_t i = 0; i < VP_KD_ITEM_SLACK; i++) /* its cells must exist */
        edge[p->items + i] = edge[0];
    *cells = (vp_kd_cells){{p->origin[0], p->origin[1], p->origin[2]}, (uint16_t)row_of(p), (uint16_t)slice_of(p)};
    memcpy(cells + 1, p->word, p->words * sizeof *p->word);
    memcpy((uint16_t *)(void *)cells - p->words, p->before + MAX_WORDS - p->words, p->words * sizeof *p->before);
    for (uint32_t v = 0; v < p->vertices; v++) {
        const uint32_t rank = p->in_order ? v : vp_kd_rank(cells, vp_kd_cell_number(cells, p->cell[v]));
        within[rank][0] = (uint8_t)p->lattice[v][0];
        within[rank][1] = (uint8_t)p->lattice[v][1];
        within[rank][2] = (uint8_t)p->lattice[v][2];
    }
    within[p->vertices][0] = 0;
    view->edge = edge;
    view->cells = cells;
    view->within = (void *)(to + at.vertices);
}

void vp_pack_write(const vp_pack *p, void *to, vp_kd_view *view)
{
    if (p->items == 0)
        return;
    const places at = places_of(p);
    memcpy(to, p->line, p->nodes * sizeof *p->line);
    view->line = to;
    if (p->form == VP_KD_PACKED)
        write_packed(p, to, at, view);
    else
        write_implied(p, to, at, view);
}
