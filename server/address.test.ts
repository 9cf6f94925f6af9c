// Whoever makes a connection by themselves has one without limits: a lost host then holds them for ever.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { connectionConfig, serverLimitMs } from "./address";

const root = path.resolve(import.meta.dirname, "..");
const rooms = ["app", "components", "server", "scripts", "e2e", "examples", "proxy.ts", "instrumentation.ts"];
/** The one that makes them, the one that keeps a pool of them, and a tool of developers that has no TypeScript. */
const makers = ["server/address.ts", "server/db.ts", "scripts/schema-engine.mjs"];
/** Tests look at the database from outside, on a machine that they start themselves. */
const isOutside = (file: string) =>
  /\.test\.tsx?$/.test(file) || file.startsWith("server/testing/") || file.startsWith("e2e/");

function* filesIn(at: string): Generator<string> {
  const full = path.join(root, at);
  if (!fs.existsSync(full)) return;
  if (!fs.statSync(full).isDirectory()) return yield at;
  for (const entry of fs.readdirSync(full)) if (entry !== "node_modules") yield* filesIn(path.join(at, entry));
}

test("connections to Postgres are made in one place", () => {
  const offenders: string[] = [];
  let seen = 0;
  for (const file of rooms.flatMap((room) => [...filesIn(room)])) {
    if (!/\.[cm]?[jt]sx?$/.test(file) || isOutside(file)) continue;
    seen++;
    const text = fs.readFileSync(path.join(root, file), "utf8");
    if (/from "pg"/.test(text) && /new (pg\.)?(Client|Pool)\(/.test(text) && !makers.includes(file))
      offenders.push(file);
  }
  expect(offenders).toEqual([]);
  expect(seen).toBeGreaterThan(300);
  for (const file of makers) expect(fs.readFileSync(path.join(root, file), "utf8")).toMatch(/pg\.(Client|Pool)/);
});

test("both sides keep limits, the server the shorter one; without a limit none is set", () => {
  const { options, keepAlive } = connectionConfig({ url: "postgresql://x/y", name: "n", statementMs: 30_000 });
  expect(keepAlive).toBe(true);
  expect(options).toBe(
    "-c jit=off -c statement_timeout=27000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=60000 -c tcp_user_timeout=15000",
  );
  expect(connectionConfig({ url: "postgresql://x/y", name: "n", statementMs: 0 }).options).toBe("-c jit=off");
  expect(serverLimitMs(1)).toBe(1);
});
