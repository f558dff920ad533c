// SPDX-License-Identifier: MIT
// `build.mjs packages NPM FOLDER` installs the packages of package-lock.json into FOLDER with npm.
// `build.mjs page ESBUILD FOLDER SOURCE PAGE [MODULE]` bundles SOURCE/main.mjs with them, and SOURCE/page.html around it, into PAGE.
// MODULE is WebAssembly, compressed. The viewer's page keeps @RECORDING@ for voxphys view.
// Both write a stamp file when they have run. If packages are unavailable there is no page, which is not an error.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const [what, program, folder, source, page, module] = process.argv.slice(2), here = dirname(fileURLToPath(import.meta.url));
const modules = join(folder, "node_modules");

if (what === "packages") {
    for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(here, file), join(folder, file));
    try {
        execFileSync(program, ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    } catch {
        rmSync(modules, { recursive: true, force: true });
        console.error("viewer: npm can't bring the packages of the page; voxphys view makes none until 'npm ci' works and this is built again");
    }
    if (existsSync(join(modules, "three"))) writeFileSync(join(folder, "packages"), "");
} else if (!existsSync(join(modules, "three"))) {
    rmSync(page, { force: true });
} else {
    const options = ["--bundle", "--minify", "--format=iife", "--target=es2022", "--charset=ascii", "--legal-comments=inline", "--log-level=error"];
    const script = execFileSync(program, [join(source, "main.mjs"), ...options], { env: { ...process.env, NODE_PATH: modules }, encoding: "utf8", maxBuffer: 1 << 26 });
    const [head, tail] = readFileSync(join(source, "page.html"), "utf8").split("@SCRIPT@");
    const before = module ? head.replace("@MODULE@", gzipSync(readFileSync(module), { level: 9 }).toString("base64")) : head;
    writeFileSync(page, before + script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--") + tail);
    writeFileSync(join(folder, "bundled"), "");
}
