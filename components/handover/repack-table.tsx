"use client";

// Two columns of cards: what the callee holds, and what it would hold now. The rows that differ can be shown alone.
import { useState } from "react";
import { VerdictBar } from "@/components/domain/verdict-bar";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { RoleTag } from "@/components/ui/role-tag";
import { VerdictMark } from "@/components/ui/verdict-mark";
import {
  type Repack,
  type RepackedCard,
  type RepackRow,
  type RepackVerdict,
  repackVerdicts,
} from "@/server/contract/repack";
import { ColumnHead } from "./column-head";

type Fine = Extract<Repack, { ok: true }>;

export function RepackTable({ repack, isStale }: { repack: Fine; isStale: boolean }) {
  const [verdict, setVerdict] = useState<RepackVerdict | null>(null);
  const { callee, held, now, rows, rows_total, verdicts } = repack;
  const scale = Math.max(held.tokens, now.tokens);
  const shown = verdict === null ? rows : rows.filter((row) => row.verdict === verdict);
  const weights = Object.fromEntries(
    repackVerdicts.flatMap((one) => (verdicts[one].cards > 0 ? [[one, verdicts[one]]] : [])),
  );
  const differ = rows_total - verdicts.same.cards;
  return (
    <section aria-label="What it would hold" className="repack-table" data-stale={isStale || undefined}>
      <VerdictBar
        order={repackVerdicts}
        names={names}
        sentences={sentences}
        sign={(one) => <Mark verdict={one} />}
        weights={weights}
        value={verdict}
        onChange={setVerdict}
      />
      <p aria-live="polite" className="text-ink-2">
        {differ === 0
          ? "It would hold the same cards."
          : `${formatCount(differ, "card")} would differ, ${tokensWords(now.tokens - held.tokens)}.`}
      </p>
      <div className="repack-heads">
        <ColumnHead
          name={`What ${callee.headcode} holds`}
          weight={held}
          scale={scale}
          heading="h3"
          beside="the other column"
        />
        <ColumnHead name="What it would hold now" weight={now} scale={scale} heading="h3" beside="the other column" />
      </div>
      <ul aria-label="Cards of both">
        {shown.map((row) => (
          <Row key={`${row.held?.card_id} ${row.now?.card_id}`} row={row} />
        ))}
      </ul>
      {rows_total > rows.length ? (
        <p className="text-ink-3 text-note">
          {formatNumber(rows.length)} of {formatNumber(rows_total)} cards are listed: those that differ, and the first
          of the others.
        </p>
      ) : null}
    </section>
  );
}

function Row({ row: { verdict, held, now, reason } }: { row: RepackRow }) {
  return (
    <li className="repack-row" data-verdict={verdict}>
      <span className="sr-only">{names[verdict]}. </span>
      <Cell card={held} words={verdict === "left_out" ? reason : undefined} />
      <span className="repack-gap" data-verdict={verdict} title={sentences[verdict]}>
        <Mark verdict={verdict} />
      </span>
      <Cell card={now} words={verdict === "left_out" ? undefined : reason} />
    </li>
  );
}

function Cell({ card, words }: { card: RepackedCard | undefined; words: string | undefined }) {
  if (card === undefined) return <span className="handover-cell" data-empty />;
  const { role, type, title, token_count } = card;
  return (
    <span className="handover-cell" data-stayed={words === undefined ? undefined : true}>
      <RoleTag cardRole={role} />
      <span className="mono flex-none truncate">{type}</span>
      <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2" title={words ?? title}>
        {words ?? title}
      </span>
      <b className="flex-none font-semibold">{formatNumber(token_count)}</b>
    </span>
  );
}

function Mark({ verdict }: { verdict: RepackVerdict }) {
  if (verdict === "changed") return <Icon name="diff" size={14} className="text-role-system" />;
  return <VerdictMark verdict={marks[verdict]} label={null} />;
}

const marks = { same: "passed", added: "added", left_out: "withheld" } as const;
const names: Record<RepackVerdict, string> = { left_out: "Left out", changed: "Changed", added: "Added", same: "Same" };
const sentences: Record<RepackVerdict, string> = {
  left_out: "It holds this card, and would not hold it now.",
  changed: "The same card or argument, as a copy, of another type or with other words.",
  added: "It would hold this card, and does not.",
  same: "It holds this card, and would hold it now.",
};
const tokensWords = (by: number): string =>
  by === 0 ? "with as many tokens" : `${formatCount(Math.abs(by), "token")} ${by < 0 ? "less" : "more"}`;
