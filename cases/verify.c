/* SPDX-License-Identifier: MIT */
/* One loop for every case and every version. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* sigaction */
#endif
#include "cases/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"

/* ---- surviving a fault at a forbidden page ---- */

#if defined(_WIN32) || defined(__wasi__)

#define CATCH() 0
static void watch(const vp_session *s)
{
}
static void end_watch(void) {}

#else

#include <setjmp.h>
#include <signal.h>

static sigjmp_buf fault;
static const vp_session *volatile watched; /* the session in make, rewind or run */
static struct sigaction segv_before, bus_before;
#define CATCH() sigsetjmp(fault, 1)

static void on_fault(int number, siginfo_t *info, void *context)
{
    if (watched != NULL && watched->arena != NULL && vp_arena_forbids(watched->arena, info->si_addr))
        siglongjmp(fault, 1);
    sigaction(SIGSEGV, &segv_before, NULL); /* not ours, so the instruction is repeated with the old handler */
    sigaction(SIGBUS, &bus_before, NULL);
}

static void watch(const vp_session *s)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = on_fault;
    if (watched == NULL) {
        sigaction(SIGSEGV, &action, &segv_before);
        sigaction(SIGBUS, &action, &bus_before);
    }
    watched = s;
}

static void end_watch(void)
{
    if (watched == NULL)
        return;
    sigaction(SIGSEGV, &segv_before, NULL);
    sigaction(SIGBUS, &bus_before, NULL);
    watched = NULL;
}

#endif

/* ---- sessions ---- */

vp_status vp_session_open(const vp_case *c, const vp_setting *how, const vp_data *data, uint32_t variant, const vp_arena_plan *plan,
                          vp_session *out, vp_error *error)
{
    *out = (vp_session){c, *how, vp_arena_create(plan), NULL};
    return c->make(data, variant, out->arena, &out->work, error);
}

uint32_t vp_session_steps(const vp_session *session)
{
    return session->c->steps != NULL ? session->c->steps(session->work) : 1;
}

vp_status vp_session_rewind(vp_session *session, vp_error *error)
{
    return session->c->rewind != NULL ? session->c->rewind(&session->how, session->work, error) : VP_OK;
}

vp_status vp_session_close(vp_session *session, vp_error *error)
{
    if (session->work != NULL && session->c->drop != NULL)
        session->c->drop(session->work);
    const vp_status status = session->arena != NULL ? vp_arena_destroy(session->arena, error) : VP_OK;
    *session = (vp_session){0};
    return status;
}

enum { POISON = 0xa5, OTHER_POISON = 0x5a };

/* Rewinds and runs all steps. */
static vp_status run_all(vp_session *s, uint8_t poison, bool judged, vp_records *out, vp_error *error)
{
    vp_records_clear(out);
    vp_status status = vp_session_rewind(s, error);
    for (uint32_t step = 0; status == VP_OK && step < vp_session_steps(s); step++) {
        uint64_t items;
        vp_arena_poison(s->arena, poison);
        status = s->c->run(&s->how, s->work, step, &items, error);
        if (status == VP_OK)
            status = vp_arena_inspect(s->arena, error);
        if (status == VP_OK && judged && s->c->judge != NULL)
            status = s->c->judge(s->work, step, error);
        if (status != VP_OK)
            break;
        s->c->records(s->work, out);
        vp_records_end_step(out);
    }
    return status;
}

/* ---- comparison ---- */

static bool compare(const vp_records *want, const vp_records *got, vp_check *check)
{
    const size_t most = want->count > got->count ? want->count : got->count;
    size_t first = most;
    uint64_t mismatches = 0;
    for (size_t i = 0; i < most; i++)
        if (i >= want->count || i >= got->count || want->hash[i] != got->hash[i]) {
            first = mismatches++ == 0 ? i : first;
        }
    if (mismatches == 0)
        return true;
    uint32_t step = 0;
    while (step + 1 < want->steps && want->end[step] <= first)
        step++;
    char of_step[32] = "";
    if (want->steps > 1)
        snprintf(of_step, sizeof of_step, " of step %u", step);
    vp_fail(&check->why, VP_E_FORMAT, "differs from the reference in %llu of %zu answers; the first is number %zu%s",
            (unsigned long long)mismatches, want->count, first - (step == 0 ? 0 : want->end[step - 1]), of_step);
    check->mismatches = mismatches;
    return false;
}

/* Notes any fault except a difference. @return false */
static bool wrong(vp_check *check, const char *where)
{
    char message[VP_ERROR_MESSAGE_BYTES];
    memcpy(message, check->why.message, sizeof message);
    vp_fail(&check->why, VP_E_FORMAT, "is wrong %s: %.180s", where, message);
    check->mismatches = 1;
    return false;
}

static bool runs_right(vp_session *s, uint8_t poison, const vp_records *want, const char *where, vp_records *got, vp_check *check)
{
    return run_all(s, poison, false, got, &check->why) == VP_OK ? compare(want, got, check) : wrong(check, where);
}

/* Closes a session and notes faults found then. @return `right`, or false */
static bool closes_right(vp_session *s, bool right, const char *where, vp_check *check)
{
    vp_error why;
    if (vp_session_close(s, &why) == VP_OK || !right)
        return right;
    check->why = why;
    return wrong(check, where);
}

/* The parameters of one session. */
typedef struct verify_session {
    const vp_case *c;
    const vp_setting *how;
    const vp_data *data;
    uint32_t variant;
    const vp_records *want;
} verify_session;

static const char *const place_name[VP_PLACE_COUNT] = {"on the heap", "in memory that ends at a forbidden page",
                                                       "in memory that begins at a forbidden page"};

/* Runs the steps in a place. */
static bool try_place(const verify_session *a, vp_arena_place place, vp_records *got, vp_check *check)
{
    static vp_session s; /* survives a jump, and only one exists at a time */
    const vp_arena_plan plan = {place, POISON, 0};
    s = (vp_session){a->c, *a->how, vp_arena_create(&plan), NULL};
    watch(&s);
    if (CATCH() != 0) {
        end_watch(); /* the session is neither touched nor freed again */
        vp_fail(&check->why, VP_E_FORMAT, "it touches memory before or behind its own");
        return wrong(check, place_name[place]);
    }
    const bool made = a->c->make(a->data, a->variant, s.arena, &s.work, &check->why) == VP_OK;
    const bool right = made ? runs_right(&s, POISON, a->want, place_name[place], got, check) : wrong(check, place_name[place]);
    end_watch();
    return closes_right(&s, right, place_name[place], check);
}

/* Refuses each request in turn, which must give VP_E_MEMORY, and then runs everything again. */
static bool refuse(const verify_session *a, vp_records *got, vp_check *check)
{
    static const char after[] = "after a request for memory was refused";
    bool refused = true;
    for (uint32_t n = 1; refused; n++) {
        const vp_arena_plan plan = {VP_PLACE_HEAP, POISON, n};
        vp_session s;
        vp_status status = vp_session_open(a->c, a->how, a->data, a->variant, &plan, &s, &check->why);
        const bool made = status == VP_OK;
        if (made)
            status = run_all(&s, POISON, false, got, &check->why);
        refused = vp_arena_refused(s.arena);
        bool right = true;
        if (refused && status == VP_OK && a->c->copes) {
            right = compare(a->want, got, check);
        } else if (refused != (status == VP_E_MEMORY)) {
            vp_fail(&check->why, VP_E_FORMAT, "request %u for memory is refused, and the kernel doesn't report it", n);
            right = wrong(check, "without memory");
        }
        if (right && made && refused)
            right = runs_right(&s, POISON, a->want, after, got, check);
        if (!closes_right(&s, right, after, check))
            return false;
    }
    return true;
}

vp_status vp_case_check(const vp_case *c, const vp_setting *how, const vp_data *data, uint32_t variant, const vp_records *want,
                        bool closely, vp_check *out, vp_error *error)
{
    const verify_session a = {c, how, data, variant, want};
    vp_records got = {0};
    vp_session s;
    const vp_arena_plan plan = {VP_PLACE_HEAP, POISON, 0};
    bool right = true;
    *out = (vp_check){.cases = want->count};
    vp_status status = vp_session_open(c, how, data, variant, &plan, &s, error);
    if (status == VP_OK) {
        right = runs_right(&s, POISON, want, place_name[VP_PLACE_HEAP], &got, out);
        out->digest = vp_records_digest(&got);
        if (right && closely) /* again, because rewind must restore everything, and runs must leave nothing */
            right = runs_right(&s, OTHER_POISON, want, "when it runs once more", &got, out);
    }
    const bool asks = vp_arena_requests(s.arena) != 0;
    right = closes_right(&s, status == VP_OK && right, place_name[VP_PLACE_HEAP], out);
    for (vp_arena_place place = VP_PLACE_END; closely && right && place < VP_PLACE_COUNT; place++)
        right = try_place(&a, place, &got, out);
    if (closely && right && asks)
        refuse(&a, &got, out);
    vp_records_destroy(&got);
    return status == VP_OK ? vp_succeed(error) : status;
}

/* ---- the reference ---- */

enum { FLIPS = 100 }; /* approximate number in a set */

/* Bytes of outputs with two poisons. Bytes that differ from both were written. */
static size_t output_bytes(const vp_arena *arena)
{
    vp_arena_bytes part;
    size_t bytes = 0;
    for (size_t i = 0; vp_arena_output_at(arena, i, &part); i++)
        bytes += part.bytes;
    return bytes;
}

/* Flips a written bit. Reports it if the records or the judge do not notice. */
static bool flip_byte(vp_session *s, const vp_records *want, uint8_t *byte, unsigned bit, vp_records *scratch, vp_check *check)
{
    const size_t before = want->steps < 2 ? 0 : want->end[want->steps - 2];
    *byte ^= (uint8_t)(1u << bit);
    vp_records_clear(scratch);
    s->c->records(s->work, scratch);
    const bool same = scratch->count == want->count - before && scratch->count != 0 &&
                      memcmp(scratch->hash, want->hash + before, scratch->count * sizeof *want->hash) == 0;
    const bool judged = s->c->judge == NULL || s->c->judge(s->work, want->steps - 1, NULL) != VP_OK;
    *byte ^= (uint8_t)(1u << bit);
    if (same)
        vp_fail(&check->why, VP_E_FORMAT, "records do not have");
    else if (!judged)
        vp_fail(&check->why, VP_E_FORMAT, "the judge does not notice");
    return !same && judged;
}

/* Flips bits that the reference writes. `first` holds the outputs after a run with another poison. */
static bool flip_all(vp_session *s, const vp_records *want, const uint8_t *first, size_t bytes, vp_check *check)
{
    vp_records scratch = {0};
    vp_arena_bytes part;
    size_t at = 0, written = 0;
    bool right = true;
    for (size_t o = 0; right && vp_arena_output_at(s->arena, o, &part); at += part.bytes, o++)
        for (size_t i = 0; right && i < part.bytes; i++) {
            if (i % part.stride >= part.used || (first[at + i] == OTHER_POISON && part.data[i] == POISON) ||
                written++ % (bytes / FLIPS + 1) != 0)
                continue;
            right = flip_byte(s, want, part.data + i, (unsigned)(i % 8), &scratch, check);
            if (!right) {
                char what[64];
                memcpy(what, check->why.message, 40);
                what[40] = '\0';
                vp_fail(&check->why, VP_E_FORMAT, "%s a flipped bit of byte %zu of output %zu (the last is 0)", what, i, o);
            }
        }
    if (right && written == 0 && bytes != 0 && want->count != 0) {
        vp_fail(&check->why, VP_E_FORMAT, "answers aren't in the arena's outputs");
        right = false;
    }
    vp_records_destroy(&scratch);
    return right || wrong(check, "as a case");
}

static bool flip(const verify_session *a, vp_check *check)
{
    static const char again[] = "when it runs once more";
    vp_records got = {0};
    uint8_t *first = NULL;
    size_t bytes = 0;
    bool right = true;
    for (int run = 0; right && run < 2; run++) {
        const vp_arena_plan plan = {VP_PLACE_HEAP, POISON, 0};
        vp_session s;
        vp_status status = vp_session_open(a->c, a->how, a->data, a->variant, &plan, &s, &check->why);
        right = status == VP_OK ? runs_right(&s, run == 0 ? OTHER_POISON : POISON, a->want, again, &got, check) : wrong(check, again);
        vp_arena_bytes part;
        if (right && run == 0) {
            bytes = output_bytes(s.arena);
            first = malloc(bytes + 1);
            right = first != NULL || wrong(check, "without memory");
            size_t at = 0;
            for (size_t o = 0; right && vp_arena_output_at(s.arena, o, &part); at += part.bytes, o++)
                memcpy(first + at, part.data, part.bytes);
        } else if (right) {
            right = flip_all(&s, a->want, first, bytes, check);
        }
        vp_error unused;
        vp_session_close(&s, &unused);
    }
    free(first);
    vp_records_destroy(&got);
    return right;
}

vp_status vp_case_reference(const vp_case *c, const vp_kernels *kernels, const vp_data *data, uint32_t variant, bool flipped,
                            vp_records *out, vp_check *check, vp_error *error)
{
    const vp_setting how = {kernels, NULL};
    const verify_session a = {c, &how, data, variant, out};
    const vp_arena_plan plan = {VP_PLACE_HEAP, POISON, 0};
    vp_session s;
    *check = (vp_check){0};
    vp_status status = vp_session_open(c, &how, data, variant, &plan, &s, error);
    if (status == VP_OK) {
        status = run_all(&s, POISON, true, out, &check->why);
        check->cases = out->count;
        check->digest = vp_records_digest(out);
        if (status != VP_OK)
            wrong(check, "as the reference");
        status = VP_OK;
    }
    if (closes_right(&s, status == VP_OK && check->mismatches == 0, "as the reference", check) && flipped)
        flip(&a, check);
    return status == VP_OK ? vp_succeed(error) : status;
}
