// What is shown of a hand-over lives in the address, so that a link opens it as it was.
import { parseAsBoolean, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";
import { handoverVerdicts } from "@/server/contract/handover-diff";

export const handoverParams = {
  verdict: parseAsStringLiteral(handoverVerdicts),
  from: parseAsInteger.withDefault(0),
  order: parseAsStringLiteral(["aligned", "reading"] as const).withDefault("aligned"),
  /** The card of the row that is looked at. */
  card: parseAsString,
  /** Packing again is open, by this recipe; without one by the recorded one. */
  repack: parseAsBoolean.withDefault(false),
  recipe: parseAsString.withDefault(""),
};
