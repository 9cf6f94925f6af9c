// What a rule of the watchdog does, said for a row that it fails at; and what helps, by the kind of its error. Pure.
import { failureOf } from "@/server/contract/failure-codes";
import type { WatchdogFailure } from "@/server/contract/health";

const rules: Record<string, string> = {
  "take-over": "A turn whose worker is silent cannot be taken over",
  "requeue-unstarted": "A message that its worker dropped cannot be released",
  "expire-tools": "A call past its deadline cannot be ended",
  "expire-requests": "A question past its deadline cannot be closed",
  "settle-batches": "A batch cannot be settled",
  "lease-idle": "The next turn of an idle agent cannot start",
  "ring-commands": "A call cannot be sent to its tool service again",
  "sweep-alarms": "A turn or batch that ended cannot be checked for alarms",
  "index-cards": "A card cannot be made searchable",
  "delete-artifacts": "A file of an expired card cannot be deleted",
  "delete-uploads": "The pieces of an upload that stopped cannot be deleted",
  "delete-removed": "A removed project cannot be deleted",
};

export const whatFails = ({ rule }: Pick<WatchdogFailure, "rule">): string => rules[rule] ?? `The rule ${rule} fails`;

export function whatHelps({
  error_code,
  agent_turn_id,
}: Pick<WatchdogFailure, "error_code" | "agent_turn_id">): string {
  const known = failureOf(error_code);
  if (known?.where.includes("watchdog")) return known.remedy;
  return agent_turn_id === undefined
    ? "Fix what the error names. Switchyard tries again by itself."
    : "Fix what the error names, or stop the turn. The row is then no longer needed.";
}
