// SPDX-License-Identifier: MIT
// node replay.mjs MODULE SCRIPT: runs commands in the playground's module, as the page does, and prints the hash of the state. Then it runs
// them with each step cut into pieces, and prints that hash.
import { readFileSync } from "node:fs";
import { Engine } from "../../playground/engine.mjs";

const [module, script] = process.argv.slice(2), engine = await Engine.load(readFileSync(module));
const commands = readFileSync(script, "utf8");
engine.run(commands);
console.log(engine.hash());
let text = "";
for (const line of commands.split("\n")) {
    const [name, count] = line.split(" ");
    if (name !== "step") {
        text += `${line}\n`;
        continue;
    }
    engine.run(text), text = "";
    for (let i = 0; i < +count; i++) while (engine.advance(0) === 0);
}
engine.run(text);
console.log(engine.hash());
