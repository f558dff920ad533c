/* SPDX-License-Identifier: MIT */
/* A try in a process of its own, so that a crash or an endless loop is an outcome like others. The process reports its
 * progress by bytes in a pipe. */
#include "tools/reduce/reduce.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "cases/case.h"
#include "host/program.h"
#include "tools/hull/check.h"
#include "host/point_file.h"

/* Exit statuses of a process that tries kernels, and of one that can't run the command. */
enum { ENDED_FINE = 0, NO_MEMORY = 3, REFUSED = 10, INVALID = 11, DIFFERS = 12, NO_COMMAND = 127 };

/* Steps reported in the pipe before they begin, two per version. */
enum { MAKES_HULL, MAKES_POLYGONS, STEPS };

/* ---- kernels ---- */

static _Noreturn void end_with_status(vp_status status)
{
    _exit(status == VP_E_MEMORY ? NO_MEMORY : REFUSED);
}

static void tell(int pipe, size_t version, int step)
{
    const uint8_t stage = (uint8_t)(version * STEPS + (size_t)step);
    while (write(pipe, &stage, 1) < 0 && errno == EINTR)
        continue;
}

static uint64_t try_hull(const vp_trial *t, size_t version, const vp_vec3 *point, uint32_t count)
{
    const vp_hull_def def = {.point = point, .count = count, .kernels = &t->version[version].kernels};
    vp_hull hull = {0};
    vp_hull_findings found;
    vp_error error;
    uint64_t digest = 0;
    vp_status status = vp_hull_create(&def, &hull, &error);
    if (status == VP_OK)
        status = vp_hull_digest(&hull, &digest, &error);
    if (status == VP_OK && version == 0)
        status = vp_hull_check(point, count, &hull, false, &found, &error);
    if (status != VP_OK)
        end_with_status(status);
    if (version == 0 && !found.valid)
        _exit(INVALID);
    vp_hull_destroy(&hull);
    return digest;
}

/* Corners of the hull2 polygons of the points, across each axis. */
static uint32_t *try_polygons(const vp_trial *t, size_t version, const vp_vec3 *point, uint32_t count, uint32_t corners[3])
{
    const vp_allocator a = vp_allocator_default();
    const size_t scratch_bytes = vp_hull2_scratch_bytes(count);
    void *scratch = vp_allocate(&a, scratch_bytes, 1);
    uint32_t *corner = malloc((size_t)count * 3 * sizeof *corner);
    if (scratch == NULL || corner == NULL)
        end_with_status(VP_E_MEMORY);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const vp_hull2_job build = {.point = point,
                                    .count = count,
                                    .axis = {(axis + 1) % 3, (axis + 2) % 3},
                                    .max_work = UINT64_MAX,
                                    .scratch = scratch,
                                    .corner = corner + (size_t)axis * count};
        corners[axis] = t->version[version].kernels.hull2(&build).corners;
        vp_hull_findings found;
        vp_error error;
        vp_status status = VP_OK;
        if (version == 0)
            status = vp_polygon_check(point, count, build.axis, build.corner, corners[axis], &found, &error);
        if (status != VP_OK)
            end_with_status(status);
        if (version == 0 && !found.valid)
            _exit(INVALID);
    }
    vp_release(&a, scratch, scratch_bytes, 1);
    return corner;
}

static _Noreturn void try_kernels(const vp_trial *t, const vp_vec3 *point, uint32_t count, int pipe)
{
    uint64_t want_digest = 0;
    uint32_t *want = NULL, wanted[3] = {0};
    for (size_t v = 0; v < t->versions; v++) {
        uint32_t corners[3];
        tell(pipe, v, MAKES_HULL);
        const uint64_t digest = try_hull(t, v, point, count);
        if (v == 0)
            want_digest = digest;
        else if (digest != want_digest)
            _exit(DIFFERS);
        tell(pipe, v, MAKES_POLYGONS);
        uint32_t *corner = try_polygons(t, v, point, count, corners);
        for (size_t axis = 0; v != 0 && axis < 3; axis++)
            if (corners[axis] != wanted[axis] || memcmp(corner + axis * count, want + axis * count, corners[axis] * sizeof *corner) != 0)
                _exit(DIFFERS);
        if (v == 0) {
            want = corner;
            memcpy(wanted, corners, sizeof wanted);
        } else {
            free(corner);
        }
    }
    _exit(ENDED_FINE);
}

/* ---- a command ---- */

static vp_status write_points(const vp_trial *t, const vp_vec3 *point, uint32_t count, vp_error *error)
{
    vp_bytes bytes = {0};
    vp_points_text(point, count, t->columns, "", &bytes);
    FILE *file = bytes.failed ? NULL : fopen(t->file, "wb");
    vp_status status = VP_OK;
    if (bytes.failed) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for a file of %u points", count);
    } else {
        bool written = file != NULL && fwrite(bytes.at, 1, bytes.size, file) == bytes.size;
        written = file != NULL && fclose(file) == 0 && written;
        if (!written)
            status = vp_fail(error, errno == ENOMEM ? VP_E_MEMORY : VP_E_IO, "cannot write %s: %s", vp_show_path(t->file).text,
                             errno == ENOMEM ? "no memory" : strerror(errno));
    }
    free(bytes.at);
    return status;
}

static _Noreturn void become_command(const vp_trial *t, int pipe)
{
    const int nothing = open("/dev/null", O_RDWR);
    signal(SIGXFSZ, SIG_DFL);
    for (int file = 0; nothing != -1 && file <= 2; file++)
        dup2(nothing, file);
    if (nothing > 2)
        close(nothing);
    execvp(t->arguments[0], t->arguments);
    const uint8_t reason = (uint8_t)(errno < 255 ? errno : 255);
    while (write(pipe, &reason, 1) < 0 && errno == EINTR)
        continue;
    _exit(NO_COMMAND);
}

/* An argument with the file's name in place of each "{}". NULL if out of memory. */
static char *fill_in(const char *argument, const char *file)
{
    size_t places = 0;
    for (const char *at = argument; (at = strstr(at, "{}")) != NULL; at += 2)
        places++;
    char *text = malloc(strlen(argument) + places * strlen(file) + 1), *to = text;
    for (const char *at = argument; text != NULL;) {
        const char *place = strstr(at, "{}");
        const size_t length = place != NULL ? (size_t)(place - at) : strlen(at);
        memcpy(to, at, length);
        to += length;
        *to = '\0';
        if (place == NULL)
            break;
        to = strcpy(to, file) + strlen(file);
        at = place + 2;
    }
    return text;
}

static vp_status open_command(vp_trial *t, vp_error *error)
{
    const char *parent = getenv("TMPDIR");
    size_t count = 0, places = 0;
    for (; t->command[count] != NULL; count++)
        places += strstr(t->command[count], "{}") != NULL ? 1 : 0;
    if (places == 0)
        return vp_fail(error, VP_E_ARGUMENT, "COMMAND '%.60s' has no {}, the place of the file's name", t->command[0]);
    parent = parent != NULL && parent[0] != '\0' ? parent : "/tmp";
    const size_t bytes = strlen(parent) + sizeof "/voxphys-reduce-XXXXXX/try.points";
    char *folder = malloc(bytes);
    t->file = malloc(bytes);
    t->arguments = calloc(count + 1, sizeof *t->arguments);
    if (folder == NULL || t->file == NULL || t->arguments == NULL) {
        free(folder);
        return vp_fail(error, VP_E_MEMORY, "no memory for a file name");
    }
    snprintf(folder, bytes, "%s/voxphys-reduce-XXXXXX", parent);
    if (mkdtemp(folder) == NULL) {
        vp_fail(error, VP_E_IO, "cannot create a folder in %s: %s", vp_show_path(parent).text, strerror(errno));
        free(folder);
        return VP_E_IO;
    }
    t->folder = folder;
    snprintf(t->file, bytes, "%s/try.points", folder);
    for (size_t i = 0; i < count; i++) {
        t->arguments[i] = fill_in(t->command[i], t->file);
        if (t->arguments[i] == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for an argument");
    }
    return VP_OK;
}

/* ---- opening ---- */

static vp_status add_version(vp_trial *t, const char *name, vp_error *error)
{
    const vp_status status = vp_kernels_named(name, &t->version[t->versions].kernels, error);
    if (status == VP_OK)
        snprintf(t->version[t->versions++].name, sizeof t->version[0].name, "%s", name);
    return status;
}

vp_status vp_trial_open(vp_trial *t, const char *isa, vp_error *error)
{
    if (t->command != NULL)
        return open_command(t, error);
    vp_status status = add_version(t, "scalar", error);
    if (status == VP_OK && isa != NULL)
        return strcmp(isa, "scalar") == 0 ? VP_OK : add_version(t, isa, error);
    for (int i = 0; status == VP_OK && i < VP_ISA_COUNT; i++) {
        vp_error ignored;
        if (i != VP_ISA_scalar)
            (void)add_version(t, vp_isa_shown((vp_isa)i), &ignored); /* skips kernels that this machine lacks */
    }
    return status;
}

void vp_trial_close(vp_trial *t)
{
    for (size_t i = 0; t->arguments != NULL && t->arguments[i] != NULL; i++)
        free(t->arguments[i]);
    free(t->arguments);
    if (t->folder != NULL) {
        unlink(t->file);
        if (rmdir(t->folder) != 0)
            fprintf(stderr, "voxphys reduce: %s is left over: %s\n", t->folder, strerror(errno));
    }
    free(t->folder);
    free(t->file);
    t->arguments = NULL;
    t->folder = t->file = NULL;
}

void vp_trial_narrow(vp_trial *t, vp_trial_outcome *outcome)
{
    if (t->command != NULL)
        return;
    const int version = outcome->stage / STEPS;
    if (version != 0)
        t->version[1] = t->version[version];
    t->versions = version != 0 ? 2 : 1;
    outcome->stage = outcome->stage % STEPS + (version != 0 ? STEPS : 0);
}

/* ---- processes ---- */

/* Waits for a process for at most `limit` seconds. @return false if it was killed */
static bool wait_for(const vp_trial *t, pid_t child, int *ending)
{
    const double begin = vp_seconds();
    struct timespec pause = {0, 20000};
    for (;;) {
        const pid_t ended = waitpid(child, ending, WNOHANG);
        if (ended == child)
            return true;
        if ((ended == -1 && errno != EINTR) || *t->stop != 0 || vp_seconds() - begin > t->limit)
            break;
        nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < 2000000 ? pause.tv_nsec * 2 : pause.tv_nsec;
    }
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    while (waitpid(child, ending, 0) == -1 && errno == EINTR)
        continue;
    return false;
}

/* Closes a pipe. @return its last byte, or -1 if it is empty */
static int last_byte(int from)
{
    uint8_t bytes[64];
    int last = -1;
    fcntl(from, F_SETFL, O_NONBLOCK); /* processes started by a command may hold it open */
    for (;;) {
        const ssize_t got = read(from, bytes, sizeof bytes);
        if (got > 0)
            last = bytes[got - 1];
        else if (got == 0 || errno != EINTR)
            break;
    }
    close(from);
    return last;
}

static vp_status judge(const vp_trial *t, bool in_time, int ending, int last, vp_trial_outcome *out, vp_error *error)
{
    *out = (vp_trial_outcome){VP_END_FINE, 0, t->command == NULL && last != -1 ? last : 0};
    if (!in_time) {
        out->end = *t->stop != 0 ? VP_END_STOPPED : VP_END_TIME;
    } else if (WIFSIGNALED(ending)) {
        out->end = VP_END_SIGNAL;
        out->number = WTERMSIG(ending);
    } else if (WEXITSTATUS(ending) == NO_COMMAND && t->command != NULL && last != -1) {
        return vp_fail(error, last == ENOMEM ? VP_E_MEMORY : VP_E_ARGUMENT, "cannot run '%.80s': %s", t->command[0],
                       last == ENOMEM ? "no memory" : strerror(last));
    } else if (WEXITSTATUS(ending) == NO_MEMORY && t->command == NULL) {
        return vp_fail(error, VP_E_MEMORY, "no memory to try a set of points");
    } else if (WEXITSTATUS(ending) != 0) {
        out->end = VP_END_STATUS;
        out->number = WEXITSTATUS(ending);
    }
    return VP_OK;
}

vp_status vp_trial_run(vp_trial *t, const vp_vec3 *point, uint32_t count, vp_trial_outcome *out, vp_error *error)
{
    int ends[2], ending = 0;
    vp_status status = t->command != NULL ? write_points(t, point, count, error) : VP_OK;
    if (status != VP_OK)
        return status;
    if (pipe(ends) != 0)
        return vp_fail(error, VP_E_IO, "cannot make a pipe: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(NULL); /* keeps the child from writing buffered output twice */
    const pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        if (t->command != NULL)
            become_command(t, ends[1]);
        try_kernels(t, point, count, ends[1]);
    }
    const int failed = errno;
    close(ends[1]);
    if (child == -1) {
        close(ends[0]);
        return vp_fail(error, failed == ENOMEM ? VP_E_MEMORY : VP_E_IO, "cannot start a process: %s",
                       failed == ENOMEM ? "no memory" : strerror(failed));
    }
    setpgid(child, child); /* in both processes, because either may run first */
    t->tries++;
    const bool in_time = wait_for(t, child, &ending);
    kill(-child, SIGKILL); /* processes that it left running */
    return judge(t, in_time, ending, last_byte(ends[0]), out, error);
}

void vp_trial_describe(const vp_trial *t, const vp_trial_outcome *o, char text[160])
{
    char who[64] = "the command";
    if (t->command == NULL)
        snprintf(who, sizeof who, "the %s by %s", o->stage % STEPS == MAKES_HULL ? "hull" : "polygon of hull2",
                 t->version[o->stage / STEPS].name);
    if (o->end == VP_END_FINE)
        snprintf(text, 160, "nothing fails");
    else if (o->end == VP_END_TIME)
        snprintf(text, 160, "%s takes more than %g seconds", who, t->limit);
    else if (o->end == VP_END_SIGNAL)
        snprintf(text, 160, "%s ends by signal %d, %.40s", who, o->number, strsignal(o->number));
    else if (t->command != NULL)
        snprintf(text, 160, "%s ends with exit code %d", who, o->number);
    else
        snprintf(text, 160, "%s is %s", who, o->number == DIFFERS ? "not the reference's" : o->number == INVALID ? "not valid" : "refused");
}
