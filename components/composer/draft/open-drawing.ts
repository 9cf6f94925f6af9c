// What the composer opens with: what the server has, or what this browser kept and the server never got. Neither is dropped: where
// both went on, what was kept is shown read only until it is put on top of the other.
import { announce } from "@/components/ui/announcements";
import { leanPlan } from "@/server/contract/plan/canonical";
import type { DrawingSheet } from "@/server/contract/plan/drawing-sheet";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import type { PlanDraft } from "@/server/contract/plan/plan-record";
import { sameJson } from "@/server/contract/same-json";
import { type History, noHistory } from "./history";
import { type KeptDrawing, keepDrawing, keptDrawing, keptHistory } from "./kept-drawing";

export type Opened = {
  sheet: DrawingSheet;
  plan: Plan;
  history: History;
  /** `rev` 0 = it was sent, and nobody knows whether it arrived. */
  draft: KeptDrawing["draft"];
  /** As the server has it in that draft. */
  saved: Plan | null;
  /** The server's draft, where what was kept is older. */
  newer: PlanDraft | null;
  /** The server does not have it yet. */
  isChanged: boolean;
};

const nothing: DrawingSheet = { plan: null, draft: null, version: null, others: [] };
export const fresh: Omit<Opened, "plan"> = {
  sheet: nothing,
  history: noHistory,
  draft: null,
  saved: null,
  newer: null,
  isChanged: false,
};

/** Of a published plan; "" = it has no name that would be found again. */
export const addressOf = (projectId: string, plan: string | null): string =>
  plan === null ? "" : `${projectId} plan ${plan}`;

type Where = { projectId: string; key: string; address: string; sheet: DrawingSheet };

/** A text = the draft or the version cannot be read, and why. */
export async function openDrawing({ projectId, key, address, sheet }: Where): Promise<Opened | string> {
  const { draft, version } = sheet;
  const own = draft ? `${projectId} ${draft.draft_id}` : key;
  const found = await keptDrawing(own, address);
  const there = draft ?? version;
  const read = PlanShape.safeParse(there ? { ...there.body, layout: there.layout } : { switchyard: "plan/1" });
  if (!read.success) {
    const [issue] = read.error.issues;
    return `${issue?.path.join(".") || "body"}: ${issue?.message ?? "is no plan"}`;
  }
  const plan = read.data;
  const known = draft && { draft_id: draft.draft_id, rev: draft.rev };
  const saved = there ? plan : null;
  if (found === null || sameJson(leanPlan(found.kept.plan), leanPlan(plan))) {
    if (found) await keepDrawing(found.key, null);
    const history = draft ? keptHistory(draft.draft_id, draft.rev) : noHistory;
    return { ...fresh, sheet, plan, history, draft: known, saved };
  }
  const { kept } = found;
  if (found.key !== own) {
    await keepDrawing(own, kept);
    await keepDrawing(found.key, null);
  }
  const mine = { ...fresh, sheet, plan: kept.plan, history: kept.history, saved, isChanged: true };
  if (!draft) return withoutDraft(mine, kept);
  const isSame = kept.draft?.draft_id === draft.draft_id;
  // Its first save may have arrived, and only the answer was lost.
  const isCurrent = isSame && (kept.draft?.rev === draft.rev || (kept.draft?.rev === 0 && draft.rev === 1));
  if (isCurrent) return { ...mine, draft: known };
  const begunFrom = version?.version === kept.base ? version : null;
  const begun = begunFrom ? PlanShape.parse({ ...begunFrom.body, layout: begunFrom.layout }) : null;
  return { ...mine, draft: kept.draft, saved: kept.saved ?? begun, newer: draft };
}

/** The draft is gone, and the address with it. Null = this browser kept nothing of it. */
export async function openKept(key: string): Promise<Opened | null> {
  const found = await keptDrawing(key, "");
  return (
    found && withoutDraft({ ...fresh, plan: found.kept.plan, history: found.kept.history, isChanged: true }, found.kept)
  );
}

function withoutDraft(mine: Opened, kept: KeptDrawing): Opened {
  if (kept.draft === null || kept.draft.rev === 0) return { ...mine, draft: kept.draft };
  announce({
    title: "Your draft was published or deleted elsewhere",
    detail: "What this browser had kept of it is a draft again.",
  });
  return mine;
}
