"use client";

// What a person put into a project, kind by kind: how many, and what erasing the person does to them.
import { useQuery } from "@tanstack/react-query";
import { Failure } from "@/components/domain/failure";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { PersonKind } from "@/server/contract/person-data";
import { goesWords, kindWords } from "./person-words";

export type PersonKindsProps = { projectId: string; user: string; onList: (kind: PersonKind) => void };

export function PersonKinds({ projectId, user, onList }: PersonKindsProps) {
  const trpc = useTRPC();
  // Erasing much goes on after its answer.
  const again = useReadAgain(pace.often);
  const { data, error, refetch } = useQuery(
    trpc.person.data.queryOptions({ project_id: projectId, user }, { ...patient, ...again, staleTime: 0 }),
  );
  if (data === undefined)
    return error === null ? (
      <SkeletonRows count={6} rowHeight={44} label={`Counting the data of ${user}`} />
    ) : (
      <Failure error={error} what="data of this person" onRetry={refetch} size="panel" />
    );
  const there = data.items.filter(({ count }) => count > 0);
  if (there.length === 0)
    return (
      <EmptyState
        title={`No data of ${user}`}
        cause={
          data.has_agent
            ? `Only the agent ${data.agent_id} is left. It goes with the project.`
            : "No one with this name has put anything into this project. Names are case-sensitive."
        }
      />
    );
  return (
    <ul aria-label={`Kinds of data of ${user}`} className="person-rows">
      {there.map(({ kind, count, is_more, goes, why }) => (
        <li key={kind}>
          <button type="button" className="person-kind" onClick={() => onList(kind)}>
            <span className="flex items-baseline gap-2">
              <b className="min-w-0 flex-1">{kindWords[kind]}</b>
              <span>{is_more ? `more than ${formatNumber(count)}` : formatNumber(count)}</span>
              <Icon name="right" size={14} className="self-center text-ink-3" />
            </span>
            <span className="block text-ink-2">
              Erasing: {goesWords[goes]}.{why === undefined ? "" : ` ${why}`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
