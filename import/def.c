/* SPDX-License-Identifier: MIT */
#include "import/def.h"

#include "src/core/error.h"

vp_import_def vp_import_defaults(void)
{
    return (vp_import_def){
        .format = VP_IMPORT_AUTO,
        .heights = {.height_scale = 1, .soil_depth = 3, .top_material = 4, .soil_material = 3, .rock_material = 2},
    };
}

vp_import_def vp_import_def_or_default(const vp_import_def *def)
{
    return def != NULL ? *def : vp_import_defaults();
}

static uint32_t whole_chunks(uint32_t voxels)
{
    return voxels <= VP_CHUNK_EDGE ? VP_CHUNK_EDGE : (voxels + VP_CHUNK_EDGE - 1) / VP_CHUNK_EDGE * VP_CHUNK_EDGE;
}

static vp_dims world_size(vp_dims size)
{
    return (vp_dims){whole_chunks(size.x), whole_chunks(size.y), whole_chunks(size.z)};
}

vp_status vp_import_check_size(const vp_import_def *def, vp_dims size, vp_error *error)
{
    size = world_size(size);
    const uint64_t voxels = (uint64_t)size.x * size.y * size.z;
    if (def->max_voxels != 0 && voxels > def->max_voxels)
        return vp_fail(error, VP_E_LIMIT, "a world of %u x %u x %u has %llu voxels; max_voxels is %llu", size.x, size.y, size.z,
                       (unsigned long long)voxels, (unsigned long long)def->max_voxels);
    return VP_OK;
}

vp_status vp_import_create_world(const vp_import_def *def, vp_dims size, vp_world **out, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_import_check_size(def, size, error));
    return vp_world_create(&(vp_world_def){world_size(size), def->allocator}, out, error);
}
