// What happened in a batch, the newest first, read from what its turns carry: nothing of it is stored twice.
import { formatCount, formatDuration } from "@/components/ui/format";
import type { AspectStatus } from "@/components/ui/sign-words";
import { batchCode } from "@/server/contract/batch-code";
import type { BatchSheet, Branch } from "@/server/contract/batch-sheet";
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import { failedTries, ruleWords } from "./batch-words";

export type BatchEvent = { key: string; at: string; status: AspectStatus; plate: string; text: string };

export function eventsOf(sheet: BatchSheet): BatchEvent[] {
  const plate = batchCode(sheet);
  const events: BatchEvent[] = [
    {
      key: "fork",
      at: sheet.created_at,
      status: "dispatched",
      plate,
      text: `${formatCount(sheet.task_count, "task")} by ${sheet.tool_name}, ${ruleWords(sheet)}`,
    },
    ...sheet.tasks.flatMap(branchEvents),
  ];
  if (sheet.ended_at !== undefined && sheet.status !== "running")
    events.push({ key: "end", at: sheet.ended_at, status: sheet.status, plate, text: endWords(sheet) });
  if (sheet.join?.applied_at !== undefined)
    events.push({
      key: "applied",
      at: sheet.join.applied_at,
      status: "running",
      plate: sheet.parent?.headcode ?? plate,
      text: sheet.parent?.is_human === true ? "ended with the result" : "resumed with the result",
    });
  // What shares a moment keeps the order it is told in: a fork before its branches.
  return events
    .map((event, place) => ({ event, place }))
    .toSorted((a, b) => Date.parse(b.event.at) - Date.parse(a.event.at) || b.place - a.place)
    .map(({ event }) => event);
}

function branchEvents(branch: Branch): BatchEvent[] {
  const { turn } = branch;
  if (turn === undefined) return [];
  const event = (what: string, at: string, status: AspectStatus, text: string): BatchEvent => ({
    key: `${turn.agent_turn_id} ${what}`,
    at,
    status,
    plate: turn.headcode,
    text,
  });
  const events: BatchEvent[] = [];
  const failed = failedTries(branch);
  if (failed > 0)
    events.push(
      event(
        "retried",
        turn.created_at,
        "partial",
        `dispatched after ${formatCount(failed, "failed try", "failed tries")}`,
      ),
    );
  if (turn.started_at !== undefined) events.push(event("started", turn.started_at, "dispatched", beginWords(turn)));
  if (turn.ended_at !== undefined && isEnded(turn.status))
    events.push(event("ended", turn.ended_at, turn.status, turnEnd(branch)));
  return events;
}

// A turn carries its epoch, holder and attempt of now, not those it began with: a stop and a takeover raise them.
function beginWords(turn: TurnFrame): string {
  const attempts =
    turn.attempt > 1 ? [isEnded(turn.status) ? `${turn.attempt} attempts in all` : `now attempt ${turn.attempt}`] : [];
  const holder = turn.lease_holder === undefined ? [] : [`held by ${turn.lease_holder}, epoch ${turn.turn_epoch}`];
  return ["started", ...attempts, ...holder].join(", ");
}

function turnEnd({ turn, steps }: Branch): string {
  const inSteps = steps.length === 0 ? "" : `, ${formatCount(steps.length, "step")}`;
  if (turn?.status === "success") return `delivered${inSteps}`;
  if (turn?.status === "partial") return `delivered a part${inSteps}`;
  return [turn?.error_code ?? turn?.status, turn?.error].filter((part) => part !== undefined).join(": ");
}

function endWords(sheet: BatchSheet): string {
  const took = Date.parse(sheet.ended_at ?? sheet.created_at) - Date.parse(sheet.created_at);
  const good = sheet.tasks.filter((branch) => branch.status === "success").length;
  // Who was stopped has joined nothing, and who forked it may be gone.
  const end = sheet.status === "canceled" ? "closed" : "joined";
  return `${end} as ${sheet.status}, ${good} of ${sheet.task_count} delivered, after ${formatDuration(took)}`;
}
