// What a box is, in the words of its head: what somebody was given, what somebody wrote, what a model was sent.
import { boxKindWords } from "@/components/domain/box-kinds";
import { boxPlate } from "@/server/contract/box";
import type { BoxSheet } from "@/server/contract/line";
import { isEnded } from "@/server/contract/turn";

type Named = Pick<BoxSheet, "kind" | "box_id" | "turns" | "profile_name" | "owner_turn_id" | "run">;

export function boxTitle(box: Named): string {
  const turn = box.turns.find((t) => t.agent_turn_id === box.owner_turn_id) ?? box.turns.at(0);
  const who = turn === undefined ? null : turn.is_human ? "the person" : turn.headcode;
  if (box.kind === "profile") return box.profile_name === undefined ? "A profile" : `Profile ${box.profile_name}`;
  if (box.kind === "import" && box.run !== undefined) return `The log of run ${box.run.number}`;
  if (who === null) return `${boxKindWords[box.kind]} ${boxPlate(box.box_id)}`;
  if (box.kind === "context") return turn?.is_human ? "What the person provided" : `What ${who} was given`;
  if (box.kind === "output") {
    const others = new Set(box.turns.map((t) => t.agent_turn_id)).size - 1;
    const isBusy = box.turns.some((t) => !isEnded(t.status));
    return `What ${who}${others > 0 ? ` and ${others} before it` : ""} ${isBusy ? "is writing" : "wrote"}`;
  }
  if (box.kind === "request") return `What ${who}'s model was sent`;
  return `${boxKindWords[box.kind]} of ${who}`;
}
