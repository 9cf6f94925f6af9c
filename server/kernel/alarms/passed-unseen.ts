// Most of what was handed over was never sent to the caller's own model: it vouched for what it had not read. Pure.
import type { AlarmLimits } from "@/server/contract/alarm";
import type { CallerSide } from "@/server/contract/handover-diff";
import type { JudgedRow } from "../debugger/judge-handover";

export type HandedOver = {
  side: CallerSide;
  judged: readonly JudgedRow[];
  tokensOf: (card_id: string) => number;
};
type Limits = Pick<AlarmLimits, "passed_unseen_share" | "passed_unseen_tokens">;
type Unseen = { cards: number; tokens: number; handed_tokens: number; threshold: number; threshold_tokens: number };

/** null if the rule does not hold. A person has no model, and neither has a turn without a caller. */
export function passedUnseen({ side, judged, tokensOf }: HandedOver, limits: Limits): Unseen | null {
  if (side !== "request" && side !== "boxes") return null;
  const sum = (rows: readonly JudgedRow[]) => rows.reduce((n, { packed_id }) => n + tokensOf(packed_id ?? ""), 0);
  const handed = judged.filter(({ packed_id }) => packed_id !== undefined);
  const unseen = handed.filter(({ verdict }) => verdict === "passed_unseen");
  const [tokens, handed_tokens] = [sum(unseen), sum(handed)];
  const { passed_unseen_share: threshold, passed_unseen_tokens: threshold_tokens } = limits;
  if (tokens <= threshold_tokens || tokens <= threshold * handed_tokens) return null;
  return { cards: unseen.length, tokens, handed_tokens, threshold, threshold_tokens };
}
