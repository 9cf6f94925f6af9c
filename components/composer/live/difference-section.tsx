"use client";

// One place in two runs: the first card that is another, and what each delivered, line by line.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { lineDiff } from "@/components/ui/line-diff";
import { RoleTag } from "@/components/ui/role-tag";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { DifferingCard } from "@/server/contract/plan/run-drawing";
import { useComposer } from "../composer-context";

export type DifferenceProps = { here: { id: string; run: number }; there: { id: string; run: number } };

export function DifferenceSection({ here, there }: DifferenceProps) {
  const trpc = useTRPC();
  const { projectId } = useComposer();
  const { data, error } = useQuery(
    trpc.plan_run.difference.queryOptions({ project_id: projectId, a: there.id, b: here.id }),
  );
  if (error)
    return (
      <Section title="First card that differs">
        <p className="text-st-failed">{error.message}</p>
      </Section>
    );
  if (!data)
    return (
      <Section title="First card that differs">
        <SkeletonRows count={4} rowHeight={20} label="Comparing" />
      </Section>
    );
  const { context, deliverable } = data;
  return (
    <>
      <Section title="First card that differs" note={context ? `card ${context.index + 1}` : undefined}>
        {context ? (
          <>
            <Side words={`run ${there.run}`} card={context.a} />
            <Side words={`run ${here.run}`} card={context.b} />
          </>
        ) : (
          <p className="text-ink-2">Both were given the same.</p>
        )}
      </Section>
      <Section title="What they delivered">
        <ol className="max-h-72 overflow-y-auto rounded-2 bg-well p-2.5">
          {lineDiff(deliverable.a?.text ?? "", deliverable.b?.text ?? "").map(({ kind, text }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
            <li key={i} dir="auto" data-diff={kind} className="diff-line mono">
              <span aria-hidden className="select-none text-ink-3">
                {kind === "same" ? "  " : kind === "removed" ? "- " : "+ "}
              </span>
              {kind === "same" ? null : <span className="sr-only">{kind === "removed" ? there.run : here.run}: </span>}
              {text}
            </li>
          ))}
        </ol>
        <p className="mt-1 text-ink-3 text-note">
          - run {there.run}, + run {here.run}
        </p>
      </Section>
    </>
  );
}

function Side({ words, card }: { words: string; card: DifferingCard | undefined }) {
  return (
    <div className="mb-2">
      <p className="mb-1 flex items-center gap-1.5 text-ink-3 text-note">
        {words} {card ? <RoleTag cardRole={card.role} /> : null}{" "}
        {card ? <span className="mono">{card.type}</span> : null}
      </p>
      <p dir="auto" className="mono max-h-28 overflow-y-auto whitespace-pre-wrap break-words rounded-2 bg-well p-2">
        {card ? card.text : "has no card at this place"}
      </p>
    </div>
  );
}
