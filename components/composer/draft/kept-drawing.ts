// What is drawn, kept in this browser from the first operation on: a closed tab, a reload or a lost server costs nothing. What is
// read back was written by some earlier page, so it is read as carefully as what comes from elsewhere.
import { createStore, del, entries, get, set } from "idb-keyval";
import * as z from "zod";
import { PlanOp } from "@/server/contract/plan/op";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import { type History, noHistory } from "./history";

export type KeptDrawing = {
  /** Project and name of the published plan; "" = it has none. */
  address: string;
  plan: Plan;
  history: History;
  /** `rev` 0 = it was sent, and nobody knows whether it arrived. */
  draft: { draft_id: string; rev: number } | null;
  /** As the server has it at that rev; null = it has none. */
  saved: Plan | null;
  base: number | null;
};

const Step = z.object({
  label: z.string(),
  ops: z.array(PlanOp),
  inverse: z.array(PlanOp),
  places: z.array(z.string()),
  key: z.string().optional(),
  at: z.number(),
});
const Kept = z.object({
  address: z.string().default(""),
  plan: PlanShape,
  draft: z.object({ draft_id: z.string(), rev: z.number() }).nullable(),
  saved: PlanShape.nullable().catch(null),
  base: z.number().nullable().default(null),
});
const Steps = z.object({ past: z.array(Step), future: z.array(Step) });

/** Opened at its first use, and kept open: every change writes to it. */
const drawings = createStore("switchyard-composer", "drawings");

/** Null = the server has it. */
export async function keepDrawing(key: string, drawing: KeptDrawing | null): Promise<void> {
  try {
    if (drawing === null) await del(key, drawings);
    else await set(key, drawing, drawings);
  } catch {
    // A browser that forbids storage still draws, and saves to the server.
  }
}

/** What the server did not get before the tab was closed: of this draft, or of the page that drew it. Null = nothing that can be read. */
export async function keptDrawing(key: string, address: string): Promise<{ key: string; kept: KeptDrawing } | null> {
  try {
    const own = readKept(await get<unknown>(key, drawings));
    if (own) return { key, kept: own };
    if (address === "") return null;
    for (const [at, value] of await entries<string, unknown>(drawings)) {
      const kept = readKept(value);
      if (kept && kept.address === address) return { key: at, kept };
    }
    return null;
  } catch {
    return null;
  }
}

function readKept(value: unknown): KeptDrawing | null {
  const read = Kept.safeParse(value);
  return read.success ? { ...read.data, history: readHistory((value as { history?: unknown }).history) } : null;
}

/** The steps of this tab, across a reload. They fit the draft as it was at `rev`. */
export function keepHistory(draftId: string, rev: number, { past, future }: History): void {
  try {
    const kept = JSON.stringify({ rev, past: past.slice(-KEPT_STEPS), future });
    sessionStorage.setItem(`switchyard-steps ${draftId}`, kept);
  } catch {
    // Full or forbidden: undo starts empty after a reload.
  }
}

export function keptHistory(draftId: string, rev: number): History {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(`switchyard-steps ${draftId}`) ?? "null");
    return (kept as { rev?: unknown } | null)?.rev === rev ? readHistory(kept) : noHistory;
  } catch {
    return noHistory;
  }
}

/** Steps that nobody can read are forgotten: the drawing is there all the same. */
function readHistory(value: unknown): History {
  const read = Steps.safeParse(value);
  return read.success ? (read.data as History) : noHistory;
}

const KEPT_STEPS = 200;
