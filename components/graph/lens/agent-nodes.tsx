"use client";

// The agents that are drawn, as buttons: those on the screen, and the one that the keyboard stands on.
import type { Box } from "@/components/ground/geometry";
import { useYard } from "../yard-context";
import { AgentNode } from "./agent-node";
import type { AgentsView } from "./agents-fold";
import type { AgentsLayout } from "./agents-layout";
import { useAgentsView, useChosenAgent, useTurnsByAgent } from "./use-agents";

type Props = {
  view: AgentsView;
  layout: AgentsLayout;
  /** Too small to be read: colour and number only. */
  isLight: boolean;
  /** What is on the screen; absent = everything. */
  area?: Box;
};

export function AgentNodes({ view, layout, isLight, area }: Props) {
  const { matches } = useYard();
  const { agentId, choose } = useChosenAgent();
  const { fold } = useAgentsView();
  const turns = useTurnsByAgent();
  const byId = new Map(view.stands.map((agent) => [agent.agent_id, agent]));
  const chosen = agentId === null ? null : view.standOf(agentId);
  const stop = byId.has(chosen ?? "") ? chosen : layout.order[0];
  return layout.order.map((id) => {
    const agent = byId.get(id);
    const place = layout.places.get(id);
    if (!agent || (place && area && id !== stop && !meets(place, area))) return null;
    const own = agent.members ? agent.members.flatMap((one) => turns.get(one.agent_id) ?? []) : (turns.get(id) ?? []);
    return (
      <AgentNode
        key={id}
        agent={agent}
        turns={own}
        place={place}
        isSelected={id === chosen}
        isFiltered={matches !== null && !own.some((turn) => matches.has(turn.agent_turn_id))}
        isTabStop={id === stop}
        isLight={isLight}
        onChoose={() => choose(id)}
        onUnfold={() => {
          const [first] = agent.members ?? [];
          if (first) fold(first.agent_id, true, first.agent_id);
        }}
      />
    );
  });
}

const meets = (a: Box, b: Box): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
