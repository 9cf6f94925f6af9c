// A hand-over and a return in words: what stands at the arrow, and what is heard in its place.
import { personName } from "@/components/domain/agent-names";
import { formatCompact, formatCount } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import type { TurnFrame } from "@/server/contract/frame";
import { turnLabel } from "../turn-words";
import type { LaneEvent } from "./lane-plan";

export const laneName = (turn: TurnFrame): string => (turn.is_human ? personName(turn.agent_id) : turnLabel(turn));

const tokensOf = ({ kind, turn }: LaneEvent): number => (kind === "return" ? turn.output_tokens : turn.context_tokens);

/** "2S01 Iron-air: cheap only past 24 h · 7.4k" */
export function eventWords(event: LaneEvent): string {
  const { kind, turn } = event;
  const said = kind === "return" ? (turn.status === "success" ? "returns" : turn.status) : plainWords(turn.title);
  return `${turn.headcode} ${said} · ${formatCompact(tokensOf(event))}`;
}

export function spokenEvent(event: LaneEvent): string {
  const { kind, turn, caller } = event;
  const tokens = formatCount(tokensOf(event), "token");
  const who = `${turn.headcode} ${laneName(turn)}`;
  if (kind === "begin") return `${who} begins: ${plainWords(turn.title)}, ${tokens}`;
  const other = caller === undefined ? "nobody" : `${caller.headcode} ${laneName(caller)}`;
  if (kind === "hand") return `${other} hands over to ${who}: ${plainWords(turn.title)}, ${tokens}`;
  return caller === undefined
    ? `${who} ends, ${turn.status}, ${tokens}`
    : `${who} returns to ${other}, ${turn.status}, ${tokens}`;
}
