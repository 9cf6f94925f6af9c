"use client";

// Keeps what is drawn: in this browser at once, as a draft on the server when it rests. Who writes over a newer draft is told, and
// nothing is lost on either side.
import { TRPCClientError } from "@trpc/client";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { hexOf } from "@/components/ui/format";
import { isRecord } from "@/server/contract/is-record";
import { leanPlan } from "@/server/contract/plan/canonical";
import { mergePlans } from "@/server/contract/plan/merge-plans";
import { opsBetween } from "@/server/contract/plan/ops-between";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import type { PlanDraft } from "@/server/contract/plan/plan-record";
import { sameJson } from "@/server/contract/same-json";
import type { DrawingStore } from "./draft/drawing-store";
import { type KeptDrawing, keepDrawing, keepHistory } from "./draft/kept-drawing";
import { createSmallStore, type SmallStore, usePick } from "./small-store";
import { type TakenOver, takenOver } from "./taken-over";

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
  /** Under which the browser keeps it until it is a draft. */
  keepKey: string;
  /** Of a published plan: under which what was kept is found again when its draft is gone. */
  address: string;
  /** `rev` 0 = it was sent, and nobody knows whether it arrived. */
  draft: { draft_id: string; rev: number } | null;
  /** The plan as the server has it in that draft. */
  savedPlan: Plan | null;
  /** What was opened is of an older one than this: it is read only until it is taken over. */
  newer: PlanDraft | null;
  plan: string | undefined;
  base: number | undefined;
  onCreated: (draft: PlanDraft) => void;
};

const REST_MS = 600;
const AGAIN_MS = 5_000;
/** By then the address names the draft that was made. */
const ADDRESS_MS = 1_000;
export const CHANGED_ELSEWHERE = "This draft was changed in another tab or browser.";

export function useSaving({
  projectId,
  store,
  keepKey,
  address,
  draft,
  savedPlan,
  newer,
  plan,
  base,
  onCreated,
}: SavingInput) {
  const client = useTRPCClient();
  // A store, so that a drawing that is saved draws nothing again but the words that say so.
  const [saving] = useState(() => createSmallStore<Saving>(newer ? { state: "elsewhere", newer } : { state: "none" }));
  const known = useRef(draft && draft.rev > 0 ? draft : null);
  /** Of the draft that is made when there is none: asked for twice it is made once. */
  const minted = useRef(draft?.rev === 0 ? draft.draft_id : mintDraftId());
  const onServer = useRef(savedPlan);
  /** What was sent and never answered: found on the server, it is this page's own. */
  const unanswered = useRef<object | null>(null);
  const busy = useRef<Promise<void> | null>(null);
  const saved = useRef(0);
  const seen = useRef(0);
  const created = useRef(onCreated);
  created.current = onCreated;

  // Found again by its draft, once there is one.
  const keyOf = useCallback(
    (draftId?: string) => (draftId === undefined ? keepKey : `${projectId} ${draftId}`),
    [projectId, keepKey],
  );

  /** In this browser, as it is drawn now. */
  const keepNow = useCallback((): void => {
    const { plan: now, history } = store.get();
    const kept: KeptDrawing = {
      address,
      plan: now,
      history,
      draft: known.current ?? { draft_id: minted.current, rev: 0 },
      saved: onServer.current,
      base: base ?? null,
    };
    void keepDrawing(keyOf(known.current?.draft_id), kept);
  }, [store, address, base, keyOf]);

  const save = useCallback(async (): Promise<void> => {
    // Two that waited for one answer each sent theirs, and the second was refused as if another tab had been quicker.
    while (busy.current) await busy.current;
    const state = store.get();
    if (state.rev === saved.current || state.locked !== null) return;
    /** Another tab was quicker to make the draft of this plan. */
    const madeElsewhere = async (): Promise<PlanDraft | null> => {
      if (known.current !== null || plan === undefined) return null;
      const opened = await client.plan.drawing.query({ project_id: projectId, plan }).catch(() => null);
      return opened?.draft ?? null;
    };
    const body = leanPlan(state.plan);
    const arrived = (done: Pick<PlanDraft, "draft_id" | "rev">) => {
      known.current = { draft_id: done.draft_id, rev: done.rev };
      onServer.current = state.plan;
      saved.current = state.rev;
      saving.set({ state: "saved", at: new Date(), rev: state.rev });
      keepHistory(done.draft_id, done.rev, state.history);
      const own = keyOf(done.draft_id);
      // What was drawn while it was on its way is kept under the draft's own name from here on.
      if (store.get().rev === state.rev) void keepDrawing(own, null);
      else keepNow();
      // Loaded again before the address names the draft, it is found as it was.
      if (own !== keepKey) setTimeout(() => void keepDrawing(keepKey, null), ADDRESS_MS);
    };
    const send = async (isAgain = false): Promise<void> => {
      saving.set({ state: "saving" });
      const given = { project_id: projectId, body, ...(base !== undefined && { base_version: base }) };
      try {
        const isNew = known.current === null;
        const done = known.current
          ? await client.plan.save_draft.mutate({ ...given, ...known.current })
          : await client.plan.create_draft.mutate({
              ...given,
              draft_id: minted.current,
              ...(plan !== undefined && { plan }),
            });
        unanswered.current = null;
        arrived(done);
        if (isNew) created.current(done);
      } catch (error) {
        const isGone = known.current !== null && codeOf(error) === "not_found";
        if (isGone && !isAgain) {
          // It was published or deleted elsewhere. What is drawn here is a draft of its own then.
          known.current = null;
          minted.current = mintDraftId();
          return send(true);
        }
        const theirs = newerOf(error) ?? (await madeElsewhere());
        if (!theirs) {
          if (codeOf(error) === null) unanswered.current = body;
          saving.set({ state: "kept", cause: error instanceof Error ? error.message : String(error) });
          return;
        }
        const sent = leanPlan(planIn(theirs));
        if (sameJson(sent, body)) {
          arrived(theirs);
          return;
        }
        // What was sent before did arrive; only its answer did not.
        const isOwn =
          (unanswered.current !== null && sameJson(sent, unanswered.current)) ||
          (known.current === null && theirs.draft_id === minted.current && theirs.rev === 1);
        if (isOwn && !isAgain) {
          const isNew = known.current === null;
          known.current = { draft_id: theirs.draft_id, rev: theirs.rev };
          onServer.current = planIn(theirs);
          unanswered.current = null;
          if (isNew) created.current(theirs);
          return send(true);
        }
        store.lock(CHANGED_ELSEWHERE);
        saving.set({ state: "elsewhere", newer: theirs });
      }
    };
    busy.current = send().finally(() => {
      busy.current = null;
    });
    await busy.current;
  }, [client, projectId, store, keepKey, keyOf, keepNow, plan, base, saving]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const saveSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void save(), REST_MS);
    };
    const onChange = () => {
      const { rev } = store.get();
      if (rev === seen.current) return;
      seen.current = rev;
      keepNow();
      saveSoon();
    };
    onChange();
    if (store.get().rev !== saved.current) saveSoon();
    const stop = store.subscribe(onChange);
    // What could not be sent is sent again, without a change too.
    const again = setInterval(() => {
      if (saving.get().state === "kept") void save();
    }, AGAIN_MS);
    return () => {
      stop();
      clearTimeout(timer);
      clearInterval(again);
    };
  }, [store, keepNow, save, saving]);

  useEffect(() => {
    const onHide = () => {
      if (document.visibilityState === "hidden") void save();
    };
    document.addEventListener("visibilitychange", onHide);
    return () => document.removeEventListener("visibilitychange", onHide);
  }, [save]);

  /** Goes on here: the newer draft, with what was changed here on top, in one step. Answers what a person has to look at. */
  const goOnHere = useCallback(
    (theirs: PlanDraft): TakenOver | null => {
      const [mine, head] = [store.get().plan, planIn(theirs)];
      const merged = onServer.current ? mergePlans(onServer.current, mine, head) : null;
      const next = merged === null || "fault" in merged ? mine : merged.plan;
      const said = takenOver(merged);
      known.current = { draft_id: theirs.draft_id, rev: theirs.rev };
      onServer.current = head;
      unanswered.current = null;
      store.lock(null);
      store.replace(head);
      saved.current = store.get().rev;
      saving.set({ state: "saved", at: new Date(theirs.updated_at), rev: store.get().rev });
      const ops = opsBetween(head, next);
      if (ops.length > 0) store.change({ label: "What was drawn here is on top", ops });
      return said;
    },
    [store, saving],
  );
  /** What was drawn is published: its draft goes. */
  const forget = useCallback(async () => {
    while (busy.current) await busy.current;
    const draft = known.current;
    known.current = null;
    minted.current = mintDraftId();
    onServer.current = store.get().plan;
    saved.current = store.get().rev;
    saving.set({ state: "none" });
    await keepDrawing(keyOf(draft?.draft_id), null);
    if (draft)
      await client.plan.remove_draft.mutate({ project_id: projectId, ...draft }).catch((error: unknown) => {
        const cause = error instanceof Error ? error.message : String(error);
        // What somebody else drew on it meanwhile is in no version yet.
        const words = newerOf(error)
          ? "Your draft was changed elsewhere meanwhile, and stays. Load the page again to see it."
          : `The draft was not removed: ${cause}`;
        announce({ title: "Published, but the draft stays", detail: words });
      });
  }, [client, projectId, store, keyOf, saving]);
  return useMemo(() => ({ saving, goOnHere, forget }), [saving, goOnHere, forget]);
}

/** What was just drawn is not saved yet, whatever was before. */
export function useIsSaved(saving: SmallStore<Saving>, store: Pick<DrawingStore, "get" | "subscribe">): Saving {
  const now = usePick(saving, (value) => value);
  const rev = usePick(store, (state) => state.rev);
  return now.state === "saved" && now.rev !== rev ? { state: "saving" } : now;
}

const planIn = ({ body, layout }: PlanDraft): Plan => PlanShape.parse({ ...body, layout });

/** As the kernel makes them. */
const mintDraftId = (): string => `draft_${hexOf(crypto.getRandomValues(new Uint8Array(16)))}`;

const dataOf = (error: unknown): Record<string, unknown> | null => {
  const data: unknown = error instanceof TRPCClientError ? error.data : null;
  return isRecord(data) ? data : null;
};

/** Null = the server did not answer. */
function codeOf(error: unknown): string | null {
  const code = dataOf(error)?.error_code;
  return typeof code === "string" ? code : null;
}

function newerOf(error: unknown): PlanDraft | null {
  const detail = dataOf(error)?.detail;
  const draft = isRecord(detail) ? detail.draft : null;
  return isRecord(draft) ? (draft as unknown as PlanDraft) : null;
}
