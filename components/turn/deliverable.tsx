"use client";

// What the turn was asked, and what it handed back. Short here; the card has the whole of it.
import { FactLines } from "@/components/ui/facts";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { MarkdownView } from "@/components/ui/markdown-view";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import { type Card, contentText } from "@/server/contract/card";
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import type { TurnDetail } from "@/server/contract/turn-detail";
import { deliverableView } from "./turn-view";

export type DeliverableProps = { projectId: string; turn: TurnFrame; detail: TurnDetail | undefined };

/** Past this the card's own page reads better than a column of 340 px. */
const LETTERS_MAX = 1_200;
const FIELDS_MAX = 5;

export function Deliverable({ projectId, turn, detail }: DeliverableProps) {
  // One block without a title: how long the first part is, and whether there is one, is not known.
  if (detail === undefined)
    return (
      <Section className="px-0">
        <SkeletonRows count={4} rowHeight={20} label="Loading what it was asked and delivered" />
      </Section>
    );
  const { instruction, deliverable } = detail;
  return (
    <>
      {instruction ? (
        <Section title="Asked" note={<CardLink projectId={projectId} card={instruction} />}>
          <p dir="auto" className="line-clamp-6 whitespace-pre-wrap break-words text-ink-2 leading-[1.45]">
            {contentText(instruction.content).trim()}
          </p>
        </Section>
      ) : null}
      <Section
        title="Deliverable"
        note={
          deliverable ? (
            <CardLink projectId={projectId} card={deliverable} />
          ) : isEnded(turn.status) ? (
            "none"
          ) : (
            "not yet"
          )
        }
      >
        {deliverable ? (
          <DeliverableBody card={deliverable} />
        ) : (
          <p className="text-ink-3">
            {isEnded(turn.status) ? "Its card was deleted." : "Available when the turn ends."}
          </p>
        )}
      </Section>
    </>
  );
}

function DeliverableBody({ card }: { card: Card }) {
  const view = deliverableView(card);
  return (
    <>
      {view.isFallback ? (
        <p className="mb-2 flex items-start gap-[7px] text-ink-2">
          <Icon name="warn" size={15} className="mt-px text-st-partial" />
          <span>
            {card.metadata.inferred === true
              ? "The log has no reply. This is a placeholder."
              : "The agent delivered nothing. Switchyard wrote this placeholder."}
          </span>
        </p>
      ) : null}
      {view.kind === "fields" ? (
        <>
          <FactLines
            labelWidth={92}
            facts={view.fields.slice(0, FIELDS_MAX).map(({ name, value }) => ({
              name,
              value: (
                <div dir="auto" className="line-clamp-4">
                  <MarkdownView text={value} />
                </div>
              ),
            }))}
          />
          {view.fields.length > FIELDS_MAX ? (
            <p className="mt-1.5 text-ink-3">
              {FIELDS_MAX} of {view.fields.length} fields. Open the card to see all.
            </p>
          ) : null}
        </>
      ) : (
        <>
          <div className="max-h-72 overflow-hidden break-words text-ink-2">
            <MarkdownView text={view.text.slice(0, LETTERS_MAX)} />
          </div>
          {view.text.length > LETTERS_MAX ? (
            <p className="mt-1.5 text-ink-3">First lines only. Open the card to see all.</p>
          ) : null}
        </>
      )}
    </>
  );
}

function CardLink({ projectId, card }: { projectId: string; card: Card }) {
  return (
    <Link className="link" href={`/p/${encodeURIComponent(projectId)}/cards/${encodeURIComponent(card.card_id)}`}>
      Card
    </Link>
  );
}
