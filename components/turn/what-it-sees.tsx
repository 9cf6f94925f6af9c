"use client";

// How full the window of the model is, and the boxes of the turn: what it was given, and what it wrote.
import { type ReactNode, useMemo } from "react";
import { WindowGauge } from "@/components/domain/window-gauge";
import { BoxId } from "@/components/ui/box-id";
import type { ConsistCard } from "@/components/ui/consist-segments";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { OriginMark } from "@/components/ui/origin-mark";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import { originNames } from "@/components/ui/sign-words";
import { Skeleton } from "@/components/ui/skeleton";
import { boxPlate } from "@/server/contract/box";
import { parseConsist } from "@/server/contract/consist";
import type { TurnFrame } from "@/server/contract/frame";
import { gaugeOf, gaugeStep, heldTokens } from "@/server/contract/tokens";
import { isEnded } from "@/server/contract/turn";
import type { TurnDetail } from "@/server/contract/turn-detail";
import { originCounts } from "./turn-view";

export type WhatItSeesProps = { projectId: string; turn: TurnFrame; detail: TurnDetail | undefined };

export function WhatItSees({ projectId, turn, detail }: WhatItSeesProps) {
  const cards = useMemo<ConsistCard[]>(
    () => [
      ...parseConsist(turn.context_consist),
      ...parseConsist(turn.output_consist).map((run) => ({ ...run, faded: true })),
    ],
    [turn.context_consist, turn.output_consist],
  );
  const isHuman = turn.is_human;
  const gauge = isHuman ? null : gaugeOf(turn);
  const step = gauge === null ? undefined : gaugeStep(gauge, detail?.steps ?? []);
  const held = heldTokens(turn);
  return (
    <Section title={isHuman ? "What it provided" : "What it sees"}>
      {held > 0 || gauge !== null ? (
        <div className="mb-2.5">
          <WindowGauge
            gauge={gauge}
            window={turn.window_tokens}
            of={step && `step ${step.ordinal}`}
            reported={step?.usage?.input_tokens}
            cards={cards}
            held={held}
            isLoading={detail === undefined}
            isAsked={!isHuman && !isImported(turn)}
            height={14}
          />
        </div>
      ) : null}
      <BoxRow
        projectId={projectId}
        boxId={turn.context_box_id}
        name={isHuman ? "Put in" : "Given"}
        part="given"
        cards={turn.context_cards}
        tokens={turn.context_tokens}
      />
      {detail === undefined && turn.context_cards > 0 ? (
        <p className="flex h-[calc(1lh+6px)] items-center pl-4 text-note">
          <Skeleton className="h-2 w-32" />
        </p>
      ) : null}
      {detail && detail.context_origins.length > 0 ? (
        <p className="flex flex-wrap gap-x-3 gap-y-0.5 pt-px pb-[5px] pl-4 text-note text-ink-2">
          {originCounts(detail.context_origins).map(({ kind, cards: count }) => (
            <span key={kind} className="flex items-center gap-1">
              <OriginMark origin={kind} label={null} />
              {formatNumber(count)} {originNames[kind]}
            </span>
          ))}
        </p>
      ) : null}
      {(detail?.context_packs ?? []).map(({ sha256, code }) => (
        <Link
          key={sha256}
          href={`/p/${encodeURIComponent(projectId)}/packs/${sha256}`}
          prefetch={false}
          className="-mx-1.5 flex h-6 items-center gap-[9px] rounded-1 px-1.5 hover:bg-raise max-sm:h-11"
        >
          <Icon name="packs" size={13} className="text-ink-3" />
          Context pack
          <span className="flex-1" />
          <Plate code={code} tone="bare" />
        </Link>
      ))}
      {isHuman ? null : (
        <Link
          href={`/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(turn.agent_turn_id)}/handover`}
          prefetch={false}
          className="-mx-1.5 flex h-6 items-center gap-[9px] rounded-1 px-1.5 hover:bg-raise max-sm:h-11"
        >
          <Icon name="diff" size={13} className="text-ink-3" />
          What its caller had, and what arrived
        </Link>
      )}
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
          name={isEnded(turn.status) ? "Written" : "Written so far"}
          {...(isUnrecorded(turn)
            ? { cards: undefined, tokens: undefined, instead: "not recorded" }
            : { cards: turn.output_cards, tokens: turn.output_tokens })}
        />
      )}
    </Section>
  );
}

const isImported = (turn: TurnFrame): boolean => turn.profile_name.startsWith("import:");
/** Of a log every turn has ended: this one is shown as it was before, and a log does not say when it wrote what. */
const isUnrecorded = (turn: TurnFrame): boolean => isImported(turn) && !isEnded(turn.status) && turn.output_cards === 0;

type BoxRowProps = {
  projectId: string;
  boxId: string;
  name: ReactNode;
  /** What the tour points at. */
  part?: string;
  /** Absent while they are on their way. */
  cards: number | undefined;
  tokens: number | undefined;
  /** Said where there will be no figures. */
  instead?: string;
};

function BoxRow({ projectId, boxId, name, part, cards, tokens, instead }: BoxRowProps) {
  return (
    <Link
      href={`/p/${encodeURIComponent(projectId)}/boxes/${encodeURIComponent(boxId)}`}
      data-part={part}
      className="-mx-1.5 flex h-6 items-center gap-[9px] rounded-1 px-1.5 hover:bg-raise max-sm:h-11"
    >
      <BoxId code={boxPlate(boxId)} title={boxId} />
      <span>{name}</span>
      <span className="flex-1" />
      {instead === undefined ? null : <span className="text-ink-3">{instead}</span>}
      {cards === undefined ? null : <span className="text-ink-2">{formatCount(cards, "card")}</span>}
      <b className="min-w-11 text-right">{tokens === undefined ? "" : formatNumber(tokens)}</b>
    </Link>
  );
}
