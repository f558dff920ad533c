/* SPDX-License-Identifier: MIT */
/* voxphys collide: where a shape touches a terrain, a mesh, or blocks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/png_write.h"
#include "host/program.h"
#include "host/writable.h"
#include "src/core/error.h"
#include "tools/collide/collide.h"
#include "tools/commands.h"

static const char command[] = "collide";

/* ---- options ---- */

typedef struct texts {
    const char *shape, *pose[VP_OPTION_MANY + 1], *margin, *whole, *triangles, *random, *seed, *blocks, *no_masks, *out, *yaw, *pitch,
        *json;
} texts;

static bool parse_angle(const char *option, const char *text, float most, float *out)
{
    if (text == NULL)
        return true;
    if (!vp_parse_float(command, option, text, out))
        return false;
    if (fabsf(*out) <= most)
        return true;
    return VP_REFUSE(command, "%s '%s' is not from %g to %g", option, text, (double)-most, (double)most);
}

/* What can be seen to be wrong with options that go together. */
static bool check(const texts *t)
{
    const size_t length = t->out != NULL ? strlen(t->out) : 0;
    const char *lonely = t->seed != NULL ? "--seed" : NULL;
    if (t->shape == NULL)
        vp_command_usage(command, "--shape SHAPE is missing");
    else if ((t->random != NULL) == (t->pose[0] != NULL))
        vp_command_usage(command, t->random != NULL ? "--random and --pose: one of the two" : "--pose X,Y,Z or --random N is missing");
    else if (t->random == NULL && lonely != NULL)
        vp_command_usage(command, "%s is for --random", lonely);
    else if (t->random != NULL && (t->triangles != NULL || t->out != NULL))
        vp_command_usage(command, "%s is for --pose", t->triangles != NULL ? "--triangles" : "-o");
    else if (t->out == NULL && (t->yaw != NULL || t->pitch != NULL))
        vp_command_usage(command, "%s is for a picture: -o FILE.png", t->yaw != NULL ? "--yaw" : "--pitch");
    else if (t->out != NULL && (length < 4 || strcmp(t->out + length - 4, ".png") != 0))
        vp_command_usage(command, "-o '%s' does not end with .png", t->out);
    else if (t->out != NULL && !vp_png_here())
        vp_command_usage(command, "writing a PNG needs libpng, and this build has none");
    else
        return true;
    return false;
}

static bool parse(const texts *t, vp_colliding *r)
{
    uint64_t count = 0;
    if (!check(t) || !vp_shape_parse(t->shape, &r->shape) || !parse_angle("--yaw", t->yaw, 3600, &r->yaw) ||
        !parse_angle("--pitch", t->pitch, 90, &r->pitch) ||
        (t->margin != NULL && !vp_parse_float(command, "--margin", t->margin, &r->def.margin)) ||
        (t->random != NULL && !vp_parse_u64(command, "--random", t->random, 1, 10000000, &count)) ||
        (t->seed != NULL && !vp_parse_u64(command, "--seed", t->seed, 0, INT64_MAX, &r->seed)))
        return false;
    if (r->def.margin < 0)
        return VP_REFUSE(command, "--margin '%s' is negative", t->margin);
    for (; t->pose[r->bodies] != NULL; r->bodies++)
        if (!vp_pose_parse(t->pose[r->bodies], &r->body[r->bodies].pose))
            return false;
    r->random = (uint32_t)count;
    r->out = t->out;
    r->look_around = t->yaw == NULL && t->pitch == NULL;
    r->def.whole = t->whole != NULL;
    r->triangles = t->triangles != NULL;
    return true;
}

/* ---- the command ---- */

static vp_status run(vp_colliding *r, const char *name, bool blocks, bool masks, vp_error *error)
{
    vp_status status = r->out != NULL ? vp_can_write(r->out, error) : VP_OK;
    if (status == VP_OK)
        status = vp_ground_open(name, blocks, masks, r->out, &r->ground, error);
    if (status == VP_OK)
        status = vp_shape_load(&r->shape, r->out, &r->ground.kernels, error);
    if (status == VP_OK)
        status = vp_collide_bodies(r, error);
    if (status == VP_OK && r->out != NULL)
        status = vp_collide_picture(r, error);
    return status;
}

static void drop(vp_colliding *r)
{
    for (uint32_t i = 0; i < r->bodies; i++)
        vp_collided_drop(&r->body[i]);
    vp_near_drop(&r->near);
    free(r->scratch.memory);
    vp_shape_drop(&r->shape);
    vp_ground_close(&r->ground);
    free(r);
}

int vp_command_collide(int argc, char **argv)
{
    texts t;
    const vp_option options[] = {
        {"--shape", "SHAPE", "what is collided", &t.shape},
        {"--pose", "POSE...", "where: X,Y,Z[,QX,QY,QZ,QW], its origin and a quaternion of any length; up to 64 times", t.pose},
        {"--margin", "M", "also tell of what is apart by so much (0)", &t.margin},
        {"--whole", NULL, "one manifold of all that a body touches, instead of one a chunk", &t.whole},
        {"--triangles", NULL, "also each triangle's own answer, the kernel's and corrected: the shape's part on the triangle's",
         &t.triangles},
        {"--random", "N", "instead: N bodies over triangles, turned anyhow, 1/50 to 1/5 of the radius behind the plane", &t.random},
        {"--seed", "N", "of --random (1)", &t.seed},
        {"--blocks", NULL, "take a world's voxels as blocks", &t.blocks},
        {"--no-masks", NULL, "of blocks: all six sides of each, as if none knew of another", &t.no_masks},
        {"-o", "FILE", "a picture of the first body, points and normals: FILE ends with .png", &t.out},
        {"--yaw", "DEG", "of the picture: direction to the camera, 0 is +z, 90 is +x (35, or where it sees the body)", &t.yaw},
        {"--pitch", "DEG", "of the picture: elevation, -90 to 90 (30, or likewise)", &t.pitch},
        {"--json", NULL, "print JSON", &t.json},
    };
    const vp_usage usage = {
        command,
        "WORLD|MESH --shape SHAPE --pose POSE|--random N [OPTION...]",
        "Collides a shape with the solid surface of a world (a data set's name, or a .vpw file), with a data set that\n"
        "is one mesh or solid, with a mesh file (.obj, .ply, .stl, .off, .gltf, .glb), or with blocks (a data set, or a\n"
        "folder of region files). It tells at most 4 points a chunk, the deepest first: depth, normal from the ground\n"
        "to the shape, the point, the triangle and its material, a number that stays while the same parts touch; if\n"
        "the origin is in a solid voxel of a world, the way out; and a digest of all manifolds, the same on every\n"
        "machine. A SHAPE is one of\n"
        "  sphere:R         box:X,Y,Z        whole sides\n"
        "  capsule:R,L      along y; L is the length of its segment, the whole is 2 R longer\n"
        "  cylinder:R,H     along y; H is its whole height\n"
        "  hull:FILE        the hull of a file's points, in the file's frame: .points, a mesh file, a data set of points",
        options,
        sizeof options / sizeof options[0],
        1,
        1};
    int count, code;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    vp_error error = {VP_E_MEMORY, "no memory"};
    vp_colliding *r = calloc(1, sizeof *r);
    if (r == NULL)
        return vp_command_fail(command, &error);
    r->seed = 1;
    r->yaw = 35;
    r->pitch = 30;
    code = VP_EXIT_USAGE;
    if (parse(&t, r)) {
        const vp_status status = run(r, argv[1], t.blocks != NULL, t.no_masks == NULL, &error);
        code = status != VP_OK ? vp_command_fail(command, &error) : t.json != NULL ? vp_collide_print_json(r) : vp_collide_print_text(r);
    }
    drop(r);
    return code;
}
