// What the tour says at each step: a title and at most two sentences.
import { formatCount } from "@/components/ui/format";
import type { BatchFrame, TurnFrame } from "@/server/contract/frame";
import { turnLabel } from "../turn-words";
import type { Handover, LeftBehind } from "./tour-stops";

export type StepWords = { title: string; text: string };

export const planWords = (isPhone: boolean): StepWords => ({
  title: "Agents at work",
  text: isPhone
    ? "Each wagon is a turn: one piece of work of an agent. A track leads down from the caller to the turn it called."
    : "Each wagon is a turn: one piece of work of an agent. Tracks lead from the caller to the turn it called, and time runs from left to right.",
});

export const wagonWords = (turn: TurnFrame | undefined): StepWords => ({
  title: "A wagon",
  text:
    turn === undefined
      ? "No agent has a turn in this run yet. Its wagon will show the agent, the task, the state and how full the window is."
      : `${turn.headcode} is a turn of ${turnLabel(turn)}: the lamp shows its state, the text its task or result. The percentage shows how full the model's window was at most.`,
});

export const forkWords = (batch: BatchFrame | undefined, caller: TurnFrame | undefined): StepWords => ({
  title: "A fork and its gate",
  text:
    batch === undefined
      ? "This run has no fork. Where an agent forks, its branches run at once in one frame and join at a gate."
      : `${caller?.headcode ?? "The caller"} started ${formatCount(batch.task_count, "branch", "branches")} at once, each in a lane of its own. They join at the gate on the right, and then the caller goes on.`,
});

export const handoverWords = (handover: Handover | undefined): StepWords => ({
  title: "A hand-over",
  text:
    handover === undefined
      ? "No agent of this run has called another one yet. A hand-over shows which cards the callee was given."
      : `${handover.caller.headcode} called ${handover.callee.headcode} and gave it ${formatCount(handover.callee.context_cards, "card")} in a box. Of its caller's work the callee sees these cards and nothing else.`,
});

export const leftBehindWords = (left: LeftBehind | undefined): StepWords => ({
  title: "What was left behind",
  text:
    left === undefined
      ? "No hand-over of this run left a card behind. Where one does, the box of the callee lists the card and the reason."
      : `${formatCount(left.cards, "card")} did not travel from ${left.caller.headcode} to ${left.callee.headcode}${left.reason === undefined ? "" : ` (${left.reason})`}. The box of the callee lists every card left out, with the reason.`,
});
