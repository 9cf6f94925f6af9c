// A box: an ordered, append-only list of card ids with the origin of each (docs/design/kernel.md 2 and 4).
import type { Card } from "./card";

export const boxKinds = ["context", "output", "profile", "request", "pack", "import", "plain"] as const;
export type BoxKind = (typeof boxKinds)[number];

/**
 * Where a card in a box came from, as one short string:
 * `arg:<argument name>` packed · `pack` a context pack · `box:<box id>` inherited · `card` a single card handed over · `ptr` parent pointer ·
 * `sys` added by Switchyard · `turn:<turn id>` appended by a turn · `import` · `given` added by a client.
 */
export type Origin = string;

export type OriginKind = "packed" | "inherited" | "pointer" | "system" | "produced" | "profile";

/** The six origins with their own mark. */
export function originKind(origin: Origin): OriginKind {
  if (origin.startsWith("arg:") || origin === "pack" || origin === "given") return "packed";
  if (origin.startsWith("box:") || origin === "card") return "inherited";
  if (origin === "ptr") return "pointer";
  if (origin === "sys") return "system";
  return "produced";
}

export type Box = {
  box_id: string;
  project_id: string;
  kind: BoxKind;
  owner_agent_id?: string;
  owner_turn_id?: string;
  length: number;
  token_sum: number;
  consist: string;
  rev: number;
  created_at: string;
  updated_at: string;
};

/** The short name of a box: the last four letters or digits of its id, in capitals (4E7A). */
export function boxPlate(boxId: string): string {
  const signs = boxId.replace(/[^A-Za-z0-9]/g, "");
  return (signs === "" ? boxId : signs).slice(-4).toUpperCase();
}

/** One position in a box. `before_tokens` is the sum of all earlier positions. */
export type BoxCard = Card & { position: number; origin: Origin; before_tokens: number };
