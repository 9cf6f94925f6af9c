"use client";

// Answers around the selected line that went nowhere, as the alarms have found them: what a lens of hand-overs cannot draw.
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { TurnFrame } from "@/server/contract/frame";
import { useYard } from "../yard-context";
import { type LeftAnswer, leftAnswers } from "./left-answers";

const LISTED_MAX = 6;

/** `turnIds`: the ends of the line; of them and of those they called. */
export function StayedBehind({ turnIds }: { turnIds: readonly string[] }) {
  const { projectId, live } = useYard();
  const get = useCallback(() => live.getPicture(), [live]);
  const picture = useSyncExternalStore(live.subscribe, get, get);
  const found = useMemo(() => leftAnswers(picture, turnIds), [picture, turnIds]);
  if (found.length === 0) return null;
  return (
    <Section title={found.length === 1 ? "An answer stayed behind" : "Answers stayed behind"}>
      <ul className="grid gap-y-2.5">
        {found.slice(0, LISTED_MAX).map(({ turn, tokens, isUnread }) => (
          <li key={turn.agent_turn_id} className="flex gap-2">
            <Icon name="warn" size={16} className="mt-0.5 flex-none text-st-partial" />
            <span>
              <span className="block text-ink-2">{sentence({ turn, tokens, isUnread })}</span>
              <Link className="link" prefetch={false} href={hrefOf(projectId, turn)}>
                {turn.deliverable_card_id ? `Open the card of ${turn.headcode}` : `Open ${turn.headcode}`}
              </Link>
            </span>
          </li>
        ))}
      </ul>
      {found.length > LISTED_MAX ? (
        <p className="mt-1 text-ink-3">
          {LISTED_MAX} of {formatNumber(found.length)}.
        </p>
      ) : null}
    </Section>
  );
}

const sentence = ({ turn, tokens, isUnread }: LeftAnswer): string =>
  isUnread
    ? `${turn.headcode} delivered ${formatNumber(tokens)} tokens that no request of the run holds.`
    : `${turn.headcode} delivered ${formatNumber(tokens)} tokens that its caller was never sent.`;

const hrefOf = (projectId: string, { agent_turn_id, deliverable_card_id: card }: TurnFrame): string =>
  `/p/${encodeURIComponent(projectId)}/${card ? `cards/${encodeURIComponent(card)}` : `turns/${encodeURIComponent(agent_turn_id)}`}`;
