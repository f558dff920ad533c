/* SPDX-License-Identifier: MIT */
/* voxphys collide: contacts of a shape with a terrain, a mesh, or blocks. */
#include <stdlib.h>

#include "host/png_write.h"
#include "host/program.h"
#include "host/writable.h"
#include "src/core/error.h"
#include "tools/collide/collide.h"
#include "tools/commands.h"

static const char command[] = "collide";

/* ---- options ---- */

/* Checks combinations of options. */
static bool check(const vp_command_line *line, const vp_colliding *r, const char *shape, bool posed)
{
    const char *const yaw = vp_given(line, "--yaw");
    if (shape == NULL)
        return VP_REFUSE(command, "--shape SHAPE is missing");
    if ((r->random != 0) == posed)
        return VP_REFUSE(command, posed ? "--random and --pose: one of the two" : "--pose X,Y,Z or --random N is missing");
    if (r->random == 0 && vp_given(line, "--seed") != NULL)
        return VP_REFUSE(command, "--seed is for --random");
    if (r->random != 0 && (r->triangles || r->out != NULL))
        return VP_REFUSE(command, "%s is for --pose", r->triangles ? "--triangles" : "-o");
    if (r->out == NULL && !r->look_around)
        return VP_REFUSE(command, "%s is for a picture: -o FILE.png", yaw != NULL ? "--yaw" : "--pitch");
    if (r->out != NULL && !vp_ends(r->out, ".png"))
        return VP_REFUSE(command, "-o '%s' does not end with .png", r->out);
    if (r->out != NULL && !vp_png_here())
        return VP_REFUSE(command, "writing a PNG needs libpng, and this build has none");
    if (r->def.margin < 0)
        return VP_REFUSE(command, "--margin '%s' is negative", vp_given(line, "--margin"));
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
}

int vp_command_collide(int argc, char **argv)
{
    static vp_colliding run_of = {.seed = 1, .yaw = 35, .pitch = 30};
    vp_colliding *const r = &run_of;
    const char *shape, *pose[VP_OPTION_MANY + 1];
    bool blocks, no_masks, json;
    const vp_argument arguments[] = {
        {"--shape", "SHAPE", "what is collided", VP_TEXT(&shape)},
        {"--pose", "POSE...", "where: X,Y,Z[,QX,QY,QZ,QW], its origin and a quaternion of any length; up to 64 times", VP_MANY(pose)},
        {"--margin", "M", "also tell of what is apart by so much (0)", VP_FLOAT(&r->def.margin)},
        {"--whole", NULL, "manifolds of all touched chunks together, instead of manifolds of each chunk", VP_FLAG(&r->def.whole)},
        {"--triangles", NULL, "also each triangle's own answer, the kernel's and corrected: the shape's part on the triangle's",
         VP_FLAG(&r->triangles)},
        {"--random", "N", "instead: N bodies over triangles, turned anyhow, 1/50 to 1/5 of the radius behind the plane",
         VP_U32(&r->random, 1, 10000000)},
        {"--seed", "N", "of --random (1)", VP_U64(&r->seed, 0, INT64_MAX)},
        {"--blocks", NULL, "take a world's voxels as blocks", VP_FLAG(&blocks)},
        {"--no-masks", NULL, "of blocks: all six sides of each, as if none knew of another", VP_FLAG(&no_masks)},
        {"-o", "FILE", "a picture of the first body, points and normals: FILE ends with .png", VP_TEXT(&r->out)},
        {"--yaw", "DEG", "of the picture: direction to the camera, 0 is +z, 90 is +x (35, or where it sees the body)",
         VP_WITHIN(&r->yaw, -3600, 3600)},
        {"--pitch", "DEG", "of the picture: elevation, -90 to 90 (30, or likewise)", VP_WITHIN(&r->pitch, -90, 90)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE(command, "WORLD|MESH --shape SHAPE --pose POSE|--random N [OPTION...]", 1, 1, arguments,
                        "Collides a shape with the solid surface of a world (a data set's name, or a .vpw file), with a data set that\n"
                        "is one mesh or solid, with a mesh file (.obj, .ply, .stl, .off, .gltf, .glb), or with blocks (a data set, or a\n"
                        "folder of region files). Prints manifolds: for each chunk up to 4 directions, for each direction up to 4 points,\n"
                        "the deepest first: depth, normal from the ground to the shape, the point, the triangle and its material, an id\n"
                        "that stays while the same features touch. If the origin is in a solid voxel of a world, prints the way out.\n"
                        "Prints a digest of all manifolds, the same on every machine. A SHAPE is one of\n"
                        "  sphere:R         box:X,Y,Z        whole sides\n"
                        "  capsule:R,L      along y; L is the length of its segment, the whole is 2 R longer\n"
                        "  cylinder:R,H     along y; H is its whole height\n"
                        "  hull:FILE        the hull of a file's points, in the file's frame: .points, a mesh file, a data set of points");
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    r->look_around = vp_given(&line, "--yaw") == NULL && vp_given(&line, "--pitch") == NULL;
    if (!check(&line, r, shape, pose[0] != NULL) || !vp_shape_parse(shape, &r->shape))
        return VP_EXIT_USAGE;
    for (; pose[r->bodies] != NULL; r->bodies++)
        if (!vp_pose_parse(pose[r->bodies], &r->body[r->bodies].pose))
            return VP_EXIT_USAGE;
    int code = run(r, argv[1], blocks, !no_masks, &error) != VP_OK ? vp_command_fail(command, &error)
               : json                                              ? vp_collide_print_json(r)
                                                                   : vp_collide_print_text(r);
    drop(r);
    return code;
}
