// Packs from end to end: an agent builds one from a workspace and hands it to three branches behind a quorum; two of them build
// packs of their own, the agent merges them, and everything is verified again after the product was killed.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "./fixtures";
import { serveOwn } from "./own-product";
import { api } from "./scenes";
import { type Product, stop } from "./serve";

test.describe.configure({ timeout: 150_000 });

let own: Product | undefined;
let folder: string;

test.beforeAll(async () => {
  // It starts a product of its own beside the one that all tests share.
  test.setTimeout(150_000);
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "switchyard-e2e-workspace-"));
  fs.mkdirSync(path.join(folder, "src"));
  fs.mkdirSync(path.join(folder, "docs"));
  fs.writeFileSync(
    path.join(folder, "src/turntable.ts"),
    'import { rail } from "./rail";\nexport const turn = rail;\n',
  );
  fs.writeFileSync(path.join(folder, "src/rail.ts"), "export const rail = 1;\n");
  fs.writeFileSync(path.join(folder, "docs", `PLAN${".md"}`), "# Plan\n\nThe turntable turns.\n");
  own = await serveOwn({ SWITCHYARD_WORKSPACES: JSON.stringify({ code: folder }) });
});
test.afterAll(async () => {
  if (own) await stop(own);
  fs.rmSync(folder, { recursive: true, force: true });
});

const lead = `
name: Lead
workspaces: [code]
allowed_internal_tools: [build_context_pack, fork_join, merge_context_packs]
delegation_policy: { target_tags: [], target_profiles: [Part] }
llm_config:
  provider: script
  script:
    - call: build_context_pack
      arguments: { goal: Make the turntable turn., definition_of_done: [It turns.], workspace: code }
    - call: fork_join
      arguments:
        policy: { kind: quorum, k: 2, late: run }
        tasks:
          - { target_strategy: new, target_ref: Part, instruction: Do it with tabs, context_pack: { pack_id: "{result.1.pack_id}" } }
          - { target_strategy: new, target_ref: Part, instruction: Do it with spaces, context_pack: { pack_id: "{result.1.pack_id}" } }
          - { target_strategy: new, target_ref: Part, instruction: Be late, context_pack: { pack_id: "{result.1.pack_id}" } }
    - call: merge_context_packs
      arguments:
        goal: Bring both parts together.
        packs: [{ ref: "{result.2.results.0.context_pack_ref.ref}" }, { ref: "{result.2.results.1.context_pack_ref.ref}" }]
    - { deliver: "Merged into {result.3.code}" }
`;
const own_pack = (style: string) =>
  `{ call: build_context_pack, when: ${style}, arguments: { goal: Part with ${style}., definition_of_done: [ok], constraints: { style: ${style} } } }`;
const part = `
name: Part
allowed_internal_tools: [build_context_pack]
llm_config:
  provider: script
  script:
    - ${own_pack("tabs")}
    - ${own_pack("spaces")}
    - { wait_ms: 30000, when: late }
    - { deliver: Done }
`;

type Pack = { code: string; sha256: string; title: string; kind: string; estimate: number };

test("a run that packs, forks and merges, and its packs after a crash", async ({ page }) => {
  if (!own) throw new Error("the product of this test did not start");
  const { url } = own;
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title: "Packs in a run" });
  const at = `/projects/${project_id}`;
  await api(url, "POST", `${at}/workspaces`, { name: "code" });
  await api(url, "POST", `${at}/workspaces/code:index`);
  const state = async () => (await api<{ state: string }>(url, "GET", `${at}/workspaces/code`)).state;
  await expect.poll(state, { timeout: 30_000 }).toBe("ready");
  for (const yaml of [lead, part]) await api(url, "POST", `${at}/profiles`, yaml, "text/yaml");
  const { result } = await api<{ result: { agent_turn_id: string } }>(url, "POST", `${at}/pmo/delegate_async:call`, {
    args: { target_strategy: "new", target_ref: "Lead", instruction: "Turn it" },
  });
  const status = async () => (await api<{ status: string }>(url, "GET", `${at}/turns/${result.agent_turn_id}`)).status;
  await expect.poll(status, { timeout: 30_000 }).toBe("success");

  const packs = async () => (await api<{ items: Pack[] }>(url, "GET", `${at}/context-packs`)).items;
  const made = await packs();
  expect(made.map(({ title }) => title).sort()).toEqual([
    "Bring both parts together.",
    "Make the turntable turn.",
    "Part with spaces.",
    "Part with tabs.",
  ]);
  const first = made.find(({ title }) => title.startsWith("Make")) as Pack;
  const { pack } = await api<{ pack: Record<string, { path: string; purpose?: string }[]> }>(
    url,
    "GET",
    `${at}/context-packs/${first.sha256}`,
  );
  expect(pack.relevantFiles).toMatchObject([
    { path: "src/turntable.ts", purpose: "Found by the search" },
    { path: "src/rail.ts", purpose: "Imported by a file that matters" },
  ]);
  expect(JSON.stringify(pack)).not.toContain(folder);

  // The files change, and everything that runs is killed: a pack needs neither.
  fs.writeFileSync(path.join(folder, "src/rail.ts"), "export const rail = 2;\n");
  for (const child of childrenOf(own.pid)) process.kill(child, "SIGKILL");
  const healthy = () =>
    fetch(`${url}/api/v1/health`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(healthy, { timeout: 60_000 }).toBe(200);
  expect((await packs()).map(({ sha256 }) => sha256).sort()).toEqual(made.map(({ sha256 }) => sha256).sort());
  for (const { sha256 } of made)
    expect(await api(url, "POST", `${at}/context-packs/${sha256}:verify`)).toMatchObject({ verdict: "same" });

  const merged = made.find(({ kind }) => kind === "merged") as Pack;
  await page.goto(`${url}/p/${project_id}/packs/${merged.sha256}`);
  await expect(page.getByRole("heading", { level: 1, name: "Bring both parts together." })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Two values of a constraint: style");
  await expect(page.getByRole("main")).toContainText(/kept that of P-[0-9A-F]{4}, not that of P-[0-9A-F]{4}/);
});

function childrenOf(parent: number): number[] {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  return rows.flatMap((row) => {
    const [pid, ppid] = row.trim().split(/\s+/).map(Number);
    return pid !== undefined && ppid === parent ? [pid] : [];
  });
}
