// The [delegate] cases of the kernel's list, by number, on a real database.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callersOf, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { getCards } from "../cardbox/get-cards";
import { readBox } from "../cardbox/read-box";
import { launch } from "../launch/launch";
import { parseProfile } from "../roster/parse-profile";
import { readAgent } from "../roster/read-agents";
import { saveProfile } from "../roster/save-profile";
import { appendOutput } from "../turns/append-output";
import { isFenced } from "../turns/fenced";
import { withUnit } from "../unit";
import { type CallerRef, lockCaller } from "./caller";
import { delegateIn } from "./delegate-in";
import { expertArgs } from "./expert-args";
import { provisionAgent } from "./provision-agent";

let kernel: TestKernel;
const P = "proj_1";

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "Boss" },
    { name: "Delegatee", tags: ["t1"] },
    { name: "Plain" },
    { name: "Only_A", delegation_policy: { target_profiles: ["Delegatee"], target_tags: [] } },
    { name: "None", delegation_policy: { target_profiles: [] } },
    { name: "Needs_Tag", delegation_policy: { target_profiles: ["Plain", "Delegatee"], target_tags: ["t1"] } },
    { name: "No_Policy", delegation_policy: null },
    { name: "Malformed", delegation_policy: { target_profiles: "Delegatee" } },
  ]);
  await seedProject(kernel, "other", [{ name: "Delegatee" }]);
});
afterAll(() => kernel.close());

const { run, launched, call, running: runningAs, accepted, deliver, refused } = callersOf(() => kernel, P);
const running = (profile = "Boss") => runningAs(profile);

describe("arguments", () => {
  test("33 no target_strategy is bad_request, and nothing is written", async () => {
    const boss = await running();
    const error = await refused(() => call(boss, { target_ref: "Delegatee", instruction: "x" }));
    expect(error.code).toBe("bad_request");
    expect(error.message).toContain("args.target_strategy");
  });
  test.each([
    ["unknown key", { ...toNew("Delegatee"), colour: "red" }, "args.colour"],
    ["empty instruction", toNew("Delegatee", { instruction: "  " }), "args.instruction"],
    ["null box", toNew("Delegatee", { context_box_id: null }), "args.context_box_id"],
    ["boolean box", toNew("Delegatee", { context_box_id: true }), "args.context_box_id"],
    ["wrong type", toNew("Delegatee", { instruction: 7 }), "args.instruction"],
    ["NUL", toNew("Delegatee", { instruction: "a\u0000b" }), "args.instruction"],
    ["not an object", "Delegatee", "args"],
  ])("%s names its field", async (_what, args, field) => {
    const boss = await running();
    const error = await refused(() => call(boss, args));
    expect(error.code).toBe("bad_request");
    expect(error.message).toContain(field);
  });
  test("an instruction of 5 MB is payload_too_large", async () => {
    const boss = await running();
    expect((await refused(() => call(boss, toNew("Delegatee", { instruction: "x".repeat(5_000_000) })))).code).toBe(
      "payload_too_large",
    );
  });
  test("unknown and foreign agents answer the same not_found", async () => {
    const boss = await running();
    const { result } = await launch(kernel, {
      project_id: "other",
      tool: "delegate_async",
      user: "ann",
      args: toNew("Delegatee"),
    });
    if (!("agent_id" in result)) throw new Error("a delegation was launched and no agent came back");
    const there = await refused(() =>
      call(boss, { target_strategy: "reuse", target_ref: result.agent_id, instruction: "x" }),
    );
    const nowhere = await refused(() =>
      call(boss, { target_strategy: "reuse", target_ref: "nobody_1", instruction: "x" }),
    );
    expect([there.code, there.message.replace(result.agent_id, "ID")]).toEqual([
      nowhere.code,
      nowhere.message.replace("nobody_1", "ID"),
    ]);
    expect(there.code).toBe("not_found");
  });
});

describe("policy", () => {
  test("35 none in the caller's profile: auth_failed for every target", async () => {
    const caller = await running("No_Policy");
    for (const target of ["Delegatee", "Plain"]) {
      const error = await refused(() => call(caller, toNew(target)));
      expect([error.code, error.status]).toEqual(["auth_failed", 403]);
    }
  });
  test("37 profiles and tags", async () => {
    const onlyA = await running("Only_A");
    expect((await accepted(onlyA, toNew("Delegatee"))).status).toBe("accepted");
    expect((await refused(() => call(onlyA, toNew("Plain")))).code).toBe("auth_failed");
    const none = await running("None");
    expect((await refused(() => call(none, toNew("Delegatee")))).code).toBe("auth_failed");
    const needsTag = await running("Needs_Tag");
    expect((await accepted(needsTag, toNew("Delegatee"))).status).toBe("accepted");
    expect((await refused(() => call(needsTag, toNew("Plain")))).code).toBe("auth_failed");
  });
  test("39 a malformed policy counts as none", async () => {
    const malformed = await running("Malformed");
    expect((await refused(() => call(malformed, toNew("Delegatee")))).code).toBe("auth_failed");
  });
  test("41 reuse of an agent that somebody else created, whose profile is allowed", async () => {
    const others = await launched("Delegatee");
    const boss = await running();
    const answer = await accepted(boss, { target_strategy: "reuse", target_ref: others.agent_id, instruction: "x" });
    expect(answer.agent_id).toBe(others.agent_id);
  });
});

describe("targets", () => {
  test("43 a refused dispatch leaves no row of any kind", async () => {
    const boss = await running();
    await kernel.test.pool.query("UPDATE state.agent_turns SET depth = 19 WHERE agent_turn_id = $1", [
      boss.agent_turn_id,
    ]);
    const error = await refused(() => call(boss, toNew("Delegatee")));
    expect([error.code, error.status]).toEqual(["recursion_depth_exceeded", 422]);
    await kernel.test.pool.query("UPDATE state.agent_turns SET depth = 18 WHERE agent_turn_id = $1", [
      boss.agent_turn_id,
    ]);
    expect((await accepted(boss, toNew("Delegatee"))).status).toBe("accepted");
  });
  test("45 the current output box: its turn's while active, otherwise that of its last, otherwise none", async () => {
    const boss = await running();
    const child = await accepted(boss, toNew("Plain"));
    const runner = await run(child.agent_id, child.agent_turn_id, child.turn_epoch ?? 0);
    const point = (box: string | null) =>
      kernel.test.pool.query(
        "UPDATE resource.project_agents SET last_output_box_id = $3 WHERE project_id = $1 AND agent_id = $2",
        [P, child.agent_id, box],
      );
    await appendOutput(kernel, {
      ...runner,
      cards: [{ type: "agent.thought", content: "in A", author_id: "x" }],
    });
    await point(boss.turn.context_box_id);
    const clone = () => accepted(boss, { target_strategy: "clone", target_ref: child.agent_id, instruction: "x" });
    const texts = async (box_id: string) => {
      const box = await readBox(kernel, { project_id: P, box_id });
      return (await getCards(kernel, { project_id: P, card_ids: box?.card_ids ?? [] })).map((c) => c.type);
    };
    expect(await texts((await clone()).context_box_id)).toContain("agent.thought");
    await deliver(runner, "done");
    // Its end has set it anew.
    expect(await texts((await clone()).context_box_id)).toContain("task.deliverable");
    await point(null);
    const error = await refused(() =>
      call(boss, { target_strategy: "clone", target_ref: child.agent_id, instruction: "x" }),
    );
    expect(error.code).toBe("bad_request");
  });
  test("47 clone: what was handed over, the source's output, the instruction, the pointer; owned by its source", async () => {
    const boss = await running();
    const child = await accepted(boss, toNew("Plain"));
    const runner = await run(child.agent_id, child.agent_turn_id, child.turn_epoch ?? 0);
    await deliver(runner, "s1");
    const clone = await accepted(boss, {
      target_strategy: "clone",
      target_ref: child.agent_id,
      instruction: "again",
      context_box_id: boss.turn.context_box_id,
    });
    const box = await readBox(kernel, { project_id: P, box_id: clone.context_box_id });
    const cards = await getCards(kernel, { project_id: P, card_ids: box?.card_ids ?? [] });
    expect(cards.map((c) => c.type)).toEqual([
      "task.instruction",
      "meta.parent_pointer",
      "task.deliverable",
      "meta.delegation_context",
      "task.instruction",
      "meta.parent_pointer",
    ]);
    const agent = await readAgent(kernel, { project_id: P, agent_id: clone.agent_id });
    expect([agent.owner_agent_id, agent.derived_from]).toEqual([child.agent_id, child.agent_id]);
  });
  test("49 reuse of a busy agent is queued, its head untouched, and runs after the current turn", async () => {
    const boss = await running();
    const child = await accepted(boss, toNew("Plain"));
    const head = async () => (await readAgent(kernel, { project_id: P, agent_id: child.agent_id })).head;
    const before = await head();
    const second = await accepted(boss, {
      target_strategy: "reuse",
      target_ref: child.agent_id,
      instruction: "second",
    });
    expect([second.status, second.turn_epoch, second.output_box_id]).toEqual(["accepted", null, null]);
    expect(await head()).toEqual(before);
    const runner = await run(child.agent_id, child.agent_turn_id, child.turn_epoch ?? 0);
    await deliver(runner, "first done");
    expect(await head()).toMatchObject({
      status: "dispatched",
      active_agent_turn_id: second.agent_turn_id,
      turn_epoch: 2,
    });
    const next = await run(child.agent_id, second.agent_turn_id, 2);
    expect([next.turn.output_box_id, next.turn.output_start]).toEqual([child.output_box_id, 1]);
  });
  test("51 ask_expert with history: refused without output, otherwise the child begins with the caller's output", async () => {
    const boss = await running();
    const args = { expert_profile: "Plain", question: "why?", include_history: true };
    expect((await refused(async () => expertArgs(boss.turn, args))).code).toBe("bad_request");
    await appendOutput(kernel, {
      ...boss,
      cards: [{ type: "agent.thought", content: "hm", author_id: "x" }],
    });
    const answer = await withUnit(kernel, async (unit) => {
      const caller = await lockCaller(unit, P, boss, "ask_expert");
      if (isFenced(caller)) throw new Error("fenced");
      return delegateIn(unit, { project_id: P, caller, tool: "delegate_async", args: expertArgs(caller.turn, args) });
    });
    const box = await readBox(kernel, { project_id: P, box_id: answer.context_box_id });
    const [first] = await getCards(kernel, { project_id: P, card_ids: box?.card_ids ?? [] });
    expect(first?.content).toEqual({ kind: "text", text: "hm" });
  });
  test("193 a profile saved again: new agents get the new box, old ones keep theirs; a deleted one cannot be reused", async () => {
    const v1 = parseProfile({ name: "Turnover", description: "v1" });
    const save = (profile = v1) =>
      withUnit(kernel, (unit) => saveProfile(unit, { project_id: P, profile, author_id: "t" }));
    const first = await save();
    const boss = await running();
    const old = await accepted(boss, toNew("turnover"));
    const second = await save(parseProfile({ name: "Turnover", description: "v2" }));
    expect(second.profile_box_id).not.toBe(first.profile_box_id);
    const young = await accepted(boss, toNew(" TURNOVER "));
    const boxOf = async (id: string) => (await readAgent(kernel, { project_id: P, agent_id: id })).profile_box_id;
    expect([await boxOf(old.agent_id), await boxOf(young.agent_id)]).toEqual([
      first.profile_box_id,
      second.profile_box_id,
    ]);
    await kernel.test.pool.query("DELETE FROM resource.profiles WHERE project_id = $1 AND name = 'Turnover'", [P]);
    expect(
      (await refused(() => call(boss, { target_strategy: "reuse", target_ref: old.agent_id, instruction: "x" }))).code,
    ).toBe("not_found");
  });
});

describe("provision_agent", () => {
  const provision = (caller: CallerRef, args: object) => provisionAgent(kernel, { project_id: P, caller, args });
  test("53 the guard's code when denied; derive asks about the source's profile", async () => {
    const onlyA = await running("Only_A");
    expect(
      (await refused(() => provision(onlyA, { action: "create", agent_id: "p_1", profile_name: "Plain" }))).code,
    ).toBe("auth_failed");
    const boss = await running();
    const plain = await accepted(boss, toNew("Plain"));
    const derive = { action: "derive", agent_id: "p_2", derived_from: plain.agent_id };
    expect((await refused(() => provision(onlyA, derive))).code).toBe("auth_failed");
    expect(await provision(boss, derive)).toEqual({ status: "accepted", agent_id: "p_2", roster_updated: true });
  });
  test("55 the identity of an existing agent never changes", async () => {
    const boss = await running();
    const base = {
      action: "create",
      agent_id: "p_3",
      profile_name: "Delegatee",
      tags: ["a", "b"],
      worker_target: "w1",
    };
    await provision(boss, base);
    const code = async (change: object) => (await refused(() => provision(boss, { ...base, ...change }))).code;
    expect(await code({ profile_name: "Plain" })).toBe("existing_agent_profile_mutation_forbidden");
    expect(await code({ owner_agent_id: "someone" })).toBe("existing_agent_owner_mutation_forbidden");
    expect(await code({ worker_target: "w2" })).toBe("existing_agent_worker_target_mutation_forbidden");
    expect(await code({ tags: ["b", "a"] })).toBe("existing_agent_tags_mutation_forbidden");
    expect(await provision(boss, base)).toMatchObject({ status: "accepted", roster_updated: false });
  });
  test("57 a new agent gets an identity edge with the caller's step and the trace in lower case", async () => {
    const boss = await running();
    await kernel.test.pool.query("UPDATE state.agent_turns SET trace_id = upper(trace_id) WHERE agent_turn_id = $1", [
      boss.agent_turn_id,
    ]);
    await provision(boss, { action: "create", agent_id: "p_4", profile_name: "Plain" });
    const { rows } = await kernel.test.pool.query("SELECT * FROM state.identity_edges WHERE target_agent_id = 'p_4'");
    expect(rows).toMatchObject([
      {
        action: "provision",
        source_agent_id: boss.agent_id,
        parent_step_id: "step_parent",
        trace_id: boss.turn.trace_id.toLowerCase(),
      },
    ]);
  });
});
