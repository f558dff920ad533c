/* SPDX-License-Identifier: MIT */
/* Runs voxphys-mesh-reader, which lies in this program's folder, and reads its output (mesh_wire.h). */
#include "host/mesh_load.h"

#include <stdlib.h>

#ifdef VP_WITH_ASSIMP
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "src/core/error.h"
#include "src/core/file.h"
#include "host/mesh_wire.h"

bool vp_is_mesh_file(const char *name)
{
    static const char *const ends[] = {".obj", ".ply", ".stl", ".off", ".gltf", ".glb"};
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++)
        if (vp_name_ends(name, ends[e]))
            return true;
    return false;
}

void vp_loaded_mesh_destroy(vp_loaded_mesh *mesh)
{
    free(mesh->vertex);
    free(mesh->index);
    free(mesh->material);
    free(mesh->part);
    free(mesh->part_name);
    *mesh = (vp_loaded_mesh){0};
}

#ifdef VP_WITH_ASSIMP

extern char **environ;

/* ---- the other process ---- */

static vp_status reader_path(char path[4096], vp_error *error)
{
    enum { ROOM = 4096 - sizeof VP_MESH_READER };
    ssize_t length = readlink("/proc/self/exe", path, ROOM);
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length <= 0)
        return vp_fail(error, VP_E_UNSUPPORTED, "cannot find %s: this program's own folder is not known", VP_MESH_READER);
    memcpy(path + length, VP_MESH_READER, sizeof VP_MESH_READER);
    return VP_OK;
}

/* Starts the reader with its standard output in a pipe.
   @param from  out: read end, closed by the caller @return the process id, or -1 */
static pid_t start(const char *program, const char *path, const char *written, int *from, vp_error *error)
{
    /* A name that begins with a dash gets "./" in front, so that no reader takes it for an option. */
    char *copy = malloc(strlen(path) + 3), *other = written != NULL ? strdup(written) : NULL, name[] = VP_MESH_READER;
    posix_spawn_file_actions_t actions;
    int ends[2] = {-1, -1}, failed = ENOMEM;
    pid_t child = -1;
    if (copy != NULL && (other != NULL) == (written != NULL) && posix_spawn_file_actions_init(&actions) == 0) {
        sprintf(copy, "%s%s", path[0] == '-' ? "./" : "", path);
        char *arguments[] = {name, copy, other, NULL};
        failed = pipe(ends) != 0 ? errno : 0;
        if (failed == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0)
            failed = errno;
        if (failed == 0)
            failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (failed == 0)
            failed = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        if (failed == 0)
            failed = posix_spawn_file_actions_addclose(&actions, ends[1]);
        if (failed == 0)
            failed = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        if (failed == 0)
            failed = posix_spawn(&child, program, &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    free(copy);
    free(other);
    if (ends[1] != -1)
        close(ends[1]);
    if (failed == 0) {
        *from = ends[0];
        return child;
    }
    if (ends[0] != -1)
        close(ends[0]);
    vp_fail(error, failed == ENOMEM ? VP_E_MEMORY : VP_E_UNSUPPORTED, failed == ENOMEM ? "no memory to run %s%s" : "cannot run %s: %s",
            vp_show_path(program).text, failed == ENOMEM ? "" : strerror(failed));
    return -1;
}

/* Reads `bytes` bytes. @return false if there are fewer */
static bool take(int from, void *to, size_t bytes)
{
    for (uint8_t *at = to; bytes != 0;) {
        ssize_t got = read(from, at, bytes < 1 << 30 ? bytes : 1 << 30);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? got : 0;
        bytes -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* Reports why a reader stopped early. */
static vp_status died(const char *path, int ending, vp_error *error)
{
    if (WIFSIGNALED(ending) && WTERMSIG(ending) == SIGXCPU)
        return vp_fail(error, VP_E_FORMAT, "%s: reading takes longer than a mesh of its size needs", vp_show_path(path).text);
    if (WIFSIGNALED(ending))
        return vp_fail(error, VP_E_FORMAT, "%s: its reader was ended by signal %d, %.40s: it is damaged, or memory ran out",
                       vp_show_path(path).text, WTERMSIG(ending), strsignal(WTERMSIG(ending)));
    return vp_fail(error, VP_E_FORMAT, "%s: its reader ended with exit code %d: it is damaged, or memory ran out", vp_show_path(path).text,
                   WIFEXITED(ending) ? WEXITSTATUS(ending) : -1);
}

/* ---- the reader's output ---- */

/* @return VP_E_IO without a message if the reader's output is short */
static vp_status receive(int from, const char *path, vp_loaded_mesh *mesh, vp_looks *looks, vp_error *error)
{
    vp_wire_head head;
    if (!take(from, &head, sizeof head) || head.magic != VP_WIRE_MAGIC)
        return VP_E_IO;
    head.message[sizeof head.message - 1] = '\0';
    if (head.status != VP_OK) {
        vp_fail(error, (vp_status)head.status, "%s", head.message);
        vp_name_file(error, "", path);
        return (vp_status)head.status;
    }
    mesh->vertex = malloc(((size_t)head.vertices + 1) * sizeof *mesh->vertex);
    mesh->index = malloc(((size_t)head.triangles + 1) * 3 * sizeof *mesh->index);
    mesh->material = malloc((size_t)head.triangles + 1);
    mesh->part = malloc(((size_t)head.triangles + 1) * sizeof *mesh->part);
    mesh->part_name = malloc(((size_t)head.parts + 1) * sizeof *mesh->part_name);
    if (mesh->vertex == NULL || mesh->index == NULL || mesh->material == NULL || mesh->part == NULL || mesh->part_name == NULL)
        return vp_fail(error, VP_E_MEMORY, "%s: no memory for %u triangles", vp_show_path(path).text, head.triangles);
    if (!take(from, mesh->vertex, (size_t)head.vertices * sizeof *mesh->vertex) ||
        !take(from, mesh->index, (size_t)head.triangles * 3 * sizeof *mesh->index) || !take(from, mesh->material, head.triangles) ||
        !take(from, mesh->part, (size_t)head.triangles * sizeof *mesh->part) || head.materials > 256 ||
        !take(from, looks->of, head.materials * sizeof *looks->of) || !take(from, mesh->part_name, head.parts * sizeof *mesh->part_name))
        return VP_E_IO;
    mesh->triangles = (vp_triangles){mesh->vertex, mesh->index, head.vertices, head.triangles, false};
    if (head.message[0] != '\0')
        fprintf(stderr, "voxphys: %s: %s\n", vp_show_path(path).text, head.message);
    mesh->parts = head.parts;
    mesh->points = head.points;
    mesh->lines = head.lines;
    return VP_OK;
}

vp_status vp_mesh_load(const char *path, const char *written, vp_loaded_mesh *out, vp_looks *looks, vp_error *error)
{
    char program[4096];
    uint64_t size;
    int from = -1, ending = 0;
    VP_RETURN_IF_FAILED(vp_file_size(path, &size, error));
    if (size == 0)
        return vp_fail(error, VP_E_FORMAT, "%s: no mesh: it is empty", vp_show_path(path).text);
    VP_RETURN_IF_FAILED(reader_path(program, error));
    pid_t child = start(program, path, written, &from, error);
    if (child == -1)
        return error->status;
    vp_loaded_mesh mesh = {0};
    vp_status status = receive(from, path, &mesh, looks, error);
    close(from);
    while (waitpid(child, &ending, 0) == -1 && errno == EINTR)
        continue;
    if (status == VP_E_IO)
        status = died(path, ending, error);
    if (status == VP_OK)
        *out = mesh;
    else
        vp_loaded_mesh_destroy(&mesh);
    return status;
}

#else

vp_status vp_mesh_load(const char *path, const char *written, vp_loaded_mesh *out, vp_looks *looks, vp_error *error)
{
    uint64_t size;
    (void)written, (void)out, (void)looks;
    VP_RETURN_IF_FAILED(vp_file_size(path, &size, error));
    return vp_fail(error, VP_E_UNSUPPORTED, "%s: reading a mesh needs assimp, and this build has none", vp_show_path(path).text);
}

#endif
