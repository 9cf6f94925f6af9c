"use client";

// The chosen place of a box lives in the address: `?card=4` is the fourth row, `?card=<card id>` is wherever that card lies.
import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useCallback } from "react";
import { useTRPC } from "@/components/trpc/client";

export type Choice = {
  /** From 0; null while nothing is chosen, and when what is chosen is not in the box. */
  position: number | null;
  /** The card id in the address is not in this box. */
  missing: string | null;
  /** Where the card of the address lies is being asked. */
  isLooking: boolean;
  choose: (position: number) => void;
  clear: () => void;
};

export function useChoice(projectId: string, boxId: string, length: number): Choice {
  const trpc = useTRPC();
  const [card, setCard] = useQueryState("card", parseAsString);
  const row = rowOf(card);
  const cardId = row === null ? card : null;
  const found = useQuery(
    trpc.box.find.queryOptions(
      { project_id: projectId, box_id: boxId, card_id: cardId ?? "" },
      { enabled: cardId !== null, staleTime: 0 },
    ),
  );
  const choose = useCallback((position: number) => void setCard(String(position + 1)), [setCard]);
  const clear = useCallback(() => void setCard(null), [setCard]);
  const position = row ?? found.data ?? null;
  return {
    position: position === null || position >= length ? null : position,
    isLooking: cardId !== null && found.isPending,
    missing: (row !== null && row >= length) || (cardId !== null && found.data === null) ? card : null,
    choose,
    clear,
  };
}

/** "4" is the fourth row, place 3. Card ids of digits alone are longer than any row number. */
export function rowOf(card: string | null): number | null {
  return card !== null && /^[1-9]\d{0,7}$/.test(card) ? Number(card) - 1 : null;
}
