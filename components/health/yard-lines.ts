// Which lines stand above a project's pages, and their words: what changed under it, and what is about to be refused. Pure.
import { formatNumber } from "@/components/ui/format";
import type { Generation, Health } from "@/server/contract/health";

/** Who comes to work in the morning has to hear what happened at night. */
const RECENT_MS = 24 * 3_600_000;
const NEARLY_FULL = 0.9;

export type Line = { tone: "warn" | "fail"; title: string; text: string };

/** Null for the server of the beginning, and once it is old. `at`: the time of day is put between the two parts. */
export function changeWords(generation: Generation | undefined, now: number): [before: string, after: string] | null {
  if (generation === undefined || now - Date.parse(generation.began_at) > RECENT_MS) return null;
  if (generation.reason === "promoted")
    return [
      "The database changed to its standby at",
      "Work acknowledged in the last moments before it may be missing.",
    ];
  if (generation.reason === "restored" || generation.reason === "moved")
    return [
      "The database was restored from a backup at",
      "Work that was done after that backup was made is not in it.",
    ];
  return null;
}

export function liveLine({ doorbell, events }: Pick<Health, "doorbell" | "events">): Line | null {
  if (doorbell.status === "deaf")
    return {
      tone: "warn",
      title: "Live updates come late.",
      text: "Notifications do not arrive; pages poll instead.",
    };
  if (events === "unavailable")
    return {
      tone: "warn",
      title: "Events are not kept.",
      text: "The event streams of NATS do not answer. Work continues, but programs that listen miss events.",
    };
  return null;
}

export function queueLine(queue: { waiting: number; max_queued: number } | undefined): Line | null {
  if (queue === undefined || queue.waiting < queue.max_queued * NEARLY_FULL) return null;
  const { waiting, max_queued } = queue;
  const remedy = "Start more workers, or stop what nobody needs.";
  const count = `${formatNumber(waiting)} of at most ${formatNumber(max_queued)} turns wait`;
  return waiting >= max_queued
    ? { tone: "fail", title: "The queue is full.", text: `${count}, and new ones are refused. ${remedy}` }
    : {
        tone: "warn",
        title: "The queue is nearly full.",
        text: `${count}; beyond that new ones are refused. ${remedy}`,
      };
}
