// Whoever is started by npm ends with it, however npm ends: the worker as well as the whole product.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { expect, test } from "vitest";

const stay = `
  import { leaveWithNpm } from "./server/leave-with-npm.ts";
  leaveWithNpm(() => process.exit(0));
  setInterval(() => {}, 1000);
  console.log(process.pid);`;
// What npm is to it: a process in between, which does not pass on how it is ended.
const between = `
  require("node:child_process").spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", ${JSON.stringify(stay)}], {
    stdio: "inherit", env: { ...process.env, npm_lifecycle_event: "worker" } });`;

test("a process whose npm is killed stops by itself", async () => {
  const npm = spawn(process.execPath, ["-e", between], { stdio: ["ignore", "pipe", "inherit"] });
  const pid = await new Promise<number>((resolve) => npm.stdout.once("data", (text) => resolve(Number(text))));
  npm.kill("SIGKILL");
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
}, 30_000);

test("the worker and the whole product ask for it", () => {
  for (const file of ["server/worker/main.ts", "scripts/stop-when-asked.ts"])
    expect(fs.readFileSync(file, "utf8")).toMatch(/^ *(if .*)?leaveWithNpm\(/m);
  for (const file of ["scripts/worker.ts", "scripts/product.ts"])
    expect(fs.readFileSync(file, "utf8")).toMatch(/\bstopWhenAsked\(/);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
