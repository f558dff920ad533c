/* SPDX-License-Identifier: MIT */
/* Places of seeds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/bytes.h"
#include "tools/grow/grow.h"
#include "datasets/generate/generate.h"

/* The y above the highest solid voxel of a column. */
static int32_t top_of(const vp_world *world, int32_t x, int32_t z)
{
    int32_t y = (int32_t)vp_world_size(world).y;
    while (y > 0 && vp_world_voxel(world, (vp_ivec3){x, y - 1, z}).material < VP_FIRST_SOLID)
        y--;
    return y;
}

static vp_status add(vp_seeds *seeds, size_t *room, vp_seed seed, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_grow_array(&seeds->seed, room, seeds->count + 1, sizeof seed, "seeds", error));
    seeds->seed[seeds->count++] = seed;
    seeds->highest = seed.at.y > seeds->highest ? seed.at.y : seeds->highest;
    return VP_OK;
}

/* Plants one seed in a block of columns. A hash of seed and block selects the column and the species. Blocks at the far
   edges extend past the world, and a column there has no seed. */
static vp_status sow_block(const vp_world *world, vp_dims columns, const vp_planting *p, uint64_t hash, uint32_t x0, uint32_t z0,
                           vp_seeds *out, size_t *room, vp_error *error)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    const uint32_t x = x0 + (uint32_t)((hash & UINT32_MAX) * p->every >> 32), z = z0 + (uint32_t)((hash >> 32) * p->every >> 32);
    const uint32_t which = (uint32_t)((vp_mix64(hash + golden) >> 32) * p->types >> 32);
    if (x >= columns.x || z >= columns.z)
        return VP_OK;
    const vp_ivec3 at = {(int32_t)x, top_of(world, (int32_t)x, (int32_t)z), (int32_t)z};
    if (at.y == 0)
        out->bare++;
    else if (vp_world_voxel(world, at).material != VP_AIR)
        out->flooded++;
    else
        return add(out, room, (vp_seed){at, p->type[which], p->wait}, error);
    return VP_OK;
}

vp_status vp_seeds_make(const vp_world *world, vp_dims columns, const vp_planting *planting, size_t count, uint64_t seed, vp_seeds *out,
                        vp_error *error)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    size_t room = 0;
    vp_status status = VP_OK;
    *out = (vp_seeds){.highest = -1};
    for (size_t i = 0; i < count && status == VP_OK; i++) {
        const vp_planting *p = &planting[i];
        if (p->every == 0) {
            vp_ivec3 at = p->at;
            if (at.y < 0)
                at.y = top_of(world, at.x, at.z);
            status = add(out, &room, (vp_seed){at, p->type[0], p->wait}, error);
            continue;
        }
        const uint64_t base = vp_mix64(vp_mix64(seed + golden) + i * golden);
        uint64_t block = 0;
        for (uint32_t z = 0; z < columns.z && status == VP_OK; z += p->every)
            for (uint32_t x = 0; x < columns.x && status == VP_OK; x += p->every)
                status = sow_block(world, columns, p, vp_mix64(base ^ ++block * golden), x, z, out, &room, error);
    }
    return status;
}

void vp_seeds_drop(vp_seeds *seeds)
{
    free(seeds->seed);
    seeds->seed = NULL;
}

/* The world to grow in: its materials, and their names. */

static bool has_no_name(const vp_look *look)
{
    return strncmp(look->name, "material-", 9) == 0;
}

vp_status vp_plot_materials(vp_plot *plot, const vp_spec *spec, vp_error *error)
{
    uint64_t count[256];
    vp_looks looks;
    int next = VP_GENERATED_MATERIALS;
    vp_count_materials(plot->world, count);
    vp_looks_of((const char *)plot->note.bytes, &looks);
    for (int type = 0; type < 128; type++)
        plot->laying.material[type] = VP_AUTOMATON_MAP_NOTHING;
    plot->laying.material[VP_CELL_EMPTY] = VP_AIR;
    for (uint32_t i = 0; i < spec->species_count; i++) {
        const vp_automaton_species *s = &spec->species[i];
        const vp_material_name name = vp_grown_name(spec, s->type);
        int material = VP_FIRST_SOLID;
        if (s->rule == NULL)
            continue;
        while (material < 256 && strcmp(looks.of[material].name, name.text) != 0)
            material++;
        for (; material == 256 && next < 256; next++)
            if (count[next] == 0 && has_no_name(&looks.of[next]))
                material = next;
        if (material == 256)
            return vp_fail(error, VP_E_ARGUMENT, "the world has no material left for species \"%s\": all 256 have voxels or names",
                           s->name);
        plot->laying.material[s->type] = (uint16_t)material;
    }
    return VP_OK;
}

/* Whether a note names a material. */
static bool has_line(const char *lines, int material)
{
    char start[16];
    snprintf(start, sizeof start, "\n%d ", material);
    return lines != NULL && strstr(lines, start) != NULL;
}

vp_status vp_plot_note(const vp_plot *plot, const vp_spec *spec, const char *source, char **out, vp_error *error)
{
    static const char heading[] = "material, nodes, name:\n";
    const char *old = (const char *)plot->note.bytes, *lines = old != NULL ? strstr(old, heading) : NULL;
    uint64_t count[256];
    vp_looks looks;
    char shown[512]; /* UTF-8, even if the file's name is not */
    const size_t old_bytes = old != NULL ? strlen(old) : 0, room = old_bytes + sizeof shown + 256 * 96 + 128;
    char *text = malloc(room);
    if (text == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a note");
    vp_escape(source, shown, sizeof shown);
    vp_count_materials(plot->world, count);
    vp_looks_of(old, &looks);
    for (uint32_t i = 0; i < spec->species_count; i++)
        if (plot->laying.material[spec->species[i].type] < 256)
            snprintf(looks.of[plot->laying.material[spec->species[i].type]].name, sizeof looks.of[0].name, "%s",
                     vp_grown_name(spec, spec->species[i].type).text);
    size_t size = (size_t)snprintf(text, room, "%s", old != NULL ? old : "");
    if (size > 0 && text[size - 1] != '\n')
        text[size++] = '\n';
    if (lines == NULL)
        size += (size_t)snprintf(text + size, room - size, "grown by voxphys grow on %s\n%s", shown, heading);
    for (int m = VP_WATER; m < 256; m++)
        if (count[m] != 0 && !has_line(lines, m) && !has_no_name(&looks.of[m]))
            size += (size_t)snprintf(text + size, room - size, "%d %" PRIu64 " %s\n", m, count[m], looks.of[m].name);
    text[size] = '\0';
    *out = text;
    return VP_OK;
}
