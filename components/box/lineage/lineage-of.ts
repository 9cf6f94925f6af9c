// A box with its sources and its readers as nodes with links: what the drawing and the list beside it both show.
import { boxPlate, type OriginKind, originKind } from "@/server/contract/box";
import type { BoxLineage } from "@/server/contract/box-lineage";
import type { BoxSheet } from "@/server/contract/line";
import { originWords } from "../origin-text";

export type LineageNode = {
  key: string;
  /** "Box 4E7A", "Lead 1P01", "packed argument instruction" */
  name: string;
  /** "inherited from", "reads this box" */
  says: string;
  origin?: OriginKind;
  /** Absent where there is nothing to open. */
  href?: string;
  /** Cards that went this way; null for a turn, which has the whole box. */
  cards: number | null;
  tokens: number;
};

export type Lineage = { sources: LineageNode[]; turns: LineageNode[]; heirs: LineageNode[] };

export function lineageOf(sheet: BoxSheet, { sources, heirs }: BoxLineage): Lineage {
  const base = `/p/${encodeURIComponent(sheet.project_id)}`;
  return {
    sources: sources.map(({ origin, cards, tokens }): LineageNode => {
      const words = originWords(origin, sheet.origins);
      const known = sheet.origins.find((entry) => entry.origin === origin);
      const href = origin.startsWith("box:")
        ? `${base}/boxes/${origin.slice(4)}`
        : known?.agent_turn_id === undefined
          ? undefined
          : `${base}/turns/${known.agent_turn_id}`;
      const name = [origin.startsWith("box:") ? `Box ${words.code}` : words.code, words.headcode].filter(Boolean);
      return {
        ...{ key: origin, cards, tokens, origin: originKind(origin) },
        name: name.length === 0 ? words.text : name.join(", "),
        says: name.length === 0 ? "" : words.text,
        ...(href !== undefined && { href }),
      };
    }),
    turns: sheet.turns.map((turn) => ({
      key: `turn ${turn.agent_turn_id} ${turn.use}`,
      name: `${turn.profile_name} ${turn.headcode}`.trim(),
      says: useWords[turn.use] ?? "is named as its owner",
      href: `${base}/turns/${turn.agent_turn_id}`,
      cards: null,
      tokens: sheet.token_sum,
    })),
    heirs: heirs.map((heir) => ({
      key: `box ${heir.box_id}`,
      name: [`Box ${boxPlate(heir.box_id)}`, heir.headcode].filter(Boolean).join(", "),
      says: `${heir.kind} box, inherited`,
      href: `${base}/boxes/${heir.box_id}`,
      cards: heir.cards,
      tokens: heir.tokens,
    })),
  };
}

const useWords: Partial<Record<BoxSheet["turns"][number]["use"], string>> = {
  context: "reads it as context",
  output: "writes it",
  request: "sent it as a request",
  import: "imported it",
};
