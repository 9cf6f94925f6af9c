// Repeated calls, late callers, and what people launch.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { getCards } from "../cardbox/get-cards";
import { claimInbox } from "../inbox/claim-inbox";
import { parseProfile } from "../roster/parse-profile";
import { saveProfile } from "../roster/save-profile";
import { registerWorker } from "../turns/register-worker";
import { withUnit } from "../unit";
import { launch } from "./launch";
import { previewLaunch } from "./preview-launch";

let kernel: TestKernel;
const P = "proj_1";
const person = { tool: "delegate_async", user: "ann" } as const;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }, { name: "Plain" }]);
});
afterAll(() => kernel.close());

const { launched, call, running: runningAs, accepted } = callersOf(() => kernel, P);
const running = () => runningAs("Boss");

describe("calls and launches", () => {
  test("a repeated call answers what the first did (K9)", async () => {
    const boss = { ...(await running()), client_call_key: "call-1" };
    const first = await accepted(boss, toNew("Plain"));
    const before = await countRows(kernel);
    expect(await accepted(boss, toNew("Plain"))).toEqual(first);
    expect(await countRows(kernel)).toEqual(before);
  });
  test("a stale caller is fenced, nothing but the rejection is journaled (K2)", async () => {
    const boss = await running();
    const before = await countRows(kernel);
    expect(await call({ ...boss, turn_epoch: 0 }, toNew("Plain"))).toEqual({ fenced: true, current_epoch: 1 });
    const after = await countRows(kernel);
    expect(after).toEqual({ ...before, "state.journal_packs": (before["state.journal_packs"] ?? 0) + 1 });
  });
  test("the same action_id is the same launch, also when two come at once", async () => {
    const input = { project_id: P, ...person, action_id: "act-1", args: toNew("Plain") };
    const answers = await Promise.all([launch(kernel, input), launch(kernel, input), launch(kernel, input)]);
    expect(new Set(answers.map((a) => a.root_turn_id)).size).toBe(1);
    expect(new Set(answers.map((a) => JSON.stringify({ ...a.result, turn_epoch: 1 }))).size).toBe(1);
    expect(answers.filter((a) => !a.is_replay)).toHaveLength(1);
  });
  test("a launch is a finished root turn of the person, pointing to its child", async () => {
    const child = await launched("Plain");
    const { rows } = await kernel.test.pool.query("SELECT * FROM state.agent_turns WHERE agent_turn_id = $1", [
      child.root,
    ]);
    expect(rows[0]).toMatchObject({
      agent_id: "human_ann",
      status: "success",
      primitive: "ui_action",
      depth: 0,
      root_turn_id: child.root,
    });
    const [card] = await getCards(kernel, { project_id: P, card_ids: [rows[0].deliverable_card_id] });
    expect(card?.content).toMatchObject({ kind: "json", data: { agent_turn_id: child.agent_turn_id } });
  });
  test("the dry run refuses as the launch does, names the field, and writes nothing", async () => {
    const before = await countRows(kernel);
    const preview = (args: object) => previewLaunch(kernel, { project_id: P, ...person, args });
    expect(await preview(toNew("Nobody"))).toMatchObject({ ok: false, error_code: "not_found" });
    expect(await preview(toNew("Plain", { instruction: "" }))).toMatchObject({
      ok: false,
      error_code: "bad_request",
      field: "instruction",
    });
    const good = await preview(toNew("Plain"));
    expect(good).toMatchObject({
      ok: true,
      target: { profile_name: "Plain", is_new: true },
      queue_ahead: 0,
      worker_count: 0,
    });
    expect(await countRows(kernel)).toEqual(before);
  });
  test("the dry run counts the workers that would take the turn: one without a model is only for the project's own", async () => {
    const count = async (target_ref: string) => {
      const answer = await previewLaunch(kernel, { project_id: P, ...person, args: toNew(target_ref) });
      return answer.ok ? [answer.target.needs_own_worker, answer.worker_count] : answer;
    };
    await withUnit(kernel, (unit) =>
      saveProfile(unit, {
        project_id: P,
        author_id: "test",
        profile: parseProfile({ name: "Modelled", worker_target: "t_preview", llm_config: { provider: "demo" } }),
      }),
    );
    await withUnit(kernel, (unit) =>
      saveProfile(unit, {
        project_id: P,
        author_id: "test",
        profile: parseProfile({ name: "Modelless", worker_target: "t_preview" }),
      }),
    );
    await registerWorker(kernel, { worker_id: "w_built_in", targets: ["*"], version: "1" });
    expect([await count("Modelled"), await count("Modelless")]).toEqual([
      [false, 1],
      [true, 0],
    ]);
    await registerWorker(kernel, { worker_id: "w_own", targets: ["t_preview"], version: "1", project_id: P });
    // The target now belongs to its own program: the built-in worker takes none of its turns.
    expect([await count("Modelled"), await count("Modelless")]).toEqual([
      [false, 1],
      [true, 1],
    ]);
    await kernel.test.pool.query("DELETE FROM state.workers");
  });
  test("a claimed turn is claimed once", async () => {
    await launched("Plain");
    const claim = () => claimInbox(kernel, { worker_targets: ["*"], worker_id: "w", limit: 16, project_id: P });
    const all = (await Promise.all([claim(), claim(), claim(), claim()])).flat();
    expect(new Set(all.map((row) => row.inbox_id)).size).toBe(all.length);
    expect(await claim()).toEqual([]);
  });
});
