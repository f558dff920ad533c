/* SPDX-License-Identifier: MIT */
/* World files on disk. The header is checked before memory for the rest is allocated. A file is replaced
 * through links without replacing them, and is private from the start. test_world_file.c tests the contents of files. */
#define _GNU_SOURCE /* O_TMPFILE */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/folder.h"
#include "tests/support/memory.h"
#include "tests/support/writer.h"
#include "tests/world/same.h"

#include <voxphys/world_file.h>

#include "src/core/bytes.h"
#include "src/core/error.h"

/* ---- a world, and its file ---- */

static vp_world *world;
static vp_blob sound;

/* A header of 36 bytes with its checksum. */
static void make_header(uint8_t head[36], uint32_t version, uint32_t size_x, uint64_t file_size)
{
    memcpy(head, "\x89VPW\r\n\x1a\n", 8);
    vp_put_le32(head + 8, version);
    vp_put_le32(head + 12, size_x);
    vp_put_le32(head + 16, 8);
    vp_put_le32(head + 20, 8);
    vp_put_le32(head + 24, (uint32_t)file_size);
    vp_put_le32(head + 28, (uint32_t)(file_size >> 32));
    vp_put_le32(head + 32, bitwise_crc(head, 32));
}

static int begin_group(void **state)
{
    (void)state;
    if (make_folder() != 0 || vp_world_create(&(vp_world_def){.size = {16, 8, 8}}, &world, NULL) != VP_OK ||
        vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){8, 3, 8}, (vp_voxel){2, 255}, NULL, NULL) != VP_OK)
        return -1;
    return vp_world_encode(world, "hi", NULL, &sound, NULL) == VP_OK ? 0 : -1;
}

static int end_group(void **state)
{
    (void)state;
    vp_world_destroy(world);
    vp_blob_destroy(&sound);
    return drop_folder();
}

/* Loading must fail with this message, and allocate memory or not. */
static void load_refused(const char *why, bool costs_memory)
{
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    vp_world *w = NULL;
    assert_refused(vp_world_load(in_folder("bad.vpw"), &allocator, &w, NULL, &error), VP_E_FORMAT, why);
    assert_int_equal(memory.requests, costs_memory ? 1 : 0);
    assert_null(w);
    test_memory_end(&memory);
}

/* Writes the first bytes of a file and sets its size. The rest takes no space on the disk. */
static void write_sparse(const void *bytes, size_t size, uint64_t length)
{
    write_file(in_folder("bad.vpw"), bytes, size);
    assert_int_equal(truncate(in_folder("bad.vpw"), (off_t)length), 0);
}

TEST(test_header_first)
{
    const uint64_t gib = UINT64_C(1) << 30;
    uint8_t head[36];
    write_sparse("", 0, 0);
    load_refused("byte 0: the file is empty", false);
    write_sparse("", 0, 4 * gib);
    load_refused("byte 0: not a VPW world file: it does not begin with 89 56 50 57 0d 0a 1a 0a", false);
    make_header(head, 1, 8, 86);
    write_sparse(head, 35, 35);
    load_refused("byte 35: the file ends within its header of 36 bytes", false);
    write_sparse(head, 36, 4 * gib);
    load_refused("byte 86: the file goes on to byte 4294967296, after the end that its header says", false);
    write_sparse(head, 36, 40);
    load_refused("byte 40: the file ends here; its header says 86 bytes", false);
    vp_put_le32(head + 32, 0x01234567);
    write_sparse(head, 36, 86);
    char why[100];
    snprintf(why, sizeof why, "byte 32: the header's CRC-32 says 01234567 and is %08x", bitwise_crc(head, 32));
    load_refused(why, false);
    make_header(head, 3, 8, 4 * gib);
    write_sparse(head, 36, 4 * gib);
    load_refused("byte 8: version 3 is unknown; this library reads version 1", false);
    make_header(head, 1, 9, 4 * gib);
    write_sparse(head, 36, 4 * gib);
    load_refused("byte 12: no world has 9 x 8 x 8 voxels", false);
    make_header(head, 1, 8, 4 * gib + 1); /* as large as the header says, but more than can be read */
    write_sparse(head, 36, 4 * gib + 1);
    load_refused("byte 24: the file has 4294967297 bytes; at most 4294967296 are read", false);
    /* A valid header and damaged content allocate the memory of the file, and no more. */
    sound.bytes[36] ^= 'M' ^ '!';
    write_sparse(sound.bytes, sound.size, sound.size);
    sound.bytes[36] ^= 'M' ^ '!';
    load_refused("byte 36: 0x21 in a section's tag is not a letter", true);
    assert_int_equal(unlink(in_folder("bad.vpw")), 0);
}

/* Errors of saving and loading for a path that is no file, or that cannot be written. */
TEST(test_no_files)
{
    vp_world *w = NULL;
    const char *kept = in_folder("kept.vpw");
    write_file(kept, "old", 3);
    const int before = entries();
    assert_refused(vp_world_save(world, "\xff", kept, &error), VP_E_ARGUMENT, "UTF-8");
    assert_file_is(kept, "old", 3);
    assert_refused(vp_world_save(world, NULL, in_folder("kept.vpw/below.vpw"), &error), VP_E_IO, "kept.vpw/below.vpw");
    assert_int_equal(unlink(in_folder("kept.vpw")), 0);
    assert_refused(vp_world_save(world, NULL, in_folder("no/such.vpw"), &error), VP_E_IO, "no/such.vpw");
    assert_refused(vp_world_save(world, NULL, folder, &error), VP_E_IO, "not a regular file");
    assert_refused(vp_world_save(world, NULL, "/dev/null", &error), VP_E_IO, "/dev/null");
    assert_refused(vp_world_load(in_folder("none.vpw"), NULL, &w, NULL, &error), VP_E_IO, "none.vpw");
    assert_refused(vp_world_load(folder, NULL, &w, NULL, &error), VP_E_IO, folder);
    assert_refused(vp_world_load("/dev/zero", NULL, &w, NULL, &error), VP_E_IO, "/dev/zero");
    assert_null(w);
    assert_int_equal(entries(), before - 1);
}

TEST(test_links)
{
    char link[128], target[128];
    snprintf(link, sizeof link, "%s/dangling.vpw", folder);
    snprintf(target, sizeof target, "%s/not-there.vpw", folder);
    assert_int_equal(symlink("not-there.vpw", link), 0);
    int before = entries();
    assert_refused(vp_world_save(world, "hi", link, &error), VP_E_IO, link);
    assert_refused(vp_world_save(world, "hi", link, &error), VP_E_IO, "symbolic link");
    struct stat about = {0};
    assert_int_equal(entries(), before);
    write_file(target, "", 0); /* now the link leads to a file */
    assert_ok(vp_world_save(world, "hi", link, &error));
    assert_file_is(target, sound.bytes, sound.size);
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(unlink(target), 0);
    assert_int_equal(unlink(link), 0);
}

/* ---- permissions ---- */

/* The name of the temporary file, and its mode when the limit was reached, or 0 if it did not exist. It may not have a name yet, and then
 * it is one of the open files. */
static char beside[128];
static mode_t mode_while_written;

static void look_beside(int signal_number)
{
    const int before = errno;
    (void)signal_number;
    struct stat about = {0};
    if (stat(beside, &about) == 0)
        mode_while_written = about.st_mode & 07777;
    for (int file = 3; file < 64 && mode_while_written == 0; file++)
        if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink == 0 && about.st_size == 50)
            mode_while_written = about.st_mode & 07777;
    errno = before;
}

/* Saves with a limit of 50 bytes per file. Saving fails while the temporary file is half written. */
static void save_until_the_limit(const char *path)
{
    vp_error error;
    struct rlimit limit, small;
    snprintf(beside, sizeof beside, "%s/.voxphys-%ld-0", folder, (long)getpid());
    mode_while_written = 0;
    int before = entries();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 50;
    void (*old)(int) = signal(SIGXFSZ, look_beside);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    vp_status status = vp_world_save(world, "hi", path, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, old);
    assert_int_equal(status, VP_E_IO);
    assert_non_null(strstr(error.message, strerror(EFBIG)));
    assert_non_null(strstr(error.message, "while writing byte 50"));
    assert_non_null(strstr(error.message, path));
    assert_int_equal(entries(), before);
}

/* The replacement of a private file is private from its first byte on. A new file follows the umask. */
TEST(test_private_from_the_start)
{
    struct stat about = {0};
    mode_t mask = umask(022);
    const char *path = in_folder("private.vpw");
    write_file(path, "old", 3);
    static const mode_t modes[] = {0600, 0644, 04711};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(chmod(path, modes[i]), 0);
        save_until_the_limit(path);
        assert_int_equal(mode_while_written, 0600);
        assert_file_is(path, "old", 3);
    }
    assert_ok(vp_world_save(world, "hi", path, &error));
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 07777, 04711);
    assert_int_equal(unlink(path), 0);
    save_until_the_limit(path);
    assert_int_equal(mode_while_written, 0644);
    umask(mask);
}

int main(void)
{
    return test_run_all(begin_group, end_group);
}
