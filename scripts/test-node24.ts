// `npm run test:node24`: the unit tests of the server, and the database tests of the rooms that use the runtime, on the Node of
// the image, beside the oldest that is supported. Pure code runs in a browser, or computes the same in every Node: its tests
// are not run twice, nor is anything built twice. Which rooms and why: node24-rooms.ts. That Node comes as a package, into a folder of its own. Without the network a developer
// goes on without; CI does not.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { rooms, testsOf } from "./node24-rooms";

const root = path.join(import.meta.dirname, "..");
const folder = path.join(os.tmpdir(), `switchyard-node24-${process.pid}`);

function install(): string {
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", folder, "node@24"];
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, "package.json"), "{}");
  spawnSync("npm", args, { cwd: folder, stdio: "inherit" });
  const node = path.join(folder, "node_modules/node/bin/node");
  const said = spawnSync(node, ["--version"]).stdout?.toString().trim() ?? "";
  if (!said.startsWith("v24."))
    throw new Error(`npm's package node@24 could not be installed (${said || "no answer"})`);
  console.log(`Node ${said}`);
  return node;
}

function run(node: string): number {
  // Children that tests start by name, and those of their children, are to be of the same version.
  const PATH = `${path.dirname(node)}${path.delimiter}${process.env.PATH}`;
  const given = process.argv.slice(2);
  // Who names a project, names tests too.
  const isNamed = given.includes("--project");
  const projects = isNamed ? [] : ["--project", "unit", "--project", "pg", "--project", "pg-alone"];
  const args = [path.join(root, "node_modules/vitest/vitest.mjs"), "run", ...projects, ...given];
  const PG_TESTS = isNamed ? undefined : rooms.flatMap((room) => testsOf(room, root)).join(",");
  return spawnSync(node, args, { cwd: root, env: { ...process.env, PATH, PG_TESTS }, stdio: "inherit" }).status ?? 1;
}

try {
  process.exitCode = run(install());
} catch (error) {
  console.log(`${process.env.CI ? "" : "Skipped: "}${error instanceof Error ? error.message : error}`);
  process.exitCode = process.env.CI ? 1 : 0;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
