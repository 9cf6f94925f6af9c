"use client";

// From a line into a fork to what makes its branch another than its neighbour: the boxes of both, card by card.
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { siblingPair } from "../hand-over-of";
import { useTurns, useYard } from "../yard-context";

/** `turnId`: the branch that is looked at; absent = the first. */
export function CompareSiblings({ batchId, turnId }: { batchId: string; turnId: string | undefined }) {
  const { projectId } = useYard();
  const pair = siblingPair(useTurns(), batchId, turnId);
  if (pair === null) return null;
  const [one, other] = pair;
  const href = `/p/${encodeURIComponent(projectId)}/boxes/${encodeURIComponent(one.context_box_id)}?tab=diff&with=${encodeURIComponent(other.context_box_id)}`;
  return (
    <Section>
      <Link
        className="btn"
        data-size="sm"
        href={href}
        prefetch={false}
        title={`What ${one.headcode} was given, and what ${other.headcode}`}
      >
        Compare siblings
      </Link>
      <span className="ml-2 text-ink-3">
        {one.headcode} and {other.headcode}
      </span>
    </Section>
  );
}
