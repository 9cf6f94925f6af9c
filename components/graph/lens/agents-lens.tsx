"use client";

// The agents of a run instead of its turns: who called whom how often, who made whom, and how full their windows were. On a phone
// the same agents as a list.
import { useMemo } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { AgentNodes } from "./agent-nodes";
import { AgentPanel } from "./agent-panel";
import { AgentsCanvas } from "./agents-canvas";
import type { AgentsView } from "./agents-fold";
import { type AgentsLayout, agentsLayout, shownOf } from "./agents-layout";
import { useAgents, useAgentsView, useChosenAgent } from "./use-agents";
import { useAgainAfterFrames } from "./use-flow";
import "./lens.css";

export function AgentsLens({ place }: { place: "desk" | "phone" }) {
  const { error, refetch, isChosen } = useAgents();
  const { run, view, newest } = useAgentsView();
  useAgainAfterFrames(refetch);
  const whole = useMemo(
    () => newest && agentsLayout({ agents: newest.stands, delegations: newest.delegations }),
    [newest],
  );
  const layout = useMemo(() => (whole && view ? shownOf(whole, view.stands) : undefined), [whole, view]);
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
  if (!run || !view || !layout)
    return (
      <div className="min-h-0 flex-1 p-4">
        <SkeletonRows count={8} />
      </div>
    );
  return place === "phone" ? (
    <AgentList view={view} layout={layout} />
  ) : (
    <AgentsCanvas run={run} view={view} layout={layout} />
  );
}

function AgentList({ view, layout }: { view: AgentsView; layout: AgentsLayout }) {
  const { agentId } = useChosenAgent();
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {agentId !== null && view.hasAgent(agentId) ? <AgentPanel /> : null}
      <div className="agents-list">
        <AgentNodes view={view} layout={{ ...layout, places: new Map() }} isLight={false} />
      </div>
    </div>
  );
}
