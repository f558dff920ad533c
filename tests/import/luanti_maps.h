/* SPDX-License-Identifier: MIT */
/* Luanti maps made with sqlite, and the results of importing them. An alarm ends an import that hangs. */
#ifndef VP_TESTS_LUANTI_MAPS_H
#define VP_TESTS_LUANTI_MAPS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/writer.h"

#include <voxphys/import.h>

enum { HUNG = 120 }; /* seconds */

static inline sqlite3 *open_map(const char *file)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    return db;
}

static inline void run(sqlite3 *db, const char *sql)
{
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
}

/* A new file with this table. */
static inline sqlite3 *new_map(const char *file, const char *table)
{
    remove(file);
    sqlite3 *db = open_map(file);
    run(db, table);
    return db;
}

/* Runs one statement, in which ?1 is the blob. @return sqlite's status */
static inline int run_with(sqlite3 *db, const char *sql, const writer *blob)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_bind_blob(statement, 1, blob->bytes, (int)blob->size, SQLITE_STATIC);
    const int result = sqlite3_step(statement);
    sqlite3_finalize(statement);
    return result;
}

static inline vp_world *import_map(const char *file, const vp_import_def *o, vp_blob *note)
{
    vp_world *world = NULL;
    alarm(HUNG);
    assert_ok(vp_import_luanti(file, o, &world, note, &error));
    alarm(0);
    return world;
}

static inline int material(const vp_world *w, int x, int y, int z)
{
    return vp_world_voxel(w, (vp_ivec3){x, y, z}).material;
}

/* The import must have rock in the corner, and the text in the note. */
static inline void accepted(const char *file, const vp_import_def *o, const char *text)
{
    vp_blob note = {0};
    vp_world *world = import_map(file, o, &note);
    if (strstr((const char *)note.bytes, text) == NULL)
        fail_msg("the note of %s is without \"%s\": %s", file, text, (const char *)note.bytes);
    assert_int_equal(material(world, 0, 0, 0), 2);
    vp_blob_destroy(&note);
    vp_world_destroy(world);
}

/* The message must name the file, too. */
static inline void refused(const char *file, const vp_import_def *o, vp_status status, const char *why)
{
    vp_world *world = NULL;
    vp_blob note = {0};
    vp_error error = {VP_OK, ""};
    alarm(HUNG);
    const vp_status got = vp_import_luanti(file, o, &world, &note, &error);
    alarm(0);
    if (got != status || error.status != status || strstr(error.message, why) == NULL || strstr(error.message, file) == NULL)
        fail_msg("%s: %s (%s), not %s: %s", file, vp_status_name(got), error.message, vp_status_name(status), why);
    assert_null(world);
    assert_null(note.bytes);
}

#endif
