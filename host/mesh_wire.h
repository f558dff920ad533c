/* SPDX-License-Identifier: MIT */
/* What the program voxphys-mesh-reader writes to its standard output, and `voxphys` reads: a head; and if the head says
 * that the file was read, behind it the vertices (vp_vec3), the triangles' corners (three uint32_t each), their materials
 * (a byte each), the nodes that have them (a uint32_t each) and the looks of these materials (vp_look), each as many as the head says. The
 * two programs are of one build and run on one machine, so that everything is in the form that it has in memory.
 *
 * Meshes are read in a process of its own because they come from anywhere, and the library that reads them is large and
 * was not written for files that are made to do harm: if it crashes, or asks for too much time or memory, that is a
 * message about the file. */
#ifndef VP_HOST_MESH_WIRE_H
#define VP_HOST_MESH_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/status.h>

#define VP_MESH_READER "voxphys-mesh-reader"

enum { VP_WIRE_MAGIC = 0x766d7231 };

typedef struct vp_wire_head {
    uint32_t magic;                       /* VP_WIRE_MAGIC */
    uint32_t status;                      /* a vp_status */
    char message[VP_ERROR_MESSAGE_BYTES]; /* of a failure, or else a warning, if any; it does not name the file */
    uint32_t vertices, triangles, materials;
    uint64_t points, lines; /* that were left out */
} vp_wire_head;

/* Whether a name ends so, in small or capital letters, and begins with something else. `end` is in small ones. */
static inline bool vp_name_ends(const char *name, const char *end)
{
    size_t length = strlen(name), size = strlen(end), same = 0;
    while (length > size && same < size && (name[length - size + same] == end[same] || (name[length - size + same] | 0x20) == end[same]))
        same++;
    return same == size;
}

#endif
