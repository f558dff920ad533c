/* SPDX-License-Identifier: MIT */
/* Classes of Luanti nodes by name, because a map holds no other properties. The names are from the games that come with
   the engine. Other names are solid. */
#include "import/luanti_names.h"

#include <stdbool.h>

#include <voxphys/world.h>

/* The first pattern that matches decides. '*' matches any number of bytes. */
static const struct {
    const char *pattern;
    uint8_t class;
} classes[] = {
    {"air", VP_AIR},
    {"ignore", VP_AIR}, /* not generated yet */
    {"vacuum*", VP_AIR},
    /* plants without collision, before water because of the water lily */
    {"flowers:*", VP_AIR},
    {"*:grass_*", VP_AIR},
    {"*:dry_grass_*", VP_AIR},
    {"*:junglegrass", VP_AIR},
    {"*:marram_grass_*", VP_AIR},
    {"*:fern_*", VP_AIR},
    {"*:dry_shrub", VP_AIR},
    {"*:papyrus", VP_AIR},
    {"*sapling", VP_AIR},
    {"farming:*_1", VP_AIR},
    {"farming:*_2", VP_AIR},
    {"farming:*_3", VP_AIR},
    {"farming:*_4", VP_AIR},
    {"farming:*_5", VP_AIR},
    {"farming:*_6", VP_AIR},
    {"farming:*_7", VP_AIR},
    {"farming:*_8", VP_AIR},
    {"farming:cotton_wild", VP_AIR},
    {"butterflies:*", VP_AIR},
    {"fireflies:*", VP_AIR},
    /* attached objects */
    {"*torch*", VP_AIR},
    {"*:ladder_*", VP_AIR},
    {"*:sign_wall_*", VP_AIR},
    {"*rail", VP_AIR},
    {"fire:*", VP_AIR},
    /* liquids */
    {"*water_source", VP_WATER},
    {"*water_flowing", VP_WATER},
    {"*lava_source", VP_WATER}, /* water is the only liquid */
    {"*lava_flowing", VP_WATER},
};

/* Returns whether `text` matches `pattern`. Backtracking to the last '*' is enough. */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL, *resume = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

uint8_t vp_luanti_class(const char *name)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (matches(classes[i].pattern, name))
            return classes[i].class;
    return VP_FIRST_SOLID;
}
