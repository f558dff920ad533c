// SPDX-License-Identifier: MIT
// node --no-warnings run-wasi.mjs PROGRAM.wasm [ARGUMENT...]: runs a WASI program like a native one, with arguments, environment,
// standard streams, and all files under their own names. WASI has no current folder, so PWD passes it. Exits with the program's exit
// code, or with 134 (as after abort) on a trap.
import { fstatSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
if (program === undefined) {
    console.error("usage: node --no-warnings run-wasi.mjs PROGRAM.wasm [ARGUMENT...]");
    process.exit(2);
}

// node opens pipes as non-blocking, which makes a program's reads and writes fail with EAGAIN. Reopened streams block.
function waiting(stream, mode) {
    try {
        return fstatSync(stream).isFIFO() ? openSync(`/proc/self/fd/${stream}`, mode) : stream;
    } catch {
        return stream; // closed, or a system without these names
    }
}

const wasi = new WASI({
    version: "preview1",
    args: [program, ...rest],
    env: { ...process.env, PWD: process.cwd() },
    preopens: { "/": "/" },
    stdin: waiting(0, "r"),
    stdout: waiting(1, "w"),
    stderr: waiting(2, "w"),
    returnOnExit: true,
});
try {
    const module = await WebAssembly.compile(await readFile(program));
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
    process.exitCode = wasi.start(instance);
} catch (error) {
    console.error(`${program}: ${error.stack ?? error}`);
    process.exitCode = 134;
}
