"use client";

// Beside the context flow: the lines of the selected turn, the selected line, or the heaviest of the run. It says in words what the
// lanes draw, and each line is a button.
import { personName } from "@/components/domain/agent-names";
import { Button } from "@/components/ui/button";
import { formatCompact, formatCount, formatNumber } from "@/components/ui/format";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import { turnLabel } from "../turn-words";
import { useTopology, useTurn, useYard } from "../yard-context";
import { EdgePanel } from "./edge-panel";
import { FlowLine } from "./flow-line";
import { type FlowStand, type FlowView, isEdge } from "./flow-view";
import { THEN_WORDS, useFlow, useFlowView } from "./use-flow";
import "./lens.css";

const LISTED_MAX = 60;

export function FlowPanel() {
  const { edge, isThen } = useYard();
  const { flow, error } = useFlow();
  const view = useFlowView(flow);
  const chosen = edge && view.lanes.find((lane) => isEdge(lane, edge));
  const single = edge && flow?.edges.find((one) => isEdge(one, edge));
  // Of another moment only what stands there.
  const lane = chosen ?? (single && !isThen ? { ...single, edges: [single] } : null);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {lane ? (
        <EdgePanel lane={lane} sources={flow?.sources ?? []} />
      ) : (
        <Lines view={view} isRead={flow !== undefined} />
      )}
      {isThen ? (
        <Section>
          <p className="text-ink-2">{THEN_WORDS}.</p>
        </Section>
      ) : null}
      {error === null ? null : (
        <Section>
          <p role="alert">The context flow could not be read: {error}</p>
        </Section>
      )}
    </div>
  );
}

function Lines({ view, isRead }: { view: FlowView; isRead: boolean }) {
  const { selectedId, openTurn, edge } = useYard();
  const { held } = useTopology();
  const turn = useTurn(selectedId ?? "");
  const stand = held.get(selectedId ?? "") ?? selectedId;
  const incoming = view.lanes.filter(({ to }) => to === stand);
  const outgoing = view.lanes.filter(({ from }) => from === stand);
  return (
    <>
      <header className="px-4 pt-3.5 pb-3">
        <p className="text-ink-3">Context flow</p>
        <h2 dir="auto" className="mt-1 flex items-center gap-2 text-title">
          {turn ? <Plate code={turn.headcode} /> : null}
          {turn
            ? turn.is_human
              ? personName(turn.agent_id)
              : turnLabel(turn)
            : stand === null
              ? "Which cards went where"
              : "The folded wagon"}
        </h2>
        {edge === null || !isRead ? null : (
          <p className="mt-1 text-ink-2">The line of the address is not in this picture.</p>
        )}
        {turn ? (
          <Button size="sm" className="mt-2.5" onClick={() => openTurn(turn.agent_turn_id)}>
            Open the turn
          </Button>
        ) : null}
      </header>
      {stand === null ? (
        <LineList title="Heaviest lines" lanes={view.lanes} view={view} isRead={isRead} />
      ) : (
        <>
          <LineList title="In" lanes={incoming} view={view} isRead={isRead} />
          <LineList title="Out" named="to" lanes={outgoing} view={view} isRead={isRead} />
        </>
      )}
    </>
  );
}

type ListProps = { title: string; named?: "to"; lanes: readonly FlowStand[]; view: FlowView; isRead: boolean };

function LineList({ title, named, lanes, view, isRead }: ListProps) {
  const tokens = lanes.reduce((sum, lane) => sum + lane.tokens, 0);
  const more = lanes.length - LISTED_MAX;
  return (
    <Section title={title} note={lanes.length === 0 ? undefined : `${formatCompact(tokens)} tokens`}>
      {lanes.length === 0 ? <p className="text-ink-3">{isRead ? "No cards that others wrote." : "Reading."}</p> : null}
      <ul>
        {lanes.slice(0, LISTED_MAX).map((lane) => (
          <li key={`${lane.from} ${lane.to}`}>
            <FlowLine lane={lane} sources={view.sources} named={named} />
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p className="mt-1 text-ink-3">
          {formatNumber(LISTED_MAX)} of {formatCount(lanes.length, "line")}. Select a turn to see its own.
        </p>
      ) : null}
    </Section>
  );
}
