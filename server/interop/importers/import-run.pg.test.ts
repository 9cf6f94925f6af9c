// What an import leaves behind when it is refused, repeated, concurrent or interrupted.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KernelError } from "@/server/contract/errors";
import { launch } from "@/server/kernel/launch/launch";
import { insertAgents } from "@/server/kernel/roster/insert-agents";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { withUnit } from "@/server/kernel/unit";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { importRun } from "./import-run";

const format = "who-and-when" as const;
const bytesOf = (log: unknown) => Buffer.from(JSON.stringify(log));
/** Enough cards for three units of at most 500. */
const longLog = (seed: string) => ({
  question: `What of ${seed}?`,
  history: [
    { role: "human", content: seed },
    ...Array.from({ length: 400 }, (_, i) => [
      { role: "Orchestrator (thought)", content: `${seed}: thought ${i}` },
      { role: "Orchestrator (-> WebSurfer)", content: `${seed}: look ${i}` },
      { role: "WebSurfer", content: `${seed}: seen ${i}` },
    ]).flat(),
    { role: "Orchestrator (termination condition)", content: "Done" },
  ],
});
const chat = (content: string, prompt: string) => ({
  question: content,
  history: [{ role: "user", name: "Ann", content }],
  system_prompt: { Ann: prompt },
});

let kernel: TestKernel;
let probe: ((point: string) => void) | undefined;
beforeAll(async () => {
  kernel = await openTestKernel({ probe: (point) => probe?.(point) });
  for (const id of ["p", "clean", "cut", "late", "race", "names", "taken"]) await seedProject(kernel, id);
});
afterAll(() => kernel.close());

async function refusalOf(work: Promise<unknown>): Promise<KernelError> {
  return work.then(
    () => {
      throw new Error("nothing was refused");
    },
    (error) => error,
  );
}
const rowsOf = async (project_id: string, table: string, column = "project_id") =>
  (await kernel.db.pool.query(`SELECT count(*)::int AS n FROM ${table} WHERE ${column} = $1`, [project_id])).rows[0].n;

describe("a refused file leaves nothing", () => {
  test.each<[string, unknown, string]>([
    ["cut short", Buffer.from('{"history": [{"role": "human", "con'), "line 1, column 36"],
    ["without a history", { question: "?" }, "history is missing"],
    ["an entry without content", { history: [{ role: "human" }] }, "history.0.content is missing"],
    [
      "NUL in the last entry",
      { history: [...longLog("a").history, { role: "human", content: "\u0000" }] },
      "history.1202.content",
    ],
    ["a step out of range", { ...longLog("a"), mistake_step: "1202" }, "mistake_step is 1202"],
    ["an unknown role", { history: [{ role: "narrator (aside)", content: "" }] }, "history.0.role"],
    ["nothing at all", null, "not an object"],
  ])("%s", async (_name, file, message) => {
    const before = await countRows(kernel);
    const given = Buffer.isBuffer(file) ? { bytes: file } : { bytes: bytesOf(file) };
    const refusal = await refusalOf(importRun(kernel, { project_id: "p", format, ...given }));
    expect(refusal.message).toContain(message);
    expect(refusal.code).toBe("bad_request");
    expect(await countRows(kernel)).toEqual(before);
  });

  test("more bytes than an import may have", async () => {
    const small = { ...kernel, tunables: { ...kernel.tunables, importBytesMax: 10 } };
    const refusal = await refusalOf(importRun(small, { project_id: "p", format, bytes: Buffer.alloc(11) }));
    expect(refusal.code).toBe("payload_too_large");
  });

  test("an unknown project and the file of another project's run", async () => {
    const before = await countRows(kernel);
    const refusal = await refusalOf(importRun(kernel, { project_id: "nowhere", format, bytes: bytesOf(longLog("a")) }));
    expect([refusal.code, refusal.message]).toEqual(["not_found", "project nowhere not found"]);
    expect(await countRows(kernel)).toEqual(before);
  });

  test("an agent's id that another agent has", async () => {
    const plain = await importRun(kernel, { project_id: "p", format, bytes: bytesOf(chat("mine", "x")) });
    const { rows } = await kernel.db.pool.query(
      "SELECT agent_id, profile_box_id FROM resource.project_agents WHERE project_id = 'p' AND agent_id LIKE 'ann%'",
    );
    await withUnit(kernel, (unit) =>
      saveProfile(unit, { project_id: "taken", author_id: "t", profile: parseProfile({ name: "Ann" }) }),
    );
    const { rows: box } = await kernel.db.pool.query(
      "SELECT profile_box_id FROM resource.profiles WHERE project_id = 'taken'",
    );
    await withUnit(kernel, (unit) =>
      insertAgents(unit, {
        project_id: "taken",
        agents: [
          {
            agent_id: rows[0].agent_id,
            profile_box_id: box[0].profile_box_id,
            profile_name: "Ann",
            worker_target: "w",
            tags: [],
            action: "provision",
          },
        ],
      }),
    );
    const before = await countRows(kernel);
    const refusal = await refusalOf(
      importRun(kernel, { project_id: "taken", format, bytes: bytesOf(chat("mine", "x")) }),
    );
    expect(refusal.code).toBe("conflict");
    expect(refusal.message).toContain(rows[0].agent_id);
    expect(await countRows(kernel)).toEqual(before);
    expect(plain.is_replay).toBe(false);
  });
});

test("cut off between units: nothing of the run shows, and the repeat adopts what is there", async () => {
  const clean = await importRun(kernel, { project_id: "clean", format, bytes: bytesOf(longLog("cut")) });
  let parts = 0;
  probe = (point) => {
    if (point === "import-part" && ++parts === 3) throw new Error("power cut");
  };
  await expect(importRun(kernel, { project_id: "cut", format, bytes: bytesOf(longLog("cut")) })).rejects.toThrow(
    "power cut",
  );
  probe = undefined;
  expect(await rowsOf("cut", "cards", "tenant_id")).toBe(1000);
  for (const table of [
    "state.runs",
    "state.agent_turns",
    "state.execution_edges",
    "resource.project_agents",
    "resource.profiles",
  ])
    expect(await rowsOf("cut", table)).toBe(0);
  const repeat = await importRun(kernel, { project_id: "cut", format, bytes: bytesOf(longLog("cut")) });
  expect(repeat).toEqual({ ...clean, skipped: 1000 });
  for (const table of [
    "state.runs",
    "state.agent_turns",
    "state.execution_edges",
    "resource.project_agents",
    "state.journal",
  ])
    expect([table, await rowsOf("cut", table)]).toEqual([table, await rowsOf("clean", table)]);
  for (const table of ["cards", "card_boxes", "card_box_chunks"])
    expect([table, await rowsOf("cut", table, "tenant_id")]).toEqual([
      table,
      await rowsOf("clean", table, "tenant_id"),
    ]);
});

test("cut off in the last unit: no turn, no agent, no number is used up", async () => {
  probe = (point) => {
    if (point === "before-run") throw new Error("power cut");
  };
  await expect(importRun(kernel, { project_id: "late", format, bytes: bytesOf(longLog("late")) })).rejects.toThrow(
    "power cut",
  );
  probe = undefined;
  for (const table of ["state.agent_turns", "resource.project_agents", "resource.profiles"])
    expect(await rowsOf("late", table)).toBe(0);
  await importRun(kernel, { project_id: "late", format, bytes: bytesOf(longLog("late")) });
  const { rows } = await kernel.db.pool.query("SELECT number FROM state.runs WHERE project_id = 'late'");
  expect(rows).toEqual([{ number: 1 }]);
});

test("the same file from four sides at once is one run", async () => {
  const results = await Promise.all(
    Array.from({ length: 4 }, () => importRun(kernel, { project_id: "race", format, bytes: bytesOf(longLog("race")) })),
  );
  expect(new Set(results.map((r) => r.root_turn_id)).size).toBe(1);
  expect(results.filter((r) => !r.is_replay)).toHaveLength(1);
  expect(await rowsOf("race", "state.runs")).toBe(1);
  expect(await rowsOf("race", "state.agent_turns")).toBe(results[0]?.turns);
});

test("a name that is taken keeps its profile; the imported agent has the prompt of its own file", async () => {
  await importRun(kernel, { project_id: "names", format, bytes: bytesOf(chat("one", "Be brief")) });
  await importRun(kernel, { project_id: "names", format, bytes: bytesOf(chat("two", "Be long")) });
  await importRun(kernel, { project_id: "names", format, bytes: bytesOf(chat("three", "Be brief")) });
  const { rows } = await kernel.db.pool.query(
    `SELECT a.profile_name, c.content -> 'data' ->> 'system_prompt' AS prompt, (p.profile_box_id = a.profile_box_id) AS is_registered
     FROM resource.project_agents a
     JOIN card_box_chunks k ON k.tenant_id = a.project_id AND k.box_id = a.profile_box_id
     JOIN cards c ON c.tenant_id = a.project_id AND c.card_id = k.card_ids[1]
     JOIN resource.profiles p ON p.project_id = a.project_id AND p.name = a.profile_name
     JOIN state.agent_turns t ON t.project_id = a.project_id AND t.agent_id = a.agent_id
     WHERE a.project_id = 'names' ORDER BY t.created_at`,
  );
  expect(rows).toEqual([
    { profile_name: "import:Ann", prompt: "Be brief", is_registered: true },
    { profile_name: "import:Ann", prompt: "Be long", is_registered: false },
    { profile_name: "import:Ann", prompt: "Be brief", is_registered: true },
  ]);
});

test("an imported agent can be asked again and writes on in its memory", async () => {
  const log = longLog("again");
  await importRun(kernel, { project_id: "p", format, bytes: bytesOf(log) });
  const { rows } = await kernel.db.pool.query(
    `SELECT t.agent_id, t.output_box_id, max(t.turn_epoch)::int AS epoch, b.length FROM state.agent_turns t
     JOIN state.runs r USING (project_id, root_turn_id)
     JOIN card_boxes b ON b.tenant_id = t.project_id AND b.box_id = t.output_box_id
     WHERE r.project_id = 'p' AND r.title = $1 AND t.profile_name = 'import:WebSurfer' GROUP BY 1, 2, 4`,
    [log.question],
  );
  expect(rows).toMatchObject([{ epoch: 400, length: 400 }]);
  const { result } = await launch(kernel, {
    project_id: "p",
    tool: "delegate_async",
    args: { target_strategy: "reuse", target_ref: rows[0].agent_id, instruction: "Look once more" },
    user: "local",
  });
  expect(result).toMatchObject({ agent_id: rows[0].agent_id, turn_epoch: 401, output_box_id: rows[0].output_box_id });
});

test("progress counts up to the whole", async () => {
  const seen: number[] = [];
  let whole = 0;
  await importRun(kernel, {
    project_id: "p",
    format,
    bytes: bytesOf(longLog("progress")),
    onProgress: ({ done, total }) => {
      seen.push(done);
      whole = total;
    },
  });
  expect(seen.length).toBeGreaterThan(3);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(whole);
});
