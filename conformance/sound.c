/* SPDX-License-Identifier: MIT */
/* Whether a corpus keeps to conformance/corpus/schema.json, and to what no schema can say: lengths, numbers in range, bounds the right
 * way round. It is looked at when the corpus is read, so that no answer is judged by what is unsound. */
#include "conformance/sound.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"

/* ---- values ---- */

typedef bool value_fn(json_t *value);

static bool is_text_of(json_t *value, const char *letters)
{
    return json_is_string(value) && json_string_length(value) > 0 && strspn(json_string_value(value), letters) == json_string_length(value);
}

static bool is_words(json_t *value)
{
    return json_is_string(value) && json_string_length(value) > 0;
}

static bool is_true(json_t *value)
{
    return json_is_true(value);
}

static bool is_bits(json_t *value)
{
    return is_text_of(value, "0123456789abcdef") && json_string_length(value) == 8;
}

static bool is_cells(json_t *value)
{
    return is_text_of(value, ".#~");
}

static bool is_full(json_t *value)
{
    return is_text_of(value, "0123456789abcdef") && json_string_length(value) % 2 == 0;
}

static bool is_mask(json_t *value)
{
    return is_text_of(value, "01");
}

static bool is_whole(json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) < UINT32_MAX;
}

static bool is_place_of_cell(json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= INT32_MIN && json_integer_value(value) <= INT32_MAX;
}

static bool is_list(json_t *value, value_fn *is)
{
    size_t i;
    json_t *part;
    json_array_foreach (value, i, part)
        if (!is(part))
            return false;
    return json_is_array(value);
}

static bool is_three(json_t *value)
{
    return is_list(value, is_whole) && json_array_size(value) == 3;
}

static bool is_cell(json_t *value)
{
    return is_list(value, is_place_of_cell) && json_array_size(value) == 3;
}

static bool is_place(json_t *value)
{
    return is_list(value, is_bits) && json_array_size(value) == 3;
}

static bool is_flat_place(json_t *value)
{
    return is_list(value, is_bits) && json_array_size(value) == 2;
}

static bool is_triangle(json_t *value)
{
    return is_list(value, is_place) && json_array_size(value) == 3;
}

static bool is_places(json_t *value)
{
    return is_list(value, is_place);
}

static bool is_flat_places(json_t *value)
{
    return is_list(value, is_flat_place);
}

static bool is_threes(json_t *value)
{
    return is_list(value, is_three);
}

static int by_number(const void *a, const void *b)
{
    const json_int_t x = *(const json_int_t *)a, y = *(const json_int_t *)b;
    return x < y ? -1 : x > y;
}

/* Whole numbers, none of them twice. */
static bool is_numbers(json_t *value)
{
    const size_t count = json_array_size(value);
    json_int_t *number = malloc((count + 1) * sizeof *number);
    bool good = number != NULL && is_list(value, is_whole);
    for (size_t i = 0; good && i < count; i++)
        number[i] = json_integer_value(json_array_get(value, i));
    if (good)
        qsort(number, count, sizeof *number, by_number);
    for (size_t i = 1; good && i < count; i++)
        good = number[i - 1] != number[i];
    free(number);
    return good;
}

/* "owner/name#12" */
static bool is_cite(json_t *value)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-", digits[] = "0123456789";
    const char *text = json_string_value(value);
    const size_t owner = text != NULL ? strspn(text, letters) : 0;
    if (owner == 0 || text[owner] != '/')
        return false;
    const size_t name = strspn(text + owner + 1, letters);
    const char *mark = text + owner + 1 + name;
    return name > 0 && *mark == '#' && mark[1] != '\0' && mark[1 + strspn(mark + 1, digits)] == '\0';
}

/* Some texts, each of which is so, none of them twice. */
static bool is_set_of(json_t *value, value_fn *is)
{
    for (size_t i = 0; i < json_array_size(value); i++)
        for (size_t k = 0; k < i; k++)
            if (json_equal(json_array_get(value, i), json_array_get(value, k)))
                return false;
    return is_list(value, is) && json_array_size(value) > 0;
}

static bool is_cites(json_t *value)
{
    return is_set_of(value, is_cite);
}

static bool is_flags(json_t *value)
{
    return is_set_of(value, is_words);
}

static bool is_explained(json_t *value)
{
    const char *name;
    json_t *words;
    json_object_foreach (value, name, words)
        if (!is_words(words))
            return false;
    return json_is_object(value);
}

static bool is_object(json_t *value)
{
    return json_is_object(value);
}

static bool is_alternatives(json_t *value)
{
    return json_is_object(value) || (is_list(value, is_object) && json_array_size(value) > 0);
}

static bool is_touch(json_t *value)
{
    static const char *const words[] = {"none", "solid", "water", "both", "invalid"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (json_is_string(value) && strcmp(json_string_value(value), words[i]) == 0)
            return true;
    return false;
}

static bool bound_of(json_t *range, size_t i, float *out)
{
    json_t *text = json_array_get(range, i);
    return is_bits(text) && vp_bits_read(json_string_value(text), 8, out);
}

/* The lowest and the highest that t may be. */
static bool is_range(json_t *value)
{
    float low, high;
    return json_array_size(value) == 2 && bound_of(value, 0, &low) && bound_of(value, 1, &high) && low <= high;
}

static bool is_tolerance(json_t *value)
{
    return json_is_number(value) && json_number_value(value) >= 0.0;
}

static bool is_volume(json_t *value)
{
    return json_is_number(value) && json_number_value(value) > 0.0;
}

static bool is_dimension(json_t *value)
{
    return is_whole(value) && json_integer_value(value) <= 3;
}

/* ---- telling ---- */

enum { VALUE_SHOWN = 60 };

/* Takes what there is room for, and ends the writing then. */
static int take_beginning(const char *bytes, size_t size, void *data)
{
    vp_value_text *out = data;
    const size_t length = strlen(out->text), room = VALUE_SHOWN - length;
    memcpy(out->text + length, bytes, size < room ? size : room);
    if (size > room)
        strcpy(out->text + VALUE_SHOWN, "...");
    return size > room ? -1 : 0;
}

vp_value_text vp_value_shown(const json_t *value)
{
    vp_value_text out = {.text = ""};
    if (value == NULL)
        strcpy(out.text, "missing");
    else
        json_dump_callback(value, take_beginning, &out, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    return out;
}

/* What the parts of a list have to be. */
static value_fn *part_of(value_fn *whole)
{
    static const struct {
        value_fn *whole, *part;
    } lists[] = {{is_three, is_whole},         {is_cell, is_place_of_cell},     {is_place, is_bits},     {is_flat_place, is_bits},
                 {is_triangle, is_place},      {is_places, is_place},           {is_threes, is_three},   {is_flat_places, is_flat_place},
                 {is_numbers, is_whole},       {is_cites, is_cite},             {is_flags, is_words},    {is_alternatives, is_object},
                 {is_range, is_bits}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (lists[i].whole == whole)
            return lists[i].part;
    return NULL;
}

/* A value that is not as it should be: the part of it that is not, with its place in it, or the whole. */
static vp_status not_so(const char *where, const char *name, json_t *value, value_fn *is, vp_error *error)
{
    char place[64] = "";
    for (value_fn *part; json_is_array(value) && (part = part_of(is)) != NULL;) {
        size_t i = 0;
        while (i < json_array_size(value) && part(json_array_get(value, i)))
            i++;
        if (i == json_array_size(value))
            break; /* how many there are is wrong, or which */
        const size_t length = strlen(place);
        snprintf(place + length, sizeof place - length, "[%zu]", i);
        value = json_array_get(value, i);
        is = part;
    }
    return vp_fail(error, VP_E_FORMAT, "%s\"%s\" is not as it should be: %s is %s", where, name, place[0] != '\0' ? place : "it", vp_value_shown(value).text);
}

/* ---- members ---- */

/* A member, and the families that have it; the value of a member of all of them is looked at in the same way. */
typedef struct member {
    const char *name;
    unsigned families;
    bool may_lack;
    value_fn *is;
} member;

#define OF(family) (1u << VP_ASKED_##family)
#define GRIDS (OF(DILATION) | OF(OVERLAP) | OF(GRID_WALK))
#define MESHES (OF(RAY_MESH) | OF(AABB_GATHER))
#define BOXES (OF(OVERLAP) | OF(AABB_GATHER))
#define RAYS (OF(GRID_WALK) | OF(RAY_TRIANGLE) | OF(RAY_MESH))
#define ANY (~0u)

static bool is_anything(json_t *value)
{
    return value != NULL;
}

static const member family_members[] = {
    {"schema", ANY, false, is_anything}, {"version", ANY, false, is_words}, {"family", ANY, false, is_words},      {"title", ANY, false, is_words},
    {"question", ANY, false, is_words},  {"answer", ANY, false, is_words},  {"flags", ANY, false, is_explained},   {"vectors", ANY, false, is_anything},
};

static const member vector_members[] = {
    {"id", ANY, false, is_words},  {"about", ANY, false, is_words}, {"promise", ANY, false, is_words}, {"reason", ANY, true, is_words},
    {"flags", ANY, true, is_flags}, {"cites", ANY, true, is_cites},  {"input", ANY, false, is_object},  {"expected", ANY, false, is_alternatives},
};

static const member input_members[] = {
    {"extents", GRIDS | OF(MESHER), false, is_three}, {"first", OF(GRID_WALK), true, is_cell},
    {"cells", GRIDS, false, is_cells},                {"full", OF(MESHER), false, is_full},
    {"triangle", OF(RAY_TRIANGLE), false, is_triangle}, {"vertices", MESHES, false, is_places},
    {"triangles", MESHES, false, is_threes},          {"points", OF(HULL2), false, is_flat_places},
    {"points", OF(HULL3), false, is_places},          {"min", BOXES, false, is_place},
    {"max", BOXES, false, is_place},                  {"origin", RAYS, false, is_place},
    {"direction", RAYS, false, is_place},             {"t_max", RAYS, false, is_bits},
};

static const member none_members[] = {{"none", RAYS, false, is_true}};
static const member refused_members[] = {{"refused", ~(OF(DILATION) | OF(MESHER)), false, is_true}};
static const member answer_members[] = {
    {"solid", OF(DILATION), false, is_mask},       {"water", OF(DILATION), false, is_mask},
    {"touch", OF(OVERLAP), false, is_touch},       {"cell", OF(GRID_WALK), false, is_cell},
    {"hit", OF(RAY_TRIANGLE), false, is_true},     {"triangle", OF(RAY_MESH), false, is_whole},
    {"t", RAYS, false, is_range},                  {"triangles", OF(AABB_GATHER), false, is_numbers},
    {"corners", OF(HULL2), false, is_numbers},     {"checker", OF(MESHER) | OF(HULL3), false, is_words},
    {"checker", OF(HULL2), true, is_words},        {"tolerance", OF(HULL3), false, is_tolerance},
    {"tolerance", OF(HULL2), true, is_tolerance},  {"dimension", OF(HULL3), false, is_dimension},
    {"vertices", OF(HULL3), false, is_numbers},    {"faces", OF(HULL3), true, is_whole},
    {"volume", OF(HULL3), true, is_volume},        {"flat", OF(HULL3), true, is_true},
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* @param where  the object's name with a colon behind it, or "" */
static vp_status check_members(json_t *object, const member *list, size_t count, vp_asked_family family, const char *where, vp_error *error)
{
    const char *name;
    json_t *value;
    json_object_foreach (object, name, value) {
        size_t m = 0;
        while (m < count && ((list[m].families & 1u << family) == 0 || strcmp(list[m].name, name) != 0))
            m++;
        if (m == count)
            return vp_fail(error, VP_E_FORMAT, "%s\"%.60s\" is no member of this", where, name);
        if (!list[m].is(value))
            return not_so(where, name, value, list[m].is, error);
    }
    for (size_t m = 0; m < count; m++)
        if ((list[m].families & 1u << family) != 0 && !list[m].may_lack && json_object_get(object, list[m].name) == NULL)
            return vp_fail(error, VP_E_FORMAT, "%s\"%s\" is missing", where, list[m].name);
    return VP_OK;
}

/* ---- a file ---- */

vp_status vp_sound_head(vp_asked_family family, json_t *root, vp_error *error)
{
    return check_members(root, family_members, COUNT(family_members), family, "", error);
}

bool vp_sound_version(const char *text, int major)
{
    long number[3];
    for (int i = 0; i < 3; i++) {
        const size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 6 || text[digits] != (i < 2 ? '.' : '\0'))
            return false;
        number[i] = strtol(text, NULL, 10);
        text += digits + 1;
    }
    return number[0] == major;
}

/* ---- what is expected ---- */

static vp_status wrong(vp_error *error, const json_t *answer, const char *what)
{
    return vp_fail(error, VP_E_FORMAT, "\"expected\": \"%s\" is not as it should be: it is %s", what, vp_value_shown(json_object_get(answer, what)).text);
}

/* Of a member that is a list: it has some numbers, or may have none, and each is below a limit. */
static vp_status check_below(json_t *answer, const char *what, uint32_t limit, bool some, vp_error *error)
{
    size_t i;
    json_t *number, *list = json_object_get(answer, what);
    if (some && json_array_size(list) == 0)
        return wrong(error, answer, what);
    json_array_foreach (list, i, number)
        if (json_integer_value(number) >= (json_int_t)limit)
            return vp_fail(error, VP_E_FORMAT, "\"expected\": \"%s\" is not as it should be: [%zu] is %s, and there are %u", what, i,
                           vp_value_shown(number).text, limit);
    return VP_OK;
}

static bool is_in_grid(const vp_question *q, json_t *cell)
{
    const json_int_t low[3] = {q->first.x, q->first.y, q->first.z}, size[3] = {q->extents.x, q->extents.y, q->extents.z};
    for (size_t k = 0; k < 3; k++) {
        const json_int_t at = json_integer_value(json_array_get(cell, k));
        if (at < low[k] || at >= low[k] + size[k])
            return false;
    }
    return true;
}

/* What depends on the question: how long a list is, and what is numbered. Shapes are right already. */
static vp_status check_answer(const vp_question *q, json_t *answer, bool by_property, vp_error *error)
{
    static const char *const checkers[VP_ASKED_COUNT] = {[VP_ASKED_MESHER] = "surface", [VP_ASKED_HULL2] = "polygon", [VP_ASKED_HULL3] = "hull"};
    json_t *checker = json_object_get(answer, "checker");
    if ((checker != NULL) != by_property || (checker != NULL && strcmp(json_string_value(checker), checkers[q->family]) != 0))
        return wrong(error, answer, "checker");
    if (q->family == VP_ASKED_HULL2 && (json_object_get(answer, "tolerance") != NULL) != by_property)
        return wrong(error, answer, "tolerance");
    switch (q->family) {
    case VP_ASKED_DILATION:
        if (json_string_length(json_object_get(answer, "solid")) != vp_question_cells(q))
            return wrong(error, answer, "solid");
        return json_string_length(json_object_get(answer, "water")) == vp_question_cells(q) ? VP_OK : wrong(error, answer, "water");
    case VP_ASKED_GRID_WALK:
        return is_in_grid(q, json_object_get(answer, "cell")) ? VP_OK : wrong(error, answer, "cell");
    case VP_ASKED_RAY_MESH:
        return json_integer_value(json_object_get(answer, "triangle")) < (json_int_t)q->triangles ? VP_OK : wrong(error, answer, "triangle");
    case VP_ASKED_AABB_GATHER:
        return check_below(answer, "triangles", q->triangles, false, error);
    case VP_ASKED_HULL2:
        return check_below(answer, "corners", q->points, true, error);
    case VP_ASKED_HULL3: {
        const bool solid = json_integer_value(json_object_get(answer, "dimension")) == 3;
        const vp_status status = check_below(answer, "vertices", q->points, true, error);
        if (status != VP_OK)
            return status;
        if ((json_object_get(answer, "volume") != NULL) != solid)
            return wrong(error, answer, "volume");
        if ((json_object_get(answer, "faces") != NULL) != solid)
            return wrong(error, answer, "faces");
        return solid || json_object_get(answer, "flat") == NULL ? VP_OK : wrong(error, answer, "flat");
    }
    default:
        return VP_OK;
    }
}

static vp_status check_alternative(const vp_question *q, json_t *alternative, vp_promise promise, vp_error *error)
{
    const bool none = json_object_get(alternative, "none") != NULL, refused = json_object_get(alternative, "refused") != NULL;
    const member *list = none ? none_members : refused ? refused_members : answer_members;
    const size_t count = none ? COUNT(none_members) : refused ? COUNT(refused_members) : COUNT(answer_members);
    const vp_status status = check_members(alternative, list, count, q->family, "\"expected\": ", error);
    if (status != VP_OK)
        return status;
    if ((none || refused) && promise == VP_PROMISE_PROPERTY)
        return wrong(error, alternative, "checker");
    return none || refused ? VP_OK : check_answer(q, alternative, promise == VP_PROMISE_PROPERTY, error);
}

/* The promises that a family's vectors may make. */
static const unsigned promises_of[VP_ASKED_COUNT] = {
    [VP_ASKED_DILATION] = 1u << VP_PROMISE_EXACT,
    [VP_ASKED_OVERLAP] = 1u << VP_PROMISE_EXACT | 1u << VP_PROMISE_TIE,
    [VP_ASKED_GRID_WALK] = 1u << VP_PROMISE_EXACT | 1u << VP_PROMISE_TIE | 1u << VP_PROMISE_BOUND,
    [VP_ASKED_RAY_TRIANGLE] = 1u << VP_PROMISE_EXACT | 1u << VP_PROMISE_TIE | 1u << VP_PROMISE_BOUND,
    [VP_ASKED_RAY_MESH] = 1u << VP_PROMISE_EXACT | 1u << VP_PROMISE_TIE | 1u << VP_PROMISE_BOUND,
    [VP_ASKED_AABB_GATHER] = 1u << VP_PROMISE_SET | 1u << VP_PROMISE_TIE,
    [VP_ASKED_MESHER] = 1u << VP_PROMISE_PROPERTY,
    [VP_ASKED_HULL2] = 1u << VP_PROMISE_EXACT | 1u << VP_PROMISE_PROPERTY,
    [VP_ASKED_HULL3] = 1u << VP_PROMISE_EXACT | 1u << VP_PROMISE_PROPERTY,
};

static vp_status check_expected(const vp_question *q, json_t *expected, vp_promise promise, vp_error *error)
{
    const size_t count = json_is_array(expected) ? json_array_size(expected) : 1;
    if ((promises_of[q->family] & 1u << promise) == 0)
        return vp_fail(error, VP_E_FORMAT, "\"promise\": %s makes none of %s", vp_questions_name(q->family), vp_promise_name(promise));
    if ((count > 1) != (promise == VP_PROMISE_TIE))
        return vp_fail(error, VP_E_FORMAT, "\"expected\": a tie has several answers, and what is none has one");
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && i < count; i++)
        status = check_alternative(q, json_is_array(expected) ? json_array_get(expected, i) : expected, promise, error);
    return status;
}

/* ---- a vector ---- */

vp_status vp_sound_input(vp_asked_family family, json_t *input, vp_error *error)
{
    return check_members(input, input_members, COUNT(input_members), family, "\"input\": ", error);
}

vp_status vp_sound_vector(const vp_vector *v, json_t *json, json_t *flags, vp_error *error)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const char *name = v->id + strlen(vp_questions_name(v->question.family)) + 1;
    vp_status status = check_members(json, vector_members, COUNT(vector_members), v->question.family, "", error);
    if (status != VP_OK)
        return status;
    if (*name == '\0' || name[strspn(name, letters)] != '\0')
        return vp_fail(error, VP_E_FORMAT, "\"id\" has other letters than a-z, digits and -");
    if (v->promise == VP_PROMISE_BOUND && json_object_get(json, "reason") == NULL)
        return vp_fail(error, VP_E_FORMAT, "\"reason\" of a bound is missing");
    size_t i;
    json_t *flag;
    json_array_foreach (json_object_get(json, "flags"), i, flag)
        if (flags != NULL && json_object_get(flags, json_string_value(flag)) == NULL)
            return vp_fail(error, VP_E_FORMAT, "the flag \"%.60s\" is not explained in the head", json_string_value(flag));
    return check_expected(&v->question, json_object_get(json, "expected"), v->promise, error);
}
