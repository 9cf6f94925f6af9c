"use client";

// A card by itself: the waybill, where it came from, every box that holds it and everybody who saw it.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AlarmNote, useAreAlarmsKnown } from "@/components/domain/alarm-note";
import { Failure } from "@/components/domain/failure";
import { useDeletions } from "@/components/domain/use-deletions";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { formatCount } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import { useTabTitle } from "@/components/ui/tab-title";
import type { CardSheet } from "@/server/contract/line";
import { CardFacts } from "./card-facts";
import { ReaderSkeleton } from "./card-pane";
import { CardReader } from "./card-reader";
import type { CardView } from "./card-views";
import { DeleteCard } from "./delete-card";
import { Waybill } from "./waybill";
import "./card.css";
import { shortId } from "./lineage";

export function CardScreen({ projectId, cardId }: { projectId: string; cardId: string }) {
  const trpc = useTRPC();
  const id = { project_id: projectId, card_id: cardId };
  const sheet = useQuery(trpc.card.get.queryOptions(id, patient));
  const areAlarmsKnown = useAreAlarmsKnown(projectId, cardId);
  const sightings = useQuery(trpc.card.sightings.queryOptions(id, patient));
  useDeletions({
    projectId,
    cursor: sheet.data?.live_cursor,
    read: async () => (await sheet.refetch()).data?.live_cursor,
  });
  const [preferred, setPreferred] = useState<CardView | null>(null);
  useTabTitle(sheet.data === undefined ? "Card" : `${sheet.data.type} ${shortId(cardId)}`);
  if (sheet.error && !sheet.data)
    return (
      <Failure
        error={sheet.error}
        what="card"
        name={cardId}
        onRetry={sheet.refetch}
        way={
          <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/cards`}>
            All cards
          </Link>
        }
      />
    );
  const card = sheet.data;
  if (card === undefined || !areAlarmsKnown) return <CardSkeleton />;
  const boxes = sightings.data?.box_count;
  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 className="sr-only">Card {card.card_id}</h1>
      <AlarmNote projectId={projectId} subjectId={cardId} />
      <div className="card-pane">
        <Waybill
          projectId={projectId}
          line={lineOf(card)}
          sheet={card}
          place={{ name: "In boxes", value: boxes === undefined ? "…" : formatCount(boxes, "box", "boxes") }}
          marks={card.marks}
          isLinked={false}
          action={
            card.gone === undefined && card.type !== "sys.profile" ? (
              <DeleteCard projectId={projectId} cardId={cardId} />
            ) : undefined
          }
        >
          <CardReader card={card} preferred={preferred} onPrefer={setPreferred} />
        </Waybill>
        <CardFacts
          projectId={projectId}
          cardId={cardId}
          card={card}
          sightings={sightings.data}
          sightingsError={sightings.data ? null : (sightings.error?.message ?? null)}
          boxId={null}
        />
      </div>
    </div>
  );
}

export function CardSkeleton() {
  return (
    <div role="status" aria-label="Loading the card" className="m-3.5 flex-1 px-3.5 pt-3.5">
      <Skeleton className="h-3.5 w-48" />
      <Skeleton className="mt-6 h-8 w-full" />
      <ReaderSkeleton />
    </div>
  );
}

const lineOf = (card: CardSheet) => ({
  card_id: card.card_id,
  type: card.type,
  role: card.role,
  author_id: card.author_id,
  token_count: card.token_count,
  title: "",
  gone: card.gone,
  created_at: card.created_at,
});
