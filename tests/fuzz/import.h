/* SPDX-License-Identifier: MIT */
/* Checks that all targets of in-memory importers share. */
#ifndef TEST_FUZZ_IMPORT_H
#define TEST_FUZZ_IMPORT_H

#include "tests/fuzz/fuzz.h"

#include <voxphys/import.h>

typedef vp_status fuzz_importer(const void *, size_t, const vp_import_def *, vp_world **, vp_blob *, vp_error *);

static inline void fuzz_import(fuzz_importer *import, const uint8_t *bytes, size_t size, vp_import_def options)
{
    vp_allocator allocator = fuzz_allocator();
    vp_world *world = NULL;
    vp_blob note = {0};
    vp_error error;
    options.allocator = &allocator;
    vp_status status = import(bytes, size, &options, &world, &note, &error);
    FUZZ_CHECK((status == VP_OK) == (world != NULL) && (status == VP_OK) == (note.bytes != NULL));
    FUZZ_CHECK(error.status == status && (status == VP_OK || error.message[0] != '\0'));
    if (status == VP_OK) {
        /* Every voxel that is not air is partly full, and air is empty. */
        vp_dims s = vp_world_size(world);
        const uint8_t *material = vp_world_bricks(world).material, *occupancy = vp_world_occupancy(world);
        for (size_t i = 0; i < (size_t)s.x * s.y * s.z; i++)
            FUZZ_CHECK(material[i] != VP_AIR || occupancy[i] == 0);
    }
    vp_world_destroy(world);
    vp_blob_destroy(&note);
}

#endif
