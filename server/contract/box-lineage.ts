// Where the cards of a box came from, and which boxes took them over.
import type { Box, Origin } from "./box";

export type BoxLineage = {
  /** By origin, in the order of the box, at most 100. */
  sources: { origin: Origin; cards: number; tokens: number }[];
  sources_total: number;
  /** Boxes with cards of the origin `box:<this>`, newest first, at most 50 of `heirs_total`. Requests are not among them. */
  heirs: (Pick<Box, "box_id" | "kind" | "created_at"> & {
    cards: number;
    tokens: number;
    /** The turn that was given it. */
    agent_turn_id?: string;
    headcode?: string;
  })[];
  heirs_total: number;
  /** Heirs are found by so many of its cards: an heir without any of these is not found. */
  probes: number;
  /** There are more places than were looked at: heirs are of the newest so many. */
  looked_at?: number;
};
