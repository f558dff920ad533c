// SPDX-License-Identifier: MIT
// node replay.mjs MODULE SCRIPT: runs commands in the playground's module, as the page does, and prints the hash of the state.
import { readFileSync } from "node:fs";
import { Engine } from "../../playground/engine.mjs";

const [module, script] = process.argv.slice(2), engine = await Engine.load(readFileSync(module));
engine.run(readFileSync(script, "utf8"));
console.log(engine.hash());
