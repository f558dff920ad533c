/* SPDX-License-Identifier: MIT */
#include "tools/sources/materials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/automaton.h>
#include <voxphys/world.h>

#include "datasets/generate/generate.h"

/* A piece of a name, and its colour. The first piece that is in a name counts. */
typedef struct hue {
    const char *piece;
    uint8_t colour[3];
} hue;

static const hue colours[] = {
    {"water", {52, 104, 178}},        {"lava", {207, 81, 24}},
    {"snow", {238, 243, 248}},        {"ice", {184, 216, 240}},
    {"coal", {68, 68, 70}},           {"iron", {172, 132, 108}},
    {"copper", {186, 112, 66}},       {"tin", {190, 194, 190}},
    {"gold", {214, 178, 60}},         {"diamond", {126, 208, 210}},
    {"mese", {214, 204, 46}},         {"dry_grass", {172, 152, 86}},
    {"rainforest", {92, 74, 44}},     {"dirt_with_grass", {98, 142, 62}},
    {"leaves", {58, 108, 44}},        {"needles", {44, 88, 54}},
    {"grass", {98, 142, 62}},         {"moss", {92, 108, 84}},
    {"dry_dirt", {150, 116, 82}},     {"dirt", {118, 86, 58}},
    {"soil", {118, 86, 58}},          {"deep_stone", {84, 84, 92}},
    {"sandstone", {206, 190, 142}},   {"silver_sand", {198, 196, 188}},
    {"desert_sand", {208, 166, 104}}, {"sand", {214, 200, 150}},
    {"gravel", {134, 128, 124}},      {"clay", {172, 176, 186}},
    {"cobble", {122, 120, 118}},      {"brick", {158, 88, 74}},
    {"obsidian", {30, 28, 42}},       {"stone", {130, 130, 132}},
    {"rock", {130, 130, 132}},        {"tree", {100, 76, 48}},
    {"wood", {158, 120, 74}},         {"chest", {158, 120, 74}},
    {"cactus", {86, 128, 66}},        {"glass", {206, 226, 232}},
};

/* What an automaton grew: first of all, for these names have others in them. Where they are not told otherwise, its species from
   VP_AUTOMATON_BEETLE on are materials from VP_GROWN on. */
static const hue grown[VP_AUTOMATON_BUILTIN_TYPES - VP_AUTOMATON_BEETLE] = {
    {"grown:beetle", {40, 36, 32}}, {"grown:ant", {92, 32, 24}},        {"grown:firefly", {248, 232, 96}}, {"grown:needle", {38, 80, 50}},
    {"grown:leaf", {86, 124, 44}},  {"grown:blossom", {232, 168, 188}}, {"grown:redwood", {128, 62, 42}},  {"grown:pine", {112, 84, 62}},
    {"grown:oak", {112, 92, 72}},   {"grown:cherry", {104, 72, 64}},
};

/* Of generated terrain and of forests. */
static const struct {
    uint8_t material;
    const char *name;
} generated[] = {
    {VP_AIR, "air"},           {VP_WATER, "water"},       {VP_STONE, "stone"},           {VP_DIRT, "dirt"},
    {VP_GRASS, "grass"},       {VP_SAND, "sand"},         {VP_GRAVEL, "gravel"},         {VP_SNOW, "snow"},
    {VP_COAL_ORE, "coal_ore"}, {VP_IRON_ORE, "iron_ore"}, {VP_DEEP_STONE, "deep_stone"},
};

/* A colour for what nobody knows, another one for each number: a walk around the grey axis. */
static void unknown_colour(uint32_t material, uint8_t colour[3])
{
    static const uint8_t wheel[6][3] = {{176, 112, 104}, {168, 152, 96},  {112, 160, 104},
                                        {104, 156, 160}, {112, 124, 172}, {160, 112, 160}};
    for (int i = 0; i < 3; i++)
        colour[i] = (uint8_t)(wheel[material % 6][i] - material / 6 % 7 * 10);
}

static bool find_colour(const char *name, const hue *hues, size_t count, uint8_t colour[3])
{
    for (size_t i = 0; i < count; i++)
        if (strstr(name, hues[i].piece) != NULL) {
            memcpy(colour, hues[i].colour, 3);
            return true;
        }
    return false;
}

static void set_look(vp_looks *looks, uint32_t material, const char *name, size_t length)
{
    vp_look *look = &looks->of[material];
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:.-";
    if (length >= sizeof look->name)
        length = sizeof look->name - 1;
    for (size_t i = 0; i < length; i++)
        look->name[i] = strchr(allowed, name[i]) != NULL && name[i] != '\0' ? name[i] : '_';
    look->name[length] = '\0';
    look->clear = material == VP_WATER;
    if (!find_colour(look->name, grown, sizeof grown / sizeof grown[0], look->colour) &&
        !find_colour(look->name, colours, sizeof colours / sizeof colours[0], look->colour))
        unknown_colour(material, look->colour);
}

/* The lines of an importer's note. @return whether it has any */
static int read_note(const char *note, vp_looks *looks)
{
    const char *line = note != NULL ? strstr(note, "material, nodes, name:\n") : NULL;
    int found = 0;
    for (line = line != NULL ? strchr(line, '\n') : NULL; line != NULL; line = strchr(line, '\n')) {
        char *end;
        unsigned long material = strtoul(++line, &end, 10);
        if (end == line || *end != ' ' || material > 255)
            continue;
        const char *name = strchr(end + 1, ' ');
        size_t rest = strcspn(line, "\n");
        if (name == NULL || name >= line + rest)
            continue;
        set_look(looks, (uint32_t)material, name + 1, (size_t)(line + rest - (name + 1)));
        found++;
    }
    return found;
}

void vp_looks_of(const char *note, vp_looks *out)
{
    char name[24];
    for (uint32_t m = 0; m < 256; m++) {
        snprintf(name, sizeof name, "material-%u", m);
        set_look(out, m, name, strlen(name));
    }
    set_look(out, VP_AIR, "air", 3);
    set_look(out, VP_WATER, "water", 5);
    if (read_note(note, out) != 0)
        return;
    for (size_t i = 0; i < sizeof generated / sizeof generated[0]; i++)
        set_look(out, generated[i].material, generated[i].name, strlen(generated[i].name));
    for (uint32_t i = 0; i < sizeof grown / sizeof grown[0]; i++)
        set_look(out, VP_GROWN + i, grown[i].piece, strlen(grown[i].piece));
}
