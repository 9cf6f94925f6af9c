"use client";

// Who called whom and who made whom, below the agents: as wide as the tokens handed over, in words at those of the selected agent.
import { useMemo } from "react";
import type { Detail } from "@/components/ground/viewport";
import { delegationWords } from "./agent-words";
import type { AgentsView } from "./agents-fold";
import { type AgentsLayout, agentTrack } from "./agents-layout";
import { laneWidth } from "./flow-view";

/** More words at once than these lie on each other. */
const WORDS_MAX = 80;

type Props = { view: AgentsView; layout: AgentsLayout; agentId: string | null; detail: Detail };

export function AgentTracks({ view, layout, agentId, detail }: Props) {
  const { places } = layout;
  const tracks = useMemo(() => {
    return view.delegations.flatMap((one) => {
      const [from, to] = [places.get(one.from), places.get(one.to)];
      if (!from || !to) return [];
      // All that one agent calls in a column shares a trunk, which stands still while the figures change.
      return [{ ...one, ...agentTrack(from, to, from.row) }];
    });
  }, [view.delegations, places]);
  const kin = useMemo(
    () =>
      view.identity.flatMap((one) => {
        const [from, to] = [places.get(one.from), places.get(one.to)];
        return from && to ? [{ key: `${one.from} ${one.to} ${one.action}`, d: agentTrack(from, to, 4).path }] : [];
      }),
    [view.identity, places],
  );
  const isDim = (one: { from: string; to: string }) => agentId !== null && one.from !== agentId && one.to !== agentId;
  // From further away there is room for the words of one agent alone.
  const hasRoom = detail === "full" || detail === "steady" || (detail === "chip" && agentId !== null);
  const named = hasRoom ? tracks.filter((one) => !isDim(one)).slice(0, WORDS_MAX) : [];
  return (
    <>
      <svg className="agent-tracks" width={layout.w} height={layout.h} aria-hidden="true">
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
      {named.map((one) => (
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
