// Bundles with a line that was changed at random: each is imported whole, and can be exported again, or refused by name without a row
// written. What the server itself gets wrong would be an error of another kind.

import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { pack } from "tar-stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BUNDLE_PARTS } from "@/server/contract/bundle/manifest";
import { KernelError } from "@/server/contract/errors";
import { editPlanRun } from "@/server/kernel/plan/edit-plan-run";
import { createProject } from "@/server/kernel/roster/create-project";
import { bundleBytes, bundleTexts } from "@/server/testing/bundles";
import { openTestKernel, readTables, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { importBundle } from "./import-bundle";

const P = "fuzzed";
let kernel: TestKernel;
let parts: Map<string, string>;
let root_turn_id: string;
const { launchPlan, endWagon, rows } = plansOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
  const inputs = [{ name: "what", kind: "text" }];
  const nodes = [wagon("a"), wagon("b", { load: [{ from: "a" }] }), wagon("c", { hold: true })];
  const run = await launchPlan(planBody(nodes, { inputs }), { inputs: { what: "a text" } });
  ({ root_turn_id } = run);
  await editPlanRun(kernel, {
    project_id: P,
    plan_run_id: run.plan_run_id,
    body_rev: 1,
    ops: [{ op: "set", node: "b", path: "/instruction", value: "Do it" }],
    reason: "clearer",
    by: "ann",
  });
  const turn = await endWagon(run.plan_run_id, "a");
  await rows(
    `INSERT INTO state.alarms (project_id, alarm_id, rule, subject_kind, subject_id, root_turn_id, agent_turn_id, figures)
     VALUES ($1, 'alarm_a', 'loop', 'turn', $2, $3, $2, '{"times": 4}') RETURNING alarm_id`,
    [turn, root_turn_id],
  );
  await rows(
    `INSERT INTO state.alarm_mutes (project_id, rule, alarm_id, scope, person, reason)
     VALUES ($1, 'loop', 'alarm_a', 'this', 'ann', 'known') RETURNING rule`,
  );
  await rows(
    `INSERT INTO state.env_data (project_id, root_turn_id, key, short_description, value, stored_by, value_bytes)
     VALUES ($1, $2, 'a', 'a', '[1]', 'ann', 3) RETURNING key`,
    [root_turn_id],
  );
  await rows(
    `INSERT INTO state.agent_steps (project_id, step_id, agent_turn_id, agent_id, turn_epoch, ordinal, status, ended_at, request_bytes, request_sha256)
     SELECT t.project_id, 'step_a', t.agent_turn_id, t.agent_id, t.turn_epoch, 9, 'completed', now(), '{}', encode(sha256('{}'), 'hex')
     FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2 RETURNING step_id`,
    [turn],
  );
  parts = await bundleTexts(await bundleOf(P));
}, 60_000);
afterAll(() => kernel.close());

const bundleOf = (project_id: string) => bundleBytes(kernel, { project_id, root_turn_id });

/** With a manifest that agrees: what is left is what the lines say. */
async function sealed(part: string, text: string): Promise<Buffer> {
  const texts = new Map(parts).set(part, text);
  const manifest = JSON.parse(texts.get("manifest.json") ?? "");
  manifest.sha256[part] = createHash("sha256").update(text).digest("hex");
  manifest.counts[part] = text.split("\n").length - 1;
  texts.set("manifest.json", `${JSON.stringify(manifest)}\n`);
  const tar = pack();
  for (const [name, one] of texts) tar.entry({ name }, one);
  tar.finalize();
  const pieces: Uint8Array[] = [];
  for await (const piece of tar as AsyncIterable<Uint8Array>) pieces.push(piece);
  return gzipSync(Buffer.concat(pieces));
}

const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1, 0.5, 2_147_483_648, 9_007_199_254_740_991, 1e300, "", [], {}),
  fc.constantFrom<unknown>(
    "a\u0000b",
    "\ud800",
    "\u202e",
    "__proto__",
    "toString",
    "running",
    "ended",
    "human_eve",
    "sys.x",
  ),
  fc.constantFrom<unknown>("0000-01-01T00:00:00.000000Z", "2026-02-30T00:00:60.000000Z", "9999-12-31T23:59:59.999999Z"),
  fc.constantFrom<unknown>(JSON.parse('{"__proto__": 1}'), { a: [{ b: null }] }, [null], ["a", 1], "x".repeat(5_000)),
  fc.string({ maxLength: 12, unit: "binary" }),
  fc.jsonValue(),
);
type Change = {
  part: string;
  line: number;
  at: number;
  deep: number;
  value: unknown;
  how: "set" | "drop" | "twice" | "cut";
};
const change: fc.Arbitrary<Change> = fc.record({
  part: fc.constantFrom(...BUNDLE_PARTS),
  line: fc.nat(),
  at: fc.nat(),
  deep: fc.nat({ max: 3 }),
  value,
  how: fc.constantFrom("set", "set", "set", "set", "drop", "twice", "cut"),
});

/** Somewhere within the line: a member of it, or of one of its members. */
function changed(line: string, { at, deep, value: given, how }: Change): string {
  if (how === "twice") return `${line}\n${line}`;
  if (how === "cut") return line.slice(0, at % line.length);
  const root = JSON.parse(line) as unknown;
  let owner = root as Record<string, unknown>;
  for (let level = 0; level < deep; level++) {
    const inner = Object.values(owner).filter(
      (one) => one !== null && typeof one === "object" && Object.keys(one).length > 0,
    );
    if (inner.length === 0) break;
    owner = inner[at % inner.length] as Record<string, unknown>;
  }
  const keys = Object.keys(owner);
  const key = keys[at % Math.max(keys.length, 1)] ?? "new";
  if (how === "drop") delete owner[key];
  else owner[key] = given;
  return JSON.stringify(root);
}

test("a bundle with a changed line is imported whole or refused, and never breaks anything", {
  timeout: 600_000,
}, async () => {
  let imported = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(change, async (one) => {
      const lines = (parts.get(one.part) ?? "").split("\n").slice(0, -1);
      const at = one.line % Math.max(lines.length, 1);
      const text =
        lines[at] === undefined
          ? "{}\n"
          : `${lines.map((line, i) => (i === at ? changed(line, one) : line)).join("\n")}\n`;
      const project_id = `into_${imported}`;
      await createProject(kernel, { project_id, title: "Into" }).catch((error: unknown) => {
        if (!(error instanceof KernelError && error.code === "conflict")) throw error;
      });
      const before = await readTables(kernel);
      try {
        await importBundle(kernel, { project_id, bytes: await sealed(one.part, text) });
      } catch (error) {
        if (!(error instanceof KernelError)) throw error;
        expect(["bad_request", "conflict", "payload_too_large"]).toContain(error.code);
        expect(error.message).not.toBe("");
        expect(await readTables(kernel)).toEqual(before);
        refused++;
        return;
      }
      imported++;
      expect((await bundleTexts(await bundleOf(project_id))).size).toBe(parts.size);
    }),
    // One in half a second: with SWITCHYARD_FUZZ_RUNS as many as somebody has time for.
    { numRuns: Number(process.env.SWITCHYARD_FUZZ_RUNS ?? 60) },
  );
  expect(imported).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});
