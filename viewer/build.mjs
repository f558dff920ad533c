// SPDX-License-Identifier: MIT
// `build.mjs packages NPM FOLDER` installs the packages of package-lock.json into FOLDER with npm.
// `build.mjs page ESBUILD FOLDER` bundles main.mjs with them into FOLDER/page.html. The page keeps @RECORDING@ for
// voxphys view.
// Both write a stamp file when they have run. If packages are unavailable there is no page, which is not an error.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [what, program, folder] = process.argv.slice(2), here = dirname(fileURLToPath(import.meta.url));
const modules = join(folder, "node_modules"), page = join(folder, "page.html");

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
    const script = execFileSync(program, [join(here, "main.mjs"), ...options], { env: { ...process.env, NODE_PATH: modules }, encoding: "utf8", maxBuffer: 1 << 26 });
    const [head, tail] = readFileSync(join(here, "page.html"), "utf8").split("@SCRIPT@");
    writeFileSync(page, head + script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--") + tail);
    writeFileSync(join(folder, "bundled"), "");
}
