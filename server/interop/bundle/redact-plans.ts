// Drawings of plan runs without secrets. A drawing has a shape, which pages read it by: a placeholder may be longer than what it
// stands for, and a title with one is cut where it would be too long. Its digest is that of what is left.
import type { BundleNote } from "@/server/contract/bundle/manifest";
import type { PlanRunLine } from "@/server/contract/bundle/plan-lines";
import { canonicalJson } from "@/server/contract/canonical-json";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import { hashPlan } from "@/server/kernel/plan/hash-plan";
import { redactValue } from "@/server/kernel/redaction/redact";
import type { Folder } from "./folder";
import { type Renames, renamed } from "./renames";

type Given = { raw: Folder; folder: Folder; renames: Renames; notes: BundleNote[] };

export async function redactPlans({ raw, folder, renames, notes }: Given): Promise<void> {
  let left = 0;
  for await (const text of raw.lines("plan_runs.jsonl")) {
    const given = JSON.parse(text) as PlanRunLine;
    const line = renamed(given, renames) as PlanRunLine;
    const { value } = redactValue({
      body: { ...line.body, layout: line.layout },
      inputs: line.inputs,
      tool_call: line.parent_tool_call_id,
    });
    const whole = fitted(value.body);
    if (whole === null) left++;
    const plan = whole ?? PlanShape.parse({ switchyard: "plan/1" });
    const { layout, ...body } = plan;
    const isChanged = canonicalJson(value.body) !== canonicalJson({ ...given.body, layout: given.layout });
    await folder.addLine("plan_runs.jsonl", {
      ...line,
      body: isChanged ? body : line.body,
      layout: isChanged ? layout : line.layout,
      sha256: isChanged ? hashPlan(plan) : line.sha256,
      inputs: value.inputs,
      parent_tool_call_id: value.tool_call,
    });
  }
  if (left > 0)
    notes.push({
      code: "plan_drawings_redacted",
      count: left,
      text: "drawings of plan runs that are none without their secrets were left out",
    });
}

/** null = a secret stood where a drawing has an id. */
function fitted(body: unknown): Plan | null {
  const parsed = PlanShape.safeParse(body);
  if (parsed.success) return parsed.data;
  let isCut = false;
  for (const issue of parsed.error.issues)
    if (issue.code === "too_big" && issue.origin === "string")
      isCut = cutAt(body, issue.path, Number(issue.maximum)) || isCut;
  return isCut ? fitted(body) : null;
}

/** Whether there was a text to cut. */
function cutAt(body: unknown, path: PropertyKey[], max: number): boolean {
  const last = path.at(-1);
  const owner = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], body);
  if (last === undefined || owner === null || typeof owner !== "object") return false;
  const text = (owner as Record<PropertyKey, unknown>)[last];
  if (typeof text !== "string" || text.length <= max) return false;
  (owner as Record<PropertyKey, unknown>)[last] = text.slice(0, max);
  return true;
}
