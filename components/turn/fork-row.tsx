"use client";

// One message of the request in the fork dialog, and what is to become of it.
import { useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { formatNumber } from "@/components/ui/format";
import { RoleTag } from "@/components/ui/role-tag";
import { Segmented } from "@/components/ui/segmented";
import { TextArea } from "@/components/ui/text-area";
import { contentText } from "@/server/contract/card";
import type { SeenMessage } from "@/server/contract/turn-sheet";
import { goingOf, irreplaceable, type SeenCard, typesOf, undroppable, withoutHeader } from "./fork-cards";
import type { Choice } from "./fork-words";
import { firstLine } from "./step-view";

export type ForkRowProps = {
  projectId: string;
  message: SeenMessage;
  /** Stands for the message. */
  card: SeenCard;
  place: number;
  choice: Choice | null;
  /** It goes with the other half of its call. */
  isFollowing: boolean;
  instructionCardId: string | undefined;
  /** The whole message, of which the row may have the beginning. */
  loadText: () => Promise<string>;
  onChoose: (choice: Choice | null) => void;
};

export function ForkRow(props: ForkRowProps) {
  const { projectId, message, card, place, choice, isFollowing, instructionCardId, loadText, onChoose } = props;
  const client = useTRPCClient();
  const [error, setError] = useState<string | null>(null);
  // The message may carry a preamble that is no part of its card: what is edited is the card. A text for several cards begins
  // as all that they say.
  async function replace() {
    setError(null);
    try {
      if (goingOf(message).length > 1) {
        onChoose({ kind: "replace", with: withoutHeader(await loadText()) });
        return;
      }
      const { content } = await client.card.get.query({ project_id: projectId, card_id: card.card_id });
      onChoose({ kind: "replace", with: contentText(content), was: content });
    } catch (refused) {
      setError(refused instanceof Error ? refused.message : String(refused));
    }
  }
  const others = message.cards.length - 1;
  const [noDrop, noReplace] = [undroppable(message, instructionCardId), irreplaceable(message)];
  const isGone = choice?.kind === "drop" || isFollowing;
  const first = firstLine(message.text) || message.tool_calls.map((call) => call.tool_name).join(", ");
  return (
    <li className="fork-row">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="w-4 flex-none text-right text-ink-3">{place}</span>
        <RoleTag cardRole={message.role} />
        <span className={`mono flex-none ${isGone ? "line-through" : ""}`} title={typesOf(message.cards)}>
          {card.type}
          {others > 0 ? ` +${others}` : ""}
        </span>
        <span className={`min-w-24 flex-1 truncate text-ink-2 ${isGone ? "line-through" : ""}`} title={first}>
          {first}
        </span>
        <b className="w-11 flex-none text-right font-semibold">{formatNumber(message.tokens)}</b>
        {isFollowing ? (
          <span className="flex-none text-ink-3">goes with its call</span>
        ) : (
          <Segmented
            label={`Message ${place}, ${card.type}`}
            value={choice?.kind ?? "keep"}
            onChange={(next) => {
              if (next === "replace") void replace();
              else onChoose(next === "drop" ? { kind: "drop" } : null);
            }}
            choices={[
              { value: "keep", label: "Keep" },
              { value: "replace", label: "Replace", isDisabled: noReplace !== null },
              { value: "drop", label: "Drop", isDisabled: noDrop !== null },
            ]}
          />
        )}
      </div>
      {isFollowing
        ? null
        : [noDrop, noReplace].map((why) =>
            why === null ? null : (
              <p key={why} className="mt-1 pl-6 text-ink-3">
                {why}
              </p>
            ),
          )}
      {choice?.kind === "replace" && !isFollowing ? (
        <TextArea
          aria-label={`Replacement for message ${place}`}
          rows={5}
          className="mt-2"
          value={choice.with}
          onChange={(event) => onChoose({ ...choice, with: event.target.value })}
        />
      ) : null}
      {error === null ? null : (
        <p role="alert" className="mt-1 text-st-failed">
          The card could not be loaded: {error}
        </p>
      )}
    </li>
  );
}
