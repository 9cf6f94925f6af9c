"use client";

// One message as it is sent: its role, its text, its tool calls folded to their names, and links to the cards it is made of.
import { type ReactNode, useState } from "react";
import { Artifacts } from "@/components/domain/artifacts";
import { foldedText } from "@/components/domain/folded-text";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { RoleTag } from "@/components/ui/role-tag";
import type { BoxAsSent, SentMessage as Sent } from "@/server/contract/answers/box-as-sent";

export type SentMessageProps = { message: Sent; place: number; projectId: string; boxId: string };

export function SentMessage({ message, place, projectId, boxId }: SentMessageProps) {
  const { role, text, letters, tokens, cards, tool_calls, pictures } = message;
  const at = `/p/${encodeURIComponent(projectId)}/boxes/${boxId}?tab=cards&card=`;
  return (
    <li className="sent-part">
      <Part
        cardRole={role}
        name={`${place}. ${role}`}
        tokens={tokens}
        links={cards.map(({ card_id, type, position }, i) => (
          <Link
            key={card_id}
            data-row={i === 0 ? true : undefined}
            className="link mono text-[11.5px]"
            href={`${at}${position + 1}`}
            title={`Card ${position + 1} of the box`}
          >
            {type}
          </Link>
        ))}
      >
        {text === "" && tool_calls.length > 0 ? null : (
          <Text text={text} letters={letters} label={`message ${place}`} />
        )}
        <Artifacts projectId={projectId} artifacts={pictures ?? []} />
        {tool_calls.map((call) => (
          <details key={call.id} className="sent-call">
            <summary>
              <span className="mono">{call.tool_name}</span>{" "}
              <span className="text-ink-3">tool call, {formatNumber(call.letters)} characters</span>
            </summary>
            <p dir="auto" className="sent-text mono">
              {call.arguments}
            </p>
            {call.letters > call.arguments.length ? <Cut shown={call.arguments.length} letters={call.letters} /> : null}
          </details>
        ))}
      </Part>
    </li>
  );
}

export function SystemPrompt({ system, base }: { system: NonNullable<BoxAsSent["system"]>; base: string }) {
  return (
    <div className="sent-part">
      <Part
        cardRole="system"
        name="System prompt"
        links={
          system.card_id === undefined
            ? []
            : [
                <Link key="card" className="link mono text-[11.5px]" href={`${base}/cards/${system.card_id}`}>
                  sys.rendered_prompt
                </Link>,
              ]
        }
      >
        <Text text={system.text} letters={system.letters} label="the system prompt" />
      </Part>
    </div>
  );
}

type PartProps = {
  cardRole: Sent["role"];
  name: string;
  tokens?: number;
  links: ReactNode[];
  children: ReactNode;
};

function Part({ cardRole, name, tokens, links, children }: PartProps) {
  return (
    <>
      <i aria-hidden className="role-fill sent-role" data-role={cardRole} />
      <div className="sent-line">
        <RoleTag cardRole={cardRole} />
        <span className="font-semibold">{name}</span>
        <span className="flex min-w-0 flex-wrap gap-x-2">{links}</span>
        <span className="flex-1" />
        {tokens === undefined ? null : <b title="tokens, estimated">{formatNumber(tokens)}</b>}
      </div>
      {children}
    </>
  );
}

function Text({ text, letters, label }: { text: string; letters: number; label: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const folded = foldedText(text);
  if (letters === 0) return <p className="text-ink-3">(empty)</p>;
  return (
    <>
      <p dir="auto" className="sent-text">
        {isOpen || folded === null ? text : folded}
      </p>
      {folded === null ? null : (
        <button
          type="button"
          className="link sent-fold"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Show less" : "Show more"} of ${label}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? "Show less" : `Show more: ${formatNumber(letters)} characters`}
        </button>
      )}
      {(isOpen || folded === null) && letters > text.length ? <Cut shown={text.length} letters={letters} /> : null}
    </>
  );
}

function Cut({ shown, letters }: { shown: number; letters: number }) {
  return (
    <p className="text-ink-3">
      The first {formatNumber(shown)} of {formatNumber(letters)} characters. Open the card to read all.
    </p>
  );
}
