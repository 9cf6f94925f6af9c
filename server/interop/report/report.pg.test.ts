// A report holds what the run holds, and nothing of it is ever a mark of the page; without room it says what is missing.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/server/env";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
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

async function reportOf(more: { redact?: boolean; bytesMax?: number } = {}): Promise<string> {
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
