/* SPDX-License-Identifier: MIT */
/* Manifolds of one body, from triangles to points: the steps, the choice of points, and the public functions.
 *
 * Among contacts that are nearly as good as the best, the first one is chosen, so that a small motion does not change the choice. */
#include "src/narrowphase/manifold_internal.h"

#include <assert.h>
#include <math.h>

#include "src/core/error.h"
#include "src/narrowphase/local.h"
#include "src/narrowphase/order.h"
#include "src/narrowphase/run.h"

/* ---- contacts ---- */

/* The points of one direction. */
typedef struct direction {
    vp_vec3 normal; /* normal of the first point */
    uint32_t count, point[VP_MANIFOLD_POINTS];
} direction;

typedef struct choice {
    vp_manifold_work *work;
    uint32_t chunk;
    bool apart;                    /* whether points that are apart are being chosen, or those that touch */
    bool spare, has_spare, has[2]; /* whether spare points may be chosen, and exist; points that touch, and are apart */
    unsigned cut;                  /* bits of the directions whose spare points were found */
    uint32_t count;
    direction direction[VP_MANIFOLD_DIRECTIONS];
} choice;

static bool is_apart(const vp_manifold_contact *a)
{
    return a->distance > 0.0f;
}

enum { NO_DIRECTION = VP_MANIFOLD_DIRECTIONS };

/* Whether a contact can become a point of a direction. */
static bool is_eligible(const choice *c, const vp_manifold_contact *a, uint32_t d)
{
    return a->direction == d && !a->is_chosen && (c->spare || !a->is_spare) && is_apart(a) == c->apart;
}

static void choose_contact(choice *c, direction *to, uint32_t i)
{
    to->point[to->count++] = i;
    c->work->contact[i].is_chosen = true;
}

/* Opens a direction with its first point. A contact belongs to the first direction with its normal. */
static void add_direction(choice *c, uint32_t first)
{
    const uint32_t d = c->count++;
    const vp_vec3 normal = c->work->contact[first].normal;
    c->direction[d] = (direction){.normal = normal};
    choose_contact(c, &c->direction[d], first);
    for (uint32_t i = 0; i < c->work->contacts; i++) {
        vp_manifold_contact *a = &c->work->contact[i];
        if (a->direction == NO_DIRECTION && vp_is_one_direction(a->normal, normal))
            a->direction = (uint8_t)d;
    }
}

/* Whether a contact's place on the shape stays fixed while the shape moves: a corner, on a triangle's face. */
static bool is_firm(const vp_manifold_contact *a)
{
    const uint64_t kind = a->shape >> 62, number = a->shape & ~(UINT64_C(3) << 62);
    return a->part == VP_TRIANGLE_FACE && (kind == 2 || (kind == 3 && number >= VP_RIM_PLACES && number < VP_RIM_SIDES));
}

/* No contact. */
#define NO_CONTACT UINT32_MAX

/* The first firm contact nearly as far out as the farthest one, otherwise the first of any kind. Contacts that are no candidates have
 * out = -1. */
static uint32_t find_outermost(const choice *c, float furthest)
{
    const vp_manifold_contact *contact = c->work->contact;
    const float min_firm = furthest - c->work->radius * VP_MANIFOLD_FIRM_PLACE, min = furthest - c->work->radius * VP_MANIFOLD_SAME_PLACE;
    uint32_t found = NO_CONTACT;
    for (uint32_t i = 0; i < c->work->contacts; i++) {
        if (contact[i].out < 0.0f)
            continue;
        if (contact[i].out >= min_firm && is_firm(&contact[i]))
            return i;
        if (contact[i].out >= min && found == NO_CONTACT)
            found = i;
    }
    return found;
}

/* ---- directions ---- */

/* Distance of a contact from the shape's position, seen along its normal. */
static float distance_from_middle(const vp_manifold_contact *a)
{
    return vp_length(vp_square_to(a->on_shape, a->normal));
}

/* Opens a direction with the deepest contact that has none. Among equally deep ones it takes the one farthest out. */
static bool open_direction(choice *c)
{
    vp_manifold_contact *contact = c->work->contact, *deepest = NULL;
    for (uint32_t i = 0; i < c->work->contacts; i++)
        if (is_eligible(c, &contact[i], NO_DIRECTION) && (deepest == NULL || contact[i].distance < deepest->distance))
            deepest = &contact[i];
    if (deepest == NULL)
        return false;
    const float max = deepest->distance + vp_manifold_slack(c->work->radius, deepest->distance);
    float furthest = 0.0f;
    for (uint32_t i = 0; i < c->work->contacts; i++) {
        vp_manifold_contact *a = &contact[i];
        a->out = -1.0f;
        if (a->distance > max || !is_eligible(c, a, NO_DIRECTION) || !vp_is_one_direction(a->normal, deepest->normal))
            continue;
        a->out = distance_from_middle(a);
        furthest = a->out > furthest ? a->out : furthest;
    }
    const uint32_t first = find_outermost(c, furthest);
    if (first != NO_CONTACT)
        add_direction(c, first);
    return first != NO_CONTACT;
}

/* ---- area ---- */

static float distance_to_segment(vp_vec3 p, vp_vec3 a, vp_vec3 b)
{
    const vp_vec3 way = vp_vec3_sub(b, a), from = vp_vec3_sub(p, a);
    const float square = vp_vec3_dot(way, way), at = vp_vec3_dot(from, way);
    if (!(square > 0.0f))
        return vp_length(from);
    const float part = vp_min(vp_max(at / square, 0.0f), 1.0f);
    return vp_length(vp_vec3_sub(from, vp_vec3_scale(way, part)));
}

/* The points of a direction, seen along a normal. */
typedef struct seen_points {
    uint32_t count;
    vp_vec3 normal, place[VP_MANIFOLD_POINTS];
} seen_points;

/* Distance of p from the area that 1 to 3 places enclose. */
static float distance_from_places(const seen_points *seen, vp_vec3 p)
{
    const vp_vec3 *place = seen->place;
    bool left = false, right = false;
    if (seen->count == 1)
        return vp_length(vp_vec3_sub(p, place[0]));
    for (int k = 0; k < 3 && seen->count > 2; k++) {
        const vp_vec3 a = place[k], b = place[(k + 1) % 3];
        const float side = vp_vec3_dot(vp_vec3_cross(vp_vec3_sub(b, a), vp_vec3_sub(p, a)), seen->normal);
        left = left || side > 0.0f;
        right = right || side < 0.0f;
    }
    if (left != right)
        return 0.0f;
    float min = distance_to_segment(p, place[0], place[1]);
    for (int k = 1; k < 3 && seen->count > 2; k++)
        min = vp_min(distance_to_segment(p, place[k], place[(k + 1) % 3]), min);
    return min;
}

/* Distance of a contact from the area that the points of a direction enclose. @param seen  along the last contact's normal, if count > 0 */
static float distance_from_direction(const choice *c, const direction *d, const vp_manifold_contact *a, seen_points *seen)
{
    if (seen->count == 0 || !vp_is_same_place(seen->normal, a->normal)) {
        seen->count = d->count;
        seen->normal = a->normal;
        for (uint32_t k = 0; k < d->count; k++)
            seen->place[k] = vp_square_to(c->work->contact[d->point[k]].on_shape, a->normal);
    }
    return distance_from_places(seen, vp_square_to(a->on_shape, a->normal));
}

/* Adds the contact of a direction that is farthest from the area of its points, unless it adds no area. */
static bool widen_direction(choice *c, uint32_t d)
{
    direction *to = &c->direction[d];
    const float nothing = c->work->radius * VP_MANIFOLD_NO_AREA;
    float furthest = nothing;
    seen_points seen = {.count = 0};
    if (to->count == VP_MANIFOLD_POINTS)
        return false;
    for (uint32_t i = 0; i < c->work->contacts; i++) {
        vp_manifold_contact *a = &c->work->contact[i];
        const float out = is_eligible(c, a, d) ? distance_from_direction(c, to, a, &seen) : -1.0f;
        a->out = out > nothing ? out : -1.0f;
        furthest = out > furthest ? out : furthest;
    }
    if (furthest > nothing)
        choose_contact(c, to, find_outermost(c, furthest));
    return furthest > nothing;
}

/* Finds the spare points of directions that have room. */
static void find_spare_points(choice *c)
{
    vp_vec3 normal[VP_MANIFOLD_DIRECTIONS];
    unsigned wanted = 0;
    uint32_t i = c->work->contacts;
    for (uint32_t d = 0; d < c->count; d++) {
        normal[d] = c->direction[d].normal;
        wanted |= c->direction[d].count < VP_MANIFOLD_POINTS ? 1u << d : 0;
    }
    wanted &= ~c->cut;
    if (!c->work->is_lazy || wanted == 0)
        return;
    c->cut |= wanted;
    vp_manifold_cut_cleared(c->work, normal, c->count, wanted);
    for (; i < c->work->contacts; i++) {
        c->has_spare = true;
        c->has[is_apart(&c->work->contact[i])] = true;
    }
}

static void widen_directions(choice *c)
{
    for (uint32_t d = 0; d < c->count && (!c->spare || c->has_spare); d++)
        while (widen_direction(c, d))
            ;
}

/* Touching points are chosen first, so that they do not depend on the margin. Spare points fill places that others
 * leave, so no direction loses a point to them. */
static void choose_points(choice *c)
{
    for (int apart = c->has[0] ? 0 : 1; apart <= c->has[1]; apart++) {
        c->apart = apart != 0;
        c->spare = false;
        while (c->count < VP_MANIFOLD_DIRECTIONS && open_direction(c))
            ;
        widen_directions(c);
        c->spare = true;
        find_spare_points(c);
        widen_directions(c);
    }
}

/* ---- names ---- */

static bool is_lower(vp_terrain_triangle_id a, uint32_t part_a, vp_terrain_triangle_id b, uint32_t part_b)
{
    if (a.chunk != b.chunk)
        return a.chunk < b.chunk;
    return a.triangle != b.triangle ? a.triangle < b.triangle : part_a < part_b;
}

/* The lowest edge or corner found so far. */
typedef struct lowest_part {
    vp_terrain_triangle_id id;
    uint32_t part;
} lowest_part;

static void take_if_lower(lowest_part *lowest, vp_terrain_triangle_id id, uint32_t part)
{
    if (is_lower(id, part, lowest->id, lowest->part))
        *lowest = (lowest_part){id, part};
}

/* Tries the corners of a triangle at p, or its edges between p and q. */
static void try_parts(const vp_vec3 corner[3], vp_terrain_triangle_id id, bool is_corner, vp_vec3 p, vp_vec3 q, lowest_part *lowest)
{
    for (uint32_t k = 0; k < 3; k++) {
        if (!vp_is_same_place(corner[k], p))
            continue;
        if (is_corner) {
            take_if_lower(lowest, id, VP_TRIANGLE_CORNER + k);
            continue;
        }
        if (vp_is_same_place(corner[(k + 1) % 3], q))
            take_if_lower(lowest, id, VP_TRIANGLE_EDGE + k);
        if (vp_is_same_place(corner[(k + 2) % 3], q))
            take_if_lower(lowest, id, VP_TRIANGLE_EDGE + (k + 2) % 3);
    }
}

/* Finds the lowest name of an edge or corner k. */
static void find_lowest(const vp_manifold_work *w, const vp_collide_triangle *t, bool is_corner, uint32_t k, lowest_part *lowest)
{
    const vp_vec3 p = t->corner[k], q = t->corner[(k + 1) % 3];
    if (w->quads == NULL) {
        for (uint32_t i = 0; i < w->count; i++)
            if (!is_lower(lowest->id, lowest->part, w->triangle[i].id, 0))
                try_parts(w->triangle[i].corner, w->triangle[i].id, is_corner, p, q, lowest);
        return;
    }
    vp_quad_triangle other[VP_QUADS_AROUND];
    const uint32_t count = is_corner ? vp_quads_around(w->quads, p, other) : vp_quads_across(w->quads, t->corner, t->id, k, other);
    for (uint32_t i = 0; i < count; i++)
        try_parts(other[i].corner, other[i].id, is_corner, p, q, lowest);
}

/* @param own  name it by its own triangle, not by the lowest. Such names differ from all others. */
static uint64_t name_of(const vp_manifold_work *w, const vp_manifold_contact *a, bool own)
{
    const vp_collide_triangle *t = &w->triangle[a->triangle];
    lowest_part lowest = {t->id, a->part};
    if (a->part != VP_TRIANGLE_FACE && !own) {
        const bool is_corner = a->part >= VP_TRIANGLE_CORNER;
        find_lowest(w, t, is_corner, a->part - (uint32_t)(is_corner ? VP_TRIANGLE_CORNER : VP_TRIANGLE_EDGE), &lowest);
    }
    const uint64_t where = vp_manifold_mix(vp_manifold_mix(0, (uint64_t)own << 16 | (uint64_t)w->def->surface << 8 | lowest.part),
                                           (uint64_t)lowest.id.chunk << 32 | lowest.id.triangle);
    const uint64_t name = vp_manifold_mix(where, a->shape);
    return a->body_part == 0 ? name : vp_manifold_mix(name, a->body_part);
}

/* ---- a manifold ---- */

static bool is_before(const vp_manifold_point *a, const vp_manifold_point *b)
{
    return a->distance != b->distance ? a->distance < b->distance : a->feature < b->feature;
}

/* Names all points [direction][point]. Two walls that meet at an edge both report it. Then each point is named by its
 * own triangle, so that the names differ. The name of a touching point does not depend on points that are apart. */
static void name_points(const choice *c, uint64_t name[VP_MANIFOLD_DIRECTIONS][VP_MANIFOLD_POINTS])
{
    const vp_manifold_work *w = c->work;
    const vp_manifold_contact *contact[VP_MANIFOLD_DIRECTIONS * VP_MANIFOLD_POINTS];
    uint64_t shared[VP_MANIFOLD_DIRECTIONS * VP_MANIFOLD_POINTS];
    uint32_t count = 0;
    for (uint32_t d = 0; d < c->count; d++)
        for (uint32_t k = 0; k < c->direction[d].count; k++, count++) {
            contact[count] = &w->contact[c->direction[d].point[k]];
            shared[count] = name_of(w, contact[count], false);
        }
    for (uint32_t d = 0, n = 0; d < c->count; d++)
        for (uint32_t k = 0; k < c->direction[d].count; k++, n++) {
            bool again = false;
            for (uint32_t i = 0; i < count; i++)
                again = again || (i != n && shared[i] == shared[n] && (is_apart(contact[n]) || !is_apart(contact[i])));
            name[d][k] = again ? name_of(w, contact[n], true) : shared[n];
        }
}

static uint8_t find_material(const vp_manifold_work *w, const vp_collide_triangle *t)
{
    if (w->quads == NULL)
        return t->material;
    return vp_terrain_material(w->source->reader->terrain, w->def->surface, t->id.triangle, t->corner);
}

static void make_manifold(const choice *c, const direction *d, const uint64_t name[VP_MANIFOLD_POINTS], vp_manifold *out)
{
    *out = (vp_manifold){.chunk = c->chunk, .count = d->count, .normal = d->normal};
    for (uint32_t k = 0; k < d->count; k++) {
        const vp_manifold_contact *a = &c->work->contact[d->point[k]];
        const vp_collide_triangle *t = &c->work->triangle[a->triangle];
        const vp_manifold_point point = {.distance = a->distance,
                                         .normal = a->normal,
                                         .on_shape = a->on_shape,
                                         .on_triangle = a->on_triangle,
                                         .at = t->id,
                                         .feature = name[k],
                                         .material = find_material(c->work, t),
                                         .part = a->body_part};
        uint32_t i = k;
        for (; i > 0 && is_before(&point, &out->point[i - 1]); i--)
            out->point[i] = out->point[i - 1];
        out->point[i] = point;
    }
}

uint32_t vp_manifold_choose(vp_manifold_work *work, uint32_t chunk, vp_manifold out[VP_MANIFOLD_DIRECTIONS])
{
    choice c = {.work = work, .chunk = chunk};
    uint64_t name[VP_MANIFOLD_DIRECTIONS][VP_MANIFOLD_POINTS];
    for (uint32_t i = 0; i < work->contacts; i++) {
        vp_manifold_contact *a = &work->contact[i];
        a->direction = NO_DIRECTION;
        a->is_chosen = false;
        c.has_spare = c.has_spare || a->is_spare;
        c.has[is_apart(a)] = true;
    }
    choose_points(&c);
    name_points(&c, name);
    for (uint32_t d = 0; d < c.count; d++) {
        make_manifold(&c, &c.direction[d], name[d], &out[d]);
        for (uint32_t i = d; i > 0 && is_before(&out[i].point[0], &out[i - 1].point[0]); i--) {
            const vp_manifold m = out[i];
            out[i] = out[i - 1];
            out[i - 1] = m;
        }
    }
    return c.count;
}

static uint32_t chunk_of(const vp_manifold_work *w, uint32_t contact)
{
    return w->triangle[w->contact[contact].triangle].id.chunk;
}

/* Moves the contacts to the places of their numbers. */
static void apply_order(vp_manifold_work *w, uint32_t *order)
{
    for (uint32_t i = 0; i < w->contacts; i++) {
        const vp_manifold_contact first = w->contact[i];
        uint32_t to = i;
        for (uint32_t from = order[to]; from != i; from = order[to]) {
            w->contact[to] = w->contact[from];
            order[to] = to;
            to = from;
        }
        w->contact[to] = first;
        order[to] = to;
    }
}

/* Contacts of a chunk keep their order. Overwrites the answers. Contacts of a triangle follow each other. So there are at most as many runs
 * of contacts of one chunk as triangles. */
static void sort_by_chunk(vp_manifold_work *w)
{
    uint64_t *const key = (uint64_t *)(void *)w->words;
    uint32_t *const order = (uint32_t *)(void *)w->answer;
    uint32_t runs = 0, count = 0;
    for (uint32_t i = 0; i < w->contacts; i++)
        if (i == 0 || chunk_of(w, i) != chunk_of(w, i - 1))
            key[runs++] = (uint64_t)chunk_of(w, i) << 32 | i;
    assert(runs <= w->count);
    if (runs < 2)
        return;
    vp_order_keys(key, key + runs, runs);
    for (uint32_t r = 0; r < runs; r++) {
        const uint32_t chunk = (uint32_t)(key[r] >> 32);
        for (uint32_t i = vp_order_index(key[r]); i < w->contacts && chunk_of(w, i) == chunk; i++)
            order[count++] = i;
    }
    apply_order(w, order);
}
static_assert(sizeof(vp_collide_result) >= VP_CONTACTS_A_TRIANGLE * sizeof(uint32_t), "a number for each contact");

static uint32_t choose_manifolds(vp_manifold_work *w, vp_manifold *out, uint32_t capacity)
{
    uint32_t made = 0;
    vp_manifold_work part = *w;
    if (w->def->by_chunk)
        sort_by_chunk(w);
    for (uint32_t first = 0, end; first < w->contacts; first = end) {
        vp_manifold chosen[VP_MANIFOLD_DIRECTIONS];
        const bool fits = capacity >= VP_MANIFOLD_DIRECTIONS && made <= capacity - VP_MANIFOLD_DIRECTIONS;
        const uint32_t chunk = w->def->by_chunk ? chunk_of(w, first) : VP_COLLIDE_NO_CHUNK;
        end = w->def->by_chunk ? first : w->contacts;
        while (end < w->contacts && chunk_of(w, end) == chunk)
            end++;
        part.contact = w->contact + first;
        part.contacts = end - first;
        const uint32_t count = vp_manifold_choose(&part, chunk, fits ? out + made : chosen);
        for (uint32_t i = 0; i < count; i++, made++)
            if (!fits && made < capacity)
                out[made] = chosen[i];
    }
    return made;
}

/* ---- parts of a body ---- */

/* Corrects the answers of all gathered triangles. */
static void correct_contacts(vp_manifold_work *w)
{
    const vp_collide_job job = {
        .shape = w->body->shape, .frame = w->frame, .margin = w->reach, .triangle = w->triangle, .count = w->count, .result = w->answer};
    for (uint32_t i = 0; i < w->touched; i++) {
        w->raw[i] = w->answer[i].normal;
        w->marks[i] = w->answer[i].distance <= 0.0f ? VP_MANIFOLD_OVERLAPPED : 0;
    }
    vp_terrain_edges edges = {.quads = w->quads, .triangle = w->triangle, .marks = w->marks};
    if (w->quads != NULL)
        vp_begin_edges(&edges, w->touched, w->words);
    vp_correct_answers(w->kernels, &job, w->touched, w->quads != NULL ? &edges : NULL, w);
}

void vp_manifold_begin_body(vp_manifold_work *work, uint32_t share)
{
    work->count = work->contacts = work->needed_by_parts = 0;
    work->quads = NULL;
    work->share = share;
    work->lost = work->is_lazy = false;
}

/* @return NULL for sources that are no terrain */
static vp_quad_reader *begin_quads(const vp_manifold_work *work, vp_quad_reader *quads)
{
    if (work->source->kind != VP_MANIFOLD_TERRAIN)
        return NULL;
    vp_quads_begin(work->source->reader, work->def->surface, quads);
    return quads;
}

/* The scratch that the triangles of earlier parts leave. Contacts of earlier parts are stored before it. */
static void take_rest(const vp_manifold_work *work, const vp_manifold_body *part, vp_manifold_work *w)
{
    const uint32_t n = work->count, room = work->capacity - n;
    *w = *work;
    w->body = part;
    w->capacity = room < work->share ? room : work->share;
    w->count = w->contacts = 0;
    w->triangle += n;
    w->answer += n;
    w->raw += n;
    w->marks += n;
    w->order += n;
    w->words += VP_COLLIDE_CONNECT_WORDS(n);
    w->contact += (size_t)n * VP_CONTACTS_A_TRIANGLE;
    w->page = (void *)w->contact;
    w->page_answer = (void *)(w->page + w->capacity);
}

/* Appends the contacts of a part to those of earlier parts. */
static void append_contacts(vp_manifold_work *work, const vp_manifold_work *part, uint16_t number, vp_vec3 offset)
{
    const bool is_shifted = offset.x != 0.0f || offset.y != 0.0f || offset.z != 0.0f;
    for (uint32_t i = 0; i < part->contacts; i++) {
        vp_manifold_contact c = part->contact[i];
        c.triangle += work->count;
        c.body_part = number;
        if (is_shifted) {
            c.on_shape = vp_vec3_add(c.on_shape, offset);
            c.on_triangle = vp_vec3_add(c.on_triangle, offset);
        }
        work->contact[work->contacts++] = c;
    }
    work->count += part->count;
}

vp_status vp_manifold_add_part(vp_manifold_work *work, const vp_manifold_body *part, uint16_t number, vp_vec3 offset,
                               const vp_manifold_source *source, vp_error *error)
{
    vp_quad_reader quads;
    vp_manifold_work w;
    uint32_t needed;
    work->source = source;
    work->part_needed = 0;
    take_rest(work, part, &w);
    if (w.capacity < VP_MANIFOLD_MIN_TRIANGLES) {
        work->lost = true;
        return VP_OK;
    }
    VP_RETURN_IF_FAILED(vp_manifold_gather(&w, source, &needed, error));
    if (w.touched > 0) {
        w.quads = begin_quads(&w, &quads);
        correct_contacts(&w);
        w.radius = vp_collide_radius(part->shape);
        vp_manifold_find_contacts(&w);
        VP_RETURN_IF_FAILED(w.quads != NULL ? vp_quads_end(w.quads, error) : VP_OK);
    }
    work->lost = work->lost || w.touched != w.touched_in_all;
    append_contacts(work, &w, number, offset);
    if (work->is_lazy) { /* the only part */
        work->body = w.body;
        work->frame = w.frame;
        work->touched = w.touched;
        work->kept = w.kept;
        work->is_lazy = w.is_lazy;
    }
    const uint32_t room = work->needed_by_parts + (needed > VP_MANIFOLD_MIN_TRIANGLES ? needed : VP_MANIFOLD_MIN_TRIANGLES);
    work->needed = room > work->needed ? room : work->needed;
    work->needed_by_parts += needed;
    work->part_needed = needed;
    return VP_OK;
}

vp_status vp_manifold_end_body(vp_manifold_work *work, float radius, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                               uint32_t *made, vp_error *error)
{
    vp_quad_reader quads;
    vp_status status = VP_OK;
    work->radius = radius;
    *made = 0;
    if (work->contacts > 0) {
        work->quads = begin_quads(work, &quads);
        *made = choose_manifolds(work, out, capacity);
        status = work->quads != NULL ? vp_quads_end(work->quads, error) : VP_OK;
    }
    if (status != VP_OK) {
        *made = 0;
        return status;
    }
    scratch->needed = work->needed > scratch->needed ? work->needed : scratch->needed;
    return work->lost
               ? vp_fail(error, VP_E_LIMIT, "vp_manifold_scratch.capacity is %u; the body needs up to %u: the deepest contacts are kept",
                         work->capacity, work->needed)
               : VP_OK;
}

/* ---- convex bodies ---- */

static vp_status make_body(vp_manifold_work *work, const vp_manifold_body *body, const vp_manifold_source *source,
                           vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error)
{
    *made = 0;
    work->needed = 0;
    vp_manifold_begin_body(work, work->capacity);
    work->is_lazy = !work->def->by_chunk;
    VP_RETURN_IF_FAILED(vp_manifold_add_part(work, body, 0, (vp_vec3){0.0f, 0.0f, 0.0f}, source, error));
    return vp_manifold_end_body(work, vp_collide_radius(body->shape), scratch, out, capacity, made, error);
}

static vp_status make_manifolds(const vp_manifold_def *def, const vp_manifold_body *body, const vp_manifold_source *source,
                                vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error)
{
    vp_manifold_work work;
    vp_kernels default_kernels;
    *made = 0;
    VP_RETURN_IF_FAILED(vp_manifold_begin(def, scratch, &default_kernels, &work, error));
    VP_RETURN_IF_FAILED(make_body(&work, body, source, scratch, out, capacity, made, error));
    return vp_succeed(error);
}

static vp_status make_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count, vp_manifold_source *source,
                           vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, vp_manifold_result *result, uint32_t *made,
                           vp_error *error)
{
    vp_manifold_work work;
    vp_kernels default_kernels;
    *made = 0;
    VP_RETURN_IF_FAILED(vp_manifold_begin(def, scratch, &default_kernels, &work, error));
    if (!(def->margin >= 0.0f && def->margin < INFINITY))
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_def.margin is %g; must be finite and >= 0", (double)def->margin);
    VP_RETURN_IF_FAILED(vp_manifold_check_source(source, def, error));
    for (uint32_t i = 0; i < count; i++) {
        vp_error ignored;
        const uint32_t at = *made < capacity ? *made : capacity;
        result[i].first = *made;
        result[i].status =
            make_body(&work, &body[i], source, scratch, out == NULL ? NULL : out + at, capacity - at, &result[i].count, &ignored);
        *made += result[i].count;
    }
    return vp_succeed(error);
}

vp_status vp_manifold_mesh(const vp_manifold_def *def, const vp_manifold_body *body, const vp_collide_triangle *triangle, uint32_t count,
                           vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, body, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, triangle, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    vp_manifold_source source = vp_manifold_source_mesh(triangle, count);
    VP_RETURN_IF_FAILED(vp_manifold_check_source(&source, def, error));
    return make_manifolds(def, body, &source, scratch, out, capacity, manifold_count, error);
}

vp_status vp_manifold_terrain(const vp_manifold_def *def, const vp_manifold_body *body, const vp_terrain_reader *reader,
                              vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, body, reader, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    const vp_manifold_source source = vp_manifold_source_terrain(reader);
    return make_manifolds(def, body, &source, scratch, out, capacity, manifold_count, error);
}

vp_status vp_manifold_blocks(const vp_manifold_def *def, const vp_manifold_body *body, const vp_block_view *view,
                             vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, body, view, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    const vp_manifold_source source = vp_manifold_source_blocks(view);
    return make_manifolds(def, body, &source, scratch, out, capacity, manifold_count, error);
}

vp_status vp_manifold_terrain_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count,
                                   const vp_terrain_reader *reader, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                                   vp_manifold_result *result, uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, reader, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, body, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    VP_RETURN_IF_ARRAY_NULL(error, result, count);
    vp_manifold_source source = vp_manifold_source_terrain(reader);
    return make_many(def, body, count, &source, scratch, out, capacity, result, manifold_count, error);
}

vp_status vp_manifold_blocks_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count, const vp_block_view *view,
                                  vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, vp_manifold_result *result,
                                  uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, view, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, body, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    VP_RETURN_IF_ARRAY_NULL(error, result, count);
    vp_manifold_source source = vp_manifold_source_blocks(view);
    return make_many(def, body, count, &source, scratch, out, capacity, result, manifold_count, error);
}
