"use client";

// Beside the waybill: where the card came from, who saw it, what is blacked out in it.
import { useState } from "react";
import { AgentMark } from "@/components/ui/agent-mark";
import { BoxId } from "@/components/ui/box-id";
import { Button } from "@/components/ui/button";
import { formatCount, formatNumber } from "@/components/ui/format";
import { HumanMark } from "@/components/ui/human-mark";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";
import { VerdictMark } from "@/components/ui/verdict-mark";
import { boxPlate } from "@/server/contract/box";
import { userOf } from "@/server/contract/ids";
import type { CardSheet, CardSightings } from "@/server/contract/line";
import { BlameSection } from "./blame/blame-section";
import { blackouts } from "./card-views";
import { lineage } from "./lineage";
import { Lineage } from "./lineage-track";

export type CardFactsProps = {
  projectId: string;
  cardId: string;
  card: CardSheet | undefined;
  sightings: CardSightings | undefined;
  sightingsError: string | null;
  /** The box it is looked at in; null on the card's own page. */
  boxId: string | null;
};

export function CardFacts({ projectId, cardId, card, sightings, sightingsError, boxId }: CardFactsProps) {
  const redactions = card?.content ? blackouts(card.content) : [];
  return (
    <aside className="card-facts" aria-label="Facts about the card">
      {card?.metadata.is_partial === true ? (
        <Section title="Partial answer">
          <p className="text-ink-2">
            The model's answer ended before it was complete. This is what came before. No later request contains it.
          </p>
        </Section>
      ) : null}
      <Section title="Where it came from">
        {card === undefined || (sightings === undefined && sightingsError === null) ? (
          <Skeleton className="h-24 w-2/3" />
        ) : (
          <Lineage projectId={projectId} stops={lineage(card, sightings?.boxes ?? [], boxId)} />
        )}
      </Section>
      <BlameSection
        key={card?.card_id}
        projectId={projectId}
        card={card}
        run={card?.written_by?.root_turn_id ?? sightings?.turns[0]?.root_turn_id}
      />
      <Section
        title="Who saw it"
        note={sightings === undefined ? undefined : formatCount(sightings.turn_count, "turn")}
      >
        {sightingsError === null ? null : <p className="text-st-failed">{sightingsError}</p>}
        {sightings === undefined && sightingsError === null ? <Skeleton className="my-[5px] h-2.5 w-1/2" /> : null}
        {sightings === undefined ? null : <WhoSaw projectId={projectId} cardId={cardId} sightings={sightings} />}
      </Section>
      {sightings === undefined ? null : <Boxes projectId={projectId} sightings={sightings} boxId={boxId} />}
      {redactions.length === 0 ? null : (
        <Section title="Redactions" note={formatNumber(redactions.length)}>
          <ul>
            {redactions.map((redaction, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes, a redaction is its place in it.
              <li key={index} className="flex h-6 items-center gap-2">
                <VerdictMark verdict="redacted" label={null} />
                {redaction.kind.replaceAll("_", " ")}
                <span
                  className="mono min-w-0 flex-1 truncate text-right text-[10.5px] text-ink-2"
                  title={redaction.pointer}
                >
                  {redaction.pointer || "in the text"}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </aside>
  );
}

const turnsPerGroup = 18;

/** Of one run, or of all runs if it came to turns of several. */
function yardHref(projectId: string, cardId: string, turns: CardSightings["turns"]): string {
  const runs = new Set(turns.map((turn) => turn.root_turn_id));
  const [only] = runs.size === 1 ? runs : [];
  return `/p/${encodeURIComponent(projectId)}?run=${only ?? "all"}&saw=${encodeURIComponent(cardId)}`;
}

type WhoSawProps = { projectId: string; cardId: string; sightings: CardSightings };

function WhoSaw({ projectId, cardId, sightings }: WhoSawProps) {
  const wrote = sightings.turns.filter((turn) => turn.as.includes("output"));
  const read = sightings.turns.filter((turn) => !turn.as.includes("output"));
  const groups = [
    { word: "Wrote", turns: wrote.toReversed() },
    { word: "Read", turns: read.toReversed() },
  ].filter((group) => group.turns.length > 0);
  if (groups.length === 0)
    return (
      <p className="text-ink-3">
        No turn yet. It is in {formatCount(sightings.box_count, "box", "boxes")} that nobody has read.
      </p>
    );
  return (
    <div className="grid grid-cols-[56px_minmax(0,1fr)] gap-y-2">
      {groups.map((group) => (
        <Group key={group.word} projectId={projectId} {...group} />
      ))}
      {sightings.turns.length < sightings.turn_count ? (
        <p className="col-span-2 text-ink-3">
          {formatNumber(sightings.turns.length)} of {formatNumber(sightings.turn_count)} turns, the newest.
        </p>
      ) : null}
      {sightings.looked_at === undefined ? null : (
        <p className="col-span-2 text-ink-3">
          It is in more boxes than are looked at: the turns are those of the newest {formatNumber(sightings.looked_at)}.
        </p>
      )}
      {sightings.turns.length === 0 ? null : (
        <p className="col-span-2">
          <Link className="link" href={yardHref(projectId, cardId, sightings.turns)}>
            Show them in the yard
          </Link>
        </p>
      )}
      {sightings.request_count === 0 ? null : (
        <p className="col-span-2 text-ink-3">
          Sent to a model {sightings.request_count === 1 ? "once" : `${formatNumber(sightings.request_count)} times`}.
        </p>
      )}
    </div>
  );
}

type GroupProps = { projectId: string; word: string; turns: CardSightings["turns"] };

function Group({ projectId, word, turns }: GroupProps) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? turns : turns.slice(0, turnsPerGroup);
  return (
    <>
      <span className="text-ink-3 text-note leading-5">{word}</span>
      <div className="flex flex-wrap gap-x-3 gap-y-1.5">
        {shown.map((turn) => (
          <Link
            key={turn.agent_turn_id}
            href={`/p/${encodeURIComponent(projectId)}?run=${turn.root_turn_id}&turn=${turn.agent_turn_id}`}
            title={`${turn.profile_name} ${turn.headcode}, ${turn.status}: ${turn.title}`}
            className="flex min-w-[58px] items-center gap-[5px] hover:underline"
          >
            {turn.is_human ? (
              <HumanMark name={userOf(turn.agent_id)} size={16} />
            ) : (
              <AgentMark agentId={turn.agent_id} profile={turn.profile_name} size={16} />
            )}
            <Plate code={turn.headcode} tone="bare" />
          </Link>
        ))}
        {shown.length < turns.length ? (
          <Button size="sm" variant="ghost" onClick={() => setIsWhole(true)}>
            {formatNumber(turns.length - shown.length)} more
          </Button>
        ) : null}
      </div>
    </>
  );
}

function Boxes({ projectId, sightings, boxId }: { projectId: string; sightings: CardSightings; boxId: string | null }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? sightings.boxes : sightings.boxes.slice(0, 8);
  return (
    <Section title="Boxes that hold it" note={formatNumber(sightings.box_count)}>
      <ul>
        {shown.map((place) => (
          <li key={place.box_id}>
            <Link
              href={`/p/${encodeURIComponent(projectId)}/boxes/${place.box_id}?card=${place.position + 1}`}
              aria-current={place.box_id === boxId ? "true" : undefined}
              className="flex h-6 items-center gap-2 hover:bg-raise"
            >
              <BoxId code={boxPlate(place.box_id)} title={place.box_id} />
              <span className={place.box_id === boxId ? "font-semibold" : "text-ink-2"}>
                {place.box_id === boxId ? "this one" : place.kind}
              </span>
              {place.headcode === undefined ? null : <Plate code={place.headcode} tone="bare" />}
              <span className="flex-1 text-right text-ink-3">
                {formatNumber(place.position + 1)} of {formatNumber(place.length)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {shown.length < sightings.boxes.length ? (
        <Button size="sm" variant="ghost" onClick={() => setIsWhole(true)}>
          {formatNumber(sightings.boxes.length - shown.length)} more
        </Button>
      ) : null}
      {isWhole && sightings.boxes.length < sightings.box_count ? (
        <p className="text-ink-3">
          {formatNumber(sightings.boxes.length)} of {formatNumber(sightings.box_count)} boxes, the newest.
        </p>
      ) : null}
    </Section>
  );
}
