/* SPDX-License-Identifier: MIT */
/* Files of species and plantings. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "datasets/hash.h"
#include "tools/grow/grow.h"
#include "tools/sources/json_file.h"

enum { FILE_BYTES = 16 << 20, MOST_GROUND = 255 };

/* ---- numbers of a species ---- */

/* One or more integers of a species, with offset and size in bytes. */
typedef struct spec_number {
    const char *name;
    size_t offset;
    size_t bytes;
    uint32_t count;
    int32_t low, high;
    bool ascends;
} spec_number;

#define OF(member)   offsetof(vp_spec_species, member), sizeof(((vp_spec_species *)0)->member)
#define LIST(member) offsetof(vp_spec_species, member), sizeof(((vp_spec_species *)0)->member[0])

static const spec_number of_beetle[] = {{"strength", OF(species.strength), 1, 0, 255, false},
                                        {"interval", OF(species.interval), 1, 0, 65535, false},
                                        {NULL, 0, 0, 0, 0, 0, false}};
static const spec_number of_leaf[] = {{"strength", OF(species.strength), 1, 0, 255, false},
                                      {"interval", OF(species.interval), 1, 0, 65535, false},
                                      {"end", OF(leaf.end), 1, 0, 4096, false},
                                      {"radius", OF(leaf.radius), 1, 0, 1024, false},
                                      {NULL, 0, 0, 0, 0, 0, false}};
static const spec_number of_tree[] = {{"strength", OF(species.strength), 1, 0, 255, false},
                                      {"height", LIST(tree.height), 2, 1, 400, true},
                                      {"lean", OF(tree.lean), 1, 0, 100, false},
                                      {"germination", OF(tree.germination), 1, 1, 65535, false},
                                      {"interval", LIST(tree.interval), 2, 1, 65535, true},
                                      {"patience", OF(tree.patience), 1, 0, 65535, false},
                                      {"width", LIST(tree.width), VP_TREE_LEVELS, 0, 256, false},
                                      {"taper", LIST(tree.taper), VP_TREE_LEVELS, 0, 32, false},
                                      {"flare", OF(tree.flare), 1, 0, 256, false},
                                      {"from", LIST(tree.from), VP_TREE_LEVELS, 0, 100, false},
                                      {"chance", LIST(tree.chance), VP_TREE_LEVELS, 0, 100, false},
                                      {"radius", LIST(tree.radius), VP_TREE_LEVELS, 0, 1024, false},
                                      {"top", OF(tree.top), 1, 0, VP_TREE_LEVELS - 1, false},
                                      {"branch", LIST(tree.branch), 2, 1, 100, true},
                                      {NULL, 0, 0, 0, 0, 0, false}};

static bool is_tree(const vp_automaton_species *s)
{
    return s->rule == vp_automaton_rule_redwood || s->rule == vp_automaton_rule_oak;
}

static const spec_number *numbers_of(const vp_automaton_species *like)
{
    return is_tree(like) ? of_tree : like->rule == vp_automaton_rule_leaf ? of_leaf : of_beetle;
}

/* Reads a number. All are above -1 and have at most 32 bits. */
static uint32_t get_number(const vp_spec_species *s, const spec_number *n, uint32_t i)
{
    const uint8_t *at = (const uint8_t *)s + n->offset + i * n->bytes;
    uint16_t two = 0;
    uint32_t four = 0;
    if (n->bytes == 1)
        return *at;
    if (n->bytes == sizeof four)
        memcpy(&four, at, sizeof four);
    else
        memcpy(&two, at, sizeof two);
    return n->bytes == sizeof four ? four : two;
}

static void put_number(vp_spec_species *s, const spec_number *n, uint32_t i, uint32_t value)
{
    uint8_t *at = (uint8_t *)s + n->offset + i * n->bytes;
    const uint16_t two = (uint16_t)value;
    if (n->bytes == 1)
        *at = (uint8_t)value;
    else
        memcpy(at, n->bytes == 4 ? (const void *)&value : (const void *)&two, n->bytes);
}

static vp_status read_number(const vp_json_place *p, const json_t *value, const spec_number *n, vp_spec_species *out)
{
    int64_t v = 0, before = 0;
    if (n->count > 1 && (!json_is_array(value) || json_array_size(value) != n->count))
        return vp_json_wrong(p, "\"%s\" is %s, not a list of %u numbers", n->name, vp_json_show(value).text, n->count);
    for (uint32_t i = 0; i < n->count; i++) {
        VP_RETURN_IF_FAILED(vp_json_whole(p, n->name, n->count > 1 ? json_array_get(value, i) : value, n->low, n->high, &v));
        if (n->ascends && v < before)
            return vp_json_wrong(p, "\"%s\" is %s: it must ascend", n->name, vp_json_show(value).text);
        before = v;
        put_number(out, n, i, (uint32_t)v);
    }
    return VP_OK;
}

/* ---- species ---- */

static bool is_name(const char *text)
{
    return text[0] != '\0' && strlen(text) < VP_SPECIES_NAME_BYTES && text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

/* Reads a member that names a species of a kind. */
static vp_status read_species_name(const vp_json_place *p, const vp_spec *spec, const char *member, const json_t *value,
                                   const vp_automaton_species **out)
{
    const char *name = json_string_value(value);
    *out = name != NULL ? vp_automaton_species_named(spec->species, spec->species_count, name) : NULL;
    if (value == NULL)
        return vp_json_wrong(p, "\"%s\" is missing", member);
    if (*out == NULL || (*out)->rule == NULL)
        return vp_json_wrong(p, "\"%s\" is %s: must be the name of a living species", member, vp_json_show(value).text);
    return VP_OK;
}

/* A revision derived from the numbers, so that a state is read only with the numbers that wrote it. Revisions of
   built-in species are below 0x8000. */
static uint16_t revision_of(const vp_spec_species *s)
{
    uint32_t word[64], count = 0;
    word[count++] = s->like->type;
    word[count++] = s->like->revision;
    word[count++] = s->tree.leaf;
    word[count++] = s->tree.leaf_end;
    for (const spec_number *n = numbers_of(s->like); n->name != NULL; n++)
        for (uint32_t i = 0; i < n->count; i++)
            word[count++] = get_number(s, n, i);
    uint8_t bytes[sizeof word];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 4; k++)
            bytes[i * 4 + k] = (uint8_t)(word[i] >> 8 * k);
    return (uint16_t)(vp_hash64(bytes, (size_t)count * 4) | 0x8000);
}

static vp_status read_tree(const vp_json_place *p, const vp_spec *spec, const json_t *object, vp_spec_species *out)
{
    const json_t *value = json_object_get(object, "leaf");
    const vp_automaton_species *leaf = NULL;
    for (uint32_t i = 0; i < spec->species_count; i++)
        if (spec->species[i].type == out->tree.leaf)
            leaf = &spec->species[i];
    VP_RETURN_IF_FAILED(value != NULL ? read_species_name(p, spec, "leaf", value, &leaf) : VP_OK);
    if (leaf->rule != vp_automaton_rule_leaf)
        return vp_json_wrong(p, "\"leaf\" is %s, which is not a leaf", vp_json_show(value).text);
    if (out->tree.interval[1] <= out->tree.interval[0])
        return vp_json_wrong(p, "\"interval\" is [%u,%u]: raw wood, the second, must be the slower", out->tree.interval[0],
                             out->tree.interval[1]);
    out->tree.leaf = leaf->type;
    out->tree.leaf_end = ((const vp_automaton_leaf_params *)leaf->parameters)->end;
    return VP_OK;
}

static vp_status read_species(const vp_json_place *p, vp_spec *spec, json_t *object)
{
    vp_spec_species *out = &spec->own[spec->own_count];
    if (!json_is_object(object))
        return vp_json_wrong(p, "%s is not an object", vp_json_show(object).text);
    const json_t *name = json_object_get(object, "name");
    VP_RETURN_IF_FAILED(read_species_name(p, spec, "like", json_object_get(object, "like"), &out->like));
    if (out->like->type >= VP_AUTOMATON_BUILTIN_TYPES)
        return vp_json_wrong(p, "\"like\" is \"%s\", which is not built in", out->like->name);
    if (!json_is_string(name) || !is_name(json_string_value(name)))
        return vp_json_wrong(p, "\"name\" is %s: lower-case letters, digits and hyphens, at most %d",
                             name != NULL ? vp_json_show(name).text : "missing", VP_SPECIES_NAME_BYTES - 1);
    if (vp_automaton_species_named(spec->species, spec->species_count, json_string_value(name)) != NULL)
        return vp_json_wrong(p, "\"%s\" is defined twice", json_string_value(name));
    snprintf(out->name, sizeof out->name, "%s", json_string_value(name));
    out->species = *out->like;
    out->species.name = out->name;
    out->species.type = (uint8_t)(VP_AUTOMATON_BUILTIN_TYPES + spec->own_count);
    if (is_tree(out->like)) {
        out->tree = *(const vp_automaton_tree_params *)out->like->parameters;
        out->species.parameters = &out->tree;
    } else if (out->like->rule == vp_automaton_rule_leaf) {
        out->leaf = *(const vp_automaton_leaf_params *)out->like->parameters;
        out->species.parameters = &out->leaf;
    }
    const char *members[32] = {"name", "like"};
    size_t count = 2;
    if (is_tree(out->like))
        members[count++] = "leaf";
    vp_status status = VP_OK;
    for (const spec_number *n = numbers_of(out->like); n->name != NULL; n++) {
        const json_t *value = json_object_get(object, n->name);
        members[count++] = n->name;
        if (value != NULL && status == VP_OK)
            status = read_number(p, value, n, out);
    }
    if (status == VP_OK)
        status = vp_json_members(p, object, members);
    if (status == VP_OK && is_tree(out->like))
        status = read_tree(p, spec, object, out);
    if (status != VP_OK)
        return status;
    out->species.revision = revision_of(out);
    spec->species[spec->species_count++] = out->species;
    spec->own_count++;
    return VP_OK;
}

/* Lets trees of the file grow through the file's leaf species. */
static void soften(vp_spec *spec)
{
    for (uint32_t i = 0; i < spec->own_count; i++)
        for (uint32_t k = 0; k < spec->own_count; k++)
            if (spec->own[k].like->rule == vp_automaton_rule_leaf)
                spec->own[i].tree.soft.bits[spec->own[k].species.type >> 6] |= UINT64_C(1) << (spec->own[k].species.type & 63);
}

/* ---- plantings ---- */

static vp_status read_place(const vp_json_place *p, const vp_spec *spec, const json_t *at, vp_planting *out)
{
    const size_t count = json_array_size(at);
    int64_t v[3] = {0, -1, 0};
    if (count != 2 && count != 3)
        return vp_json_wrong(p, "\"at\" is %s, not [x, z] or [x, y, z]", vp_json_show(at).text);
    VP_RETURN_IF_FAILED(vp_json_whole(p, "at", json_array_get(at, 0), 0, (int64_t)spec->size.x - 1, &v[0]));
    if (count == 3)
        VP_RETURN_IF_FAILED(vp_json_whole(p, "at", json_array_get(at, 1), 0, (int64_t)spec->size.y - 1, &v[1]));
    VP_RETURN_IF_FAILED(vp_json_whole(p, "at", json_array_get(at, count - 1), 0, (int64_t)spec->size.z - 1, &v[2]));
    out->at = (vp_ivec3){(int32_t)v[0], (int32_t)v[1], (int32_t)v[2]};
    return VP_OK;
}

static vp_status read_planting(const vp_json_place *p, const vp_spec *spec, json_t *object, vp_planting *out)
{
    static const char *const members[] = {"species", "at", "every", "wait", NULL};
    *out = (vp_planting){.types = 0};
    if (!json_is_object(object))
        return vp_json_wrong(p, "%s is not an object", vp_json_show(object).text);
    const json_t *names = json_object_get(object, "species"), *at = json_object_get(object, "at");
    const json_t *every = json_object_get(object, "every");
    const size_t count = json_is_array(names) ? json_array_size(names) : 1;
    const vp_automaton_species *species;
    VP_RETURN_IF_FAILED(vp_json_members(p, object, members));
    if (count == 0 || count > VP_SPEC_MIXED)
        return vp_json_wrong(p, "\"species\" are %zu; they are from 1 to %d", count, VP_SPEC_MIXED);
    for (size_t i = 0; i < count; i++) {
        VP_RETURN_IF_FAILED(read_species_name(p, spec, "species", json_is_array(names) ? json_array_get(names, i) : names, &species));
        out->type[out->types++] = species->type;
    }
    if ((at == NULL) == (every == NULL))
        return vp_json_wrong(p, "it has %s of \"at\" and \"every\"", at == NULL ? "neither" : "both");
    if (at != NULL && count > 1)
        return vp_json_wrong(p, "\"at\" is one place, for %zu species", count);
    out->wait = every != NULL;
    VP_RETURN_IF_FAILED(vp_json_flag_member(p, object, "wait", &out->wait));
    if (at != NULL)
        return read_place(p, spec, at, out);
    int64_t columns;
    VP_RETURN_IF_FAILED(vp_json_whole(p, "every", every, 1, VP_AUTOMATON_MAX_EDGE, &columns));
    out->every = (uint32_t)columns;
    return VP_OK;
}

/* ---- files ---- */

static vp_status read_size(const vp_json_place *p, const json_t *root, vp_dims *out)
{
    const json_t *size = json_object_get(root, "size");
    int64_t v[3];
    if (size == NULL)
        return vp_json_wrong(p, "\"size\" is missing");
    if (json_array_size(size) != 3)
        return vp_json_wrong(p, "\"size\" is %s, not a list of 3 numbers", vp_json_show(size).text);
    for (size_t i = 0; i < 3; i++)
        VP_RETURN_IF_FAILED(vp_json_whole(p, "size", json_array_get(size, i), 1, VP_AUTOMATON_MAX_EDGE, &v[i]));
    *out = (vp_dims){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]};
    if (v[0] * v[1] * v[2] > VP_AUTOMATON_MAX_CELLS)
        return vp_json_wrong(p, "\"size\" is %s: more than %d cells", vp_json_show(size).text, VP_AUTOMATON_MAX_CELLS);
    return VP_OK;
}

static vp_status read_root(json_t *root, vp_spec *out, vp_error *error)
{
    static const char *const members[] = {"size", "ground", "seed", "species", "plant", NULL};
    vp_json_place p = {"", 0, error};
    const json_t *species, *plant;
    size_t species_count, plant_count;
    int64_t ground = 4, seed = 1;
    if (!json_is_object(root))
        return vp_json_wrong(&p, "%s is not an object", vp_json_show(root).text);
    VP_RETURN_IF_FAILED(vp_json_members(&p, root, members));
    VP_RETURN_IF_FAILED(read_size(&p, root, &out->size));
    VP_RETURN_IF_FAILED(vp_json_whole_member(&p, root, "ground", 0, MOST_GROUND, &ground));
    if (ground >= out->size.y)
        return vp_json_wrong(&p, "\"ground\" is %" PRId64 " of %u layers: nothing can grow", ground, out->size.y);
    VP_RETURN_IF_FAILED(vp_json_whole_member(&p, root, "seed", 0, INT64_MAX, &seed));
    VP_RETURN_IF_FAILED(vp_json_list(&p, root, "species", VP_SPEC_SPECIES, &species, &species_count));
    VP_RETURN_IF_FAILED(vp_json_list(&p, root, "plant", VP_SPEC_PLANTINGS, &plant, &plant_count));
    out->ground = (uint32_t)ground;
    out->seed = (uint64_t)seed;
    vp_status status = VP_OK;
    for (size_t i = 0; i < species_count && status == VP_OK; i++)
        status = read_species(&(vp_json_place){"species", i + 1, error}, out, json_array_get(species, i));
    soften(out);
    out->planting = calloc(plant_count + 1, sizeof *out->planting);
    if (status == VP_OK && out->planting == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu plantings", plant_count);
    for (size_t i = 0; i < plant_count && status == VP_OK; i++) {
        status = read_planting(&(vp_json_place){"planting", i + 1, error}, out, json_array_get(plant, i), &out->planting[i]);
        out->planting_count += status == VP_OK;
    }
    return status;
}

vp_status vp_spec_read(const char *path, vp_spec *out, vp_error *error)
{
    json_t *root;
    vp_spec_builtin(out);
    VP_RETURN_IF_FAILED(vp_json_load(path, FILE_BYTES, &root, error));
    vp_status status = read_root(root, out, error);
    json_decref(root);
    if (status == VP_E_FORMAT)
        vp_name_file(error, "", path);
    return status;
}

void vp_spec_builtin(vp_spec *out)
{
    uint32_t count;
    const vp_automaton_species *builtin = vp_automaton_species_builtin(&count);
    *out = (vp_spec){.seed = 1};
    memcpy(out->species, builtin, count * sizeof *builtin);
    out->species_count = count;
}

void vp_spec_drop(vp_spec *spec)
{
    free(spec->planting);
    spec->planting = NULL;
}

/* ---- names ---- */

vp_status vp_species_list(const vp_spec *spec, const char *text, vp_planting *out, vp_error *error)
{
    char given[60];
    vp_escape(text, given, sizeof given);
    for (const char *at = text;; at++) {
        char name[VP_SPECIES_NAME_BYTES];
        const size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, at);
        const vp_automaton_species *s = vp_automaton_species_named(spec->species, spec->species_count, name);
        if (s == NULL || s->rule == NULL)
            return vp_fail(error, VP_E_ARGUMENT, "--species '%s': name %u is not a living species, e.g. redwood or oak", given,
                           out->types + 1);
        if (out->types == VP_SPEC_MIXED)
            return vp_fail(error, VP_E_ARGUMENT, "--species '%s': more than %d names", given, VP_SPEC_MIXED);
        out->type[out->types++] = s->type;
        at += length;
        if (*at == '\0')
            return VP_OK;
    }
}

vp_material_name vp_grown_name(const vp_spec *spec, uint8_t type)
{
    vp_material_name name = {""};
    for (uint32_t i = 0; i < spec->species_count; i++)
        if (spec->species[i].type == type)
            snprintf(name.text, sizeof name.text, "grown:%s", spec->species[i].name);
    if (type >= VP_AUTOMATON_BUILTIN_TYPES)
        snprintf(name.text, sizeof name.text, "grown:%s:%s", spec->own[type - VP_AUTOMATON_BUILTIN_TYPES].like->name,
                 spec->own[type - VP_AUTOMATON_BUILTIN_TYPES].name);
    return name;
}
