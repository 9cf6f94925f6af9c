"use client";

// Keeps what is drawn: in this browser at once, as a draft on the server when it rests. Who writes over a newer draft is told, and
// nothing is lost on either side.
import { TRPCClientError } from "@trpc/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { isRecord } from "@/server/contract/is-record";
import { leanPlan } from "@/server/contract/plan/canonical";
import { PlanShape } from "@/server/contract/plan/plan";
import type { PlanDraft } from "@/server/contract/plan/plan-record";
import { sameJson } from "@/server/contract/same-json";
import type { DrawingStore } from "./draft/drawing-store";
import type { Step } from "./draft/history";
import { type KeptDrawing, keepDrawing, keepHistory } from "./draft/kept-drawing";
import { usePick } from "./small-store";

export type Saving =
  | { state: "none" }
  | { state: "saving" }
  /** `rev`: of the drawing that was saved. */
  | { state: "saved"; at: Date; rev: number }
  /** Not on the server yet, and why. */
  | { state: "kept"; cause: string }
  /** Another tab has gone on with it. */
  | { state: "elsewhere"; newer: PlanDraft };

export type SavingInput = {
  projectId: string;
  store: DrawingStore;
  /** Under which the browser keeps it. */
  keepKey: string;
  draft: { draft_id: string; rev: number } | null;
  plan: string | undefined;
  base: number | undefined;
  onCreated: (draft: PlanDraft) => void;
};

const REST_MS = 600;
const AGAIN_MS = 5_000;

export function useSaving({ projectId, store, keepKey, draft, plan, base, onCreated }: SavingInput) {
  const client = useTRPCClient();
  const [saving, setSaving] = useState<Saving>({ state: "none" });
  const known = useRef(draft);
  const busy = useRef<Promise<void> | null>(null);
  const saved = useRef(0);
  const lastSaved = useRef<Step | null>(null);
  const rev = usePick(store, (state) => state.rev);
  const created = useRef(onCreated);
  created.current = onCreated;

  // Found again by its draft, once there is one.
  const keyOf = useCallback(
    (draftId?: string) => (draftId === undefined ? keepKey : `${projectId} ${draftId}`),
    [projectId, keepKey],
  );

  const save = useCallback(async (): Promise<void> => {
    if (busy.current) await busy.current;
    const state = store.get();
    if (state.rev === saved.current || state.locked !== null) return;
    /** Another tab was quicker to make the draft of this plan. */
    const madeElsewhere = async (): Promise<PlanDraft | null> => {
      if (known.current !== null || plan === undefined) return null;
      const opened = await client.plan.drawing.query({ project_id: projectId, plan }).catch(() => null);
      return opened?.draft ?? null;
    };
    const send = async () => {
      setSaving({ state: "saving" });
      const body = leanPlan(state.plan);
      const given = { project_id: projectId, body, ...(base !== undefined && { base_version: base }) };
      try {
        const done = known.current
          ? await client.plan.save_draft.mutate({ ...given, ...known.current })
          : await client.plan.create_draft.mutate({ ...given, ...(plan !== undefined && { plan }) });
        const isNew = known.current === null;
        known.current = { draft_id: done.draft_id, rev: done.rev };
        saved.current = state.rev;
        setSaving({ state: "saved", at: new Date(), rev: state.rev });
        keepHistory(done.draft_id, done.rev, state.history);
        lastSaved.current = state.history.past.at(-1) ?? null;
        if (isNew) void keepDrawing(keepKey, null);
        if (store.get().rev === state.rev) void keepDrawing(keyOf(done.draft_id), null);
        if (isNew) created.current(done);
      } catch (error) {
        const newer = newerOf(error) ?? (await madeElsewhere());
        if (newer && sameJson(leanPlan(PlanShape.parse({ ...newer.body, layout: newer.layout })), body)) {
          // It was this very drawing that was saved, by a page that was closed before it heard so.
          known.current = { draft_id: newer.draft_id, rev: newer.rev };
          saved.current = state.rev;
          setSaving({ state: "saved", at: new Date(), rev: state.rev });
        } else if (newer) {
          store.lock("This draft goes on in another tab.");
          setSaving({ state: "elsewhere", newer });
        } else setSaving({ state: "kept", cause: error instanceof Error ? error.message : String(error) });
      }
    };
    busy.current = send().finally(() => {
      busy.current = null;
    });
    await busy.current;
  }, [client, projectId, store, keepKey, keyOf, plan, base]);

  useEffect(() => {
    if (rev === 0) return;
    const { plan: now, history } = store.get();
    void keepDrawing(keyOf(known.current?.draft_id), {
      plan: now,
      history,
      draft: known.current,
      base: base ?? null,
    } satisfies KeptDrawing);
    const timer = setTimeout(() => void save(), REST_MS);
    return () => clearTimeout(timer);
  }, [rev, store, keyOf, base, save]);

  // What could not be sent is sent again, without a change too.
  const isKept = saving.state === "kept";
  useEffect(() => {
    if (!isKept) return;
    const timer = setInterval(() => void save(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [isKept, save]);

  useEffect(() => {
    const onHide = () => {
      if (document.visibilityState === "hidden") void save();
    };
    document.addEventListener("visibilitychange", onHide);
    return () => document.removeEventListener("visibilitychange", onHide);
  }, [save]);

  /** Goes on here: the newer draft, with what was not saved here on top. Answers what of it no longer fits. */
  const goOnHere = useCallback(
    (newer: PlanDraft): string[] => {
      known.current = { draft_id: newer.draft_id, rev: newer.rev };
      const { past } = store.get().history;
      const unsaved = past.slice(lastSaved.current ? past.indexOf(lastSaved.current) + 1 : 0);
      store.lock(null);
      store.replace(PlanShape.parse({ ...newer.body, layout: newer.layout }));
      saved.current = store.get().rev;
      setSaving({ state: "saved", at: new Date(newer.updated_at), rev: store.get().rev });
      // What no longer fits is told, never dropped in silence.
      return unsaved.flatMap(({ label, ops }) => {
        const refused = store.change({ label, ops });
        return refused ? [`${label}: ${refused.message}`] : [];
      });
    },
    [store],
  );
  /** What was drawn is published: its draft goes. */
  const forget = useCallback(async () => {
    if (busy.current) await busy.current;
    const draft = known.current;
    known.current = null;
    saved.current = store.get().rev;
    setSaving({ state: "none" });
    await keepDrawing(keyOf(draft?.draft_id), null);
    if (draft)
      await client.plan.remove_draft
        .mutate({ project_id: projectId, draft_id: draft.draft_id })
        .catch((error: unknown) => {
          store.say(`The draft was not removed: ${error instanceof Error ? error.message : String(error)}`);
        });
  }, [client, projectId, store, keyOf]);
  // What was just drawn is not saved yet, whatever was before.
  const isBehind = saving.state === "saved" && saving.rev !== rev;
  return { saving: isBehind ? ({ state: "saving" } as const) : saving, save, goOnHere, forget };
}

function newerOf(error: unknown): PlanDraft | null {
  const data: unknown = error instanceof TRPCClientError ? error.data : null;
  const detail = isRecord(data) ? data.detail : null;
  const draft = isRecord(detail) ? detail.draft : null;
  return isRecord(draft) ? (draft as unknown as PlanDraft) : null;
}
