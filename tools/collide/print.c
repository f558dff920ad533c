/* SPDX-License-Identifier: MIT */
/* Output of `voxphys collide`. */
#include <inttypes.h>
#include <jansson.h>

#include "host/program.h"
#include "tools/collide/collide.h"
#include "tools/choices.h"

static const char *const ground_words[] = {"world", "mesh", "blocks"};
static const char *const push_words[] = {[VP_PUSH_OUT_FREE] = "free", [VP_PUSH_OUT_FOUND] = "out", [VP_PUSH_OUT_DEEP] = "deep"};

typedef struct text_part {
    char text[24];
} text_part;

/* "face", "edge 0", "corner 2". */
static text_part triangle_part(uint32_t feature)
{
    text_part p;
    if (feature == VP_TRIANGLE_FACE)
        snprintf(p.text, sizeof p.text, "face");
    else
        snprintf(p.text, sizeof p.text, "%s %u", feature < VP_TRIANGLE_CORNER ? "edge" : "corner",
                 (feature - (feature < VP_TRIANGLE_CORNER ? VP_TRIANGLE_EDGE : VP_TRIANGLE_CORNER)) & 3u);
    return p;
}

static text_part shape_part(uint32_t feature)
{
    const uint32_t kind = feature & 0xc0000000u;
    text_part p;
    snprintf(p.text, sizeof p.text, "%s %u",
             kind == VP_SHAPE_FACE   ? "face"
             : kind == VP_SHAPE_EDGE ? "edge"
                                     : "corner",
             feature & 0x3fffffffu);
    return p;
}

/* A point relative to the body's position, in world space. In binary64, so that precision is kept far from the origin. */
static void in_world(const vp_collided *b, vp_vec3 p, double out[3])
{
    out[0] = (double)b->pose.position.x + (double)p.x;
    out[1] = (double)b->pose.position.y + (double)p.y;
    out[2] = (double)b->pose.position.z + (double)p.z;
}

static const char *material_name(const vp_colliding *r, uint8_t material)
{
    return vp_ground_looks(&r->ground)->of[material].name;
}

/* ---- JSON ---- */

static json_t *chunk_json(uint32_t chunk)
{
    return chunk == VP_COLLIDE_NO_CHUNK ? json_null() : json_integer((json_int_t)chunk);
}

static json_t *place_json(const vp_collided *b, vp_vec3 p)
{
    double at[3];
    in_world(b, p, at);
    return json_pack("[f, f, f]", at[0], at[1], at[2]);
}

static json_t *point_json(const vp_colliding *r, const vp_collided *b, const vp_manifold_point *p)
{
    return json_pack("{s:f, s:o, s:o, s:o, s:o, s:I, s:i, s:s, s:o}", "depth", -(double)p->distance, "normal", vp_json_vec3(p->normal),
                     "on_shape", place_json(b, p->on_shape), "on_triangle", place_json(b, p->on_triangle), "chunk", chunk_json(p->at.chunk),
                     "triangle", (json_int_t)p->at.triangle, "material", (int)p->material, "name", material_name(r, p->material), "feature",
                     vp_json_hex(p->feature));
}

static json_t *answer_json(const vp_collided *b, const vp_collide_result *a)
{
    if (a->triangle_feature == VP_COLLIDE_NONE)
        return json_null();
    return json_pack("{s:f, s:o, s:o, s:o, s:s, s:s}", "depth", -(double)a->distance, "normal", vp_json_vec3(a->normal), "on_shape",
                     place_json(b, a->on_shape), "on_triangle", place_json(b, a->on_triangle), "of_triangle",
                     triangle_part(a->triangle_feature).text, "of_shape", shape_part(a->shape_feature).text);
}

static json_t *push_json(const vp_colliding *r, const vp_collided *b)
{
    const vp_push_out *p = &b->push;
    if (r->ground.kind != VP_GROUND_WORLD)
        return json_null();
    if (p->end != VP_PUSH_OUT_FOUND)
        return json_pack("{s:s}", "end", push_words[p->end]);
    return json_pack("{s:s, s:[i, i, i], s:o, s:o, s:f}", "end", push_words[p->end], "voxel", (int)p->voxel.x, (int)p->voxel.y,
                     (int)p->voxel.z, "by", vp_json_vec3(p->by), "direction", vp_json_vec3(p->direction), "distance", (double)p->distance);
}

static json_t *body_json(const vp_colliding *r, const vp_collided *b)
{
    const float *q = b->pose.rotation;
    json_t *list = json_array(), *reported = r->triangles ? json_array() : NULL;
    for (uint32_t m = 0; m < b->count; m++) {
        json_t *points = json_array();
        for (uint32_t i = 0; i < b->manifold[m].count; i++)
            json_array_append_new(points, point_json(r, b, &b->manifold[m].point[i]));
        json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "chunk", chunk_json(b->manifold[m].chunk), "direction",
                                              vp_json_vec3(b->manifold[m].normal), "points", points));
    }
    for (uint32_t i = 0; i < b->reported_count; i++) {
        const vp_reported_contact *t = &b->reported[i];
        json_array_append_new(reported, json_pack("{s:o, s:I, s:o, s:o}", "chunk", chunk_json(t->triangle.id.chunk), "triangle",
                                                  (json_int_t)t->triangle.id.triangle, "raw", answer_json(b, &t->raw), "corrected",
                                                  answer_json(b, &t->corrected)));
    }
    return json_pack("{s:o, s:[f, f, f, f], s:I, s:o, s:b, s:o, s:o*}", "position", vp_json_vec3(b->pose.position), "rotation",
                     (double)q[0], (double)q[1], (double)q[2], (double)q[3], "near", (json_int_t)b->near, "manifolds", list, "truncated",
                     (int)b->truncated, "push_out", push_json(r, b), "triangles", reported);
}

static json_t *batch_json(const vp_colliding *r)
{
    if (r->random == 0)
        return json_null();
    json_t *by = json_array();
    for (int i = 1; i <= VP_MANIFOLD_POINTS; i++)
        json_array_append_new(by, json_integer((json_int_t)r->by_points[i]));
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:f, s:f, s:f, s:f, s:o*}", "bodies", (json_int_t)r->random, "seed",
                     (json_int_t)r->seed, "triangles", (json_int_t)r->near_sum, "touching", (json_int_t)r->touching, "manifolds",
                     (json_int_t)r->manifolds, "points", (json_int_t)r->points, "manifolds_by_points", by, "truncated",
                     (json_int_t)r->truncated, "points_per_body", (double)r->points / r->random, "deepest", r->deepest, "seconds",
                     r->seconds, "ns_per_body", r->seconds / r->random * 1e9, "inwards",
                     r->ground.kind == VP_GROUND_BLOCKS ? json_integer((json_int_t)r->inwards) : NULL);
}

int vp_collide_print_json(const vp_colliding *r)
{
    const vp_collide_shape *s = &r->shape.shape;
    json_t *bodies = json_array();
    for (uint32_t i = 0; i < r->bodies; i++)
        json_array_append_new(bodies, body_json(r, &r->body[i]));
    const vp_ground_kind kind = r->ground.kind;
    json_t *ground = json_pack("{s:o, s:s, s:o, s:o*, s:o*}", "source", vp_json_name(r->ground.name), "kind", ground_words[kind],
                               "hash_checked", vp_json_checked(vp_ground_content(&r->ground)), "triangles",
                               kind == VP_GROUND_MESH ? json_integer((json_int_t)r->ground.mesh.triangles.triangle_count) : NULL, "masks",
                               kind == VP_GROUND_BLOCKS ? json_boolean(r->ground.masks) : NULL);
    json_t *shape = json_pack("{s:s, s:o, s:f, s:o*}", "kind", vp_shape_words[s->kind], "text", vp_json_name(r->shape.text), "radius",
                              (double)vp_collide_radius(s), "vertices",
                              s->kind == VP_COLLIDE_HULL ? json_integer((json_int_t)s->hull->vertex_count) : NULL);
    return vp_print_json(json_pack("{s:o, s:o, s:f, s:b, s:o, s:o, s:o, s:o}", "ground", ground, "shape", shape, "margin",
                                   (double)r->def.margin, "whole", (int)r->whole, "bodies", bodies, "batch", batch_json(r), "digest",
                                   vp_json_hex(r->digest), "file", vp_json_path(r->out)));
}

/* ---- text ---- */

static void print_answer(const char *what, const vp_collide_result *a)
{
    if (a->triangle_feature == VP_COLLIDE_NONE)
        printf("%s nothing", what);
    else
        printf("%s depth %.9g, normal (%.9g, %.9g, %.9g), %s on %s", what, -(double)a->distance, (double)a->normal.x, (double)a->normal.y,
               (double)a->normal.z, shape_part(a->shape_feature).text, triangle_part(a->triangle_feature).text);
}

static void print_id(vp_terrain_triangle_id id)
{
    if (id.chunk == VP_COLLIDE_NO_CHUNK)
        printf("triangle %u", id.triangle);
    else
        printf("triangle %u of chunk %u", id.triangle, id.chunk);
}

static void print_point(const vp_colliding *r, const vp_collided *b, const vp_manifold_point *p)
{
    double at[3];
    in_world(b, p->on_triangle, at);
    printf("          depth %.9g at (%.9g, %.9g, %.9g), normal (%.9g, %.9g, %.9g), ", -(double)p->distance, at[0], at[1], at[2],
           (double)p->normal.x, (double)p->normal.y, (double)p->normal.z);
    print_id(p->at);
    printf(", %u %s, feature %016" PRIx64 "\n", p->material, material_name(r, p->material), p->feature);
}

static void print_push(const vp_push_out *p)
{
    if (p->end == VP_PUSH_OUT_FOUND)
        printf("          its centre is behind the surface, %.9g deep: (%.9g, %.9g, %.9g) moves it in front\n", (double)p->distance,
               (double)p->by.x, (double)p->by.y, (double)p->by.z);
    if (p->end == VP_PUSH_OUT_DEEP)
        printf("          its centre is behind the surface, more than 64 voxels deep\n");
}

static void print_body(const vp_colliding *r, uint32_t number)
{
    const vp_collided *b = &r->body[number];
    uint32_t points = 0;
    for (uint32_t m = 0; m < b->count; m++)
        points += b->manifold[m].count;
    printf("body %-4u at (%.9g, %.9g, %.9g): %u triangle%s near it, %u manifold%s of %u point%s\n", number, (double)b->pose.position.x,
           (double)b->pose.position.y, (double)b->pose.position.z, b->near, vp_plural(b->near), b->count, vp_plural(b->count), points,
           vp_plural(points));
    if (b->truncated)
        printf("          it touches too many triangles: only contacts of the deepest are here\n");
    print_push(&b->push);
    for (uint32_t i = 0; i < b->reported_count; i++) {
        printf("          ");
        print_id(b->reported[i].triangle.id);
        print_answer(":", &b->reported[i].raw);
        print_answer("; corrected", &b->reported[i].corrected);
        printf("\n");
    }
    for (uint32_t m = 0; m < b->count; m++) {
        const vp_vec3 n = b->manifold[m].normal;
        if (b->manifold[m].chunk == VP_COLLIDE_NO_CHUNK)
            printf("manifold  ");
        else
            printf("chunk     %u, ", b->manifold[m].chunk);
        printf("direction (%.9g, %.9g, %.9g)\n", (double)n.x, (double)n.y, (double)n.z);
        for (uint32_t i = 0; i < b->manifold[m].count; i++)
            print_point(r, b, &b->manifold[m].point[i]);
    }
}

int vp_collide_print_text(const vp_colliding *r)
{
    const vp_collide_shape *s = &r->shape.shape;
    printf("ground    %s, %s", r->ground.name,
           r->ground.kind == VP_GROUND_WORLD    ? "its solid surface"
           : r->ground.kind == VP_GROUND_BLOCKS ? r->ground.masks ? "its blocks" : "its blocks, without masks"
                                                : "a mesh");
    if (r->ground.kind == VP_GROUND_MESH)
        printf(" of %u triangle%s", r->ground.mesh.triangles.triangle_count, vp_plural(r->ground.mesh.triangles.triangle_count));
    printf("\nshape     %s, radius %.9g", r->shape.text, (double)vp_collide_radius(s));
    if (s->kind == VP_COLLIDE_HULL)
        printf(", %u vertices", s->hull->vertex_count);
    printf("; margin %.9g\n", (double)r->def.margin);
    for (uint32_t i = 0; i < r->bodies; i++)
        print_body(r, i);
    if (r->random != 0)
        printf("batch     %u bod%s near %" PRIu64 " triangles: %" PRIu64 " touch, %" PRIu64 " manifolds, %" PRIu64
               " points, %.3f a body, deepest %.6g; %.0f ns a body in this run\n",
               r->random, r->random == 1 ? "y" : "ies", r->near_sum, r->touching, r->manifolds, r->points, (double)r->points / r->random,
               r->deepest, r->seconds / r->random * 1e9);
    if (r->truncated != 0 && r->random != 0)
        printf("truncated %" PRIu64 " bod%s\n", r->truncated, r->truncated == 1 ? "y" : "ies");
    if (r->random != 0 && r->ground.kind == VP_GROUND_BLOCKS)
        printf("inwards   %" PRIu64 " point%s\n", r->inwards, vp_plural(r->inwards));
    printf("digest    %016" PRIx64 "\n", r->digest);
    if (r->out != NULL)
        printf("written   %s\n", r->out);
    return VP_EXIT_DONE;
}
