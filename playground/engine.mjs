// SPDX-License-Identifier: MIT
// Runs commands in the WebAssembly module and reads its arrays. Works in browsers and in node.

// Contents of arrays, in the order of playground.h.
const VIEWS = ["stale", "solid", "water", "bodies", "shape", "contacts", "bits", "spheres", "boxes", "ray", "fan", "hulls", "figures"];
const UNSUPPORTED = 52; // ENOSYS

export class Engine {
    static async load(bytes) {
        const engine = new Engine(), began = Date.now();
        const system = {
            clock_time_get: (clock, precision, out) => {
                const ms = globalThis.performance?.now() ?? Date.now() - began;
                engine.data().setBigUint64(out, BigInt(Math.round(ms * 1e6)), true);
                return 0;
            },
            environ_sizes_get: (count, size) => { engine.data().setUint32(count, 0, true), engine.data().setUint32(size, 0, true); return 0; },
            environ_get: () => 0,
            proc_exit: code => { throw new Error(`the module ended with ${code}`); },
        };
        const module = await WebAssembly.compile(bytes), imports = {};
        for (const { name } of WebAssembly.Module.imports(module)) imports[name] = system[name] ?? (() => UNSUPPORTED);
        engine.exports = (await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports })).exports;
        engine.exports._initialize();
        return engine;
    }
    data() { return new DataView(this.exports.memory.buffer); }

    text(at) {
        const bytes = new Uint8Array(this.exports.memory.buffer, at);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }
    // Runs commands. Throws a message that names the line.
    run(commands) {
        const bytes = new TextEncoder().encode(commands), at = this.exports.room(bytes.length + 1);
        if (at === 0) throw new Error("no memory for the commands");
        const room = new Uint8Array(this.exports.memory.buffer, at, bytes.length + 1);
        room.set(bytes), room[bytes.length] = 0;
        const message = this.text(this.exports.run());
        if (message) throw new Error(message);
    }
    // Begins a step or continues it, for about some ms. Returns 1 if it has ended, otherwise 0. -1 = run would fail.
    advance(ms) { return this.exports.advance(ms / 1000); }
    get isInStep() { return this.exports.isInStep() !== 0; }
    hash() { return this.text(this.exports.hash()); }
    // Numbers, valid until the next call.
    view(what, number = 0) {
        const at = this.exports.view(VIEWS.indexOf(what), number);
        return at === 0 ? new Float32Array(0) : new Float32Array(this.exports.memory.buffer, at, this.exports.count());
    }
}
