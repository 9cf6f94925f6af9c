"use client";

// The first request as one transcript: the system prompt, then each message under its role.
import { type ReactNode, useState } from "react";
import { Artifacts } from "@/components/domain/artifacts";
import type { CardRole } from "@/components/ui/card-role";
import { formatNumber } from "@/components/ui/format";
import { RoleTag } from "@/components/ui/role-tag";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Rendered } from "@/server/contract/pack";
import type { LaunchCall } from "./launch-form";
import { systemTokens } from "./seen-cards";
import { useTranscript } from "./use-preview";

/** Messages drawn at once; ten thousand would freeze the browser. */
const PAGE = 100;

export function PreviewText({ projectId, call }: { projectId: string; call: LaunchCall | null }) {
  const { answer, error } = useTranscript(projectId, call);
  const [shown, setShown] = useState(PAGE);
  if (error !== null) return <p className="px-4 py-3 text-st-failed">{error}</p>;
  if (answer === undefined) return <SkeletonRows count={6} rowHeight={27} label="Rendering the first request" />;
  // A refusal of the same form is already next to it.
  const rendered = answer.ok ? answer.pack.rendered : undefined;
  if (rendered === undefined) return <p className="px-4 py-3 text-ink-2">No request recorded.</p>;
  const count = rendered.messages.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section tabIndex={0} aria-label="The first request" className="min-h-0 flex-1 overflow-y-auto px-3.5 pt-1 pb-3">
      <Message cardRole="system" text={rendered.system} tokens={systemTokens(rendered) - rendered.tools_tokens} />
      {rendered.tools.length === 0 ? null : <Tools tools={rendered.tools} tokens={rendered.tools_tokens} />}
      {rendered.messages.slice(0, shown).map((message, index) => (
        <Message
          // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place.
          key={index}
          cardRole={roleOf(message.role)}
          text={message.text}
          tokens={message.tokens}
        >
          <Artifacts projectId={projectId} artifacts={message.pictures ?? []} />
        </Message>
      ))}
      {shown < count ? (
        <button type="button" className="link mt-3 text-note" onClick={() => setShown(shown + PAGE * 5)}>
          {formatNumber(shown)} of {formatNumber(count)} messages, show more
        </button>
      ) : null}
    </section>
  );
}

function Tools({ tools, tokens }: { tools: Rendered["tools"]; tokens: number }) {
  return (
    <article className="mt-1.5">
      <header className="flex h-6 items-center gap-2 text-ink-3 text-note">
        <RoleTag cardRole="system" />
        <span>tools</span>
        <span className="flex-1" />
        <span>{formatNumber(tokens)}</span>
      </header>
      <pre dir="auto" className="launch-pre">
        {tools.map(({ tool_name, description }) => `${tool_name}: ${description}`).join("\n")}
      </pre>
    </article>
  );
}

type MessageProps = { cardRole: CardRole; text: string; tokens: number; children?: ReactNode };

function Message({ cardRole, text, tokens, children }: MessageProps) {
  return (
    <article className="mt-1.5">
      <header className="flex h-6 items-center gap-2 text-ink-3 text-note">
        <RoleTag cardRole={cardRole} />
        <span>{cardRole}</span>
        <span className="flex-1" />
        <span>{formatNumber(tokens)}</span>
      </header>
      <pre dir="auto" className="launch-pre">
        {text === "" ? "(empty)" : text}
      </pre>
      {children}
    </article>
  );
}

const roleOf = (role: string): CardRole =>
  role === "system" || role === "assistant" || role === "tool" ? role : "user";
