"use client";

// One agent: who it is, how full its fullest request was, how its turns stand, and the fill of its newest requests.
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { formatCount } from "@/components/ui/format";
import { HumanMark } from "@/components/ui/human-mark";
import type { AgentOfRun } from "@/server/contract/answers/run-agents";
import type { TurnFrame } from "@/server/contract/frame";
import { fillPercent, fillStep } from "@/server/contract/run-agents";
import { agentName, fillSentence, fillWords, spokenAgent } from "./agent-words";
import type { AgentStand } from "./agents-fold";
import type { AgentPlace } from "./agents-layout";

const TURNS_SHOWN = 12;

type Props = {
  agent: AgentStand;
  turns: readonly TurnFrame[];
  place?: AgentPlace;
  isSelected: boolean;
  isFiltered: boolean;
  isTabStop: boolean;
  /** Seen from far away: its colour, and how full it was. */
  isLight: boolean;
  onUnfold: () => void;
  onChoose: () => void;
};

export function AgentNode({
  agent,
  turns,
  place,
  isSelected,
  isFiltered,
  isTabStop,
  isLight,
  onChoose,
  onUnfold,
}: Props) {
  const { peak } = agent;
  return (
    <button
      type="button"
      className="agent-node"
      data-agent={agent.agent_id}
      data-fill={peak ? (fillStep(peak) ?? undefined) : undefined}
      data-filtered={isFiltered || undefined}
      aria-pressed={isSelected}
      aria-label={spokenAgent(agent)}
      tabIndex={isTabStop ? 0 : -1}
      style={place && { left: place.x, top: place.y, width: place.w, height: place.h }}
      data-members={agent.members ? "" : undefined}
      onClick={onChoose}
      onDoubleClick={onUnfold}
    >
      {isLight ? (
        <span className="agent-far">{peak ? fillWords(peak) : ""}</span>
      ) : (
        <Whole agent={agent} turns={turns} />
      )}
    </button>
  );
}

function Whole({ agent, turns }: Pick<Props, "agent" | "turns">) {
  const { peak } = agent;
  const more = turns.length - TURNS_SHOWN;
  return (
    <>
      <span className="agent-line">
        {agent.is_human ? (
          <HumanMark name={agentName(agent)} size={20} />
        ) : (
          <AgentMark agentId={agent.agent_id} profile={agent.profile_name} size={18} />
        )}
        <span dir="auto" className="min-w-0 flex-1 truncate font-semibold" title={agentName(agent)}>
          {agentName(agent)}
        </span>
        {peak ? (
          <span className="agent-fill" title={`Fullest request: ${fillSentence(peak)}`}>
            <i aria-hidden />
            {fillWords(peak)}
          </span>
        ) : null}
      </span>
      <span className="agent-line">
        <span
          className="agent-turns flex-1"
          title={more > 0 ? `The newest ${TURNS_SHOWN} of ${formatCount(turns.length, "turn")}` : undefined}
        >
          {turns.slice(-TURNS_SHOWN).map((turn) => (
            <Aspect key={turn.agent_turn_id} status={turn.status} size={12} label={null} />
          ))}
        </span>
        <span className="flex-none text-ink-3 text-note">{formatCount(agent.turns, "turn")}</span>
      </span>
      <History agent={agent} />
    </>
  );
}

/** To the window, or where none is known to the largest of them; a bar over one is a compaction. */
function History({ agent }: { agent: AgentOfRun }) {
  const { history } = agent;
  if (history.length === 0)
    return (
      <span className="agent-line text-ink-3 text-note">{agent.is_human ? "A person" : "No request recorded"}</span>
    );
  const most = Math.max(1, ...history.map(({ tokens }) => tokens));
  return (
    <span className="agent-history" aria-hidden>
      {history.map((one) => (
        <i
          key={`${one.agent_turn_id} ${one.step_id}`}
          data-fill={fillStep(one) ?? undefined}
          data-compaction={one.is_compaction || undefined}
          title={`${one.headcode}, step ${one.ordinal}: ${fillSentence(one)}${one.is_compaction ? ", compaction" : ""}`}
          style={{ height: `${Math.max(6, Math.min(100, fillPercent(one) ?? (100 * one.tokens) / most))}%` }}
        />
      ))}
    </span>
  );
}
