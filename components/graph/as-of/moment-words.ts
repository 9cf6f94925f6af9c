// A moment in words, and who tells the picture of it.
import { formatClock, two } from "@/components/ui/format";
import type { HistorySource, TimesWhy } from "@/server/contract/run-history";

/** "14:29:07", with the day where it is not today: "24.11. 14:29:07". */
export function momentWords(at: number, now = Date.now()): string {
  const date = new Date(at);
  const clock = formatClock(at);
  return date.toDateString() === new Date(now).toDateString()
    ? clock
    : `${two(date.getDate())}.${two(date.getMonth() + 1)}. ${clock}`;
}

/** Null where the journal tells it: that is what one expects. */
export function sourceWords({ source, why }: HistorySource): { short: string; long: string } | null {
  if (source === "journal" || why === undefined) return null;
  return {
    short: "from times of turns",
    long: `${reasons[why]} So this is made of when turns and steps were created, started and ended. ${why === "imported" ? "What an unfinished turn had written by then is not recorded." : "What an unfinished turn had written by then is told by the times of its cards."}`,
  };
}

const reasons: Record<TimesWhy, string> = {
  imported: "The run was imported in one moment, and has no record of its own past.",
  expired: "The journal no longer has the beginning of this run.",
  too_many: "The journal has more records of this time than can be read at once.",
};
