// What makes a person a person: a fact that the kernel writes. No name, target or id that a client can give does.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { turnOf } from "@/server/testing/turns";
import { createBoxes } from "../cardbox/create-boxes";
import { provisionAgent } from "../delegation/provision-agent";
import { launch } from "../launch/launch";
import { takeOver } from "../reclaim/take-over";
import { withUnit } from "../unit";
import { parseProfile } from "./parse-profile";
import { saveProfile } from "./save-profile";

let kernel: TestKernel;
const P = "people";
const { running, launched, call, deliver, refused: refusedBy } = callersOf(() => kernel, P);
const { ok, refused } = restOf(() => kernel);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }, { name: "Human" }]);
  // As a profile of before stands in the database: nobody would save it today.
  const profile = parseProfile({ name: "Old", delegation_policy: { target_tags: [] } });
  await withUnit(kernel, (unit) =>
    saveProfile(unit, {
      project_id: P,
      author_id: "test",
      profile: { ...profile, body: { ...profile.body, worker_target: "human" } },
    }),
  );
});
afterAll(() => kernel.close());

const headOf = async (agent_id: string) =>
  (
    await kernel.test.pool.query(
      "SELECT status, active_agent_turn_id FROM state.agent_state_head WHERE project_id = $1 AND agent_id = $2",
      [P, agent_id],
    )
  ).rows[0];

describe("the kernel's names are reserved", () => {
  const yaml = (text: string) => ({ raw: text, type: "text/yaml" });
  test.each(["human", "Human", "sys.mailer"])("no profile, agent or worker has the target %s", async (target) => {
    const asJson = await refused("POST", `/projects/${P}/profiles`, { body: { name: "X", worker_target: target } });
    const asYaml = await refused("POST", `/projects/${P}/profiles`, yaml(`name: X\nworker_target: ${target}\n`));
    const agent = { profile_name: "Plain", worker_target: target };
    const asAgent = await refused("POST", `/projects/${P}/agents`, { body: agent });
    const args = { action: "create", agent_id: "mine", profile_name: "Plain", worker_target: target };
    const provisioned = await refused("POST", `/projects/${P}/pmo/provision_agent:call`, { body: { args } });
    const claim = { worker_target: target, worker_id: "w" };
    const claimed = await refused("POST", `/projects/${P}/workers:claim`, { body: claim });
    for (const refusal of [asJson, asYaml, asAgent, provisioned, claimed])
      expect(refusal).toMatchObject({ error_message: expect.stringMatching(/worker_target.*reserved/) });
    const caller = await running("Plain");
    expect((await refusedBy(() => provisionAgent(kernel, { project_id: P, caller, args }))).message).toContain(
      "worker_target",
    );
  });
  test("no profile is called sys.*, and no agent's id is a person's, however it comes about", async () => {
    expect(await refused("POST", `/projects/${P}/profiles`, { body: { name: "sys.human" } })).toMatchObject({
      status: 400,
      error_message: expect.stringContaining("profile.name"),
    });
    const { agent_id } = await ok("POST", `/projects/${P}/agents`, { profile_name: "Human" });
    const { agent_id: delegated } = await launched("Human");
    for (const id of [agent_id, delegated]) expect(id).toMatch(/^human-agent_/);
    const args = { action: "create", agent_id: "human_eve", profile_name: "Plain" };
    expect(await refused("POST", `/projects/${P}/pmo/provision_agent:call`, { body: { args } })).toMatchObject({
      status: 400,
    });
  });
});

describe("an old profile with the target human", () => {
  test("is an agent like any other: its turn ends, its head is free, and the next one begins", async () => {
    const turn = await running("Old");
    expect(await turnOf(kernel, P, turn.agent_turn_id)).toMatchObject({ is_human: false, worker_target: "human" });
    await deliver(turn, "done");
    expect(await headOf(turn.agent_id)).toEqual({ status: "idle", active_agent_turn_id: null });
    const again = await launch(kernel, {
      project_id: P,
      tool: "delegate_async",
      user: "ann",
      args: { target_strategy: "reuse", target_ref: turn.agent_id, instruction: "more" },
    });
    expect(again.result).toMatchObject({ turn_epoch: 2 });
  });
  test("is taken over and ended when its worker is lost, and nobody else's turn waits for it", async () => {
    const turns = [await running("Old"), await running("Plain")];
    await kernel.test.pool.query(
      "UPDATE state.due SET heartbeat_at = now() - interval '1 hour' WHERE project_id = $1 AND heartbeat_at IS NOT NULL",
      [P],
    );
    await takeOver(kernel);
    for (const turn of turns) expect(await headOf(turn.agent_id)).toMatchObject({ status: "dispatched" });
  });
  test("is shown, and can be saved again with its own target", async () => {
    const url = `/projects/${P}/profiles`;
    expect(await ok("GET", `${url}/Old`)).toMatchObject({ worker_target: "human" });
    await ok("POST", url, { name: "Old", worker_target: "mine", delegation_policy: { target_tags: [] } });
  });
  test("hands over only its own boxes", async () => {
    const turn = await running("Old");
    const [box] = await withUnit(kernel, (unit) =>
      createBoxes(unit, { project_id: P, boxes: [{ kind: "plain", owner_agent_id: "somebody", items: [] }] }),
    );
    const refusal = await refusedBy(() => call(turn, toNew("Plain", { context_box_id: box?.box_id })));
    expect(refusal.message).toContain("unauthorized box_id");
  });
});

test("only the stored fact makes a person, also for rows that the previous version writes", async () => {
  const { agent_id, turn } = await running("Plain");
  const { rows } = await kernel.test.pool.query(
    `SELECT a.agent_id, a.is_human, t.is_human AS is_turn FROM resource.project_agents a
     JOIN state.agent_turns t USING (project_id, agent_id) WHERE t.agent_turn_id = ANY ($1) ORDER BY t.depth`,
    [[turn.agent_turn_id, turn.root_turn_id]],
  );
  expect(rows).toEqual([
    { agent_id: "human_ann", is_human: true, is_turn: true },
    { agent_id, is_human: false, is_turn: false },
  ]);
  const old = await kernel.test.pool.query(
    `INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target)
     SELECT project_id, 'human_bob', profile_box_id, profile_name, worker_target FROM resource.project_agents
     WHERE project_id = $1 AND agent_id = 'human_ann' RETURNING is_human`,
    [P],
  );
  expect(old.rows).toEqual([{ is_human: true }]);
});
