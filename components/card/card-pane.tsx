"use client";

// One card beside the list it was chosen from: waybill, content, facts. On a phone it takes the screen, with a way back.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure } from "@/components/domain/failure";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/components/ui/format";
import { Skeleton } from "@/components/ui/skeleton";
import type { BoxLine } from "@/server/contract/line";
import { CardFacts } from "./card-facts";
import { CardReader } from "./card-reader";
import type { CardView } from "./card-views";
import { Waybill } from "./waybill";
import "./card.css";

export type CardPaneProps = {
  projectId: string;
  boxId: string;
  /** Cards in the box. */
  length: number;
  line: BoxLine;
  onBack: () => void;
};

export function CardPane({ projectId, boxId, length, line, onBack }: CardPaneProps) {
  const trpc = useTRPC();
  const id = { project_id: projectId, card_id: line.card_id };
  const sheet = useQuery(trpc.card.get.queryOptions(id, patient));
  const sightings = useQuery(trpc.card.sightings.queryOptions(id, patient));
  const [preferred, setPreferred] = useState<CardView | null>(null);
  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex flex-none items-center border-line border-b px-2 py-1 sm:hidden">
        <Button variant="ghost" icon="left" onClick={onBack}>
          All {formatNumber(length)} cards
        </Button>
      </div>
      <div className="card-pane">
        <Waybill
          projectId={projectId}
          line={line}
          sheet={sheet.data}
          place={{ name: "Position", value: `${formatNumber(line.position + 1)} of ${formatNumber(length)}` }}
          marks={sheet.data?.marks ?? []}
          isLinked
        >
          {sheet.error && !sheet.data ? (
            <Failure size="panel" error={sheet.error} what="card" name={line.card_id} onRetry={sheet.refetch} />
          ) : sheet.data === undefined ? (
            <ReaderSkeleton />
          ) : (
            <CardReader card={sheet.data} preferred={preferred} onPrefer={setPreferred} />
          )}
        </Waybill>
        <CardFacts
          projectId={projectId}
          cardId={line.card_id}
          card={sheet.data}
          sightings={sightings.data}
          sightingsError={sightings.data ? null : (sightings.error?.message ?? null)}
          boxId={boxId}
        />
      </div>
    </div>
  );
}

export function ReaderSkeleton() {
  return (
    <div role="status" aria-label="Loading the card" className="grid gap-2.5 pt-12">
      <Skeleton className="h-2.5 w-3/5" />
      <Skeleton className="h-2.5 w-4/5" />
      <Skeleton className="h-2.5 w-1/2" />
    </div>
  );
}
