// Alarms as a program reads and mutes them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { alarmsOf } from "@/server/testing/alarms";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
const { ok, refused } = restOf(() => kernel);
const path = "/projects/p1/alarms";
let alarm_id: string;
let root_turn_id: string;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1", [{ name: "Narrow", worker_target: "t1", llm_config: { context_window: 1_000 } }]);
  await seedProject(kernel, "p2");
  const { running, deliver } = callersOf(() => kernel, "p1");
  const { send, found } = alarmsOf(() => kernel, "p1");
  const turn = await running("Narrow");
  await send(turn, [], { tokens: 900 });
  await deliver(turn, "done");
  alarm_id = (await found("pressure"))[0]?.alarm_id ?? "";
  root_turn_id = turn.turn.root_turn_id;
});
afterAll(() => kernel.close());

test("list by rule, run, subject and mute; get one", async () => {
  const { items, counts } = await ok("GET", `${path}?rule=pressure&root_turn_id=${root_turn_id}&muted=false`);
  expect(items).toMatchObject([
    { alarm_id, rule: "pressure", subject_kind: "turn", figures: { tokens: 900 }, turn: { profile_name: "Narrow" } },
  ]);
  expect(counts).toEqual([{ rule: "pressure", active: 1, muted: 0 }]);
  expect((await ok("GET", `${path}?subject_id=${items[0].subject_id}`)).items).toHaveLength(1);
  expect((await ok("GET", `${path}?muted=true`)).items).toEqual([]);
  expect(await ok("GET", `${path}/${alarm_id}`)).toMatchObject({ alarm_id, rev: 1 });
});

test("mute and hear again", async () => {
  const muted = await ok("POST", `${path}/${alarm_id}:mute`, { reason: "It ends anyway", user: "ann" });
  expect(muted).toMatchObject({ muted: { scope: "this", person: "ann", reason: "It ends anyway" } });
  expect((await ok("GET", `${path}?muted=true`)).items).toHaveLength(1);
  expect(await ok("POST", `${path}/${alarm_id}:unmute`, {})).not.toHaveProperty("muted");
  await ok("POST", `${path}/${alarm_id}:mute`, { reason: "Small models", scope: "rule" });
  expect(await refused("POST", `${path}/${alarm_id}:unmute`, { body: {} })).toMatchObject({
    status: 409,
    error_code: "conflict",
  });
  expect(await ok("POST", `${path}/${alarm_id}:unmute`, { scope: "rule" })).not.toHaveProperty("muted");
});

test("thresholds of the project", async () => {
  const at = "/projects/p1/alarm-limits";
  expect((await ok("GET", at)).limits).toMatchObject({ pressure_share: 0.8, loop_times: 3 });
  expect(await ok("PATCH", at, { pressure_share: 0.9 })).toMatchObject({
    limits: { pressure_share: 0.9, loop_times: 3 },
    own: { pressure_share: 0.9 },
  });
  expect((await ok("PATCH", at, { pressure_share: null })).own).toEqual({});
  expect(await refused("PATCH", at, { body: { pressure_share: 1.5 } })).toMatchObject({
    status: 422,
    detail: { path: "body.pressure_share" },
  });
});

test("what is refused", async () => {
  const mute = (body: object, at = `${path}/${alarm_id}:mute`) => refused("POST", at, { body });
  expect(await mute({})).toMatchObject({ status: 422, detail: { path: "body.reason" } });
  expect(await mute({ reason: " " })).toMatchObject({ status: 422, detail: { path: "body.reason" } });
  expect(await mute({ reason: "x", scope: "all" })).toMatchObject({ status: 422, detail: { path: "body.scope" } });
  expect(await mute({ reason: "x" }, `/projects/p2/alarms/${alarm_id}:mute`)).toMatchObject({ status: 404 });
  expect(await mute({ reason: "x" }, `${path}/gone:mute`)).toMatchObject({ status: 404 });
  expect(await refused("GET", `/projects/p2/alarms/${alarm_id}`)).toMatchObject({ status: 404 });
  expect(await refused("GET", "/projects/nowhere/alarms")).toMatchObject({ status: 404 });
  expect(await refused("GET", `${path}?rule=all`)).toMatchObject({ status: 400 });
});
