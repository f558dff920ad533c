/* SPDX-License-Identifier: MIT */
#include "tools/render/scene.h"

#include <stdlib.h>

#include "host/program.h"
#include "host/thread_executor.h"

/* Tone curve of a film, a rational function. Darker than linear in the dark, then flattening, at most 1. */
static float film(float v)
{
    const float white = 2.6f;
    v *= v * 0.35f + 0.62f;
    return vp_min(v * (1 + v / (white * white)) / (1 + v), 1.0f);
}

/* The sRGB value from 0 to 255 of linear light, by binary search. */
static uint8_t coded(const float limit[255], float v)
{
    int low = 0, high = 255; /* limit[i] separates the values i and i + 1 */
    while (low < high) {
        const int middle = (low + high) / 2;
        if (v >= limit[middle])
            low = middle + 1;
        else
            high = middle;
    }
    return (uint8_t)low;
}

typedef struct picture_rows {
    vp_picture *picture;
    const vp_picture_panel *panel;
    uint64_t *rays; /* rays cast, for each row */
    float limit[255];
} picture_rows;

static void render_row(void *argument, uint32_t y)
{
    const picture_rows *w = argument;
    const vp_picture *r = w->picture;
    const uint32_t n = r->samples;
    uint64_t rays = 0;
    const vp_picture_panel *p = w->panel;
    uint32_t first = 0; /* first column of the panel */
    for (uint32_t x = 0; x < r->width; x++) {
        if (x == first + p->width) {
            first += p->width;
            p++;
        }
        float sum[3] = {0, 0, 0};
        for (uint32_t s = 0; s < n * n; s++) {
            const float fx = (float)(x - first) + ((float)(s % n) + 0.5f) / (float)n, fy = (float)y + ((float)(s / n) + 0.5f) / (float)n;
            const vp_ray ray = vp_camera_ray(&p->camera, fx / (float)p->width * 2 - 1, 1 - fy / (float)r->height * 2);
            const vp_light light = vp_scene_light(p->scene, &ray, s, &rays);
            sum[0] += film(light.r); /* each sample is mapped by itself, so that bright edges stay smooth */
            sum[1] += film(light.g);
            sum[2] += film(light.b);
        }
        for (int k = 0; k < 3; k++)
            r->rgb[((size_t)y * r->width + x) * 3 + (size_t)k] = coded(w->limit, sum[k] / (float)(n * n));
    }
    w->rays[y] = rays;
}

vp_status vp_picture_take(vp_picture *r, const vp_picture_panel *panel, vp_error *error)
{
    picture_rows w = {.picture = r, .panel = panel};
    r->rays = 0;
    r->rgb = malloc((size_t)r->width * r->height * 3);
    w.rays = calloc(r->height, sizeof *w.rays);
    if (r->rgb == NULL || w.rays == NULL) {
        free(w.rays);
        return vp_fail(error, VP_E_MEMORY, "no memory for %u x %u pixels", r->width, r->height);
    }
    for (int i = 0; i < 255; i++)
        w.limit[i] = vp_srgb_linear((i + 0.5) / 255);
    vp_watched watched;
    vp_executor inner = vp_thread_executor(r->threads), executor = vp_watch(&watched, inner, "rows", 1);
    r->threads = inner.thread_count;
    executor.parallel_for(executor.user, r->height, render_row, &w);
    vp_progress("", 1, 1);
    for (uint32_t y = 0; y < r->height; y++)
        r->rays += w.rays[y];
    free(w.rays);
    return VP_OK;
}
