/* SPDX-License-Identifier: MIT */
/* Google Benchmark's functions under C names. */
#include "bench/bench_c.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <unordered_set>

namespace
{

benchmark::State &of(vp_bench_state *state)
{
    return *reinterpret_cast<benchmark::State *>(state);
}

/* Handles uncaught exceptions. Out of memory is reported and ends the program with a failure. Any other exception is a
 * bug and aborts. */
[[noreturn]] void end_program()
{
    try {
        if (std::current_exception())
            std::rethrow_exception(std::current_exception());
    } catch (const std::bad_alloc &) {
        std::fputs("voxphys-bench: no memory\n", stderr);
        std::_Exit(1);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "voxphys-bench: %s\n", e.what());
    } catch (...) {
    }
    std::abort();
}

std::unique_ptr<std::unordered_set<std::string>> chosen_names; // empty: all

} // namespace

void vp_bench_begin()
{
    std::set_terminate(end_program);
}

bool vp_bench_choose(const char *path)
{
    std::ifstream file(path);
    chosen_names = std::make_unique<std::unordered_set<std::string>>();
    for (std::string name; std::getline(file, name);)
        chosen_names->insert(name);
    return file.eof();
}

void vp_bench_register(const char *name, vp_bench_fn *function, void *context)
{
    if (chosen_names && chosen_names->count(name) == 0)
        return;
    benchmark::RegisterBenchmark(
        name, [function, context](benchmark::State &state) { function(reinterpret_cast<vp_bench_state *>(&state), context); });
}

bool vp_bench_next(vp_bench_state *state)
{
    return of(state).KeepRunning();
}

void vp_bench_pause(vp_bench_state *state)
{
    of(state).PauseTiming();
}

void vp_bench_resume(vp_bench_state *state)
{
    of(state).ResumeTiming();
}

uint64_t vp_bench_iterations(const vp_bench_state *state)
{
    return static_cast<uint64_t>(reinterpret_cast<const benchmark::State *>(state)->iterations());
}

void vp_bench_items(vp_bench_state *state, uint64_t total)
{
    of(state).SetItemsProcessed(static_cast<int64_t>(total));
}

void vp_bench_counter(vp_bench_state *state, const char *name, double value)
{
    of(state).counters[name] = value;
}

void vp_bench_label(vp_bench_state *state, const char *text)
{
    of(state).SetLabel(text);
}

void vp_bench_skip(vp_bench_state *state, const char *reason)
{
    of(state).SkipWithError(reason);
}

void vp_bench_context(const char *key, const char *value)
{
    benchmark::AddCustomContext(key, value);
}

void vp_bench_print_options()
{
    benchmark::PrintDefaultHelp();
}

int64_t vp_bench_run(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return -1;
    const std::size_t chosen = benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return static_cast<int64_t>(chosen);
}
