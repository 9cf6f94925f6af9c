"use client";

// The tab As the model sees it: the cards of a box as one transcript, in the words and the order that a model is sent.
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useRowKeys } from "@/components/ui/use-row-keys";
import type { BoxAsSent } from "@/server/contract/answers/box-as-sent";
import { SentMessage, SystemPrompt } from "./sent-message";
import "./sent.css";

export type SentTabProps = {
  projectId: string;
  boxId: string;
  /** Cards in the box now: a box that grows may have more than were read. */
  length: number;
};

/** Drawn at a time: 2,000 messages at once made the page stand still. */
const MESSAGES_STEP = 100;

export function SentTab({ projectId, boxId, length }: SentTabProps) {
  const trpc = useTRPC();
  const asked = useQuery(
    trpc.box.as_sent.queryOptions({ project_id: projectId, box_id: boxId }, { staleTime: 0, retry: false }),
  );
  const [shown, setShown] = useState(MESSAGES_STEP);
  const list = useRef<HTMLOListElement>(null);
  useRowKeys(list, "Transcript", "message");
  const sent = asked.data;
  if (sent === undefined)
    return asked.error === null ? (
      <SkeletonRows count={10} rowHeight={48} label="Loading the messages" />
    ) : (
      <EmptyState
        title="Messages not loaded"
        cause={asked.error.message}
        remedy={<Button onClick={() => void asked.refetch()}>Try again</Button>}
      />
    );
  const grown = length - sent.cards;
  const base = `/p/${encodeURIComponent(projectId)}`;
  const messages = sent.messages.slice(0, shown);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section className="sent" aria-label="Transcript" tabIndex={0}>
      <p className="sent-note">
        <Whose sent={sent} base={base} />
        {sent.cards_unsent === 0 ? null : (
          <span className="text-ink-3">
            {formatCount(sent.cards_unsent, "card")} of {formatNumber(sent.cards_read)} in no message
          </span>
        )}
        {grown <= 0 ? null : (
          <Button size="sm" onClick={() => void asked.refetch()}>
            Read {formatCount(grown, "new card")}
          </Button>
        )}
      </p>
      {sent.system === undefined ? null : <SystemPrompt system={sent.system} base={base} />}
      {messages.length === 0 ? (
        <EmptyState title="No messages" cause="No card of this box is sent to a model as a message." />
      ) : (
        <ol ref={list} aria-label="Messages">
          {messages.map((message, i) => (
            <SentMessage
              key={message.cards.map((card) => card.card_id).join(" ")}
              message={message}
              place={i + 1}
              projectId={projectId}
              boxId={boxId}
            />
          ))}
        </ol>
      )}
      {sent.messages.length > shown ? (
        <p className="sent-note">
          {formatNumber(shown)} of {formatNumber(sent.messages.length)} messages shown
          <Button size="sm" onClick={() => setShown(shown + MESSAGES_STEP)}>
            Show {formatNumber(Math.min(MESSAGES_STEP, sent.messages.length - shown))} more
          </Button>
        </p>
      ) : (
        <CutNote sent={sent} />
      )}
    </section>
  );
}

function Whose({ sent: { reader, system }, base }: { sent: BoxAsSent; base: string }) {
  if (reader === undefined)
    return (
      <span>
        {system === undefined
          ? "No turn with a profile reads this box. These are its cards alone, without a system prompt."
          : "The turn that sent this request has no profile any more. Its stored prompt is shown."}
      </span>
    );
  const href = `${base}/turns/${reader.agent_turn_id}`;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      As the newest reader is sent it:
      <Link className="flex items-center gap-1.5 rounded-2 px-1 py-1 hover:bg-raise" href={href} title={reader.title}>
        {reader.profile_name}
        <Plate code={reader.headcode} />
      </Link>
    </span>
  );
}

/** What the answer leaves out, below the last message. */
function CutNote({ sent }: { sent: BoxAsSent }) {
  const { cards, cards_read, messages, messages_total } = sent;
  if (cards_read >= cards && messages.length >= messages_total) return null;
  return (
    <p className="sent-note">
      {messages.length < messages_total
        ? `The first ${formatNumber(messages.length)} of ${formatNumber(messages_total)} messages: 1 MB of text. `
        : ""}
      {cards_read < cards
        ? `The first ${formatNumber(cards_read)} of ${formatNumber(cards)} cards: at most 2,000 cards and 8 MB. `
        : ""}
      The tab Cards has all of them.
    </p>
  );
}
