"use client";

// The first request as one transcript: the system prompt, then each message under its role.
import { formatNumber } from "@/components/ui/format";
import { type CardRole, RoleTag } from "@/components/ui/role-tag";
import { type Answer, systemTokens } from "./seen-cards";

export function PreviewText({ answer }: { answer: Answer }) {
  const { rendered } = answer.pack;
  if (rendered === undefined) return <p className="px-4 py-3 text-ink-2">The dry run did not render a prompt.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section tabIndex={0} aria-label="The first request" className="min-h-0 flex-1 overflow-y-auto px-3.5 pt-1 pb-3">
      <Message cardRole="system" text={rendered.system} tokens={systemTokens(answer)} />
      {rendered.messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place.
        <Message key={index} cardRole={roleOf(message.role)} text={message.text} tokens={message.tokens} />
      ))}
    </section>
  );
}

function Message({ cardRole, text, tokens }: { cardRole: CardRole; text: string; tokens: number }) {
  return (
    <article className="mt-1.5">
      <header className="flex h-6 items-center gap-2 text-ink-3 text-note">
        <RoleTag cardRole={cardRole} />
        <span>{cardRole}</span>
        <span className="flex-1" />
        <span>{formatNumber(tokens)}</span>
      </header>
      <pre className="compose-pre">{text === "" ? "(empty)" : text}</pre>
    </article>
  );
}

const roleOf = (role: string): CardRole =>
  role === "system" || role === "assistant" || role === "tool" ? role : "user";
