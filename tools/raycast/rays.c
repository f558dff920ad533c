/* SPDX-License-Identifier: MIT */
/* Sources of the rays of `voxphys raycast`. */
#include "tools/raycast/raycast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "datasets/manifest_data.h"
#include "host/camera.h"
#include "host/line_file.h"

enum { VIEW_EDGE = 512 }; /* edge of a camera's picture, one ray per pixel */

static vp_status make_list(uint32_t count, vp_ray_list *out, vp_error *error)
{
    *out = (vp_ray_list){.count = count, .ray = malloc(((size_t)count + 1) * sizeof *out->ray)};
    return out->ray != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %u rays", count);
}

/* The rays of `voxphys render` for a square picture of the same surface. */
static vp_status camera_rays(vp_raycast *r, vp_error *error)
{
    vp_camera camera;
    vp_view view = vp_view_default();
    view.aspect = 1;
    VP_RETURN_IF_FAILED(vp_camera_make(&view, &vp_kd_view_of(r->tree)->box, &camera, error));
    VP_RETURN_IF_FAILED(make_list(VIEW_EDGE * VIEW_EDGE, &r->rays, error));
    for (uint32_t i = 0; i < r->rays.count; i++) {
        const uint32_t x = i % VIEW_EDGE, y = i / VIEW_EDGE;
        r->rays.ray[i] = vp_camera_ray(&camera, (float)(2 * x + 1) / VIEW_EDGE - 1, 1 - (float)(2 * y + 1) / VIEW_EDGE);
    }
    return VP_OK;
}

bool vp_raycast_parse_ray(const char *text, vp_ray *out)
{
    char word[64];
    float number[7];
    size_t count = 0;
    for (const char *at = text; at != NULL; count++) {
        const char *comma = strchr(at, ',');
        size_t length = comma != NULL ? (size_t)(comma - at) : strlen(at);
        if (count == 7 || length >= sizeof word)
            break;
        memcpy(word, at, length);
        word[length] = '\0';
        if (!vp_text_float(word, &number[count]))
            break;
        at = comma != NULL ? comma + 1 : NULL;
        if (at == NULL && count >= 5) {
            *out = (vp_ray){{number[0], number[1], number[2]}, {number[3], number[4], number[5]}, count == 6 ? number[6] : INFINITY};
            return true;
        }
    }
    return VP_REFUSE("raycast", "--ray '%s' is not six or seven numbers, separated by commas: OX,OY,OZ,DX,DY,DZ[,TMAX]", text);
}

/* Finds a set of rays of the manifest by "MESHES/RAYS", or by "RAYS" if the target is a set of meshes.
   @return false if there is none, so that the name must be a file's */
static bool find_ray_set(vp_raycast *r, char name[160])
{
    vp_error ignored;
    const vp_entry *entry;
    vp_source *s = &r->source;
    if (s->manifest == NULL && vp_manifest_open(NULL, &s->manifest, &ignored) != VP_OK)
        return false;
    bool alone = strchr(r->rays_name, '/') == NULL && s->kind == VP_SOURCE_MESHES;
    int length = snprintf(name, 160, "%s%s%s", alone ? s->name : "", alone ? "/" : "", r->rays_name);
    return length < 160 && strchr(name, '/') != NULL && strcspn(name, "/") < 80 &&
           vp_manifest_entry_on(s->manifest, name, &vp_kind_rays, &entry, &ignored) == VP_OK;
}

static vp_status open_ray_set(vp_raycast *r, const char *name, vp_error *error)
{
    vp_source *s = &r->source;
    const vp_data *data;
    VP_RETURN_IF_FAILED(s->store != NULL ? VP_OK : vp_store_create(s->manifest, 0, &s->store, error));
    VP_RETURN_IF_FAILED(vp_store_open(s->store, &vp_kind_rays, name, &data, error));
    const vp_mesh_set *meshes = data->owner->set;
    if (meshes->count != 1)
        return vp_fail(error, VP_E_ARGUMENT, "--rays %.60s: these rays are for %u meshes, and here is one", r->rays_name, meshes->count);
    vp_ray_set *set = vp_store_take(s->store, data);
    r->rays = (vp_ray_list){.count = set->count, .ray = set->ray};
    set->ray = NULL;
    vp_kind_rays.drop(set);
    r->rays_content = vp_content_of("raycast", s->manifest, name);
    return VP_OK;
}

vp_status vp_raycast_open_rays(vp_raycast *r, vp_error *error)
{
    char name[160];
    if (r->own_rays)
        return VP_OK;
    if (r->rays_name == NULL)
        return camera_rays(r, error);
    if (find_ray_set(r, name))
        return open_ray_set(r, name, error);
    vp_status status = vp_ray_file_read(r->rays_name, &r->rays, error);
    if (status == VP_E_IO && access(r->rays_name, F_OK) != 0)
        return vp_fail(error, VP_E_ARGUMENT, "--rays %s: no file and no set of rays has this name; a set is named like %s",
                       vp_show_path(r->rays_name).text, "world-230k/coherent");
    return status;
}
