import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isAlive } from "@/server/embedded/postmaster";
import { log } from "@/server/log";
import { makeScratch } from "@/server/testing/scratch";
import { supervise } from "./supervise";
import { refuseTakenPort, urlOf } from "./web-address";

let scratch: string;
let births: string;

beforeEach(() => {
  scratch = makeScratch();
  births = path.join(scratch, "births");
  fs.writeFileSync(births, "");
});
afterEach(() => fs.rmSync(scratch, { recursive: true }));

test("a child that is killed is started again, and not after the stop", async () => {
  const child = supervise(spec("setInterval(() => {}, 1000)"));
  await expect.poll(pids, { timeout: 8_000 }).toHaveLength(1);
  process.kill(pids()[0] ?? 0, "SIGKILL");
  await expect.poll(pids, { timeout: 8_000 }).toHaveLength(2);
  await child.stop();
  expect(pids().map(isAlive)).toEqual([false, false]);
}, 20_000);

test("a child that ends on its own is started again, later each time", async () => {
  const child = supervise(spec("process.exit(3)"));
  await expect.poll(pids, { timeout: 8_000 }).toHaveLength(3);
  await child.stop();
  const [first = 0, second = 0, third = 0] = times();
  expect(second - first).toBeGreaterThanOrEqual(500);
  expect(third - second).toBeGreaterThanOrEqual(1_000);
}, 20_000);

test("a child that does not listen is killed when its grace is over", async () => {
  const child = supervise({ ...spec("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"), graceMs: 200 });
  await expect.poll(pids, { timeout: 8_000 }).toHaveLength(1);
  await child.stop();
  expect(pids().map(isAlive)).toEqual([false]);
}, 20_000);

test("one whose loop stands still and one that is stopped are killed and started again; the others go on", async () => {
  const patience = { silentMs: 4_000, startMs: 8_000, lookMsMax: 60_000 };
  const life = "setInterval(() => {}, 1000)";
  // In its first life only.
  const stuck = `if (require("fs").readFileSync(${JSON.stringify(births)}, "utf8") === "") setTimeout(() => { for (;;); }, 1500); ${life}`;
  const all = [supervise({ ...spec(stuck), patience })];
  await expect.poll(pids, { timeout: 8_000 }).toHaveLength(1);
  all.push(supervise({ ...spec(life), patience }));
  await expect.poll(pids, { timeout: 8_000 }).toHaveLength(2);
  all.push(supervise({ ...spec(life), patience }));
  await expect.poll(pids, { timeout: 8_000 }).toHaveLength(3);
  const [, stopped = 0] = pids();
  process.kill(stopped, "SIGSTOP");
  await expect.poll(pids, { timeout: 60_000 }).toHaveLength(5);
  expect(pids().map(isAlive)).toEqual([false, false, true, true, true]);
  await Promise.all(all.map((child) => child.stop()));
}, 120_000);

test("one that dies again and again is told of with its last words, and one with exit 75 by what that means", async () => {
  const lines: Record<string, unknown>[] = [];
  const spy = vi.spyOn(log(), "error").mockImplementation((facts: unknown) => void lines.push(facts as never));
  const warned = vi.spyOn(log(), "warn").mockImplementation((facts: unknown) => void lines.push(facts as never));
  const child = supervise(spec('process.stderr.write("no room for the engine\\n", () => process.exit(75))'));
  await expect.poll(() => lines.length, { timeout: 30_000 }).toBe(4);
  await child.stop();
  spy.mockRestore();
  warned.mockRestore();
  expect(lines[0]).toMatchObject({ how: expect.stringMatching(/^exit 75: .*database/) });
  expect(lines[3]).toMatchObject({ times: 4, said: expect.stringContaining("no room for the engine") });
}, 40_000);

test("children leave when the process that started them is killed", async () => {
  const { args, name } = spec("setInterval(() => {}, 1000)");
  const code = `import { supervise } from "./scripts/supervise";
    supervise({ name: "${name}", args: ${JSON.stringify(args)}, env: process.env, graceMs: 5000 });`;
  const parent = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", code]);
  await expect.poll(pids, { timeout: 15_000 }).toHaveLength(1);
  parent.kill("SIGKILL");
  await expect.poll(() => pids().map(isAlive), { timeout: 8_000 }).toEqual([false]);
}, 30_000);

test("a taken port is named, with the way out", async () => {
  const squatter = net.createServer();
  await new Promise<void>((resolve) => squatter.listen(0, "127.0.0.1", resolve));
  const { port } = squatter.address() as net.AddressInfo;
  await expect(refuseTakenPort("127.0.0.1", port)).rejects.toThrow(
    new RegExp(`Port ${port} on 127.0.0.1 is in use.*PORT=${port + 1} npm start`),
  );
  await new Promise((resolve) => squatter.close(resolve));
  await refuseTakenPort("127.0.0.1", port);
  // Of a network for documents, which no machine has.
  await expect(refuseTakenPort("192.0.2.9", port)).rejects.toThrow(/no address 192\.0\.2\.9.*127\.0\.0\.1/);
  expect(urlOf("::1", 4600)).toBe("http://[::1]:4600");
});

function spec(code: string): Parameters<typeof supervise>[0] {
  // Its handlers are set before it is counted, so that a signal finds them.
  const born = `require("fs").appendFileSync(${JSON.stringify(births)}, process.pid + " " + Date.now() + "\\n");`;
  const eager = code.startsWith("process.exit") ? `${born}${code}` : `${code};${born}`;
  return { name: "child", args: ["--eval", eager], env: process.env, graceMs: 5_000 };
}

function lines(): string[] {
  return fs.readFileSync(births, "utf8").trim().split("\n").filter(Boolean);
}
function pids(): number[] {
  return lines().map((line) => Number(line.split(" ")[0]));
}
function times(): number[] {
  return lines().map((line) => Number(line.split(" ")[1]));
}
