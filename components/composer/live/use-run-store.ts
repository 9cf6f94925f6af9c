"use client";

// The body of a run that is watched, and what is to be changed in it: kept apart from the drawing, and sent by the person, never by
// itself. While it runs only what waits may change; for a fork everything but its inputs.
import { useEffect, useMemo, useRef } from "react";
import { announce } from "@/components/ui/announcements";
import { applyOps } from "@/server/contract/plan/apply-op";
import { leanPlan } from "@/server/contract/plan/canonical";
import { editRun } from "@/server/contract/plan/edit-run";
import type { PlanOp } from "@/server/contract/plan/op";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import type { RunDrawing } from "@/server/contract/plan/run-drawing";
import { sameJson } from "@/server/contract/same-json";
import { createDrawingStore, type DrawingStore } from "../draft/drawing-store";
import { noHistory } from "../draft/history";
import { usePick } from "../small-store";

/** edit = what has not started is changed in the run itself. fork = another run of what is drawn, with recorded results. */
export type RunMode = "edit" | "fork";

export const bodyOf = ({ run }: RunDrawing): Plan => PlanShape.parse({ ...run.body, layout: run.layout });

export const opsOf = ({ history }: Pick<ReturnType<DrawingStore["get"]>, "history">): PlanOp[] =>
  history.past.flatMap(({ ops }) => ops);

/** `first` is selected in it where the drawing has nothing selected: what its address named. */
export function useRunStore(
  watched: RunDrawing | null,
  mode: RunMode,
  drawn: DrawingStore,
  first: readonly string[],
): DrawingStore | null {
  const id = watched?.run.plan_run_id ?? null;
  const now = useRef({ watched, mode });
  now.current = { watched, mode };
  // biome-ignore lint/correctness/useExhaustiveDependencies: one for each run; what changes in it is read when it is needed
  const store = useMemo(() => {
    if (!watched) return null;
    const made: DrawingStore = createDrawingStore(bodyOf(watched), noHistory, (ops) => {
      const { watched: run, mode: as } = now.current;
      return run ? refusalOf(run, as, [...opsOf(made.get()), ...ops]) : "The run is not known yet.";
    });
    const { selection } = drawn.get();
    made.select(selection.length > 0 ? selection : first);
    return made;
  }, [id]);
  const rev = watched?.run.body_rev ?? 0;
  const known = useRef({ id, rev, watched });
  const isSending = usePick(store ?? drawn, ({ locked }) => locked !== null);
  useEffect(() => {
    // What is being sent is in the next body, or stays to be sent: that is known when the answer is.
    if (isSending && store) return;
    const before = known.current;
    known.current = { id, rev, watched: now.current.watched };
    if (!store || before.id !== id || before.rev === rev || !before.watched || !now.current.watched) return;
    const lost = goOn(store, bodyOf(before.watched), bodyOf(now.current.watched));
    if (lost === null) announce({ title: "Sent. The run goes on with it", status: "success" });
    else if (lost.length > 0)
      announce({ title: "Some changes no longer fit", detail: lost.join(" "), status: "failed" });
  }, [store, id, rev, isSending]);
  return store;
}

/** Why the run does not take these operations; null = it does, as far as the browser can tell. */
export function refusalOf(watched: RunDrawing, mode: RunMode, ops: readonly PlanOp[]): string | null {
  if (mode === "fork")
    return ops.some(({ op, ...rest }) => op === "set" && "path" in rest && !("node" in rest) && isInput(rest.path))
      ? "A fork keeps the inputs of its run. Launch the plan for other inputs."
      : null;
  const statuses = new Map(watched.run.nodes.map((node) => [node.node_id, node.status]));
  const edited = editRun(bodyOf(watched), (node) => statuses.get(node), ops);
  return "refusal" in edited ? edited.refusal.message : null;
}

const isInput = (path: string): boolean => path === "/inputs" || path.startsWith("/inputs/");

/**
 * The newer body with what was not sent on top. Answers what of it no longer fits. `was`: the body that it was drawn on. A request whose
 * answer was lost may have arrived: then the newer body is what is drawn here, nothing is left to be sent, and null is answered.
 */
function goOn(store: DrawingStore, was: Plan, body: Plan): string[] | null {
  const { past } = store.get().history;
  const sent = applyOps(was, opsOf(store.get()));
  store.replace(body);
  if (past.length > 0 && !("refusal" in sent) && runsTheSame(sent.plan, body)) return null;
  return past.flatMap(({ label, ops }) => {
    const refused = store.change({ label, ops });
    return refused ? [`${label}: ${refused.message}`] : [];
  });
}

/** Where things stand is no difference. */
const runsTheSame = (a: Plan, b: Plan): boolean =>
  sameJson({ ...leanPlan(a), layout: null }, { ...leanPlan(b), layout: null });
