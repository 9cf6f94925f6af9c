"use client";

// Beside a transcript: where the run went wrong, what was expected of it, and who did what in it.
import { isPerson, personName, profileLabel, tailOf } from "@/components/domain/agent-names";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { formatCount, formatNumber } from "@/components/ui/format";
import { HumanMark } from "@/components/ui/human-mark";
import { Icon } from "@/components/ui/icon";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import type { TranscriptHead } from "@/server/contract/answers/transcript";

type Wrong = TranscriptHead["mistakes"][number];
type Actor = TranscriptHead["agents"][number];

export type WhoDidWhatProps = {
  head: TranscriptHead;
  /** The agent whose lines are shown. */
  agent: string | null;
  onAgent: (agentId: string | null) => void;
  onGo: (wrong: Pick<Wrong, "agent_turn_id" | "card_id">) => void;
};

export function WhoDidWhat({ head, agent, onAgent, onGo }: WhoDidWhatProps) {
  return (
    <>
      <Section title="Where did it go wrong">
        <WentWrong head={head} onGo={onGo} />
      </Section>
      {head.expected === undefined && head.question === undefined ? null : <Answers head={head} onGo={onGo} />}
      <Section title="Who did what" note={whoTook(head)}>
        <ul className="-mx-2">
          {head.agents.map((one) => (
            <li key={one.agent_id}>
              <ActorRow
                actor={one}
                isAlone={head.agents.filter(({ name }) => name === one.name).length === 1}
                isOn={agent === one.agent_id}
                onToggle={() => onAgent(agent === one.agent_id ? null : one.agent_id)}
              />
            </li>
          ))}
        </ul>
        {head.agents.length < head.agents_total ? (
          <p className="text-ink-3">
            The first {formatNumber(head.agents.length)} of {formatNumber(head.agents_total)} agents.
          </p>
        ) : null}
      </Section>
    </>
  );
}

/** The yard counts agents without people. Of a list that is cut, people cannot be told from the rest. */
function whoTook({ agents, agents_total }: TranscriptHead): string {
  const people = agents.length < agents_total ? 0 : agents.filter(isPerson).length;
  const counted = formatCount(agents_total - people, "agent");
  return people === 0 ? counted : `${counted}, ${formatCount(people, "person", "people")}`;
}

function WentWrong({ head, onGo }: Pick<WhoDidWhatProps, "head" | "onGo">) {
  const { mistakes, failures, failures_total, is_live } = head;
  if (mistakes.length === 0 && failures_total === 0)
    return (
      <p className="text-ink-3">{is_live ? "No turn has failed so far." : "No turn failed, and nothing is marked."}</p>
    );
  return (
    <ul className="grid gap-2">
      {mistakes.map((wrong) => (
        <li key={wrong.card_id ?? wrong.agent_turn_id}>
          <button type="button" className="wrong-go" data-mistake onClick={() => onGo(wrong)}>
            <span className="wrong-head">
              <Icon name="flag" size={14} className="flex-none text-st-failed" />
              <b>Go to the mistake</b>
              <span className="flex-1" />
              <Plate code={wrong.headcode} />
            </span>
            <span dir="auto" className="text-ink-2">
              <b className="text-ink">{nameIn(head, wrong.agent_id)}</b> {wrong.reason}
            </span>
          </button>
        </li>
      ))}
      {failures.map((wrong) => (
        <li key={wrong.agent_turn_id}>
          <button type="button" className="wrong-go" onClick={() => onGo(wrong)}>
            <span className="wrong-head">
              <Aspect status={wrong.status} size={14} label={null} />
              <b className="min-w-0 truncate">{nameIn(head, wrong.agent_id)}</b>
              <span className="flex-none text-st-failed">{wrong.status === "timeout" ? "timed out" : "failed"}</span>
              <span className="flex-1" />
              <Plate code={wrong.headcode} />
            </span>
            <span dir="auto" className="line-clamp-3 text-ink-2">
              {wrong.reason}
            </span>
          </button>
        </li>
      ))}
      {failures.length < failures_total ? (
        <li className="text-ink-3">
          The first {formatNumber(failures.length)} of {formatNumber(failures_total)} turns that failed.
        </li>
      ) : null}
    </ul>
  );
}

const nameIn = (head: TranscriptHead, id: string): string => {
  const actor = head.agents.find(({ agent_id }) => agent_id === id);
  return actor === undefined ? id : nameOf(actor);
};

const nameOf = ({ agent_id, name, profile_name }: Actor): string =>
  isPerson({ agent_id }) ? personName(agent_id) : name || profileLabel(profile_name);

function Answers({ head, onGo }: Pick<WhoDidWhatProps, "head" | "onGo">) {
  const { question, expected, given } = head;
  return (
    <Section title="Expected and given">
      <dl className="answers">
        {question === undefined ? null : (
          <>
            <dt>Question</dt>
            <dd dir="auto" className="line-clamp-4" title={question}>
              {question}
            </dd>
          </>
        )}
        {expected === undefined ? null : (
          <>
            <dt>Expected</dt>
            <dd dir="auto" className="answer">
              {expected}
            </dd>
          </>
        )}
        {given === undefined ? null : (
          <>
            <dt>
              Last message
              <button type="button" className="link ml-2" onClick={() => onGo(given)}>
                Go there
              </button>
            </dt>
            <dd dir="auto" className="answer">
              {lastLines(given.text, given.letters)}
            </dd>
          </>
        )}
      </dl>
    </Section>
  );
}

const LINES_SHOWN = 8;

/** An answer stands at the end of what was said. */
function lastLines(text: string, letters: number): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines.slice(-LINES_SHOWN).join("\n");
  return shown.length < text.trimEnd().length || letters > [...text].length ? `…${shown}` : shown;
}

type ActorRowProps = { actor: Actor; isAlone: boolean; isOn: boolean; onToggle: () => void };

function ActorRow({ actor, isAlone, isOn, onToggle }: ActorRowProps) {
  const { agent_id, profile_name, turns, said, calls, failed, mistakes } = actor;
  const name = nameOf(actor);
  return (
    <button
      type="button"
      aria-pressed={isOn}
      className="actor-row"
      title={isOn ? "Show the lines of all agents" : `Show only what ${name} said and was told`}
      onClick={onToggle}
    >
      {isPerson(actor) ? (
        <HumanMark name={name} size={18} />
      ) : (
        <AgentMark agentId={agent_id} profile={profile_name} size={18} />
      )}
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-1.5">
          <b dir="auto" className="truncate">
            {name}
          </b>
          {isAlone ? null : <span className="mono flex-none text-ink-3">{tailOf(agent_id)}</span>}
          {mistakes > 0 ? <span className="flex-none text-st-failed">mistake</span> : null}
        </span>
        <span className="block text-ink-3">
          {[
            formatCount(turns, "turn"),
            formatCount(said, "message"),
            ...(calls === 0 ? [] : [formatCount(calls, "call")]),
          ].join(", ")}
          {failed === 0 ? null : <span className="text-st-failed">, {formatNumber(failed)} failed</span>}
        </span>
      </span>
      {isOn ? <Icon name="filter" size={14} /> : null}
    </button>
  );
}
