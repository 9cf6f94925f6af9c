"use client";

// A card's content in the way that suits it, at any size: Markdown, JSON, fields, text, or the card as it is stored.
import { type ReactNode, useState } from "react";
import { Artifacts } from "@/components/domain/artifacts";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatNumber } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { JsonView } from "@/components/ui/json-view";
import { MarkdownView } from "@/components/ui/markdown-view";
import { Segmented } from "@/components/ui/segmented";
import { TextView } from "@/components/ui/text-view";
import { Clock } from "@/components/ui/time";
import type { Card } from "@/server/contract/card";
import { type CardView, type NamedField, readable, viewLabels } from "./card-views";

export type CardReaderProps = {
  card: Card;
  /** What the person chose last; kept from card to card where it fits. */
  preferred: CardView | null;
  onPrefer: (view: CardView) => void;
};

export function CardReader({ card, preferred, onPrefer }: CardReaderProps) {
  if (card.content === null) return <Gone card={card} />;
  const artifacts = card.content.kind === "tool_result" ? (card.content.artifacts ?? []) : [];
  return (
    <>
      <Artifacts projectId={card.project_id} artifacts={artifacts} />
      <Content key={card.card_id} card={card} content={card.content} preferred={preferred} onPrefer={onPrefer} />
    </>
  );
}

type ContentProps = CardReaderProps & { content: NonNullable<Card["content"]> };

function Content({ card, content, preferred, onPrefer }: ContentProps) {
  const [read] = useState(() => readable(content));
  const calls = card.tool_calls ?? [];
  const views: CardView[] = calls.length === 0 ? read.views : [...read.views.slice(0, -1), "calls", "raw"];
  const view = preferred !== null && views.includes(preferred) ? preferred : (views[0] ?? "raw");
  const lead = (
    <Segmented
      label="View"
      value={view}
      onChange={onPrefer}
      choices={views.map((value) => ({ value, label: viewLabels[value] }))}
    />
  );
  const note = `est. ${formatNumber(card.token_count)}`;
  const common = { lead, note, maxHeight: "max(100%, 12rem)" };
  if (view === "json") return <JsonView {...common} value={read.json} />;
  if (view === "calls") return <JsonView {...common} value={calls} label="Tool calls" />;
  if (view === "raw") return <JsonView {...common} value={stored(card)} label="Stored card" />;
  if (view === "text") return <TextView {...common} text={read.text} />;
  return (
    <>
      <div className="flex min-h-9 flex-none flex-wrap items-center gap-x-2 gap-y-1 py-1">
        {lead}
        <span className="flex-1" />
        <span className="text-ink-3">{note}</span>
        <IconButton
          icon="search"
          label={`Search in it, as ${viewLabels[view === "fields" ? "json" : "text"]}`}
          iconSize={15}
          onClick={() => onPrefer(view === "fields" ? "json" : "text")}
        />
        <CopyButton text={read.text} label="Copy all of it" />
      </div>
      <Scroll label={viewLabels[view]}>
        {view === "fields" ? <Fields fields={read.fields ?? []} /> : <MarkdownView text={read.text} />}
      </Scroll>
    </>
  );
}

function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section aria-label={label} tabIndex={0} className="min-h-0 overflow-y-auto px-0.5 pt-1 pb-4">
      {children}
    </section>
  );
}

function Fields({ fields }: { fields: readonly NamedField[] }) {
  return (
    <dl className="grid gap-3.5">
      {fields.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes, a field is its place in it.
        <div key={index}>
          <dt className="mono mb-1 text-[11.5px] text-ink-3">{field.name}</dt>
          <dd>{field.text === "" ? <span className="text-ink-3">empty</span> : <MarkdownView text={field.text} />}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A tombstone says what is gone, what stays, and since when. */
function Gone({ card }: { card: Card }) {
  return (
    <EmptyState
      title={card.gone === "expired" ? "The content of this card has expired" : "The content of this card was deleted"}
      cause={
        card.gone === "expired" ? (
          <>
            It was written at <Clock at={card.created_at} /> to be kept for{" "}
            {formatCount(card.ttl_seconds ?? 0, "second")}. Its place, type, author and size are kept; the content is
            gone.
          </>
        ) : (
          "Its id, place, type, author and size are kept, so that references and totals stay correct. The content is gone."
        )
      }
    />
  );
}

/** Without what is worked out on reading; everything else exactly as it is kept. */
function stored(card: Card): unknown {
  const { card_id, type, role, author_id, content, tool_calls, tool_call_id, ttl_seconds, metadata } = card;
  const { content_hash, token_count, created_at } = card;
  const whole = { card_id, type, role, author_id, content, tool_calls, tool_call_id, ttl_seconds, metadata };
  return JSON.parse(JSON.stringify({ ...whole, content_hash, token_count, created_at }));
}
