// What is drawn, kept in this browser from the first operation on: a closed tab, a reload or a lost server costs nothing.
import { createStore, del, get, set } from "idb-keyval";
import type { Plan } from "@/server/contract/plan/plan";
import { type History, noHistory } from "./history";

export type KeptDrawing = {
  plan: Plan;
  history: History;
  draft: { draft_id: string; rev: number } | null;
  base: number | null;
};

const open = () => createStore("switchyard-composer", "drawings");

/** Null = the server has it. */
export async function keepDrawing(key: string, drawing: KeptDrawing | null): Promise<void> {
  try {
    if (drawing === null) await del(key, open());
    else await set(key, drawing, open());
  } catch {
    // A browser that forbids storage still draws, and saves to the server.
  }
}

/** What the server did not get before the tab was closed. */
export async function keptDrawing(key: string): Promise<KeptDrawing | null> {
  try {
    return (await get<KeptDrawing>(key, open())) ?? null;
  } catch {
    return null;
  }
}

/** The steps of this tab, across a reload. They fit the draft as it was at `rev`. */
export function keepHistory(draftId: string, rev: number, { past, future }: History): void {
  try {
    const kept = JSON.stringify({ rev, past: past.slice(-KEPT_STEPS), future });
    sessionStorage.setItem(`switchyard-steps ${draftId}`, kept);
  } catch {
    // Full or forbidden: undo begins anew after a reload.
  }
}

export function keptHistory(draftId: string, rev: number): History {
  try {
    const kept = JSON.parse(sessionStorage.getItem(`switchyard-steps ${draftId}`) ?? "null") as
      | (History & { rev: number })
      | null;
    return kept?.rev === rev ? { past: kept.past, future: kept.future } : noHistory;
  } catch {
    return noHistory;
  }
}

const KEPT_STEPS = 200;
