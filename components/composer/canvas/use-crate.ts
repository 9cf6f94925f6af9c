"use client";

// What a box or a card holds, as far as it is known: its crate, and the row that loads it, name it in the same words.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { useComposer } from "../composer-context";
import type { Crate } from "../drawing/loads";

export function useCrate({ kind, ref }: Pick<Crate, "kind" | "ref">) {
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
    words: box ? boxName(box) : (card?.excerpt ?? ""),
    tokens: box?.token_sum ?? card?.token_count ?? null,
    consist: box?.consist ?? "",
    role: card?.role ?? ("user" as const),
  };
}

type Named = { kind: string; owner_title?: string; owner_profile_name?: string; opening?: string };

/** A box of a turn has that turn's title. One that a person or a program made is known by how it begins. */
export function boxName({ kind, owner_title, owner_profile_name, opening }: Named): string {
  const owner = owner_title ?? owner_profile_name;
  return owner === undefined ? (opening ?? `${kind} box`) : `${owner}, ${kind}`;
}
