"use client";

// What the branches of a fork were handed over together: one line of it says nothing of what was sent again and again.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { BatchRepeats } from "@/server/contract/answers/batch-repeats";
import { useYard } from "../yard-context";
import { bundleWords } from "./bundle-words";

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
