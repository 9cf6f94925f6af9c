"use client";

// What the branches of a fork were handed over together: one line of it says nothing of what was sent again and again.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { formatCompact, formatCount, formatNumber } from "@/components/ui/format";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { BatchRepeats } from "@/server/contract/answers/batch-repeats";
import { useYard } from "../yard-context";

export function BundleSection({ batchId }: { batchId: string }) {
  const trpc = useTRPC();
  const { projectId } = useYard();
  const { data, error } = useQuery(
    trpc.debugger.batch_repeats.queryOptions({ project_id: projectId, batch_id: batchId }, { retry: false }),
  );
  if (error)
    return (
      <Section title="In the bundle">
        <p role="alert">What its branches share could not be read: {error.message}</p>
      </Section>
    );
  if (!data)
    return (
      <Section title="In the bundle">
        <SkeletonRows count={3} />
      </Section>
    );
  if (data.tracks < 2) return null;
  return (
    <Section title="In the bundle" note={formatCount(data.tracks_total, "track")}>
      <p className="text-ink-2">{bundleWords(data)}</p>
      <Bar repeats={data} />
    </Section>
  );
}

/** "All 5 begin with the same 7,033 tokens, so the fork moved 37.2k tokens of which 28.1k are repeats." */
export function bundleWords({ tracks, tracks_total, same_first, tokens, repeats }: BatchRepeats): string {
  const who = tracks < tracks_total ? `The first ${formatNumber(tracks)}` : `All ${formatNumber(tracks)}`;
  const moved = `${formatCompact(tokens)} tokens`;
  if (repeats === 0) return `${who} were given different cards: ${moved}, and nothing twice.`;
  const again = `of which ${formatCompact(repeats)} are repeats`;
  return same_first.tokens === 0
    ? `${who} begin differently. The fork moved ${moved}, ${again}.`
    : `${who} begin with the same ${formatNumber(same_first.tokens)} tokens. The fork moved ${moved}, ${again}.`;
}

function Bar({ repeats: { first_copies, repeats, unique } }: { repeats: BatchRepeats }) {
  const parts = [
    ["first", "First copy", first_copies],
    ["repeat", "Repeats", repeats],
    ["unique", "Unique", unique],
  ] as const;
  return (
    <>
      <div className="bundle-bar" aria-hidden>
        {parts.map(([part, , tokens]) =>
          tokens > 0 ? <i key={part} data-part={part} style={{ flexGrow: tokens }} /> : null,
        )}
      </div>
      <dl className="bundle-words">
        {parts.map(([part, words, tokens]) => (
          <div key={part}>
            <dt>
              <i data-part={part} aria-hidden />
              {words}
            </dt>
            <dd>{formatNumber(tokens)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
