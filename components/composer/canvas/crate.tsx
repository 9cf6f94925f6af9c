"use client";

// A box, a card or an input that wagons load: no wagon, so it stands on no track.
import { useQuery } from "@tanstack/react-query";
import { memo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Consist } from "@/components/ui/consist";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { RoleTag } from "@/components/ui/role-tag";
import { parseConsist } from "@/server/contract/consist";
import { useChecked, useComposer, useDrawn, useIsSelected } from "../composer-context";
import { filledIn } from "../draft/given-inputs";
import { crateId } from "../drawing/links";
import { plate } from "../drawing/loads";
import type { DrawnCrate } from "../drawing/wires";

export const Crate = memo(function Crate({ crate }: { crate: DrawnCrate }) {
  const { box, kind, ref } = crate;
  const known = useCrate(crate);
  const isSelected = useIsSelected(crateId(crate.id));
  const value = useDrawn(
    ({ inputs, plan }) => filledIn(inputs, ref) || (plan.inputs.find(({ name }) => name === ref)?.default ?? ""),
  );
  const missing = useChecked(({ problems }) =>
    problems.some(({ code, message }) => code === "box_missing" && message.includes(ref)),
  );
  return (
    <div
      className="crate"
      data-crate={crate.id}
      data-missing={missing ? "" : undefined}
      data-selected={isSelected ? "" : undefined}
      title={
        missing
          ? `${kind} ${ref} is not in this project`
          : kind === "input"
            ? value || "Filled in at each launch"
            : known.words
      }
      style={{ transform: `translate(${box.x}px, ${box.y}px)`, width: box.w, height: box.h }}
    >
      {kind === "card" ? (
        <RoleTag cardRole={known.role} />
      ) : (
        <Icon name={kind === "input" ? "target" : "boxes"} size={14} />
      )}
      {kind === "input" ? null : <span className="mono text-ink-2">{plate(ref)}</span>}
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {kind === "input" ? ref : missing ? "not in this project" : known.words}
      </span>
      {known.tokens === null ? null : <span className="text-ink-3">{formatNumber(known.tokens)}</span>}
      {known.consist === "" ? null : <Consist cards={parseConsist(known.consist)} height={4} />}
    </div>
  );
});

/** What it holds, as far as it is known. */
function useCrate({ kind, ref }: Pick<DrawnCrate, "kind" | "ref">) {
  const trpc = useTRPC();
  const { projectId } = useComposer();
  const found = useQuery(
    trpc.palette.search.queryOptions(
      { project_id: projectId, query: ref, kinds: [kind === "card" ? "card" : "box"], limit: 1 },
      { enabled: kind !== "input", staleTime: 60_000 },
    ),
  );
  const box = found.data?.boxes.find((hit) => hit.box_id === ref);
  const card = found.data?.cards.find((hit) => hit.card_id === ref);
  return {
    words: box
      ? [box.owner_title ?? box.owner_profile_name, box.kind].filter(Boolean).join(", ")
      : (card?.excerpt ?? ""),
    tokens: box?.token_sum ?? card?.token_count ?? null,
    consist: box?.consist ?? "",
    role: card?.role ?? ("user" as const),
  };
}
