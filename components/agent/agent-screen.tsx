"use client";

// One agent: what it does now, its turns, its boxes, and who made whom around it.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useEffect, useEffectEvent, useRef } from "react";
import { agentName, agentTail, isPerson } from "@/components/domain/agent-names";
import { Failure } from "@/components/domain/failure";
import { PrefixLanes } from "@/components/domain/prefix/prefix-lanes";
import { useFrames } from "@/components/domain/use-frames";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCount } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { useTabTitle } from "@/components/ui/tab-title";
import { useLaunchWith } from "@/components/ui/use-launch-with";
import { AgentFacts } from "./agent-facts";
import { Face } from "./face";
import { HeadStatus } from "./head-status";
import { TurnList } from "./turn-list";

const readAgainMs = 400;
const views = ["turns", "prefix"] as const;

export function AgentScreen({ projectId, agentId }: { projectId: string; agentId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const launchWith = useLaunchWith();
  const [view, setView] = useQueryState("view", parseAsStringLiteral(views).withDefault("turns"));
  const id = { project_id: projectId, agent_id: agentId };
  const { data: agent, error, refetch } = useQuery(trpc.agent.get.queryOptions(id, patient));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAgain = useEffectEvent(() => {
    timer.current = undefined;
    void refetch();
    void queryClient.refetchQueries({ queryKey: trpc.agent.turns.infiniteQueryKey(id) });
  });
  useFrames({
    projectId,
    after: agent?.live_cursor,
    onFrames: (frames) => {
      const isOurs = frames.some((f) => (f.kind === "turn" || f.kind === "agent") && f.agent_id === agentId);
      if (isOurs) timer.current ??= setTimeout(readAgain, readAgainMs);
    },
    onReset: () => void refetch(),
  });
  useTabTitle(agent === undefined ? "Agent" : agentName(agent));
  if (agent === undefined)
    return error ? (
      <Failure
        error={error}
        what="agent"
        name={agentId}
        onRetry={refetch}
        way={
          <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/agents`}>
            All agents
          </Link>
        }
      />
    ) : (
      <AgentSkeleton />
    );
  const name = agentName(agent);
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <header className="flex flex-none flex-wrap items-center gap-x-3.5 gap-y-2 border-line border-b px-4 py-3">
        <Face agentId={agentId} profile={agent.profile_name} size={34} />
        <div className="min-w-0">
          <h1 className="flex items-baseline gap-2 text-h1">
            <span dir="auto" className="truncate">
              {name}
            </span>
            <span className="mono font-normal text-ink-3">{agentTail(agent)}</span>
          </h1>
          <p className="flex items-center gap-2 text-ink-2">
            {agent.profile_name}, {formatCount(agent.turn_count, "turn")}
          </p>
        </div>
        <div className="min-w-0 flex-1 px-3 max-sm:w-full max-sm:flex-none max-sm:px-0">
          <HeadStatus agent={agent} />
        </div>
        {isPerson(agent) ? null : (
          <>
            <Button icon="launch" onClick={() => launchWith({ target: `reuse:${agentId}` })}>
              Give it work
            </Button>
            <Button icon="copy" onClick={() => launchWith({ target: `clone:${agentId}` })}>
              Clone into a launch
            </Button>
          </>
        )}
        <CopyButton text={agentId} label="Copy the agent id" className="max-sm:hidden" />
      </header>
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] max-[1000px]:content-start min-[1000px]:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0">
          {isPerson(agent) ? null : (
            <div className="px-4 pt-3">
              <Segmented
                label="View of the agent"
                value={view}
                onChange={(next) => void setView(next)}
                choices={[
                  { value: "turns", label: "Turns" },
                  { value: "prefix", label: "Requests and cache" },
                ]}
              />
            </div>
          )}
          {view === "prefix" && !isPerson(agent) ? (
            <PrefixLanes projectId={projectId} of={{ agent_id: agentId }} />
          ) : (
            <TurnList projectId={projectId} agentId={agentId} name={name} />
          )}
        </div>
        <AgentFacts projectId={projectId} agent={agent} />
      </div>
    </div>
  );
}

export function AgentSkeleton() {
  return (
    <div role="status" aria-label="Loading the agent" className="flex items-center gap-3.5 px-4 py-3">
      <Skeleton className="size-[34px]" />
      <div>
        <Skeleton className="mb-2 h-3.5 w-44" />
        <Skeleton className="h-2.5 w-56" />
      </div>
    </div>
  );
}
