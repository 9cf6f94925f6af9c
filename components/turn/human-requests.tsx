"use client";

// What the turn asks people, to be decided on the spot; below it what they have decided, and what was carried out of it.
import { useQuery } from "@tanstack/react-query";
import { HumanRequestCard } from "@/components/domain/human-request-card";
import { useTRPCClient } from "@/components/trpc/client";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";

export type HumanRequestsProps = {
  projectId: string;
  agentTurnId: string;
  /** The live picture says when they changed: it is part of the question, so nothing is invalidated. 0 = nobody was asked. */
  revs: number;
  /** It most likely waits for an answer: room is kept for a whole request. */
  isAsleep: boolean;
};

const REQUESTS_MAX = 50;
// About as high as most are: what stands below must not jump.
const LINES_OPEN = 11;
const LINES_DECIDED = 5;

export function HumanRequests({ projectId, agentTurnId, revs, isAsleep }: HumanRequestsProps) {
  const client = useTRPCClient();
  const { data, error } = useQuery({
    queryKey: ["requests of turn", projectId, agentTurnId, revs],
    queryFn: ({ signal }) =>
      client.inbox.requests.query(
        { project_id: projectId, agent_turn_id: agentTurnId, limit: REQUESTS_MAX },
        { signal },
      ),
    placeholderData: (before) => (before?.items[0]?.agent_turn_id === agentTurnId ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    enabled: revs > 0,
  });
  if (revs === 0) return null;
  if (data === undefined)
    return (
      <Section title={isAsleep ? "Asks you" : "Asked people"}>
        {error === null ? (
          <SkeletonRows count={isAsleep ? LINES_OPEN : LINES_DECIDED} rowHeight={30} label="Loading what it asks" />
        ) : (
          <p className="text-ink-2">It could not be loaded: {error.message}</p>
        )}
      </Section>
    );
  const open = data.items.some((line) => line.status === "open");
  return (
    <Section title={open ? "Asks you" : "Asked people"}>
      <ul className="flex flex-col gap-4">
        {data.items.map((line) => (
          <li key={line.request_id}>
            <HumanRequestCard projectId={projectId} line={line} variant="panel" />
          </li>
        ))}
      </ul>
      {data.next_cursor === undefined ? null : (
        <p className="mt-2 text-ink-3">The newest {REQUESTS_MAX}. See the inbox for the others.</p>
      )}
    </Section>
  );
}
