"use client";

// The request as the model sees it, one continuous transcript: system prompt, tools, messages in order. What the step before
// had seen already is folded to a line; what came since stands open behind a divider.
import { type ReactNode, useState } from "react";
import { Artifacts } from "@/components/domain/artifacts";
import { useTRPCClient } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { RoleTag } from "@/components/ui/role-tag";
import { VerdictMark } from "@/components/ui/verdict-mark";
import type { SeenMessage, StepSheet } from "@/server/contract/turn-sheet";
import { LongText } from "./long-text";
import { firstLine, isData } from "./step-view";

type Request = NonNullable<StepSheet["request"]>;
export type RequestViewProps = { projectId: string; agentTurnId: string; stepId: string; request: Request };

const SHOWN_MAX = 80;

export function RequestView({ projectId, agentTurnId, stepId, request }: RequestViewProps) {
  const client = useTRPCClient();
  const [isAll, setIsAll] = useState(false);
  const load = (part: "system" | number) => async () =>
    (await client.turn.text.query({ project_id: projectId, agent_turn_id: agentTurnId, step_id: stepId, part })).text;
  const cards = `/p/${encodeURIComponent(projectId)}/cards/`;
  const { system, tools, messages, before } = request;
  const hidden = isAll ? 0 : Math.max(0, messages.length - SHOWN_MAX);
  const firstNew = before === undefined ? -1 : messages.findIndex((message) => message.is_added);
  const shared = messages.slice(0, firstNew < 0 ? messages.length : firstNew);
  const isFolded = (isAdded: boolean) => before !== undefined && !isAdded;
  return (
    <div className="step-scroll">
      <Part
        cardRole="system"
        name="System prompt"
        tokens={system.tokens}
        href={system.card_id === undefined ? undefined : cards + system.card_id}
        isAdded={system.is_added}
        isFolded={isFolded(system.is_added)}
        first={firstLine(system.text)}
      >
        <LongText {...system} label="System prompt" lines={8} load={load("system")} />
      </Part>
      <Part
        cardRole="system"
        name="Tools"
        note={tools.offered.length === 0 ? "none offered" : `${tools.offered.length} offered`}
        tokens={tools.tokens}
        href={tools.card_id === undefined ? undefined : cards + tools.card_id}
        isAdded={tools.is_added}
        isFolded={isFolded(tools.is_added)}
        first={tools.offered.map((tool) => tool.tool_name).join(", ")}
      >
        {tools.offered.length === 0 ? null : (
          <ul className="flex flex-col gap-1">
            {tools.offered.map((tool) => (
              <li key={tool.tool_name} className="flex gap-2">
                <span className="mono flex-none">{tool.tool_name}</span>
                <span dir="auto" className="min-w-0 truncate text-ink-2" title={tool.description}>
                  {tool.description}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Part>
      {hidden > 0 ? (
        <p className="step-divider">
          The last {SHOWN_MAX} of {formatNumber(messages.length)} messages
          <span className="flex-1" />
          <Button size="sm" onClick={() => setIsAll(true)}>
            Show all
          </Button>
        </p>
      ) : null}
      {messages.slice(hidden).map((message, i) => {
        const at = hidden + i;
        return (
          <div key={`${at} ${message.cards.at(-1)?.card_id}`}>
            {before !== undefined && at === firstNew ? (
              <Divider ordinal={before.ordinal} count={shared.length} dropped={before.dropped.length} />
            ) : null}
            <Message
              message={message}
              place={at + 1}
              projectId={projectId}
              cards={cards}
              isFolded={isFolded(message.is_added)}
              load={load(at)}
            />
          </div>
        );
      })}
      {before !== undefined && firstNew < 0 ? (
        <Divider ordinal={before.ordinal} count={shared.length} dropped={before.dropped.length} isSame />
      ) : null}
    </div>
  );
}

function Divider({
  ordinal,
  count,
  dropped,
  isSame = false,
}: {
  ordinal: number;
  count: number;
  dropped: number;
  isSame?: boolean;
}) {
  return (
    <p className="step-divider" data-tone="lamp">
      {isSame
        ? `Same messages as step ${ordinal}`
        : `Step ${ordinal} saw ${count === 1 ? "the one message" : `the ${formatNumber(count)} messages`} above. New messages follow`}
      <span className="flex-1" />
      {dropped > 0 ? <span>{dropped} no longer sent</span> : null}
    </p>
  );
}

type MessageProps = {
  message: SeenMessage;
  projectId: string;
  place: number;
  cards: string;
  isFolded: boolean;
  load: () => Promise<string>;
};

function Message({ projectId, message, place, cards, isFolded, load }: MessageProps) {
  const card = message.cards.at(-1);
  const facts = message.cards.find((one) => one.type === "meta.delegation_context");
  return (
    <Part
      cardRole={message.role}
      name={card?.type ?? message.role}
      isMono
      place={place}
      tokens={message.tokens}
      href={card === undefined ? undefined : cards + card.card_id}
      isAdded={message.is_added}
      isFolded={isFolded}
      note={facts === undefined ? undefined : "with caller and reason in front"}
      first={firstLine(message.text) || message.tool_calls.map((call) => call.tool_name).join(", ")}
    >
      {message.text === "" && message.tool_calls.length > 0 ? null : (
        <LongText
          text={message.text}
          letters={message.letters}
          label={`Message ${place}`}
          lines={14}
          isMono={isData(message.text)}
          load={load}
        />
      )}
      <Artifacts projectId={projectId} artifacts={message.pictures ?? []} />
      {message.tool_calls.map((call) => (
        <p key={call.id} className="step-call" title={call.id}>
          <Icon name="right" size={13} className="mt-[3px] text-ink-3" />
          <span className="mono">{call.tool_name}</span>
          <span className="mono min-w-0 break-words text-ink-2">{call.arguments}</span>
        </p>
      ))}
      {facts === undefined ? null : (
        <Link className="link mt-1 inline-block text-note" href={cards + facts.card_id}>
          Facts of the delegation (card)
        </Link>
      )}
    </Part>
  );
}

type PartProps = {
  cardRole: SeenMessage["role"];
  name: string;
  isMono?: boolean;
  place?: number;
  note?: string;
  tokens: number;
  href: string | undefined;
  isAdded: boolean;
  isFolded: boolean;
  first: string;
  children: ReactNode;
};

function Part({ cardRole, name, isMono, place, note, tokens, href, isAdded, isFolded, first, children }: PartProps) {
  const [isOpen, setIsOpen] = useState(!isFolded);
  return (
    <article className="step-part" data-open={isOpen || undefined}>
      <i aria-hidden className="role-fill step-role" data-role={cardRole} />
      <header className="flex min-w-0 items-center gap-2">
        <button
          type="button"
          className="step-opener"
          aria-expanded={isOpen}
          aria-label={`${place === undefined ? "" : `${place}. `}${name}, ${cardRole}${isAdded ? ", new since the step before" : ""}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? "down" : "right"} size={12} className="text-ink-3" />
          {place === undefined ? null : <span className="w-4 flex-none text-right text-ink-3">{place}</span>}
          <RoleTag cardRole={cardRole} />
          <span className={isMono ? "mono flex-none" : "flex-none font-semibold"}>{name}</span>
          {isAdded ? <VerdictMark verdict="added" size={13} /> : null}
          <span className="min-w-0 flex-1 truncate text-left text-ink-2">{isOpen ? note : first}</span>
        </button>
        {href === undefined ? null : (
          <Link className="link flex-none text-note" href={href} aria-label={`Card of ${name}`}>
            Card
          </Link>
        )}
        <b className="w-11 flex-none text-right font-semibold" title="tokens, estimated">
          {formatNumber(tokens)}
        </b>
      </header>
      {isOpen ? <div className="step-body">{children}</div> : null}
    </article>
  );
}
