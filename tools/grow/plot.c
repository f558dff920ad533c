/* SPDX-License-Identifier: MIT */
/* The world to grow in: its materials, and their names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "datasets/generate/generate.h"
#include "host/program.h"
#include "tools/grow/grow.h"

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
