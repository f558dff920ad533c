/* SPDX-License-Identifier: MIT */
/* Runs a fuzzing target without libFuzzer, on every file of a folder, on truncated copies, and on copies with flipped
 * bits. replay FOLDER */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>

#ifdef TEST_THIN
enum { FILE_MAX = 4096, STEPS = 60 };
#else
enum { FILE_MAX = 4096, STEPS = 500 };
#endif

/* In a block of exact size, so that a sanitizer sees reads past its end. */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size != 0 ? size : 1);
    FUZZ_CHECK(copy != NULL);
    if (size != 0)
        memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void run_all(uint8_t *bytes, size_t size)
{
    size_t step = size / STEPS + 1;
    run(bytes, size);
    for (size_t part = 0; part < size; part += step)
        run(bytes, part);
    for (size_t at = 0; at < size; at += step) {
        uint8_t flip = (uint8_t)(1u << at % 8);
        bytes[at] ^= flip;
        run(bytes, size);
        bytes[at] ^= flip;
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    DIR *folder = opendir(argv[1]);
    if (folder == NULL) {
        perror(argv[1]);
        return 2;
    }
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        static uint8_t bytes[FILE_MAX + 1];
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        FILE *file = fopen(path, "rb");
        if (file == NULL) {
            perror(path);
            return 1;
        }
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        if (size > FILE_MAX) {
            fprintf(stderr, "%s is longer than %d bytes\n", path, FILE_MAX);
            return 1;
        }
        printf("%s\n", path);
        fflush(stdout);
        run_all(bytes, size);
        files++;
    }
    closedir(folder);
    if (files == 0)
        fprintf(stderr, "%s holds no files\n", argv[1]);
    return files == 0;
}
