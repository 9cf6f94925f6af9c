"use client";

// The agents of a run instead of its turns: who called whom how often, who made whom, and how full their windows were. On a phone
// the same agents as a list.
import { type KeyboardEvent, useMemo, useRef } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCompact, formatCount, formatNumber } from "@/components/ui/format";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { RunAgents } from "@/server/contract/answers/run-agents";
import { useYard } from "../yard-context";
import { AgentNode } from "./agent-node";
import { AgentPanel } from "./agent-panel";
import { delegationWords } from "./agent-words";
import { type AgentsLayout, agentsLayout, agentTrack } from "./agents-layout";
import { laneWidth } from "./flow-view";
import { useAgents, useChosenAgent, useTurnsByAgent } from "./use-agents";
import { useAgainAfterFrames } from "./use-flow";
import "./lens.css";

export function AgentsLens({ place }: { place: "desk" | "phone" }) {
  const { run, all, error, refetch, isChosen } = useAgents();
  useAgainAfterFrames(refetch);
  const layout = useMemo(() => all && agentsLayout(all), [all]);
  if (!isChosen)
    return (
      <EmptyState title="Choose one run" cause="The agents of one run are shown. Choose a run, or a turn of it." />
    );
  if (error !== null && !run)
    return (
      <EmptyState
        title="The agents of the run could not be read"
        cause={error}
        remedy={<Button onClick={() => refetch()}>Try again</Button>}
      />
    );
  if (!run || !layout)
    return (
      <div className="min-h-0 flex-1 p-4">
        <SkeletonRows count={8} />
      </div>
    );
  return place === "phone" ? <AgentList run={run} layout={layout} /> : <AgentPlan run={run} layout={layout} />;
}

type Drawn = { run: RunAgents; layout: AgentsLayout };

function AgentPlan({ run, layout }: Drawn) {
  const ref = useRef<HTMLDivElement>(null);
  const { agentId, choose } = useChosenAgent();
  const shown = useMemo(() => withOnly(layout, new Set(run.agents.map(({ agent_id }) => agent_id))), [layout, run]);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = event.metaKey || event.ctrlKey || event.altKey ? null : walk(shown, agentId, event.key);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    choose(to);
    ref.current?.querySelector<HTMLElement>(`[data-agent="${CSS.escape(to)}"]`)?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its agents are buttons; the arrows go from one to the next
    <div ref={ref} className="agents-lens dotted-ground" onKeyDown={onKeyDown}>
      <Figures run={run} />
      <div className="agents-ground" style={{ width: layout.w, height: layout.h }}>
        <Tracks run={run} layout={layout} agentId={agentId} />
        <Nodes run={run} layout={layout} />
      </div>
    </div>
  );
}

function Figures({ run }: { run: RunAgents }) {
  const { isThen } = useYard();
  const tokens = run.delegations.reduce((sum, one) => sum + one.tokens, 0);
  return (
    <p className="yard-float yard-stats" role="status">
      <span className="px-1 text-ink-2">
        {run.agents.length < run.agents_total
          ? `the first ${formatNumber(run.agents.length)} of ${formatNumber(run.agents_total)} agents`
          : formatCount(run.agents_total, "agent")}
      </span>
      <span className="px-1 text-ink-2">{formatCompact(tokens)} tokens handed over</span>
      <span className="px-1 text-ink-2">
        At each agent: its fullest request, of the model's window{isThen ? ", of turns that were over then" : ""}
      </span>
      {run.is_partial ? <span className="px-1 text-ink-2">of the newest turns</span> : null}
    </p>
  );
}

function Nodes({ run, layout }: Drawn) {
  const { matches } = useYard();
  const { agentId, choose } = useChosenAgent();
  const turns = useTurnsByAgent();
  const byId = new Map(run.agents.map((agent) => [agent.agent_id, agent]));
  const stop = byId.has(agentId ?? "") ? agentId : layout.order.find((id) => byId.has(id));
  return layout.order.map((id) => {
    const agent = byId.get(id);
    const own = turns.get(id) ?? [];
    return agent ? (
      <AgentNode
        key={id}
        agent={agent}
        turns={own}
        place={layout.places.get(id)}
        isSelected={id === agentId}
        isFiltered={matches !== null && !own.some((turn) => matches.has(turn.agent_turn_id))}
        isTabStop={id === stop}
        onChoose={() => choose(id)}
      />
    ) : null;
  });
}

function Tracks({ run, layout, agentId }: Drawn & { agentId: string | null }) {
  const { places } = layout;
  const tracks = useMemo(() => {
    const gutters = new Map<string, number>();
    return run.delegations.flatMap((one) => {
      const [from, to] = [places.get(one.from), places.get(one.to)];
      if (!from || !to) return [];
      // All that one agent calls in a column shares a trunk.
      const nth = gutters.get(`${one.from}`) ?? gutters.size;
      gutters.set(`${one.from}`, nth);
      return [{ ...one, ...agentTrack(from, to, nth) }];
    });
  }, [run.delegations, places]);
  const kin = useMemo(
    () =>
      run.identity.flatMap((one) => {
        const [from, to] = [places.get(one.from), places.get(one.to)];
        return from && to ? [{ key: `${one.from} ${one.to} ${one.action}`, d: agentTrack(from, to, 4).path }] : [];
      }),
    [run.identity, places],
  );
  const isDim = (one: { from: string; to: string }) => agentId !== null && one.from !== agentId && one.to !== agentId;
  return (
    <>
      <svg width={layout.w} height={layout.h} aria-hidden="true">
        {kin.map(({ key, d }) => (
          <path key={key} className="agent-kin" d={d} />
        ))}
        {tracks.map((one) => (
          <path
            key={`${one.from} ${one.to}`}
            className="agent-track"
            d={one.path}
            data-look={isDim(one) ? "dim" : undefined}
            style={{ strokeWidth: laneWidth(one.tokens) }}
          />
        ))}
      </svg>
      {tracks
        .filter((one) => !isDim(one))
        .map((one) => (
          <span
            key={`${one.from} ${one.to}`}
            className="agent-words"
            data-failed={one.failed > 0 || undefined}
            style={{ left: one.label.x, top: one.label.y }}
            aria-hidden="true"
          >
            {delegationWords(one)}
          </span>
        ))}
    </>
  );
}

function AgentList({ run, layout }: Drawn) {
  const { agentId } = useChosenAgent();
  const isThere = run.agents.some(({ agent_id }) => agent_id === agentId);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {isThere ? <AgentPanel /> : null}
      <div className="agents-list">
        <Nodes run={run} layout={{ ...layout, places: new Map() }} />
      </div>
    </div>
  );
}

/** Of a moment some are not there yet; the others stand where they stand. */
const withOnly = (layout: AgentsLayout, there: ReadonlySet<string>): AgentsLayout => ({
  ...layout,
  order: layout.order.filter((id) => there.has(id)),
  places: new Map([...layout.places].filter(([id]) => there.has(id))),
});

/** Up and down within a column, left and right to the nearest of the next one; in reading order with Home and End. */
function walk({ order, places }: AgentsLayout, from: string | null, key: string): string | null {
  const here = places.get(from ?? "");
  if (!here) return key in steps ? (order[0] ?? null) : null;
  const at = order.indexOf(here.agent_id);
  const step = steps[key];
  if (step === "first") return order[0] ?? null;
  if (step === "last") return order.at(-1) ?? null;
  if (step === 1 || step === -1) return order[at + step] ?? null;
  if (step === undefined) return null;
  const sign = step === "right" ? 1 : -1;
  const beside = [...places.values()].filter(({ col }) => (col - here.col) * sign > 0);
  const near = Math.min(...beside.map(({ col }) => Math.abs(col - here.col)));
  const column = beside.filter(({ col }) => Math.abs(col - here.col) === near);
  return column.sort((a, b) => Math.abs(a.row - here.row) - Math.abs(b.row - here.row))[0]?.agent_id ?? null;
}

const steps: Record<string, 1 | -1 | "left" | "right" | "first" | "last"> = {
  ArrowDown: 1,
  ArrowUp: -1,
  j: 1,
  k: -1,
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "first",
  End: "last",
};
