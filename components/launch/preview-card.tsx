"use client";

// One card of the order as text. A card that is stored is read whole by its id; one that is yet to be made comes with the
// dry run.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { formatNumber } from "@/components/ui/format";
import { contentText } from "@/server/contract/card";
import type { OrderRow } from "./order-rows";

export type PreviewCardProps = { projectId: string; row: Extract<OrderRow, { kind: "card" | "prompt" }> };

export function PreviewCard({ projectId, row }: PreviewCardProps) {
  const isPrompt = row.kind === "prompt";
  const title = isPrompt ? "System prompt" : `Card ${row.place} as text`;
  return (
    <section aria-label={title} className="flex min-h-0 flex-none flex-col pb-1">
      <div className="flex h-7 flex-none items-center px-4 text-ink-3 text-note">
        <span>{title}</span>
        <span className="flex-1" />
        <span>{formatNumber(isPrompt ? row.tokens : row.card.token_count)}</span>
      </div>
      {row.kind === "card" && !row.card.is_new ? (
        <StoredText projectId={projectId} cardId={row.card.card_id} beginning={row.card.text} />
      ) : (
        <Text text={isPrompt ? row.text : row.card.text} />
      )}
    </section>
  );
}

function StoredText({ projectId, cardId, beginning }: { projectId: string; cardId: string; beginning: string }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.card.get.queryOptions({ project_id: projectId, card_id: cardId }));
  if (error !== null) return <p className="px-4 text-st-failed">{error.message}</p>;
  return <Text text={data === undefined ? beginning : contentText(data.content)} />;
}

function Text({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <pre dir="auto" tabIndex={0} className="launch-pre mx-3.5 max-h-44">
      {text === "" ? "(empty)" : text}
    </pre>
  );
}
