/* SPDX-License-Identifier: MIT */
#include "tools/sources/json_file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/program.h"
#include "src/core/file.h"

vp_status vp_json_wrong(const vp_json_place *p, const char *format, ...)
{
    char text[VP_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (p->number == 0)
        return vp_fail(p->error, VP_E_FORMAT, "%s", text);
    return vp_fail(p->error, VP_E_FORMAT, "%s %zu: %s", p->of, p->number, text);
}

vp_json_shown vp_json_show(const json_t *value)
{
    vp_json_shown s;
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    if (text == NULL) {
        snprintf(s.text, sizeof s.text, "what it is");
        return s;
    }
    vp_escape(text, s.text, sizeof s.text);
    free(text);
    return s;
}

vp_status vp_json_members(const vp_json_place *p, json_t *object, const char *const *names)
{
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value) {
        const char *const *name = names;
        while (*name != NULL && strcmp(*name, key) != 0)
            name++;
        if (*name == NULL) {
            char text[60];
            vp_escape(key, text, sizeof text);
            return vp_json_wrong(p, "\"%s\" is unknown", text);
        }
    }
    return VP_OK;
}

vp_status vp_json_whole(const vp_json_place *p, const char *name, const json_t *value, int64_t low, int64_t high, int64_t *out)
{
    if (!json_is_integer(value))
        return vp_json_wrong(p, "\"%s\" is %s, not a whole number", name, vp_json_show(value).text);
    *out = json_integer_value(value);
    if (*out < low || *out > high)
        return vp_json_wrong(p, "\"%s\" is %" PRId64 "; it is from %" PRId64 " to %" PRId64, name, *out, low, high);
    return VP_OK;
}

vp_status vp_json_whole_member(const vp_json_place *p, const json_t *object, const char *name, int64_t low, int64_t high, int64_t *out)
{
    const json_t *value = json_object_get(object, name);
    return value == NULL ? VP_OK : vp_json_whole(p, name, value, low, high, out);
}

vp_status vp_json_number(const vp_json_place *p, const char *name, const json_t *value, double low, double high, double *out)
{
    if (!json_is_number(value))
        return vp_json_wrong(p, "\"%s\" is %s, not a number", name, vp_json_show(value).text);
    *out = json_number_value(value);
    if (!(*out >= low && *out <= high))
        return vp_json_wrong(p, "\"%s\" is %.10g; it is from %.10g to %.10g", name, *out, low, high);
    return VP_OK;
}

vp_status vp_json_number_member(const vp_json_place *p, const json_t *object, const char *name, double low, double high, double *out)
{
    const json_t *value = json_object_get(object, name);
    return value == NULL ? VP_OK : vp_json_number(p, name, value, low, high, out);
}

vp_status vp_json_numbers_member(const vp_json_place *p, const json_t *object, const char *name, size_t count, double low, double high,
                                 double *out)
{
    const json_t *value = json_object_get(object, name);
    if (value == NULL)
        return VP_OK;
    if (json_array_size(value) != count)
        return vp_json_wrong(p, "\"%s\" is %s, not a list of %zu numbers", name, vp_json_show(value).text, count);
    for (size_t i = 0; i < count; i++)
        VP_RETURN_IF_FAILED(vp_json_number(p, name, json_array_get(value, i), low, high, &out[i]));
    return VP_OK;
}

vp_status vp_json_flag_member(const vp_json_place *p, const json_t *object, const char *name, bool *out)
{
    const json_t *value = json_object_get(object, name);
    if (value != NULL && !json_is_boolean(value))
        return vp_json_wrong(p, "\"%s\" is %s, not true or false", name, vp_json_show(value).text);
    if (value != NULL)
        *out = json_is_true(value);
    return VP_OK;
}

vp_status vp_json_list(const vp_json_place *p, const json_t *root, const char *name, size_t most, const json_t **out, size_t *count)
{
    *out = json_object_get(root, name);
    *count = json_array_size(*out);
    if (*out != NULL && !json_is_array(*out))
        return vp_json_wrong(p, "\"%s\" is %s, not a list", name, vp_json_show(*out).text);
    if (*count > most)
        return vp_json_wrong(p, "\"%s\" has %zu entries; must be at most %zu", name, *count, most);
    return VP_OK;
}

vp_status vp_json_load(const char *path, size_t most_bytes, json_t **root, vp_error *error)
{
    const vp_allocator allocator = vp_allocator_default();
    uint8_t *bytes;
    size_t size;
    json_error_t mistake;
    vp_status status = vp_file_read(path, most_bytes, &allocator, &bytes, &size, error);
    if (status == VP_E_FORMAT)
        vp_name_file(error, "", path);
    if (status != VP_OK)
        return status;
    const size_t mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* which some editors write first */
    *root = json_loadb(bytes != NULL ? (const char *)bytes + mark : "", size - mark, JSON_REJECT_DUPLICATES, &mistake);
    if (bytes != NULL)
        allocator.release(allocator.user, bytes, size);
    if (*root != NULL)
        return VP_OK;
    if (json_error_code(&mistake) == json_error_out_of_memory || mistake.text[0] == '\0')
        return vp_fail(error, VP_E_MEMORY, "no memory for %s", vp_show_path(path).text);
    char text[JSON_ERROR_TEXT_LENGTH];
    vp_escape(mistake.text, text, sizeof text);
    return vp_fail(error, VP_E_FORMAT, "%s: line %d: not JSON: %s", vp_show_path(path).text, mistake.line, text);
}
