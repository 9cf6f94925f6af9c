// What the branches of a fork were handed over together, in a sentence or two. Pure.
import { formatCompact, formatNumber } from "@/components/ui/format";
import type { BatchRepeats } from "@/server/contract/answers/batch-repeats";

/** "All 5 begin with the same 7,033 tokens. The fork moved 37.2k tokens, of which 28.1k are repeats." */
export function bundleWords({ tracks, tracks_total, same_first, tokens, repeats }: BatchRepeats): string {
  const isCut = tracks < tracks_total;
  const who = isCut ? `The first ${formatNumber(tracks)}` : `All ${formatNumber(tracks)}`;
  if (repeats === 0)
    return `${who} were given different cards, ${formatCompact(tokens)} tokens in all. None of them went to two.`;
  const moved = `${isCut ? "They were given" : "The fork moved"} ${formatCompact(tokens)} tokens, of which ${formatCompact(repeats)} are repeats.`;
  return same_first.tokens === 0
    ? `${who} begin differently. ${moved}`
    : `${who} begin with the same ${formatNumber(same_first.tokens)} tokens. ${moved}`;
}
