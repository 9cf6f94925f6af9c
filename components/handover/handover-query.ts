// What the page asks for: the page on the server and the screen in the browser must ask the same.
import { HandoverVerdict } from "@/server/contract/handover-diff";

/** Rows of a page. */
export const HANDOVER_ROWS = 200;
const FROM_MAX = 10_000_000;

type Shown = { verdict?: HandoverVerdict | null; from?: number };

export const handoverQuery = (project_id: string, agent_turn_id: string, { verdict, from = 0 }: Shown) => ({
  ...{ project_id, agent_turn_id, from: Math.min(FROM_MAX, Math.max(0, from)), limit: HANDOVER_ROWS },
  ...(verdict && { verdict }),
});

/** From the address, as the screen reads it: what is no verdict and no number is left out. */
export function handoverAsked(params: Record<string, string | string[] | undefined>): Shown {
  const verdict = HandoverVerdict.safeParse(params.verdict);
  const from = typeof params.from === "string" ? Number.parseInt(params.from, 10) : 0;
  return { ...(verdict.success && { verdict: verdict.data }), from: Number.isNaN(from) ? 0 : from };
}
