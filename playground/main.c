/* SPDX-License-Identifier: MIT */
/* The native program, and the functions that the page calls. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/bytes.h"
#include "playground/playground.h"

static struct page {
    char *text; /* commands */
    float *number;
    size_t text_room, number_room, count; /* numbers in use */
    char message[sizeof((vp_error *)NULL)->message + 32];
} page;

vp_status pg_add(const float *number, size_t count, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_grow_array(&page.number, &page.number_room, page.count + count, sizeof *number, "numbers", error));
    memcpy(page.number + page.count, number, count * sizeof *number);
    page.count += count;
    return VP_OK;
}

/* Room for commands, with a final zero. NULL if out of memory. */
static char *room(size_t bytes)
{
    vp_error error;
    return vp_grow_array(&page.text, &page.text_room, bytes, 1, "bytes", &error) == VP_OK ? page.text : NULL;
}

/* Runs the commands in the room. Returns a message, or "" after success. */
static const char *run(void)
{
    vp_error error;
    const int line = pg_run_text(page.text, &error);
    page.message[0] = '\0';
    if (line != 0)
        snprintf(page.message, sizeof page.message, "line %d: %s", line, error.message);
    return page.message;
}

/* The state's hash as 16 digits. */
static const char *hash(void)
{
    vp_error error;
    uint64_t of;
    if (pg_hash_state(&of, &error) == VP_OK)
        snprintf(page.message, sizeof page.message, "%016" PRIx64, of);
    else
        snprintf(page.message, sizeof page.message, "%s", error.message);
    return page.message;
}

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(name)))
char *pg_room(size_t bytes) EXPORT("room");
const char *pg_run(void) EXPORT("run");
const char *pg_hash(void) EXPORT("hash");
int pg_advance_page(double seconds) EXPORT("advance");
bool pg_is_in_step(void) EXPORT("isInStep");
const float *pg_view(pg_what what, uint32_t number) EXPORT("view");
size_t pg_count(void) EXPORT("count");

char *pg_room(size_t bytes)
{
    return room(bytes);
}

const char *pg_run(void)
{
    return run();
}

const char *pg_hash(void)
{
    return hash();
}

/* Returns 1 if the step has ended, 0 if it has not, -1 if it failed. The next command reports a failure. */
int pg_advance_page(double seconds)
{
    vp_error error;
    bool ended;
    return pg.sim == NULL || pg_advance(seconds, &ended, &error) != VP_OK ? -1 : ended;
}

bool pg_is_in_step(void)
{
    return pg.sim != NULL && vp_sim_is_in_step(pg.sim);
}

/* Returns an array of pg_count numbers. */
const float *pg_view(pg_what what, uint32_t number)
{
    vp_error error;
    page.count = 0;
    return pg.sim != NULL && pg_fill_view(what, number, &error) == VP_OK ? page.number : NULL;
}

size_t pg_count(void)
{
    return page.count;
}
#else
int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: playground FILE\nRuns the commands of a file and prints the hash of the state.\n", stderr);
        return 2;
    }
    FILE *file = fopen(argv[1], "rb");
    size_t size = 0, got = file != NULL;
    while (got > 0 && room(size + 65537) != NULL)
        size += got = fread(page.text + size, 1, 65536, file);
    if (file == NULL || got > 0 || ferror(file)) {
        fprintf(stderr, "playground: %s can't be read\n", argv[1]);
        return 2;
    }
    fclose(file);
    page.text[size] = '\0';
    if (strlen(page.text) != size) {
        fprintf(stderr, "playground: byte %zu is 0; must be text\n", strlen(page.text));
        return 2;
    }
    if (run()[0] != '\0') {
        fprintf(stderr, "playground: %s\n", page.message);
        return 2;
    }
    printf("%s\n", hash());
    return 0;
}
#endif
