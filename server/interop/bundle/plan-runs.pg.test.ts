// Runs of plans go with their run: drawing, nodes, edits and what was given come back as they were, live ones have ended, and a bundle
// from before there were any is still a bundle.

import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlanRunDetail } from "@/server/contract/plan/plan-run";
import { muteAlarm } from "@/server/kernel/alarms/mute-alarm";
import { launch } from "@/server/kernel/launch/launch";
import { releaseNode } from "@/server/kernel/plan/decide-node";
import { editPlanRun } from "@/server/kernel/plan/edit-plan-run";
import { readPlanRun } from "@/server/kernel/plan/read-plan-runs";
import { retryNode } from "@/server/kernel/plan/retry-node";
import { createProject } from "@/server/kernel/roster/create-project";
import { bundleBytes, bundleTexts } from "@/server/testing/bundles";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { inNoTime, startTestWorker, untilTurn } from "@/server/testing/turns";
import { hastyTunables } from "@/server/testing/whole-run";
import { startDemoRun } from "../demo/start-demo-run";
import { importBundle } from "./import-bundle";

const P = "planned";
const secret = `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;
let kernel: TestKernel;
const { launchPlan, endWagon, nodesOf, rows } = plansOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel({ tunables: hastyTunables });
  await seedProject(kernel, P, [{ name: "Plain" }]);
}, 60_000);
afterAll(() => kernel.close());

const bundleOf = (project_id: string, root_turn_id: string, redact = false) =>
  bundleBytes(kernel, { project_id, root_turn_id, redact });

async function broughtTo(project_id: string, bytes: Uint8Array) {
  await createProject(kernel, { project_id, title: project_id });
  return importBundle(kernel, { project_id, bytes });
}

/** Revisions count what happened to a row here. */
const withoutRevs = ({ rev: _rev, nodes, ...run }: PlanRunDetail) => ({
  ...run,
  nodes: nodes.map(({ rev: _of, ...node }) => node),
});

async function comesBack(project_id: string, key: { root_turn_id: string; plan_run_id: string }): Promise<void> {
  const { root_turn_id, plan_run_id } = key;
  const first = await bundleOf(project_id, root_turn_id);
  const copy = `${project_id}_${root_turn_id
    .slice(-8)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "x")}`;
  await broughtTo(copy, first);
  const again = await bundleOf(copy, root_turn_id);
  // The parts first: they tell which one differs.
  expect(await bundleTexts(again)).toEqual(await bundleTexts(first));
  expect(again.equals(first)).toBe(true);
  expect(withoutRevs(await readPlanRun(kernel, { project_id: copy, plan_run_id }))).toEqual(
    withoutRevs(await readPlanRun(kernel, { project_id, plan_run_id })),
  );
}

describe("a plan run that has ended comes back as it was", () => {
  test("of the demo, with a node that a person let begin", { timeout: 90_000 }, async () => {
    await startDemoRun(kernel);
    const { root_turn_id, result } = await launch(kernel, {
      project_id: "demo",
      tool: "launch_plan",
      user: "ann",
      args: { plan: "Demo_second_look" },
    });
    if (!("plan_run_id" in result)) throw new Error("a plan was launched");
    const { plan_run_id } = result;
    const worker = await startTestWorker(kernel, { models: { script: inNoTime } });
    const held = async () =>
      (await readPlanRun(kernel, { project_id: "demo", plan_run_id })).nodes.find(({ status }) => status === "held");
    await expect.poll(held, { timeout: 60_000 }).toBeTruthy();
    const node_id = (await held())?.node_id ?? "";
    await releaseNode(kernel, { project_id: "demo", plan_run_id, node_id, by: "ann" });
    await untilTurn(kernel, "demo", root_turn_id);
    await worker.stop();
    await comesBack("demo", { root_turn_id, plan_run_id });
  });

  test("with a text, an edit, a second try and an alarm that somebody muted", async () => {
    const nodes = [wagon("a", { instruction: "Do {input.what}" }), wagon("b", { load: [{ from: "a" }] }), wagon("d")];
    const inputs = [{ name: "what", kind: "text" }];
    const run = await launchPlan(planBody(nodes, { inputs, result: "b" }), { inputs: { what: "a long text" } });
    const { plan_run_id, root_turn_id } = run;
    await editPlanRun(kernel, {
      project_id: P,
      plan_run_id,
      body_rev: 1,
      ops: [{ op: "set", node: "b", path: "/instruction", value: "Do it otherwise" }],
      reason: "clearer",
      by: "ann",
    });
    await endWagon(plan_run_id, "a", "failed");
    await retryNode(kernel, { project_id: P, plan_run_id, node_id: "a" });
    const seen = await endWagon(plan_run_id, "a");
    await endWagon(plan_run_id, "b");
    await endWagon(plan_run_id, "d");
    await rows(
      `INSERT INTO state.alarms (project_id, alarm_id, rule, subject_kind, subject_id, root_turn_id, agent_turn_id, figures)
       VALUES ($1, 'alarm_a', 'loop', 'turn', $2, $3, $2, '{"times": 4}') RETURNING alarm_id`,
      [seen, root_turn_id],
    );
    await muteAlarm(kernel, { project_id: P, alarm_id: "alarm_a", scope: "this", person: "ann", reason: "known" });
    await comesBack(P, run);
    const texts = await bundleTexts(await bundleOf(P, root_turn_id));
    expect(texts.get("plan_edits.jsonl")).toContain('"reason":"clearer"');
    expect(texts.get("alarm_mutes.jsonl")).toContain('"reason":"known"');
    expect(texts.get("identity_edges.jsonl")).toContain('"action":"provision"');
    expect(texts.get("batches.jsonl")).toContain('"try":2');
  });
});

test("a plan that still runs has ended in the copy, and starts nothing there", async () => {
  const run = await launchPlan(
    planBody([wagon("a"), wagon("b", { load: [{ from: "a" }] }), wagon("c", { hold: true })]),
  );
  await broughtTo("lives", await bundleOf(P, run.root_turn_id));
  const there = await readPlanRun(kernel, { project_id: "lives", plan_run_id: run.plan_run_id });
  expect(there.status).toBe("canceled");
  expect(there.nodes.map(({ status, error_code }) => [status, error_code])).toEqual([
    ["canceled", "imported_while_live"],
    ["skipped", "imported_while_live"],
    ["skipped", "imported_while_live"],
  ]);
  const open = "SELECT 1 FROM state.human_requests WHERE project_id = 'lives' AND status = 'open'";
  expect((await kernel.db.pool.query(open)).rowCount).toBe(0);
});

test("without its secrets it is a drawing still, and can be imported", async () => {
  const inputs = [{ name: "what", kind: "text" }];
  // A placeholder is longer than this token, and a title has at most 80 letters.
  const title = `${"t".repeat(60)} Bearer abcdefg1x`;
  const nodes = [wagon("a", { instruction: `Say ${secret} to {input.what}`, title })];
  const run = await launchPlan(planBody(nodes, { inputs }), { inputs: { what: `the token ${secret}` } });
  await editPlanRun(kernel, {
    project_id: P,
    plan_run_id: run.plan_run_id,
    body_rev: 1,
    ops: [{ op: "add_node", node: { kind: "wagon", ...wagon("b", { instruction: `Say ${secret}` }) } as never }],
    reason: `because of ${secret}`,
    by: "ann",
  });
  await endWagon(run.plan_run_id, "a");
  await endWagon(run.plan_run_id, "b");
  const bytes = await bundleOf(P, run.root_turn_id, true);
  for (const [part, text] of await bundleTexts(bytes)) expect(text.includes(secret), part).toBe(false);
  await broughtTo("redacted", bytes);
  const there = await readPlanRun(kernel, { project_id: "redacted", plan_run_id: run.plan_run_id });
  expect(there.nodes.map(({ status }) => status)).toEqual(["success", "success"]);
  expect(JSON.stringify(there.body)).toContain("Say [REDACTED:github_token] to");
  expect(there.body.nodes[0]?.title).toBe(`${"t".repeat(60)} Bearer [REDACTED:be`);
  expect(there.sha256).not.toBe((await readPlanRun(kernel, { project_id: P, plan_run_id: run.plan_run_id })).sha256);
});

describe("a bundle of version 1", () => {
  const added = [
    "identity_edges.jsonl",
    "alarm_mutes.jsonl",
    "plan_runs.jsonl",
    "plan_nodes.jsonl",
    "plan_edits.jsonl",
  ];

  async function olderOf(bytes: Uint8Array, keep: string[] = []): Promise<Buffer> {
    const texts = await bundleTexts(bytes);
    const manifest = JSON.parse(texts.get("manifest.json") ?? "");
    manifest.version = 1;
    for (const part of added) {
      if (keep.includes(part)) continue;
      texts.delete(part);
      delete manifest.counts[part];
      delete manifest.sha256[part];
    }
    const batches = (texts.get("batches.jsonl") ?? "").replace(/"plan":\{[^}]*\},/g, "");
    texts.set("batches.jsonl", batches);
    manifest.sha256["batches.jsonl"] = createHash("sha256").update(batches).digest("hex");
    texts.set("manifest.json", `${JSON.stringify(manifest)}\n`);
    const tar = pack();
    for (const [name, text] of texts) tar.entry({ name }, text);
    tar.finalize();
    const pieces: Uint8Array[] = [];
    for await (const piece of tar as AsyncIterable<Uint8Array>) pieces.push(piece);
    return gzipSync(Buffer.concat(pieces));
  }

  test("is imported without them, once; with a part that it cannot have it is refused", async () => {
    const run = await launchPlan(planBody([wagon("a")]));
    await endWagon(run.plan_run_id, "a");
    const bytes = await bundleOf(P, run.root_turn_id);
    const older = await olderOf(bytes);
    expect(await broughtTo("older", older)).toMatchObject({ is_replay: false });
    expect(await importBundle(kernel, { project_id: "older", bytes: older })).toMatchObject({ is_replay: true });
    const made = "SELECT DISTINCT action FROM state.identity_edges WHERE project_id = 'older'";
    expect((await kernel.db.pool.query(made)).rows).toEqual([{ action: "provision" }]);
    await createProject(kernel, { project_id: "mixed", title: "Mixed" });
    const mixed = await olderOf(bytes, ["plan_runs.jsonl"]);
    await expect(importBundle(kernel, { project_id: "mixed", bytes: mixed })).rejects.toMatchObject({
      code: "bad_request",
      message: "plan_runs.jsonl does not belong into a bundle of version 1; export the run again",
    });
  });
});

test("what is not there is refused by name: a node's batch, a mute's alarm, a batch's plan", async () => {
  const run = await launchPlan(planBody([wagon("a")]));
  await endWagon(run.plan_run_id, "a");
  expect((await nodesOf(run.plan_run_id)).a?.status).toBe("success");
  const texts = await bundleTexts(await bundleOf(P, run.root_turn_id));
  const forged = async (part: string, make: (text: string) => string): Promise<Buffer> => {
    const all = new Map(texts).set(part, make(texts.get(part) ?? ""));
    const manifest = JSON.parse(all.get("manifest.json") ?? "");
    const text = all.get(part) ?? "";
    manifest.sha256[part] = createHash("sha256").update(text).digest("hex");
    manifest.counts[part] = text.split("\n").length - 1;
    all.set("manifest.json", `${JSON.stringify(manifest)}\n`);
    const tar = pack();
    for (const [name, one] of all) tar.entry({ name }, one);
    tar.finalize();
    const pieces: Uint8Array[] = [];
    for await (const piece of tar as AsyncIterable<Uint8Array>) pieces.push(piece);
    return gzipSync(Buffer.concat(pieces));
  };
  await createProject(kernel, { project_id: "forged", title: "Forged" });
  const refusal = async (bytes: Buffer): Promise<string> =>
    importBundle(kernel, { project_id: "forged", bytes }).then(
      () => "it was imported",
      (error: Error) => error.message,
    );
  const batch = await forged("plan_nodes.jsonl", (text) => text.replace(/"batch_id":"[^"]+"/, '"batch_id":"nowhere"'));
  expect(await refusal(batch)).toContain("plan_nodes.jsonl line 1: batch_id nowhere is not in batches.jsonl");
  const mute = await forged(
    "alarm_mutes.jsonl",
    () => '{"alarm_id":"nowhere","muted_at":"2026-01-31T08:00:00.000000Z","person":"ann","reason":"x"}\n',
  );
  expect(await refusal(mute)).toContain("alarm_mutes.jsonl line 1: alarm_id nowhere is not in alarms.jsonl");
  const drawing = await forged("plan_runs.jsonl", (text) => {
    const line = JSON.parse(text);
    return `${JSON.stringify({ ...line, body: { ...line.body, result: "nowhere" } })}\n`;
  });
  expect(await refusal(drawing)).toContain("plan_runs.jsonl line 1: body.result: ");
  const plan = await forged("plan_runs.jsonl", () => "");
  expect(await refusal(plan)).toContain("plan_run_id");
});
