/* SPDX-License-Identifier: MIT */
/* A plugin for qemu-user (TCG plugins, version 1 of the interface). It counts the instructions between voxphys-count's two marks and
 * prints one number per pair of marks. It supports one thread.
 *
 *     cc -O2 -shared -fPIC -o count.so bench/count/emulator.c
 *     qemu-aarch64 -L SYSROOT -plugin ./count.so -d plugin -D counts.txt voxphys-count
 *
 * This file declares the parts of the interface that it needs, because no Debian package contains qemu-plugin.h. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/count/marks.h"

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
enum { QEMU_INLINE_ADD_U64 = 0, WRITE_ON_AARCH64 = 64, WRITE_ON_X86_64 = 1 };

typedef void translated_fn(plugin_id id, struct qemu_plugin_tb *block);
typedef void call_fn(plugin_id id, unsigned cpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5,
                     uint64_t a6, uint64_t a7, uint64_t a8);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, translated_fn *function);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int operation, void *number, uint64_t by);
void qemu_plugin_register_vcpu_syscall_cb(plugin_id id, call_fn *function);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
void qemu_plugin_outs(const char *text);

extern int qemu_plugin_version;
int qemu_plugin_version = 1;
int qemu_plugin_install(plugin_id id, const void *about, int argc, char **argv);

static uint64_t executed, begun_at;

/* A block of instructions runs as a whole. A system call ends it. */
static void translated(plugin_id id, struct qemu_plugin_tb *block)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_INLINE_ADD_U64, &executed, qemu_plugin_tb_n_insns(block));
}

static void called(plugin_id id, unsigned cpu, int64_t number, uint64_t file, uint64_t bytes, uint64_t size, uint64_t a4, uint64_t a5,
                   uint64_t a6, uint64_t a7, uint64_t a8)
{
    char text[32];
    (void)id, (void)cpu, (void)bytes, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if ((number != WRITE_ON_AARCH64 && number != WRITE_ON_X86_64) || file != VP_COUNT_FILE)
        return;
    if (size == 5) {
        begun_at = executed;
        return;
    }
    snprintf(text, sizeof text, "%" PRIu64 "\n", executed - begun_at);
    qemu_plugin_outs(text);
}

int qemu_plugin_install(plugin_id id, const void *about, int argc, char **argv)
{
    (void)about, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}
