// The [envdata] cases, by number, and what happens with two writers, a worker that took over and a caller without rights.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KernelError } from "@/server/contract/errors";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { framesOf } from "@/server/testing/turns";
import { chainText } from "../provenance/chain-text";
import { readCallerFacts } from "../provenance/read-facts";
import { renderPreamble } from "../provenance/render-preamble";
import { isFenced } from "../turns/fenced";
import type { EnvActor } from "./change";
import { deleteEnvData } from "./delete";
import { getEnvData } from "./get";
import { listEnvData } from "./list";
import { storeEnvData } from "./store";
import { updateEnvData } from "./update";

let kernel: TestKernel;
const project_id = "env_data";
let calls = 0;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [
    { name: "boss", allowed_tools: ["fork_join"] },
    { name: "solver", description: "Solves puzzles" },
  ]);
});
afterAll(() => kernel.close());

const { running, accepted, run, deliver, refused } = callersOf(() => kernel, project_id);
const { start, sleeping } = forksOf(() => kernel, project_id);

const by = ({ agent_turn_id, turn_epoch }: Running, tool_call_id = `tc_${++calls}`): EnvActor => ({
  agent_turn_id,
  turn_epoch,
  tool_call_id,
});
const store = (turn: Running, key: string, value: unknown, more: object = {}) =>
  storeEnvData(kernel, { project_id, by: by(turn), key, short_description: `the ${key}`, value, ...more });
const get = async ({ agent_turn_id }: Running, key: string) => getEnvData(kernel, { project_id, agent_turn_id, key });
const keys = async ({ agent_turn_id }: Running) =>
  (await listEnvData(kernel, { project_id, agent_turn_id })).map((line) => line.key);
const errorOf = (work: Promise<unknown>): Promise<KernelError> =>
  work.then(
    () => Promise.reject(new Error("it was not refused")),
    (error) => error,
  );

describe("a value", () => {
  test("91 keys are listed in their order, without values", async () => {
    const turn = await running("solver");
    for (const key of ["task", "findings", "Äther", "a b"]) await store(turn, key, key);
    expect(await keys(turn)).toEqual(["a b", "findings", "task", "Äther"]);
    const [line] = await listEnvData(kernel, { project_id, agent_turn_id: turn.agent_turn_id });
    expect(line).toMatchObject({ key: "a b", short_description: "the a b", stored_by: turn.agent_id, value_bytes: 5 });
    expect(line).not.toHaveProperty("value");
  });

  test("93 update of a missing key is refused with the remedy, of a description alone keeps the value", async () => {
    const turn = await running("solver");
    const missing = await refused(() => updateEnvData(kernel, { project_id, by: by(turn), key: "findings", value: 1 }));
    expect([missing.code, missing.message]).toEqual(["not_found", expect.stringContaining("store_env_data")]);
    await store(turn, "findings", { rows: [1, 2] });
    const before = await get(turn, "findings");
    const child = await accepted(turn, toNew("solver"));
    const other = await run(child.agent_id, child.agent_turn_id, child.turn_epoch ?? 0);
    await updateEnvData(kernel, { project_id, by: by(other), key: "findings", short_description: "better" });
    const after = await get(turn, "findings");
    expect(after).toMatchObject({
      value: { rows: [1, 2] },
      short_description: "better",
      stored_by: other.agent_id,
      stored_by_turn_id: other.agent_turn_id,
      created_at: before.created_at,
    });
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    const empty = await errorOf(updateEnvData(kernel, { project_id, by: by(turn), key: "findings" }));
    expect(empty.code).toBe("bad_request");
  });

  test.each([[false], [0], [""], [[]], [{}], [true], ["text"], [{ deep: [null, 1.5] }]])(
    "93 %j is a value: it can be stored and can replace another one",
    async (value) => {
      const turn = await running("solver");
      await store(turn, "k", value);
      expect((await get(turn, "k")).value).toEqual(value);
      await store(turn, "k", "other");
      await updateEnvData(kernel, { project_id, by: by(turn), key: "k", value });
      expect((await get(turn, "k")).value).toEqual(value);
    },
  );

  test.each([
    ["null", null, "bad_request"],
    ["nothing", undefined, "bad_request"],
    ["a NUL", "a\0b", "bad_request"],
    ["more than 100 KiB", "x".repeat(102_399), "payload_too_large"],
    ["more than 100 KiB of two bytes each", "ä".repeat(51_200), "payload_too_large"],
    ["a nest of 300 lists", JSON.parse("[".repeat(300) + "]".repeat(300)), "bad_request"],
  ])("%s is no value, and nothing of it is stored", async (_what, value, code) => {
    const turn = await running("solver");
    expect((await refused(() => store(turn, "k", value))).code).toBe(code);
    if (value === undefined) return;
    await store(turn, "k", 1);
    const error = await refused(() => updateEnvData(kernel, { project_id, by: by(turn), key: "k", value }));
    expect(error.code).toBe(code);
  });

  test("exactly 100 KiB is allowed", async () => {
    const turn = await running("solver");
    await store(turn, "k", "x".repeat(102_398));
    expect(await get(turn, "k")).toMatchObject({ value_bytes: 102_400 });
  });

  test("once deleted it is gone, also for repeated requests", async () => {
    const turn = await running("solver");
    await store(turn, "k", 1);
    await deleteEnvData(kernel, { project_id, by: by(turn), key: "k" });
    expect(await keys(turn)).toEqual([]);
    expect((await errorOf(get(turn, "k"))).code).toBe("not_found");
    expect((await refused(() => deleteEnvData(kernel, { project_id, by: by(turn), key: "k" }))).code).toBe("not_found");
  });
});

describe("a run", () => {
  test("it has at most 200 keys, also if two store at once; existing keys can be changed", async () => {
    const turn = await running("solver");
    await kernel.db.pool.query(
      `INSERT INTO state.env_data (project_id, root_turn_id, key, short_description, value, stored_by)
       SELECT $1, $2, 'k' || i, 'd', '1', 'x' FROM generate_series(1, 199) i`,
      [project_id, turn.turn.root_turn_id],
    );
    const both = await Promise.allSettled([store(turn, "new1", 1), store(turn, "new2", 1)]);
    expect(both.map((one) => one.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const error = await refused(() => store(turn, "one more", 1));
    expect([error.code, error.message]).toEqual(["conflict", expect.stringContaining("200 keys")]);
    await store(turn, "k1", "changed");
    expect((await get(turn, "k1")).value).toBe("changed");
  });

  test("97 three children of a fork share their parent's; another run has its own", async () => {
    const boss = await sleeping("boss", [toNew("solver"), toNew("solver"), toNew("solver")]);
    const children = await Promise.all(boss.fork.tasks.map((task) => start(task)));
    const [one, two, three] = children;
    if (!one || !two || !three) throw new Error("three were forked");
    await store(one, "grid", [[1]]);
    await updateEnvData(kernel, { project_id, by: by(two), key: "grid", value: [[2]] });
    expect(await get(three, "grid")).toMatchObject({ value: [[2]], stored_by: two.agent_id });
    expect(await keys(await running("solver"))).toEqual([]);
  });

  test("97 an unknown caller is refused, and so is a run of another project; no row is written", async () => {
    const turn = await running("solver");
    await seedProject(kernel, "elsewhere");
    const nobody: EnvActor = { agent_turn_id: "turn_nobody", turn_epoch: 1, tool_call_id: "tc_nobody" };
    const given = { key: "k", short_description: "d", value: 1 };
    const works = [
      () => storeEnvData(kernel, { project_id, by: nobody, ...given }),
      () => storeEnvData(kernel, { project_id: "elsewhere", by: by(turn), ...given }),
      () => storeEnvData(kernel, { project_id, by: { root_turn_id: "run_gone", user: "ann" }, ...given }),
      () => deleteEnvData(kernel, { project_id, by: nobody, key: "k" }),
      () => listEnvData(kernel, { project_id, agent_turn_id: "turn_nobody" }),
      () => getEnvData(kernel, { project_id: "elsewhere", agent_turn_id: turn.agent_turn_id, key: "k" }),
    ];
    for (const work of works) {
      const error = await refused(work);
      expect([error.code, error.message]).toEqual(["not_found", expect.stringContaining("scope")]);
    }
  });

  test("a turn that has lost its lease changes nothing, and is told so", async () => {
    const turn = await running("solver");
    await deliver(turn, "done");
    const before = await countRows(kernel);
    const answer = await store(turn, "k", 1);
    expect(isFenced(answer)).toBe(true);
    const after = await countRows(kernel);
    expect(after["state.env_data"]).toBe(before["state.env_data"]);
    expect(after["state.env_calls"]).toBe(before["state.env_calls"]);
  });

  test("a person stores by hand, under their own name, and can require the rev they saw", async () => {
    const turn = await running("solver");
    const { root_turn_id } = turn.turn;
    const person: EnvActor = { root_turn_id, user: "ann" };
    const given = { project_id, by: person, key: "k", short_description: "d", value: 1 };
    await storeEnvData(kernel, { ...given, rev: 0 });
    const entry = await get(turn, "k");
    expect(entry.stored_by).toBe("human_ann");
    expect(entry).not.toHaveProperty("stored_by_turn_id");
    expect((await refused(() => storeEnvData(kernel, { ...given, rev: 0 }))).code).toBe("conflict");
    await storeEnvData(kernel, { ...given, value: 2, rev: entry.rev });
    expect((await refused(() => storeEnvData(kernel, { ...given, value: 3, rev: entry.rev }))).code).toBe("conflict");
    expect((await get(turn, "k")).value).toBe(2);
  });
});

test("a call repeated after a takeover is made once, and does not undo changes made in between", async () => {
  const turn = await running("solver");
  const other = await accepted(turn, toNew("solver")).then((c) => run(c.agent_id, c.agent_turn_id, c.turn_epoch ?? 0));
  const first = { project_id, by: by(turn, "tc_first"), key: "k", short_description: "d", value: 1 };
  const gone = { project_id, by: by(turn, "tc_gone"), key: "k" };
  await storeEnvData(kernel, first);
  await updateEnvData(kernel, { project_id, by: by(other), key: "k", value: 2 });
  expect(await storeEnvData(kernel, first)).toEqual({ status: "stored", key: "k" });
  expect((await get(turn, "k")).value).toBe(2);
  await deleteEnvData(kernel, gone);
  expect(await deleteEnvData(kernel, gone)).toEqual({ status: "deleted", key: "k" });
  await store(other, "k", 3);
  await deleteEnvData(kernel, gone);
  expect((await get(turn, "k")).value).toBe(3);
});

test("every change is a frame without the value, and a later one has a higher rev, also after a deletion", async () => {
  const turn = await running("solver");
  await store(turn, "k", "secret-value");
  await updateEnvData(kernel, { project_id, by: by(turn), key: "k", value: "secret-again" });
  await deleteEnvData(kernel, { project_id, by: by(turn), key: "k" });
  await store(turn, "k", "secret-more");
  const { root_turn_id } = turn.turn;
  const frames = (await framesOf(kernel, project_id, "env_data")).filter((f) => f.root_turn_id === root_turn_id);
  expect(frames.map((f) => [f.id, f.key, f.rev, f.is_deleted])).toEqual([
    [`${root_turn_id}/k`, "k", 1, false],
    [`${root_turn_id}/k`, "k", 2, false],
    [`${root_turn_id}/k`, "k", 3, true],
    [`${root_turn_id}/k`, "k", 4, false],
  ]);
  expect(JSON.stringify(frames)).not.toContain("secret");
});

test("95 no key at the call: no hint; one key: the hint; one stored after the call began changes nothing", async () => {
  const turn = await running("solver");
  const told = async () => {
    const facts = await readCallerFacts(kernel, { project_id, caller: turn.turn });
    return { ...facts, schema_version: 1 as const, target: { agent_id: "o", name: "observer" } };
  };
  const before = await told();
  await store(turn, "k", 1);
  const after = await told();
  expect(chainText(before)).toBe("human → solver → you (observer)");
  expect(renderPreamble(before, "standard")).not.toContain("list_env_data");
  expect(renderPreamble(after, "standard")).toContain(
    "\nShared environment data is available — call list_env_data() to see what context has been stored.\n---",
  );
  expect(renderPreamble(after, "verbose")).toContain("\n- k: the k\n");
});
