// The product survives the loss of its parts: what is killed is restarted, and a stop leaves nothing behind.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "./fixtures";
import { serveOwn } from "./own-product";
import { type Product, stop } from "./serve";

test.describe.configure({ mode: "serial", timeout: 90_000 });

let own: Product;

// Its own instance, so that the other specs are not affected.
test.beforeAll(async () => {
  own = await serveOwn();
});
test.afterAll(() => stop(own));

test("the web server comes back after kill -9", async () => {
  const before = childOf(own.pid, /next-server/);
  process.kill(before, "SIGKILL");
  await expect.poll(() => childOf(own.pid, /next-server/), { timeout: 20_000 }).not.toBe(before);
  await expect.poll(health, { timeout: 20_000 }).toBe(200);
});

// Twenty seconds without a heartbeat, five for a SIGTERM without effect, and a start.
test("a web server that freezes is replaced", async () => {
  const before = childOf(own.pid, /next-server/);
  process.kill(before, "SIGSTOP");
  expect(await statusOf("/livez", 1_000)).toBe(0);
  await expect.poll(() => processes().some(({ pid }) => pid === before), { timeout: 60_000 }).toBe(false);
  await expect.poll(health, { timeout: 20_000 }).toBe(200);
  expect(childOf(own.pid, /next-server/)).not.toBe(before);
  expect(fs.readFileSync(own.log, "utf8")).toMatch(/its event loop has been blocked for \d+ s/);
});

test("a worker comes back after kill -9", async () => {
  const before = childOf(own.pid, /worker\/main\.ts/);
  process.kill(before, "SIGKILL");
  await expect.poll(() => childOf(own.pid, /worker\/main\.ts/), { timeout: 20_000 }).toBeGreaterThan(0);
  expect(childOf(own.pid, /worker\/main\.ts/)).not.toBe(before);
  await expect.poll(health, { timeout: 20_000 }).toBe(200);
});

test("Postgres comes back after kill -9, and web and worker with it", async () => {
  const web = childOf(own.pid, /next-server/);
  const before = postgres();
  process.kill(before, "SIGKILL");
  await expect.poll(postgres, { timeout: 20_000 }).not.toBe(before);
  await expect.poll(health, { timeout: 20_000 }).toBe(200);
  expect(childOf(own.pid, /next-server/)).toBe(web);
  // One that was still starting ends and is started again.
  await expect.poll(() => childOf(own.pid, /worker\/main\.ts/), { timeout: 20_000 }).toBeGreaterThan(0);
});

test("a stop ends every process of it, Postgres included", async () => {
  const all = [own.pid, childOf(own.pid, /next-server/), childOf(own.pid, /worker\/main\.ts/), postgres()];
  process.kill(own.pid, "SIGTERM");
  // Load balancers learn of it while requests are still answered.
  await expect.poll(() => statusOf("/readyz"), { timeout: 3_000, intervals: [50] }).toBe(503);
  expect(await statusOf("/livez")).toBe(204);
  await expect.poll(() => processes().filter(({ pid }) => all.includes(pid)), { timeout: 30_000 }).toEqual([]);
  expect(fs.existsSync(path.join(own.data_dir, "pg18/data/postmaster.pid"))).toBe(false);
});

const health = (): Promise<number> => statusOf("/api/v1/health");

/** 0 when there is no answer. */
async function statusOf(path: string, timeoutMs = 10_000): Promise<number> {
  try {
    return (await fetch(`${own.url}${path}`, { signal: AbortSignal.timeout(timeoutMs) })).status;
  } catch {
    return 0;
  }
}

/** 0 while there is none. */
function childOf(parent: number, command: RegExp): number {
  return processes().find(({ ppid, args }) => ppid === parent && command.test(args))?.pid ?? 0;
}

function postgres(): number {
  const file = path.join(own.data_dir, "pg18/data/postmaster.pid");
  return fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8").split("\n")[0]) : 0;
}

function processes(): { pid: number; ppid: number; args: string }[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,stat=,args="], { encoding: "utf8" }).trim().split("\n");
  return lines.flatMap((line) => {
    const [pid, ppid, state = "", ...args] = line.trim().split(/\s+/);
    return state.startsWith("Z") ? [] : [{ pid: Number(pid), ppid: Number(ppid), args: args.join(" ") }];
  });
}
