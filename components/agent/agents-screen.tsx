"use client";

// All agents of a project, the newest first: what each does now, what waits behind it, and who takes its turns.
import { parseAsString, useQueryStates } from "nuqs";
import { useDeferredValue, useMemo } from "react";
import { agentName, agentTail, isPerson } from "@/components/domain/agent-names";
import { ListFrame } from "@/components/domain/list-frame";
import { More } from "@/components/domain/more";
import { useUnserved } from "@/components/domain/use-unserved";
import { Chip } from "@/components/ui/chip";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatNumber } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import type { ListColumn } from "@/components/ui/list-rows";
import { NoFit } from "@/components/ui/no-fit";
import { SearchInput } from "@/components/ui/text-input";
import { Ago } from "@/components/ui/time";
import { useLaunchWith } from "@/components/ui/use-launch-with";
import type { AgentLine } from "@/server/contract/line";
import { Face } from "./face";
import { HeadStatus } from "./head-status";
import { useAgents } from "./use-agents";
import { WorkerTarget } from "./worker-target";

const filters = { q: parseAsString.withDefault(""), profile: parseAsString };
const columns: readonly ListColumn[] = [
  { name: "Agent", width: "minmax(150px,1.1fr)" },
  { name: "Profile", width: "minmax(110px,0.8fr)" },
  { name: "Now", width: "minmax(140px,1.7fr)" },
  { name: "Queue", width: "52px", isRight: true },
  { name: "Worker target", width: "140px" },
  { name: "Turns", width: "48px", isRight: true },
  { name: "Made by", width: "minmax(90px,0.7fr)" },
  { name: "Last seen", width: "92px", isRight: true },
  { width: "26px" },
];

export function AgentsScreen({ projectId }: { projectId: string }) {
  const [filter, setFilter] = useQueryStates(filters);
  const wanted = useDeferredValue(filter);
  const { list, isLive } = useAgents(projectId, wanted);
  const agents = useMemo(() => list.data?.pages.flatMap((page) => page.items), [list.data]);
  const isMissing = useUnserved(projectId, agents ?? []);
  const busy = agents?.filter((agent) => agent.head.status !== "idle").length ?? 0;
  const hasFilter = filter.q !== "" || filter.profile !== null;
  return (
    <ListFrame
      title="Agents"
      what="list of agents"
      one="agent"
      columns={columns}
      rowHeight={36}
      items={agents}
      query={list}
      none={
        <NoAgents
          projectId={projectId}
          hasFilter={hasFilter}
          onClear={() => void setFilter({ q: null, profile: null })}
        />
      }
      filters={
        <>
          <SearchInput
            label="Name, profile, worker target"
            className="w-64 max-sm:w-full"
            value={filter.q}
            onChange={(q) => void setFilter({ q: q === "" ? null : q })}
          />
          {filter.profile === null ? null : (
            <Chip name="profile" onRemove={() => void setFilter({ profile: null })}>
              {filter.profile}
            </Chip>
          )}
          <span className="flex-1" />
          {agents === undefined || list.isPlaceholderData ? null : (
            <span className="text-ink-3">
              {formatNumber(busy)} at work{isLive ? ", live" : ""}
            </span>
          )}
        </>
      }
    >
      {(agents) => (
        <>
          {agents.map((agent) => (
            <Row key={agent.agent_id} projectId={projectId} agent={agent} isMissing={isMissing(agent)} />
          ))}
          <More shown={agents.length} one="agent" list={list} />
        </>
      )}
    </ListFrame>
  );
}

type RowProps = { projectId: string; agent: AgentLine; isMissing: boolean | undefined };

function Row({ projectId, agent, isMissing }: RowProps) {
  const launchWith = useLaunchWith();
  const href = `/p/${encodeURIComponent(projectId)}/agents/${agent.agent_id}`;
  return (
    <div className="list-row relative">
      <span className="flex items-center gap-2.5">
        <Face agentId={agent.agent_id} profile={agent.profile_name} />
        {/* The whole row leads there; the button at its end lies above. */}
        <Link
          dir="auto"
          data-row
          href={href}
          title={agent.agent_id}
          className="truncate font-semibold after:absolute after:inset-0"
        >
          {agentName(agent)}
        </Link>
        <span className="mono -ml-1 text-ink-3">{agentTail(agent)}</span>
      </span>
      <span className="truncate text-ink-2">{agent.profile_name}</span>
      <span className="max-sm:flex-[1_0_60%]">
        <HeadStatus agent={agent} />
      </span>
      <span className={`text-right ${agent.queued_count === 0 ? "text-ink-3" : "font-semibold"} max-sm:hidden`}>
        {formatNumber(agent.queued_count)}
        <span className="sr-only"> queued</span>
      </span>
      <span className="max-sm:hidden">
        <WorkerTarget agent={agent} isMissing={isMissing} />
      </span>
      <span className="text-right max-sm:hidden">
        {formatNumber(agent.turn_count)}
        <span className="sr-only"> {agent.turn_count === 1 ? "turn" : "turns"}</span>
      </span>
      <span className="truncate text-ink-2 max-sm:hidden">
        <Origin agent={agent} />
      </span>
      <span className="text-right text-ink-3 max-sm:ml-auto">
        {agent.last_seen_at === undefined ? "never" : <Ago at={agent.last_seen_at} />}
      </span>
      {isPerson(agent) ? (
        <span />
      ) : (
        <IconButton
          icon="launch"
          label={`Give ${agentName(agent)} work`}
          size="sm"
          iconSize={14}
          className="relative max-sm:hidden"
          onClick={() => launchWith({ target: `reuse:${agent.agent_id}` })}
        />
      )}
    </div>
  );
}

/** "clone of Planner", "Planner" */
function Origin({ agent }: { agent: AgentLine }) {
  if (agent.derived_from !== undefined)
    return <>clone of {agent.derived_profile_name ?? agentName({ agent_id: agent.derived_from })}</>;
  if (agent.owner_agent_id === undefined) return <span className="text-ink-3">none</span>;
  const owner = { agent_id: agent.owner_agent_id };
  if (isPerson(owner)) return <>a person</>;
  return <>{agent.owner_profile_name ?? agentName(owner)}</>;
}

function NoAgents({ projectId, hasFilter, onClear }: { projectId: string; hasFilter: boolean; onClear: () => void }) {
  return hasFilter ? (
    <NoFit
      title="No matching agents"
      cause={`${formatCount(0, "agent")} of this profile or with these words.`}
      onClear={onClear}
    />
  ) : (
    <EmptyState
      size="page"
      title="No agents yet"
      cause="The first launch or delegation to a profile creates one."
      remedy={
        <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/profiles`}>
          See the profiles
        </Link>
      }
    />
  );
}
