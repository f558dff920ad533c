/* SPDX-License-Identifier: MIT */
/* Decodes one block of a Luanti map. The engine's own doc/world_format.txt describes the bytes, and docs/FORMATS.md the
   parts that are read. */
#ifndef VP_IMPORT_LUANTI_BLOCK_H
#define VP_IMPORT_LUANTI_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/memory.h>
#include <voxphys/status.h>

enum { VP_LUANTI_EDGE = 16, VP_LUANTI_NODES = 4096, VP_LUANTI_NAME_BYTES = 256 };

/* A name, and its number in a block. */
typedef struct vp_luanti_name {
    uint16_t id;
    char name[VP_LUANTI_NAME_BYTES]; /* printable ASCII */
} vp_luanti_name;

/* A map block of 16^3 nodes, node (x, y, z) at (z*16 + y)*16 + x. */
typedef struct vp_luanti_block {
    uint16_t node[VP_LUANTI_NODES]; /* indices into `name` */
    vp_allocator allocator;         /* allocator of `name` */
    vp_luanti_name *name;
    uint32_t name_count;
    size_t unpacked; /* bytes that were unpacked */
} vp_luanti_block;

/* Decodes a block of version 25 to 29. The allocator is that of the names and of all work memory.
   returns VP_E_FORMAT, VP_E_MEMORY, VP_E_UNSUPPORTED (built without zlib or zstd) */
vp_status vp_luanti_block_decode(const void *bytes, size_t size, const vp_allocator *allocator, vp_luanti_block *out, vp_error *error);
void vp_luanti_block_destroy(vp_luanti_block *block);

#endif
