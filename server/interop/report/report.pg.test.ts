// A report holds what the run holds, and nothing of it is ever a mark of the page; without room it says what is missing.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/server/env";
import { editPlanRun } from "@/server/kernel/plan/edit-plan-run";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { restOf } from "@/server/testing/rest";
import { exportReport } from "./export-report";

const P = "reports";
const hostile = `</pre></details><script>alert(1)</script><img src=x onerror="alert('2')">`;
const secret = `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;

let kernel: TestKernel;
let root_turn_id: string;
const { running, deliver } = callersOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain", system_prompt: `${hostile} ${secret}` }]);
  const turn = await running("Plain");
  ({ root_turn_id } = turn.turn);
  await deliver(turn, `${hostile} the token is ${secret}`);
  await kernel.db.pool.query(
    "UPDATE state.agent_turns SET title = $2, error = $2, headcode = $2 WHERE project_id = $1",
    [P, hostile],
  );
  await kernel.db.pool.query("UPDATE state.runs SET title = $2 WHERE project_id = $1", [P, hostile]);
}, 60_000);
afterAll(() => kernel.close());

type More = { redact?: boolean; bytesMax?: number; project_id?: string; root_turn_id?: string };

async function reportOf(more: More = {}): Promise<string> {
  const pieces: Uint8Array[] = [];
  const input = { project_id: P, root_turn_id, redact: false, ...more };
  for await (const piece of await exportReport(kernel, input)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test("what agents wrote is text, and the page refers to nothing outside", async () => {
  const page = await reportOf();
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toContain("<img");
  expect(page).toContain("&lt;img src=x onerror=&quot;alert(&#39;2&#39;)&quot;&gt;");
  expect(page).not.toMatch(/(?:src|href)="(?!#)/);
  expect(page).not.toMatch(/ on[a-z]+="| style="|url\(|@import/);
  for (const part of ["style", "script"]) {
    const [, text = ""] = new RegExp(`<${part}>([\\s\\S]*?)</${part}>`).exec(page) ?? [];
    expect(page).toContain(`${part}-src 'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  }
});

test("signs that turn text round are shown as what they are, and tabs and joiners stay", async () => {
  await kernel.db.pool.query("UPDATE state.agent_turns SET title = $2 WHERE project_id = $1", [
    P,
    "invoice\u202egpj.exe \u2066x\u2069 \u200f \u0007 \u{1f468}\u200d\u{1f4bb}\ta",
  ]);
  const page = await reportOf();
  expect(page).toContain("invoice\\u202Egpj.exe \\u2066x\\u2069 \\u200F \\u0007 \u{1f468}\u200d\u{1f4bb}\ta");
  expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/);
});

test("a card whose content was deleted is named as such, in its place and at the top", async () => {
  const cards = `UPDATE cards c SET deleted_at = now() FROM state.agent_turns t
    WHERE t.project_id = $1 AND c.tenant_id = $1 AND c.card_id = t.deliverable_card_id RETURNING c.card_id`;
  const { rows } = await kernel.db.pool.query<{ card_id: string }>(cards, [P]);
  const page = await reportOf();
  expect(page).toContain("[content deleted]");
  expect(page).toContain(`${rows.length}: cards whose content was deleted or has expired`);
  await kernel.db.pool.query("UPDATE cards SET deleted_at = NULL WHERE tenant_id = $1", [P]);
});

test("a plan run has its drawing, its nodes with links to their turns, what it was given, and its edits", async () => {
  await seedProject(kernel, "drawn", [{ name: "Plain" }]);
  const { launchPlan, endWagon } = plansOf(() => kernel, "drawn");
  const nodes = [wagon("a", { title: hostile.slice(0, 60) }), wagon("b", { load: [{ from: "a" }], hold: true })];
  const body = planBody(nodes, { inputs: [{ name: "what", kind: "text" }] });
  const run = await launchPlan(body, { inputs: { what: "a long question" } });
  await editPlanRun(kernel, {
    project_id: "drawn",
    plan_run_id: run.plan_run_id,
    body_rev: 1,
    ops: [{ op: "set", node: "b", path: "/instruction", value: "Do it otherwise" }],
    reason: "clearer",
    by: "ann",
  });
  const turn = await endWagon(run.plan_run_id, "a");
  const page = await reportOf({ project_id: "drawn", root_turn_id: run.root_turn_id });
  const [plans = ""] = /<h2>Plans<\/h2>[\s\S]*(?=<h2>Turns)/.exec(page) ?? [];
  expect(plans).toContain("a long question");
  expect(plans).toContain("Do it otherwise");
  expect(plans).toContain("Edit 1 by ann");
  expect(plans).toContain(`href="#turn-${turn}"`);
  expect(page).toContain(`id="turn-${turn}"`);
  expect(plans).toContain('<span class="status held">held</span>');
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toContain("<img");
  expect(await reportOf()).not.toContain("<h2>Plans</h2>");
});

test("its secrets are replaced when that was asked for", async () => {
  expect(await reportOf()).toContain(secret);
  expect(await reportOf({ redact: true })).not.toContain(secret);
});

test("what does not fit is named at the top", async () => {
  const page = await reportOf({ bytesMax: 103_000 });
  expect(page).toMatch(/<p class="note">Left out, [^<]*content of \d+ cards/);
  expect(await reportOf()).not.toContain('class="note"');
});

test("over REST it is a download, and redact must be said", async () => {
  const { refused } = restOf(() => kernel);
  for (const file of ["report.html", "bundle"])
    expect(await refused("GET", `/projects/${P}/runs/${root_turn_id}/${file}`)).toMatchObject({
      status: 400,
      error_message: expect.stringContaining("redact=1"),
    });
  const { serveRest } = await import("@/server/interop/rest/serve");
  const host = `127.0.0.1:${env().PORT}`;
  const url = `http://${host}/api/v1/projects/${P}/runs/${root_turn_id}/report.html?redact=1`;
  const answer = await serveRest(
    kernel,
    new Request(url, { headers: { host } }),
    `/projects/${P}/runs/${root_turn_id}/report.html`,
  );
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${P}-run-1-redacted.html"`);
  expect(answer.headers.get("content-security-policy")).toBe("sandbox");
  expect(await answer.text()).toContain("</html>");
  if (process.env.REPORT_OUT) (await import("node:fs")).writeFileSync(process.env.REPORT_OUT, await reportOf());
});
