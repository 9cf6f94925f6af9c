// A plan as YAML text. An earlier text is edited, not printed again: its comments, order and form stay, and every line that
// did not change stays as it is. What the edit made is read again; if it is not the plan, less of the text is kept.
import { sameJson } from "../../same-json";
import { leanPlan } from "../canonical";
import type { Plan } from "../plan";
import { composeYaml } from "./compose-yaml";
import { editedSource } from "./edit-yaml";
import { parseComposed, parseYaml } from "./parse-yaml";
import { blockLines, ordered } from "./print-yaml";

export function toYaml(plan: Plan, previous?: string): string {
  const want = leanForm(plan);
  const kept = previous === undefined ? null : editedText(plan, want, previous);
  return kept ?? blockLines(want, 0);
}

/** Null = there is nothing of it to keep. */
function editedText(plan: Plan, want: Record<string, unknown>, previous: string): string | null {
  const eol = previous.includes("\r\n") ? "\r\n" : "\n";
  const text = previous.endsWith("\n") ? previous : `${previous}${eol}`;
  const composed = composeYaml(text);
  if ("problems" in composed || !composed.doc.contents) return null;
  const read = parseComposed(composed);
  if ("problems" in read) return null;
  if (sameJson(read.plan, plan)) return previous;
  for (const withIds of [false, true]) {
    const next = editedSource(text, composed.doc.contents, leanForm(read.plan), want, { withIds, eol });
    const back = parseYaml(next);
    if ("plan" in back && sameJson(back.plan, plan)) return next;
  }
  return null;
}

const leanForm = (plan: Plan) => ordered(leanPlan(plan)) as Record<string, unknown>;
