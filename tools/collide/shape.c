/* SPDX-License-Identifier: MIT */
/* Parsing of --shape and --pose. */

#include "host/program.h"
#include "tools/collide/collide.h"
#include "tools/sources/point_source.h"

static const char command[] = "collide";

const char *const vp_shape_words[VP_COLLIDE_KINDS] = {[VP_COLLIDE_SPHERE] = "sphere",
                                                      [VP_COLLIDE_CAPSULE] = "capsule",
                                                      [VP_COLLIDE_BOX] = "box",
                                                      [VP_COLLIDE_CYLINDER] = "cylinder",
                                                      [VP_COLLIDE_HULL] = "hull"};

/* Reads the kind, and finds its numbers. */
static bool parse_kind(const char *text, vp_collide_kind *kind, const char **numbers)
{
    for (int k = 0; k < VP_COLLIDE_KINDS; k++) {
        const size_t length = strlen(vp_shape_words[k]);
        if (strncmp(text, vp_shape_words[k], length) != 0 || text[length] != ':')
            continue;
        *kind = (vp_collide_kind)k;
        *numbers = text + length + 1;
        return true;
    }
    return VP_REFUSE(command, "--shape '%s': must be one of sphere:R, capsule:R,L, box:X,Y,Z, cylinder:R,H, hull:FILE", text);
}

bool vp_shape_parse(const char *text, vp_query_shape *out)
{
    vp_collide_kind kind;
    const char *numbers;
    float n[3];
    vp_error why;
    if (!parse_kind(text, &kind, &numbers))
        return false;
    *out = (vp_query_shape){.text = text};
    switch (kind) {
    case VP_COLLIDE_SPHERE:
        if (!vp_parse_float(command, "--shape sphere:", numbers, &n[0]))
            return false;
        out->shape = vp_collide_sphere(n[0]);
        break;
    case VP_COLLIDE_CAPSULE:
    case VP_COLLIDE_CYLINDER: {
        const bool capsule = kind == VP_COLLIDE_CAPSULE;
        if (!vp_parse_float_list(command, capsule ? "--shape capsule:" : "--shape cylinder:", capsule ? "R,L" : "R,H", numbers, n, 2))
            return false;
        out->shape = capsule ? vp_collide_capsule(n[0], 0.5f * n[1]) : vp_collide_cylinder(n[0], 0.5f * n[1]);
        break;
    }
    case VP_COLLIDE_BOX:
        if (!vp_parse_float_list(command, "--shape box:", "X,Y,Z", numbers, n, 3))
            return false;
        out->shape = vp_collide_box((vp_vec3){0.5f * n[0], 0.5f * n[1], 0.5f * n[2]});
        break;
    default:
        out->shape.kind = VP_COLLIDE_HULL;
        out->file = numbers;
        if (numbers[0] != '\0')
            return true;
        return VP_REFUSE(command, "--shape '%s': the file's name is missing", text);
    }
    if (vp_collide_shape_check(&out->shape, &why) == VP_OK)
        return true;
    return VP_REFUSE(command, "--shape '%s': %s", text, why.message);
}

vp_status vp_shape_load(vp_query_shape *shape, const char *written, const vp_kernels *kernels, vp_error *error)
{
    vp_point_source points = {.name = shape->file};
    if (shape->file == NULL)
        return VP_OK;
    vp_status status = vp_point_source_open(command, shape->file, written, kernels, &points, error);
    if (status == VP_OK) {
        const vp_collide_hull_def def = {.point = points.points.point, .count = points.points.count, .kernels = kernels};
        status = vp_collide_hull_create(&def, &shape->solid, error);
        if (status != VP_OK && status != VP_E_MEMORY)
            vp_name_file(error, "", shape->file);
    }
    vp_point_source_close(&points);
    shape->shape = vp_collide_hull_shape(&shape->solid.hull);
    return status;
}

void vp_shape_drop(vp_query_shape *shape)
{
    vp_collide_hull_destroy(&shape->solid);
}

bool vp_pose_parse(const char *text, vp_pose *out)
{
    float n[7] = {0, 0, 0, 0, 0, 0, 1};
    size_t commas = 0;
    vp_collide_frame frame;
    vp_error why;
    for (const char *at = text; *at != '\0'; at++)
        commas += *at == ',';
    const bool turned = commas > 2;
    if (!vp_parse_float_list(command, "--pose", turned ? "X,Y,Z,QX,QY,QZ,QW" : "X,Y,Z", text, n, turned ? 7 : 3))
        return false;
    *out = (vp_pose){{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}};
    if (vp_collide_frame_of(out, &frame, &why) == VP_OK)
        return true;
    return VP_REFUSE(command, "--pose '%s': %s", text, why.message);
}
