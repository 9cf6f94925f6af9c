// What a person is told after two drawings of one draft were put together. A merge that failed used to keep one of them without a
// word. Pure.
import type { MergeConflict } from "@/server/contract/plan/merge-fields";
import type { PlanFault } from "@/server/contract/plan/parse-plan";

export type TakenOver = { title: string; detail: string; isFailed: boolean };

/** `merged`: null = it is not known what both began with. Answers null where both are in it, and nothing was changed twice. */
export function takenOver(
  merged: { conflicts: Pick<MergeConflict, "node" | "field">[] } | { fault: PlanFault } | null,
): TakenOver | null {
  if (merged === null)
    return {
      title: "Only what was drawn here is kept",
      detail: "The version that both drawings began with is not known. Undo shows what was drawn elsewhere.",
      isFailed: false,
    };
  if ("fault" in merged)
    return {
      title: "The two drawings could not be put together",
      detail:
        `Together they break a rule of plans: ${said(merged.fault)}. Only what was drawn here is kept. ` +
        "Undo shows what was drawn elsewhere, redo what was drawn here. Copy what you need from one to the other.",
      isFailed: true,
    };
  if (merged.conflicts.length === 0) return null;
  const both = merged.conflicts.map(({ node, field }) => [node, field].filter(Boolean).join(" "));
  return {
    title: "Changed in both places",
    detail: `${both.join(", ")}: as it was drawn here. Undo shows what was drawn elsewhere.`,
    isFailed: false,
  };
}

const said = ({ path, message }: PlanFault): string => `${path ? `${path}: ` : ""}${message}`.replace(/\.$/, "");
