// What only the kernel may do: an edge or a head written elsewhere would escape its invariants, a command sent elsewhere
// would reach a tool that nobody waits for.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const files = ["server", "app", "components"].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|^server\/testing\//.test(name)),
);
const writers = (pattern: RegExp) => files.filter((name) => pattern.test(readFileSync(path.join(root, name), "utf8")));
const outside = (folders: string[], names: string[]) =>
  names.filter((name) => !folders.some((folder) => name.startsWith(folder)));

// A restore ends the sessions of before, and is done by what may not know the kernel.
const beside: Record<string, string[]> = { sessions: ["server/installation.ts", "server/backup/end-sign-ins.ts"] };

test("the files are found", () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files).toContain("server/kernel/turns/enqueue-turns.ts");
});

test.each([
  "execution_edges",
  "agent_state_head",
  "agent_inbox",
  "agent_turns",
  "pmo_batches",
  "pmo_batch_tasks",
  "turn_waiting_tools",
  "env_data",
  "env_calls",
  "human_requests",
  "journal_packs",
  "sessions",
])("125 nobody but the kernel writes state.%s", (table) => {
  const names = writers(new RegExp(`(INSERT INTO|UPDATE|DELETE FROM)\\s+state\\.${table}\\b`));
  expect(names).not.toEqual([]);
  expect(outside(["server/kernel/", ...(beside[table] ?? [])], names)).toEqual([]);
});

test("125 commands are rung by the kernel and sent by doorbells", () => {
  const names = writers(/kind: "command"|cmd\.tool|commandSubject\(/);
  expect(outside(["server/kernel/", "server/doorbell/", "server/contract/"], names)).toEqual([]);
});

test("a head's status is moved by the verbs of a turn alone, and made again by its rescue", () => {
  const names = writers(/UPDATE state\.agent_state_head( h)? SET\s+status =/);
  expect(names).toContain("server/kernel/turns/advance.ts");
  expect(outside(["server/kernel/turns/"], names)).toEqual([]);
  const makers = writers(/INSERT INTO state\.agent_state_head/);
  expect(makers).toContain("server/kernel/reclaim/rebuild-head.ts");
  expect(
    outside(["server/kernel/reclaim/rebuild-head.ts", "server/kernel/roster/", "server/kernel/turns/"], makers),
  ).toEqual([]);
});
