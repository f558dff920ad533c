/* SPDX-License-Identifier: MIT */
/* The output of voxphys-mesh-reader, which `voxphys` reads. First comes a head. If the head reports success, six
 * arrays follow: vertices (vp_vec3), corners of triangles (three uint32_t each), their materials (a byte each), their
 * nodes (a uint32_t each), the looks of these materials (vp_look), and the names of the nodes with triangles (48 bytes
 * each). The head has the counts. Both programs are from one build and run on one machine, so everything has its form
 * in memory.
 * Meshes are read in a process of their own because files are untrusted, and the large library that reads them was not
 * written for malicious ones. A crash, or excessive time or memory, becomes a message about the file. */
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
    char message[VP_ERROR_MESSAGE_BYTES]; /* error, or warning if any. It does not name the file */
    uint32_t vertices, triangles, materials, parts;
    uint64_t points, lines; /* elements that were left out */
} vp_wire_head;

/* Whether a name ends with `end`, in any case, and has characters before it. `end` is lower-case. */
static inline bool vp_name_ends(const char *name, const char *end)
{
    size_t length = strlen(name), size = strlen(end), same = 0;
    while (length > size && same < size && (name[length - size + same] == end[same] || (name[length - size + same] | 0x20) == end[same]))
        same++;
    return same == size;
}

#endif
