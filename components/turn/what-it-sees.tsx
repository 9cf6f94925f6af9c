"use client";

// Everything the model reads, to scale against its window, and the boxes it is made of.
import Link from "next/link";
import { type ReactNode, useMemo } from "react";
import { BoxId } from "@/components/ui/box-id";
import { Consist } from "@/components/ui/consist";
import type { ConsistCard } from "@/components/ui/consist-segments";
import { formatCompact, formatCount, formatNumber } from "@/components/ui/format";
import { OriginMark } from "@/components/ui/origin-mark";
import { Section } from "@/components/ui/section";
import { boxPlate } from "@/server/contract/box";
import { parseConsist } from "@/server/contract/consist";
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import type { TurnDetail } from "@/server/contract/turn-detail";
import { originCounts, originWords } from "./turn-view";

export type WhatItSeesProps = { projectId: string; turn: TurnFrame; detail: TurnDetail | undefined };

export function WhatItSees({ projectId, turn, detail }: WhatItSeesProps) {
  const profileTokens = detail?.profile_tokens ?? 0;
  const given = profileTokens + turn.context_tokens;
  const total = given + turn.output_tokens;
  const window = turn.window_tokens > 0 ? turn.window_tokens : null;
  const cards = useMemo<ConsistCard[]>(
    () => [
      { role: "system", tokens: profileTokens },
      ...parseConsist(turn.context_consist),
      ...parseConsist(turn.output_consist).map((run) => ({ ...run, faded: true })),
    ],
    [profileTokens, turn.context_consist, turn.output_consist],
  );
  const isHuman = turn.is_human;
  return (
    <Section
      title={isHuman ? "What it provided" : "What it sees"}
      note={
        <span className="text-ink-2">
          {window ? `${formatCompact(total)} of ${formatCompact(window)}` : formatCompact(total)}
        </span>
      }
    >
      {total > 0 ? (
        <div className="relative mb-2.5">
          <Consist
            cards={cards}
            window={window}
            height={14}
            label={`${formatNumber(given)} tokens given, ${formatNumber(turn.output_tokens)} produced`}
          />
          {given > 0 && turn.output_tokens > 0 ? (
            <i
              aria-hidden
              title="Left: given. Right: added during the turn"
              className="absolute -top-[3px] -bottom-[3px] w-0.5 bg-ink"
              style={{ left: `${Math.min(100, (given / Math.max(window ?? 0, total)) * 100)}%` }}
            />
          ) : null}
        </div>
      ) : null}
      <BoxRow
        projectId={projectId}
        boxId={turn.context_box_id}
        name="Context in"
        cards={turn.context_cards}
        tokens={turn.context_tokens}
      />
      {detail && detail.context_origins.length > 0 ? (
        <p className="flex flex-wrap gap-x-3 gap-y-0.5 pt-px pb-[5px] pl-4 text-note text-ink-2">
          {originCounts(detail.context_origins).map(({ kind, cards: count }) => (
            <span key={kind} className="flex items-center gap-1">
              <OriginMark origin={kind} label={null} />
              {formatNumber(count)} {originWords[kind]}
            </span>
          ))}
        </p>
      ) : null}
      {isHuman ? null : (
        <BoxRow
          projectId={projectId}
          boxId={turn.profile_box_id}
          name="Profile"
          cards={detail?.profile_cards}
          tokens={detail?.profile_tokens}
        />
      )}
      {turn.output_box_id === undefined ? null : (
        <BoxRow
          projectId={projectId}
          boxId={turn.output_box_id}
          name={isEnded(turn.status) ? "Output" : "Output so far"}
          cards={turn.output_cards}
          tokens={turn.output_tokens}
        />
      )}
    </Section>
  );
}

type BoxRowProps = {
  projectId: string;
  boxId: string;
  name: ReactNode;
  /** Absent while they are on their way. */
  cards: number | undefined;
  tokens: number | undefined;
};

function BoxRow({ projectId, boxId, name, cards, tokens }: BoxRowProps) {
  return (
    <Link
      href={`/p/${encodeURIComponent(projectId)}/boxes/${encodeURIComponent(boxId)}`}
      className="-mx-1.5 flex h-6 items-center gap-[9px] rounded-1 px-1.5 hover:bg-raise max-sm:h-11"
    >
      <BoxId code={boxPlate(boxId)} title={boxId} />
      <span>{name}</span>
      <span className="flex-1" />
      {cards === undefined ? null : <span className="text-ink-2">{formatCount(cards, "card")}</span>}
      <b className="min-w-11 text-right">{tokens === undefined ? "" : formatNumber(tokens)}</b>
    </Link>
  );
}
