/* SPDX-License-Identifier: MIT */
/* `voxphys collide` contacts of a shape with a terrain, a mesh, or blocks. */
#include <stdlib.h>

#include "host/png_write.h"
#include "host/program.h"
#include "host/system.h"
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
        return VP_REFUSE(command, posed ? "--random and --pose exclude each other" : "--pose X,Y,Z or --random N is missing");
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
        return VP_REFUSE(command, "--margin '%s': must be >= 0", vp_given(line, "--margin"));
    return true;
}

/* ---- the command ---- */

static vp_status run(vp_colliding *r, const char *name, bool blocks, bool masks, vp_error *error)
{
    VP_RETURN_IF_FAILED(r->out != NULL ? vp_can_write(r->out, error) : VP_OK);
    VP_RETURN_IF_FAILED(vp_ground_open(name, blocks, masks, r->out, &r->ground, error));
    VP_RETURN_IF_FAILED(vp_shape_load(&r->shape, r->out, &r->ground.kernels, error));
    VP_RETURN_IF_FAILED(vp_collide_bodies(r, error));
    if (r->out != NULL)
        VP_RETURN_IF_FAILED(vp_collide_picture(r, error));
    return VP_OK;
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
        VP_GROUP("Shape and poses"),
        {"--shape", "SHAPE", "required: the shape, see above", VP_TEXT(&shape)},
        {"--pose", "POSE...", "X,Y,Z[,QX,QY,QZ,QW]: origin, in voxels, and a quaternion of any length; up to 64 times", VP_MANY(pose)},
        {"--random", "N", "collide N bodies at random poses instead, sunk into triangles by 1/50 to 1/5 of the radius, 1 to 10000000",
         VP_U32(&r->random, 1, 10000000)},
        {"--seed", "N", "with --random: seed, from 0 (default 1)", VP_U64(&r->seed, 0, INT64_MAX)},
        VP_GROUP("Contacts"),
        {"--margin", "M", "report contacts up to M apart, in voxels, from 0 (default 0)", VP_FLOAT(&r->def.margin)},
        {"--whole", NULL, "reduce the contacts of all chunks together, instead of chunk by chunk", VP_FLAG(&r->whole)},
        {"--triangles", NULL, "with --pose: print each triangle's contact, raw and corrected", VP_FLAG(&r->triangles)},
        {"--blocks", NULL, "collide a world's voxels as blocks", VP_FLAG(&blocks)},
        {"--no-masks", NULL, "for blocks: collide hidden faces too (shows ghost contacts)", VP_FLAG(&no_masks)},
        VP_GROUP("Output"),
        {"-o", "FILE", "write a picture of the first body, its contact points and normals; FILE ends with .png", VP_TEXT(&r->out)},
        {"--yaw", "DEG", "direction to the camera in degrees, 0 is +z, 90 is +x, -3600 to 3600 (default 35, or where it sees the body)",
         VP_WITHIN(&r->yaw, -3600, 3600)},
        {"--pitch", "DEG", "elevation of the camera in degrees, -90 to 90 (default 30, or where it sees the body)",
         VP_WITHIN(&r->pitch, -90, 90)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line = VP_COMMAND_LINE(
        command, "WORLD|MESH --shape SHAPE --pose POSE|--random N [OPTION...]", 1, 1, arguments,
        "Collide a shape with a terrain, a mesh or blocks, and print the contact manifolds.\n"
        "WORLD is a data set's name, a .vpw file, or, for blocks, a data set or a folder of region files. MESH is a data\n"
        "set of one mesh or solid, or a mesh file (.obj, .ply, .stl, .off, .gltf, .glb). Each chunk has manifolds of up to\n"
        "4 directions, with up to 4 points each, deepest first. A point has a depth, a normal from the ground to the\n"
        "shape, a position, the triangle and its material, and an id that persists while the same features touch.\n"
        "If the origin is in a solid voxel, prints the way out. The digest is the same on every machine. A SHAPE is one of\n"
        "  sphere:R         R is the radius, in voxels\n"
        "  box:X,Y,Z        full side lengths\n"
        "  capsule:R,L      along y; L is the length of its segment, the capsule is L + 2 R long\n"
        "  cylinder:R,H     along y; H is the full height\n"
        "  hull:FILE        hull of the points of a .points file, a mesh file or a data set, in their frame\n\n"
        "Example: voxphys collide terrain-l2 --shape box:2,2,2 --pose 20,32,20 --triangles");
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
