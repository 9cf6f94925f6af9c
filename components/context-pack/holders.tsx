"use client";

// The boxes that hold this pack: how far it has travelled, and how much of each box it takes.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { BoxId } from "@/components/ui/box-id";
import { Button } from "@/components/ui/button";
import { Consist } from "@/components/ui/consist";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { PackHolder, PackHolders } from "@/server/contract/answers/context-packs";
import { boxPlate } from "@/server/contract/box";
import { parseConsist } from "@/server/contract/consist";

/** Rows before the rest is asked for. */
const FIRST = 8;

const holdersQuery = (projectId: string, pack: string) => ({ project_id: projectId, pack });

export function Holders({ projectId, pack }: { projectId: string; pack: string }) {
  const trpc = useTRPC();
  const read = useQuery(trpc.context_pack.boxes.queryOptions(holdersQuery(projectId, pack), { staleTime: 5_000 }));
  if (read.data === undefined)
    return (
      <Section title="Boxes that hold it" className="-mx-4">
        {read.error ? (
          <p className="text-st-failed">
            {read.error.message}{" "}
            <Button size="sm" variant="ghost" onClick={() => void read.refetch()}>
              Try again
            </Button>
          </p>
        ) : (
          <SkeletonRows count={3} rowHeight={36} label="Loading the boxes that hold it" />
        )}
      </Section>
    );
  return <Known projectId={projectId} holders={read.data} />;
}

function Known({ projectId, holders }: { projectId: string; holders: PackHolders }) {
  const [isWhole, setIsWhole] = useState(false);
  const { boxes, box_count, is_all } = holders;
  const shown = isWhole ? boxes : boxes.slice(0, FIRST);
  return (
    <Section title="Boxes that hold it" note={`${formatNumber(box_count)}${is_all ? "" : "+"}`} className="-mx-4">
      {box_count === 0 ? <p className="text-ink-3">It was not handed to an agent yet. Use it in a launch.</p> : null}
      <ul>
        {shown.map((box) => (
          <Row key={box.box_id} projectId={projectId} box={box} />
        ))}
      </ul>
      {shown.length < boxes.length ? (
        <Button size="sm" variant="ghost" onClick={() => setIsWhole(true)}>
          {formatNumber(boxes.length - shown.length)} more
        </Button>
      ) : null}
      {isWhole && (boxes.length < box_count || !is_all) ? (
        <p className="text-ink-3 text-note">The newest {formatNumber(boxes.length)} are shown.</p>
      ) : null}
    </Section>
  );
}

function Row({ projectId, box }: { projectId: string; box: PackHolder }) {
  const { box_id, kind, length, token_sum, consist, position, tokens, turn } = box;
  const of = turn === undefined ? kind : `${kind} of ${turn.profile_name} ${turn.headcode}`;
  const words = `${of}: card ${formatNumber(position + 1)} of ${formatNumber(length)}, ${formatNumber(tokens)} of ${formatNumber(token_sum)} tokens`;
  return (
    <li>
      <Link
        href={`/p/${encodeURIComponent(projectId)}/boxes/${box_id}?card=${position + 1}`}
        prefetch={false}
        title={words}
        className="grid h-9 grid-cols-[62px_56px_minmax(0,1fr)] items-center gap-2 hover:bg-raise"
      >
        <BoxId code={boxPlate(box_id)} title={box_id} />
        {turn === undefined ? <span className="text-ink-2">{kind}</span> : <Plate code={turn.headcode} tone="bare" />}
        <span className="flex min-w-0 flex-col gap-1">
          <Consist cards={parseConsist(consist)} height={7} label={words} />
          <span className="truncate text-[11px] text-ink-3 leading-3">
            {turn === undefined ? "" : `${kind === "context" ? "read by" : "written by"} ${turn.profile_name}`}
          </span>
        </span>
      </Link>
    </li>
  );
}
