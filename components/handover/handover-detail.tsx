"use client";

// The card of the chosen row: what became of it and why, its text, and what a copy changed. A redacted card's original is never
// shown here: its counts by kind are.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { ContentChange } from "@/components/domain/content-change";
import { useTRPC } from "@/components/trpc/client";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { RoleTag } from "@/components/ui/role-tag";
import { Skeleton } from "@/components/ui/skeleton";
import { useIsPhone } from "@/components/ui/use-is-phone";
import { diffContents } from "@/server/contract/box-diff/diff-contents";
import type { Card } from "@/server/contract/card";
import { contentText } from "@/server/contract/card";
import type { HandoverRow } from "@/server/contract/handover-diff";
import type { CardLine } from "@/server/contract/line";
import { VerdictSign } from "./verdict-sign";
import { cardOf } from "./view/aligned-rows";
import { verdictNames, verdictSentences } from "./view/verdict-words";

export function HandoverDetail({ projectId, row }: { projectId: string; row: HandoverRow | undefined }) {
  if (row === undefined)
    return (
      <section aria-label="The chosen card" className="handover-detail">
        <p className="text-ink-3">Choose a card to read it here.</p>
      </section>
    );
  return <Chosen projectId={projectId} row={row} />;
}

function Chosen({ projectId, row }: { projectId: string; row: HandoverRow }) {
  const trpc = useTRPC();
  const isPhone = useIsPhone();
  const section = useRef<HTMLElement>(null);
  const id = cardOf(row)?.card_id;
  // Below a list that is longer than the screen, what was chosen would be out of sight.
  useEffect(() => {
    if (isPhone && id !== undefined) section.current?.scrollIntoView({ block: "nearest" });
  }, [isPhone, id]);
  const line = cardOf(row);
  const before = row.verdict === "rewritten" ? (row.had ?? row.card) : undefined;
  const own = useQuery(
    trpc.card.get.queryOptions(
      { project_id: projectId, card_id: line?.card_id ?? "" },
      { enabled: line !== undefined },
    ),
  );
  const old = useQuery(
    trpc.card.get.queryOptions(
      { project_id: projectId, card_id: before?.card_id ?? "" },
      { enabled: before !== undefined },
    ),
  );
  const { verdict, reason } = row;
  return (
    <section ref={section} aria-label="The chosen card" className="handover-detail">
      <div className="handover-why">
        <h2 className="flex items-center gap-1.5 font-semibold">
          <VerdictSign verdict={verdict} isNamed />
          {verdictNames[verdict]}
        </h2>
        <p className="mt-1 text-ink-2">{verdictSentences[verdict]}</p>
        {reason === undefined ? null : <p className="mt-1">{reason}</p>}
        {row.differs ? <p className="mt-1">Not all branches of the fork were given it.</p> : null}
      </div>
      <div className="handover-text">
        {line === undefined ? null : <CardHead projectId={projectId} line={line} />}
        {before === undefined ? (
          <Text card={own.data} error={own.error?.message} />
        ) : (
          <Changed before={old.data} after={own.data} error={(own.error ?? old.error)?.message} />
        )}
      </div>
    </section>
  );
}

function CardHead({ projectId, line }: { projectId: string; line: CardLine }) {
  return (
    <p className="flex flex-none items-center gap-2">
      <RoleTag cardRole={line.role} />
      <Link
        className="link mono"
        href={`/p/${encodeURIComponent(projectId)}/cards/${encodeURIComponent(line.card_id)}`}
        prefetch={false}
      >
        {line.type}
      </Link>
      <span className="text-ink-3">by {line.author_id}</span>
      <span className="flex-1" />
      <span className="text-ink-2">{formatNumber(line.token_count)} tokens</span>
    </p>
  );
}

type Known = { card: Card | undefined; error: string | undefined };

function Text({ card, error }: Known) {
  if (error !== undefined) return <p className="text-st-failed">{error}</p>;
  if (card === undefined) return <Skeleton className="h-16 w-2/3" />;
  if (card.content === null) return <p className="text-ink-3">Its content was deleted.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <pre dir="auto" tabIndex={0} className="content-change">
      {contentText(card.content)}
    </pre>
  );
}

type Pair = { before: Card | undefined; after: Card | undefined; error: string | undefined };

function Changed({ before, after, error }: Pair) {
  const change = useMemo(() => before && after && diffContents(before.content, after.content), [before, after]);
  if (error !== undefined) return <p className="text-st-failed">{error}</p>;
  if (change === undefined) return <Skeleton className="h-16 w-2/3" />;
  return <ContentChange change={change} />;
}
