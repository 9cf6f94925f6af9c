"use client";

// The selected agent of a run: its fullest request, its newest ones in words, whom it called, and its turns to select.
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { FactLines } from "@/components/ui/facts";
import { formatCount, formatNumber } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { AgentOfRun, RunAgents } from "@/server/contract/answers/run-agents";
import { fillStep, isFuller } from "@/server/contract/run-agents";
import { useYard } from "../yard-context";
import { agentName, delegationWords, fillSentence, fillWords } from "./agent-words";
import type { AgentStand, AgentsView } from "./agents-fold";
import { useAgents, useAgentsView, useChosenAgent, useTurnsByAgent } from "./use-agents";
import "./lens.css";

const TURNS_MAX = 100;
const MARKED_MAX = 20;

export function AgentPanel() {
  const { projectId, isThen } = useYard();
  const { error } = useAgents();
  const { run, view, fold } = useAgentsView();
  const { agentId, choose } = useChosenAgent();
  const isIt = ({ agent_id }: AgentOfRun) => agent_id === agentId;
  const agent: AgentStand | undefined = view?.stands.find(isIt) ?? run?.agents.find(isIt);
  const kind = agentId === null ? undefined : view?.kindOf(agentId);
  if (!run || !view || !agent)
    return (
      <div className="p-4">
        {error ??
          (run ? `This agent has no turn in this run${isThen ? " at this moment" : ""}.` : <SkeletonRows count={6} />)}
      </div>
    );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <header className="px-4 pt-3.5 pb-3">
        <div className="flex items-start gap-2">
          <p className="flex-1 text-ink-3">
            {agent.is_human
              ? "Person"
              : agent.members
                ? "Agents of one profile, called by the same"
                : `Agent of ${agent.profile_name}`}
          </p>
          <IconButton icon="x" label="Close the agent" onClick={() => choose(null)} />
        </div>
        <h2 dir="auto" className="text-title">
          {agentName(agent)}
        </h2>
        {kind ? (
          <Button
            size="sm"
            className="mt-2.5 mr-2"
            keys="z"
            onClick={() => fold(kind.key, view.isFolded(kind.key), kind.key)}
          >
            {view.isFolded(kind.key) ? "Show one by one" : `Fold all ${formatNumber(kind.count)}`}
          </Button>
        ) : null}
        {agent.is_human || agent.members ? null : (
          <Link
            className="btn mt-2.5"
            data-size="sm"
            prefetch={false}
            href={`/p/${encodeURIComponent(projectId)}/agents/${encodeURIComponent(agent.agent_id)}`}
          >
            Open the agent
          </Link>
        )}
      </header>
      <Fills agent={agent} />
      <Calls run={run} view={view} agent={agent} />
      {agent.members ? <Members members={agent.members} /> : null}
      <Turns agents={agent.members ?? [agent]} />
    </div>
  );
}

function Fills({ agent }: { agent: AgentOfRun }) {
  const { select } = useYard();
  const { peak, history } = agent;
  const marked = history.filter((one) => one.is_compaction || fillStep(one) === 4).toReversed();
  return (
    <Section title="How full its window was">
      <FactLines
        labelWidth={96}
        facts={[
          {
            name: "Fullest",
            value: peak ? (
              <span data-fill={fillStep(peak) ?? undefined}>
                <span className="agent-fill">
                  <i aria-hidden />
                  {fillSentence(peak)}
                </span>{" "}
                <button type="button" className="link" onClick={() => select(peak.agent_turn_id)}>
                  in {peak.headcode}
                  {peak.ordinal === undefined ? "" : `, step ${peak.ordinal}`}
                </button>
              </span>
            ) : (
              "No request recorded"
            ),
          },
          { name: "Requests", value: `${formatNumber(agent.requests)}, ${formatNumber(agent.tight)} of 80% and more` },
          { name: "Compactions", value: formatNumber(agent.compactions) },
        ]}
      />
      {marked.length === 0 ? null : (
        <ul className="mt-2">
          {marked.slice(0, MARKED_MAX).map((one) => (
            <li key={`${one.agent_turn_id} ${one.step_id}`}>
              <button type="button" className="flow-line" onClick={() => select(one.agent_turn_id)}>
                <Plate code={one.headcode} />
                <span className="flex-1">
                  step {one.ordinal}
                  {one.is_compaction ? ", compaction" : ""}
                </span>
                <b>{fillSentence(one)}</b>
              </button>
            </li>
          ))}
        </ul>
      )}
      {history.length < agent.requests || marked.length > MARKED_MAX ? (
        <p className="mt-1 text-ink-3">Marked are the newest {formatNumber(history.length)} requests.</p>
      ) : null}
    </Section>
  );
}

/** The fullest first: that is what one looks for among many. */
function Members({ members }: { members: readonly AgentOfRun[] }) {
  const { fold } = useAgentsView();
  const key = members[0]?.agent_id ?? "";
  const sorted = members.toSorted((a, b) => {
    if (!a.peak || !b.peak) return a.peak ? -1 : b.peak ? 1 : 0;
    return isFuller(a.peak, b.peak) ? -1 : isFuller(b.peak, a.peak) ? 1 : 0;
  });
  return (
    <Section title="The fullest first" note={formatCount(members.length, "agent")}>
      <ul>
        {sorted.slice(0, TURNS_MAX).map((one) => (
          <li key={one.agent_id} data-fill={one.peak ? (fillStep(one.peak) ?? undefined) : undefined}>
            <button type="button" className="flow-line" onClick={() => fold(key, true, one.agent_id)}>
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {agentName(one)}
              </span>
              {one.failed > 0 ? <span className="text-st-failed">{formatNumber(one.failed)} failed</span> : null}
              <span className="agent-fill">
                <i aria-hidden />
                {one.peak ? fillWords(one.peak) : "no request"}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {members.length > TURNS_MAX ? (
        <p className="mt-1 text-ink-3">
          {formatNumber(TURNS_MAX)} of {formatCount(members.length, "agent")}.
        </p>
      ) : null}
    </Section>
  );
}

type CallsProps = { run: RunAgents; view: AgentsView; agent: AgentStand };

function Calls({ run, view, agent }: CallsProps) {
  const { choose } = useChosenAgent();
  const names = new Map([...run.agents, ...view.stands].map((one) => [one.agent_id, agentName(one)]));
  const id = agent.agent_id;
  // What is drawn has its lines as drawn; an agent inside a folded node has its own.
  const { delegations, identity } = view.standOf(id) === id ? view : run;
  const groups = [
    ["Called by", delegations.filter(({ to }) => to === id), (one: { from: string }) => one.from],
    ["Called", delegations.filter(({ from }) => from === id), (one: { to: string }) => one.to],
  ] as const;
  const kin = identity.filter(({ from, to }) => from === id || to === id);
  return (
    <>
      {groups.map(([title, list, other]) =>
        list.length === 0 ? null : (
          <Section key={title} title={title} note={formatCount(list.length, "agent")}>
            <ul>
              {list.slice(0, TURNS_MAX).map((one) => (
                <li key={other(one)}>
                  <button type="button" className="flow-line" onClick={() => choose(other(one))}>
                    <span dir="auto" className="min-w-0 flex-1 truncate">
                      {names.get(other(one))}
                    </span>
                    <b>{delegationWords(one)}</b>
                  </button>
                </li>
              ))}
            </ul>
          </Section>
        ),
      )}
      {kin.length === 0 ? null : (
        <Section title="Who made whom">
          <ul>
            {kin.slice(0, TURNS_MAX).map(({ from, to, action }) => (
              <li key={`${from} ${to} ${action}`}>
                <button type="button" className="flow-line" onClick={() => choose(from === id ? to : from)}>
                  <span className="text-ink-3">{action}</span>
                  <span dir="auto" className="min-w-0 flex-1 truncate">
                    {names.get(from)} → {names.get(to)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Turns({ agents }: { agents: readonly AgentOfRun[] }) {
  const { select, matches } = useYard();
  const by = useTurnsByAgent();
  const own = agents
    .flatMap(({ agent_id }) => by.get(agent_id) ?? [])
    .filter((turn) => matches === null || matches.has(turn.agent_turn_id));
  return (
    <Section title="Turns" note={formatNumber(own.length)}>
      <ul>
        {own.slice(0, TURNS_MAX).map((turn) => (
          <li key={turn.agent_turn_id}>
            <button type="button" className="flow-line" onClick={() => select(turn.agent_turn_id)}>
              <Aspect status={turn.status} size={14} />
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {plainWords(turn.title)}
              </span>
              <Plate code={turn.headcode} />
            </button>
          </li>
        ))}
      </ul>
      {own.length > TURNS_MAX ? (
        <p className="mt-1 text-ink-3">
          {formatNumber(TURNS_MAX)} of {formatCount(own.length, "turn")}.
        </p>
      ) : null}
    </Section>
  );
}
