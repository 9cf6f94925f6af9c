import { expect, test } from "vitest";
import { createLog, maskUrls } from "./log";

function logTo(isTerminal: boolean): { lines: string[]; log: ReturnType<typeof createLog> } {
  const lines: string[] = [];
  return { lines, log: createLog({ level: "info", isTerminal, write: (line) => lines.push(line) }) };
}

test("JSON for a collector", () => {
  const { lines, log } = logTo(false);
  log.info({ port: 1 }, "ready");
  log.debug("not at this level");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 30, port: 1, msg: "ready" }),
  ]);
});

test("one short line at a terminal, with the stack of an error", () => {
  const { lines, log } = logTo(true);
  log.info({ port: 1, dir: "/x" }, "ready");
  log.error({ err: new Error("broken") }, "failed");
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d info {2}ready port=1 dir=\/x\n$/);
  expect(lines[1]).toMatch(/error failed.*\n {2}Error: broken\n {4}at /);
});

test("no secret leaves: neither by name nor inside a URL", () => {
  for (const isTerminal of [true, false]) {
    const { lines, log } = logTo(isTerminal);
    log.info({ password: "hunter2", headers: { authorization: "hunter2" }, url: "postgresql://u:hunter2@h/d" }, "x");
    log.error({ err: new Error("cannot reach postgresql://u:hun@ter2@h/d") }, "at nats://u:hunter2@h");
    expect(lines.join("")).not.toMatch(/hun@?ter2/);
  }
});

test("masking keeps what is no password", () => {
  const text = "http://127.0.0.1:4600/p/demo?x=a@b and postgresql://u@h:5432/d";
  expect(maskUrls(text)).toBe(text);
  expect(maskUrls("postgresql://u:p:q@h/d, nats://:t@h")).toBe("postgresql://u:***@h/d, nats://:***@h");
});
