// There is one definition of who takes a turn: "no worker" next to a profile, an agent, a hit or a turn always means what the
// claim does. Two profiles share a target here, and one names no model: the built-in worker leaves that one.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { registerWorker } from "../turns/register-worker";
import { takeWork } from "../turns/take-work";
import { listAgentLines } from "./list-agent-lines";
import { listProfileLines } from "./list-profile-lines";
import { readAgentSheet } from "./read-agent-sheet";
import { readProfileSheet } from "./read-profile-sheet";
import { readTaker } from "./read-taker";
import { readUnserved } from "./read-unserved";
import { searchProject } from "./search-project";

let kernel: TestKernel;
const P = "takers";
const { running, accepted } = callersOf(() => kernel, P);
const turnOf: Record<string, string> = {};
const names = ["Modelled", "Modelless"];
const modelled = { worker_target: "worker_generic", needs_own_worker: false };
const modelless = { worker_target: "worker_generic", needs_own_worker: true };

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "Modelled", llm_config: { provider: "demo" } },
    { name: "Modelless" },
    { name: "Boss", worker_target: "t_boss", llm_config: { provider: "demo" } },
  ]);
  const boss = await running("Boss");
  for (const name of names) {
    await accepted(boss, toNew(name));
    const { rows } = await kernel.test.pool.query<{ agent_turn_id: string }>(
      "SELECT agent_turn_id FROM state.agent_turns WHERE project_id = $1 AND profile_name = $2",
      [P, name],
    );
    turnOf[name] = rows[0]?.agent_turn_id ?? "";
  }
  await registerWorker(kernel, { worker_id: "w_built_in", targets: ["*"], version: "1" });
});
afterAll(() => kernel.close());

const asked = { project_id: P, asked: [modelled, modelless] };
const agentIds = async () =>
  new Map((await listAgentLines(kernel, { project_id: P, limit: 10 })).items.map((a) => [a.profile_name, a.agent_id]));

describe("a built-in worker alone does not take a turn without a model", () => {
  test("for the badges of profiles and agents and for the first run", async () => {
    expect(await readUnserved(kernel, asked)).toEqual([modelless]);
    expect(await readUnserved(kernel, { project_id: P, asked: [] })).toEqual([]);
  });

  test("the list of profiles and a profile's page know which one names no model", async () => {
    const { items } = await listProfileLines(kernel, P);
    expect(items.flatMap((p) => (names.includes(p.name) ? [[p.name, p.needs_own_worker]] : []))).toEqual([
      ["Modelled", false],
      ["Modelless", true],
    ]);
    for (const name of names)
      expect(await readProfileSheet(kernel, { project_id: P, name })).toMatchObject({
        needs_own_worker: name === "Modelless",
      });
  });

  test("the list of agents and an agent's facts know it for the version they were created from", async () => {
    const ids = await agentIds();
    for (const name of names) {
      const needs_own_worker = name === "Modelless";
      const { items } = await listAgentLines(kernel, { project_id: P, limit: 10 });
      expect(items.find((a) => a.profile_name === name)).toMatchObject({ needs_own_worker });
      const agent_id = ids.get(name) ?? "";
      expect(await readAgentSheet(kernel, { project_id: P, agent_id })).toMatchObject({ needs_own_worker });
    }
  });

  test("the composer's search of targets", async () => {
    const hits = await searchProject(kernel, { project_id: P, query: "model", kinds: ["agent", "profile"], limit: 8 });
    const served = (all: { worker_count: number; needs_own_worker: boolean }[]) =>
      all.map((hit) => [hit.needs_own_worker, hit.worker_count]).sort();
    expect(served(hits.profiles)).toEqual([
      [false, 1],
      [true, 0],
    ]);
    expect(served(hits.agents)).toEqual(served(hits.profiles));
    expect(hits.agents[0]).not.toHaveProperty("profile_box_id");
  });

  test("the note next to a waiting turn, whatever else its target has; and the claim agrees", async () => {
    const takerOf = (name: string) => readTaker(kernel, { project_id: P, agent_turn_id: turnOf[name] ?? "" });
    expect(await takerOf("Modelled")).toEqual({ needs_own_worker: false, is_served: true });
    expect(await takerOf("Modelless")).toEqual({ needs_own_worker: true, is_served: false });
    const rows = await takeWork(kernel, { worker_targets: ["*"], worker_id: "w_built_in", limit: 16 });
    const taken = rows.map((row) => row.agent_turn_id);
    expect([taken.includes(turnOf.Modelled ?? ""), taken.includes(turnOf.Modelless ?? "")]).toEqual([true, false]);
    await expect(
      readTaker(kernel, { project_id: "other", agent_turn_id: turnOf.Modelled ?? "" }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

test("the project's own worker takes both, and another project's neither", async () => {
  await registerWorker(kernel, { worker_id: "w_own", targets: ["worker_generic"], version: "1", project_id: P });
  expect(await readUnserved(kernel, asked)).toEqual([]);
  expect(await readTaker(kernel, { project_id: P, agent_turn_id: turnOf.Modelless ?? "" })).toMatchObject({
    is_served: true,
  });
  expect(await readUnserved(kernel, { ...asked, project_id: "other" })).toEqual([modelless]);
});
