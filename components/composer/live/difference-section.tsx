"use client";

// One place in two runs: the first card that is another, and what each delivered, line by line.
import { useQuery } from "@tanstack/react-query";
import { DeliveredDiff } from "@/components/domain/delivered-diff";
import { useTRPC } from "@/components/trpc/client";
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
        <DeliveredDiff
          a={{ name: `run ${there.run}`, text: deliverable.a?.text ?? "" }}
          b={{ name: `run ${here.run}`, text: deliverable.b?.text ?? "" }}
        />
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
