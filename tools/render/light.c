/* SPDX-License-Identifier: MIT */
/* The light along a ray, from the sun with shadows, the sky with occlusion, and transparent and reflecting water. */
#include "tools/render/scene.h"

#include <math.h>

/* ---- light ---- */

static vp_light plus(vp_light a, vp_light b)
{
    return (vp_light){a.r + b.r, a.g + b.g, a.b + b.b};
}

static vp_light scaled(vp_light a, float s)
{
    return (vp_light){a.r * s, a.g * s, a.b * s};
}

static vp_light filtered(vp_light a, vp_light by)
{
    return (vp_light){a.r * by.r, a.g * by.g, a.b * by.b};
}

static vp_light between(vp_light a, vp_light b, float share)
{
    return plus(scaled(a, 1 - share), scaled(b, share));
}

static float clamp01(float v)
{
    return vp_min(vp_max(v, 0.0f), 1.0f);
}

static const vp_light sunlight = {2.90f, 2.75f, 2.48f};
static const vp_light zenith = {0.17f, 0.38f, 0.86f};
static const vp_light horizon = {0.98f, 1.20f, 1.42f};
static const vp_light depth = {0.44f, 0.56f, 0.70f};  /* below the horizon, for rays that miss */
static const vp_light ground = {0.38f, 0.36f, 0.33f}; /* light from below, reflected by unseen ground */

/* The colour of rays that miss. */
static vp_light backdrop(vp_vec3 direction)
{
    if (direction.y < 0)
        return between(horizon, depth, 1 - 1 / (1 - 3 * direction.y));
    const float up = sqrtf(direction.y);
    return between(horizon, zenith, up);
}

/* ---- surfaces ---- */

typedef struct lit_spot {
    const vp_scene_surface *surface;
    float t;
    vp_vec3 point, normal, flat; /* both normals face the viewer */
    uint8_t material;
} lit_spot;

static bool look(const vp_render_scene *scene, int surface, const vp_ray *ray, lit_spot *out, uint64_t *rays)
{
    const vp_scene_surface *s = &scene->surface[surface];
    const vp_kd_view *view;
    vp_hit hit;
    if (s->tree == NULL)
        return false;
    view = vp_kd_view_of(s->tree);
    ++*rays;
    hit = scene->def.kernels->kd_ray(view, ray);
    if (hit.triangle < 0)
        return false;
    const vp_surface_point at = vp_kd_surface(s->tree, ray, &hit);
    *out = (lit_spot){s, hit.t, at.point, at.normal, at.normal, at.material};
    if (s->normal != NULL) {
        uint32_t corner[3];
        vp_triangle_corners(&s->mesh.triangles, (uint32_t)hit.triangle, corner);
        out->normal =
            vp_unit(vp_vec3_add(vp_vec3_scale(s->normal[corner[0]], 1 - hit.u - hit.v),
                                vp_vec3_add(vp_vec3_scale(s->normal[corner[1]], hit.u), vp_vec3_scale(s->normal[corner[2]], hit.v))));
    }
    if (vp_vec3_dot(out->flat, ray->direction) > 0) { /* the back of the surface */
        out->flat = vp_vec3_scale(out->flat, -1);
        out->normal = vp_vec3_scale(out->normal, -1);
    }
    return true;
}

static bool is_hidden(const vp_render_scene *scene, const lit_spot *at, vp_vec3 direction, float length, uint64_t *rays)
{
    const vp_vec3 origin = vp_vec3_add(at->point, vp_vec3_scale(at->flat, scene->lift));
    const vp_ray ray = {origin, direction, length};
    if (scene->surface[VP_SURFACE_SOLID].tree == NULL)
        return false;
    ++*rays;
    return scene->def.kernels->kd_ray_any(vp_kd_view_of(scene->surface[VP_SURFACE_SOLID].tree), &ray) > 0;
}

/* A value from 0 to 1 for each voxel. */
static float grain(vp_vec3 p)
{
    uint32_t h = (uint32_t)(int32_t)floorf(p.x) * 0x8da6b343u ^ (uint32_t)(int32_t)floorf(p.y) * 0xd8163841u ^
                 (uint32_t)(int32_t)floorf(p.z) * 0xcb1ab31fu;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (float)(h >> 16 & 0xff) * (1.0f / 255);
}

static vp_light colour_of(const vp_render_scene *scene, const lit_spot *at)
{
    const vp_light c = scene->colour[at->material];
    if (!scene->textured)
        return c;
    const vp_vec3 inside = vp_vec3_sub(at->point, vp_vec3_scale(at->flat, 0.5f));
    return scaled(c, 1 - scene->contrast + 2 * scene->contrast * grain(inside));
}

/* The sky's light at a spot. */
static vp_light skylight(const vp_render_scene *scene, const lit_spot *at, uint32_t sample, uint64_t *rays)
{
    vp_light sum = {0, 0, 0};
    float weights = 0;
    const vp_vec3 *direction = scene->sky + (size_t)sample * scene->def.ambient;
    for (uint32_t i = 0; i < scene->def.ambient; i++) {
        const float weight = vp_vec3_dot(at->normal, direction[i]);
        if (weight <= 0)
            continue;
        weights += weight;
        const bool hidden = vp_vec3_dot(at->flat, direction[i]) <= 0 || is_hidden(scene, at, direction[i], scene->reach, rays);
        const vp_light from = hidden ? scaled(ground, 0.35f) : direction[i].y > 0 ? backdrop(direction[i]) : ground;
        sum = plus(sum, scaled(from, weight));
    }
    if (weights > 0)
        return scaled(sum, 1 / weights);
    return between(ground, between(horizon, zenith, 0.5f), 0.5f + 0.5f * at->normal.y);
}

/* A lit solid surface. */
static vp_light lit(const vp_render_scene *scene, const lit_spot *at, uint32_t sample, uint64_t *rays)
{
    vp_light light = skylight(scene, at, sample, rays);
    const vp_vec3 sun = scene->sun[sample];
    const float towards = vp_vec3_dot(at->normal, sun);
    if (towards > 0 && vp_vec3_dot(at->flat, sun) > 0 && !(scene->def.shadows && is_hidden(scene, at, sun, INFINITY, rays)))
        light = plus(light, scaled(sunlight, towards));
    return filtered(colour_of(scene, at), light);
}

/* ---- water ---- */

/* Transmission of water over a distance. */
static vp_light through_water(float way)
{
    const float r = 1 + way * 0.26f, g = 1 + way * 0.085f, b = 1 + way * 0.05f;
    return (vp_light){1 / (r * r), 1 / (g * g), 1 / (b * b)};
}

/* Light of a water surface: `behind`, the spot seen through it (NULL = none), and the reflection. */
static vp_light of_water(const vp_render_scene *scene, const vp_ray *ray, const lit_spot *water, const lit_spot *behind, uint32_t sample,
                         uint64_t *rays)
{
    const vp_light murk = scaled(scene->colour[VP_WATER], 0.45f);
    const float facing = clamp01(-vp_vec3_dot(ray->direction, water->normal)), away = 1 - facing;
    const float mirrored = 0.03f + 0.97f * ((away * away) * (away * away) * away);
    const vp_vec3 direction = vp_unit(vp_vec3_add(ray->direction, vp_vec3_scale(water->normal, 2 * facing)));
    const vp_ray reflected = {vp_vec3_add(water->point, vp_vec3_scale(water->flat, scene->lift)), direction, INFINITY};
    lit_spot seen;
    vp_light mirror = look(scene, VP_SURFACE_SOLID, &reflected, &seen, rays) ? lit(scene, &seen, sample, rays) : backdrop(direction);
    const vp_vec3 sun = scene->sun[sample];
    const float towards = vp_vec3_dot(water->normal, sun);
    const bool bright = towards > 0 && !(scene->def.shadows && is_hidden(scene, water, sun, INFINITY, rays));
    const vp_light left = through_water(behind != NULL ? behind->t - water->t + 1 : 1e6f);
    vp_light below = behind != NULL ? filtered(lit(scene, behind, sample, rays), left) : (vp_light){0, 0, 0};
    const vp_light shine =
        filtered(murk, plus((vp_light){0.8f, 0.9f, 1.0f}, bright ? scaled(sunlight, 0.35f + 0.65f * towards) : (vp_light){0, 0, 0}));
    below = plus(below, filtered(shine, (vp_light){1 - left.r, 1 - left.g, 1 - left.b}));
    return between(below, mirror, mirrored);
}

/* ---- light along a ray ---- */

vp_light vp_scene_light(const vp_render_scene *scene, const vp_ray *ray, uint32_t sample, uint64_t *rays)
{
    lit_spot solid, water;
    const bool has_solid = look(scene, VP_SURFACE_SOLID, ray, &solid, rays);
    const bool has_water = look(scene, VP_SURFACE_WATER, ray, &water, rays);
    if (has_water && (!has_solid || water.t < solid.t))
        return of_water(scene, ray, &water, has_solid ? &solid : NULL, sample, rays);
    return has_solid ? lit(scene, &solid, sample, rays) : backdrop(ray->direction);
}
