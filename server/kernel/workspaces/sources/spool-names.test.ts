// What a killed process left of an upload is removed at the next start, and nothing else is.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { isAlive } from "@/server/embedded/postmaster";
import { openSpool } from "./spool";
import { removeLeftSpools, spoolPrefix } from "./spool-names";

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "sy-spools-"));
vi.stubEnv("TMPDIR", scratch);
afterAll(() => {
  vi.unstubAllEnvs();
  fs.rmSync(scratch, { recursive: true, force: true });
});

const madeBy = (pid: number) => {
  const folder = fs.mkdtempSync(spoolPrefix().replace(`-${process.pid}-`, `-${pid}-`));
  fs.writeFileSync(path.join(folder, "content"), "bytes of an upload");
  return path.basename(folder);
};

test("folders of dead processes are removed, those of living ones and of others stay", async () => {
  const living = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(living, "spawn");
  const dead = Number(execFileSync(process.execPath, ["-e", "console.log(process.pid)"]).toString());
  const kept = madeBy(living.pid ?? 0);
  const left = madeBy(dead);
  const others = ["switchyard-workspace-elsewhere-1-AAAAAA", `x-${left}`, "switchyard-workspace-", `${left}-more`];
  for (const name of others) fs.mkdirSync(path.join(scratch, name));
  const outside = path.join(scratch, "outside");
  fs.mkdirSync(outside);
  fs.writeFileSync(path.join(outside, "file"), "stays");
  // A link that somebody put there is removed itself, and not what it leads to.
  fs.symlinkSync(outside, spoolPrefix().replace(`-${process.pid}-`, `-${dead}-`).concat("BBBBBB"));
  expect(await removeLeftSpools({ isAlive })).toBe(2);
  expect(fs.readdirSync(scratch).sort()).toEqual([kept, "outside", ...others].sort());
  expect(fs.readdirSync(outside)).toEqual(["file"]);
  living.kill("SIGKILL");
  await once(living, "exit");
  expect(await removeLeftSpools({ isAlive })).toBe(1);
});

test("our own process id in a name is that of a former life: no upload has begun yet", async () => {
  const spool = await openSpool();
  expect(await removeLeftSpools({ isAlive: () => true })).toBe(1);
  expect(fs.existsSync(spool.folder)).toBe(false);
  await spool.remove();
});
