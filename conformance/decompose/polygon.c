/* SPDX-License-Identifier: MIT */
#include "conformance/decompose/parts.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/decompose/vector.h"

void vp_places_add(vp_places *to, const double p[3])
{
    if (to->count == to->room) {
        const uint32_t room = 2 * to->room + 64;
        double(*at)[3] = realloc(to->at, room * sizeof *at);
        if (at == NULL) {
            to->no_memory = true;
            return;
        }
        to->at = at;
        to->room = room;
    }
    memcpy(to->at[to->count++], p, sizeof *to->at);
}

void vp_edge_cut(const double a[3], double side_a, const double b[3], double side_b, double out[3])
{
    const double *low = side_a < side_b ? a : b, *high = side_a < side_b ? b : a;
    const double side_low = vp_less(side_a, side_b), side_high = vp_more(side_a, side_b), t = side_low / (side_low - side_high);
    for (int k = 0; k < 3; k++)
        out[k] = low[k] + t * (high[k] - low[k]);
}

void vp_polygon_clip(const double (*corner)[3], const double *side, uint32_t corners, vp_places *out)
{
    for (uint32_t i = 0; i < corners; i++) {
        const uint32_t next = i + 1 < corners ? i + 1 : 0;
        double p[3];
        if (side[i] <= 0.0)
            vp_places_add(out, corner[i]);
        if ((side[i] < 0.0 && side[next] > 0.0) || (side[i] > 0.0 && side[next] < 0.0)) {
            vp_edge_cut(corner[i], side[i], corner[next], side[next], p);
            vp_places_add(out, p);
        }
    }
}
