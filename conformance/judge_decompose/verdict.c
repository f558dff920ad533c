/* SPDX-License-Identifier: MIT */
#include "conformance/judge_decompose/verdict.h"

#include <jansson.h>
#include <math.h>

#include "host/program.h"

static bool is_asked(uint32_t parts, uint32_t part)
{
    return parts == 0 || (parts & part) != 0;
}

/* ---- text ---- */

static void print_between(FILE *to, const char *name, vp_between b, double of, const char *rest)
{
    if (isnan(b.low))
        fprintf(to, "%-10s not defined: the mesh is open\n", name);
    else if (b.low == b.high)
        fprintf(to, "%-10s %.6g%s\n", name, b.low * of, rest);
    else
        fprintf(to, "%-10s %.6g to %.6g%s\n", name, b.low * of, b.high * of, rest);
}

void vp_decomposition_print(const vp_decomposition_verdict *v, uint32_t parts, FILE *to)
{
    char rest[200];
    fprintf(to, "hulls      %u, of %llu vertices; %u flat, %u no hulls\n", v->hulls, (unsigned long long)v->vertices, v->flat, v->invalid);
    for (uint32_t h = 0; h < v->hulls; h++)
        if (!v->hull[h].valid)
            fprintf(to, "           hull %u: %s\n", h, v->hull[h].reason);
    if (v->closed)
        fprintf(to, "mesh       closed, wound around %d to %d times\n", (int)v->winding[0], (int)v->winding[1]);
    else
        fprintf(to, "mesh       open, a sheet: %u edges, the first between vertices %u and %u\n", v->open_edges, v->open_edge[0],
                v->open_edge[1]);
    if (is_asked(parts, VP_JUDGE_REACH) && v->hulls != 0) {
        snprintf(rest, sizeof rest, " beyond the %s, %.3g of its extent: hull %u at %.6g %.6g %.6g", v->closed ? "solid" : "sheet",
                 v->reach_ratio, v->reach_hull, v->witness[0], v->witness[1], v->witness[2]);
        print_between(to, "reach", v->reach, 1.0, rest);
    }
    if (is_asked(parts, VP_JUDGE_SURFACE)) {
        print_between(to, "surface", v->covered_surface, 100.0, " % covered");
        if (v->largest_triangle != VP_JUDGED_NONE)
            fprintf(to, "           the largest piece that is not: %.6g, of triangle %u at %.6g %.6g %.6g\n", v->largest_piece,
                    v->largest_triangle, v->largest_at[0], v->largest_at[1], v->largest_at[2]);
        print_between(to, "away", v->away, 1.0, " from all hulls, at most");
        if (v->owned != 0)
            fprintf(to, "lost       %u of %u triangles are not in their hulls; the furthest is out by %.6g\n", v->lost, v->owned,
                    v->lost_by);
    }
    if (is_asked(parts, VP_JUDGE_VOLUME)) {
        print_between(to, "volume", v->covered_solid, 100.0, " % of the solid covered");
        print_between(to, "overlap", v->overlap, 1.0, " more in all hulls than in their union");
        print_between(to, "excess", v->excess, 1.0, " of the union is not solid");
    }
}

/* ---- JSON ---- */

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *between(vp_between b)
{
    return json_pack("[o, o]", number(b.low), number(b.high));
}

static json_t *which(uint32_t index)
{
    return index == VP_JUDGED_NONE ? json_null() : json_integer((json_int_t)index);
}

static json_t *place(const double p[3])
{
    return json_pack("[f, f, f]", p[0], p[1], p[2]);
}

static json_t *hull_json(const vp_hull_judged *h, uint32_t parts)
{
    json_t *to = json_pack("{s:b, s:o, s:i, s:I, s:I, s:f, s:f}", "valid", h->valid, "reason",
                           h->valid ? json_null() : vp_json_name(h->reason), "dimension", (int)h->dimension, "vertices",
                           (json_int_t)h->vertices, "triangles", (json_int_t)h->triangles, "volume", h->volume, "extent", h->extent);
    if (is_asked(parts, VP_JUDGE_REACH))
        json_object_update_new(
            to, json_pack("{s:o, s:o, s:I}", "reach", between(h->reach), "witness", place(h->witness), "pieces", (json_int_t)h->pieces));
    return to;
}

json_t *vp_decomposition_json(const vp_decomposition_verdict *v, uint32_t parts)
{
    json_t *each = json_array(),
           *to = json_pack("{s:f, s:b, s:I, s:[o, o], s:[i, i], s:o, s:I, s:I, s:I, s:I}", "extent", v->extent, "closed", v->closed,
                           "open_edges", (json_int_t)v->open_edges, "open_edge", which(v->open_edge[0]), which(v->open_edge[1]), "winding",
                           (int)v->winding[0], (int)v->winding[1], "volume", number(v->volume), "hulls", (json_int_t)v->hulls, "invalid",
                           (json_int_t)v->invalid, "flat", (json_int_t)v->flat, "vertices", (json_int_t)v->vertices);
    if (is_asked(parts, VP_JUDGE_REACH))
        json_object_update_new(to, json_pack("{s:o, s:o, s:o, s:f}", "reach", between(v->reach), "reach_hull", which(v->reach_hull),
                                             "witness", place(v->witness), "reach_ratio", v->reach_ratio));
    if (is_asked(parts, VP_JUDGE_SURFACE)) {
        json_object_update_new(to,
                               json_pack("{s:f, s:o, s:f, s:f, s:o, s:o}", "area", v->area, "covered_surface", between(v->covered_surface),
                                         "uncovered_area", v->uncovered_area, "largest_piece", v->largest_piece, "largest_triangle",
                                         which(v->largest_triangle), "largest_at", place(v->largest_at)));
        json_object_update_new(to, json_pack("{s:o, s:o, s:o, s:I, s:I, s:f, s:o}", "away", between(v->away), "away_at", place(v->away_at),
                                             "away_triangle", which(v->away_triangle), "owned", (json_int_t)v->owned, "lost",
                                             (json_int_t)v->lost, "lost_by", v->lost_by, "lost_triangle", which(v->lost_triangle)));
    }
    if (is_asked(parts, VP_JUDGE_VOLUME))
        json_object_update_new(to, json_pack("{s:f, s:o, s:o, s:o, s:o, s:o}", "hull_volume", v->hull_volume, "union_volume",
                                             between(v->union_volume), "overlap", between(v->overlap), "covered", between(v->covered),
                                             "covered_solid", between(v->covered_solid), "excess", between(v->excess)));
    for (uint32_t h = 0; h < v->hulls; h++)
        json_array_append_new(each, hull_json(&v->hull[h], parts));
    json_object_set_new(to, "each", each);
    return to;
}
