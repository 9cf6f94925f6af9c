// What is asked of the context flow of a run: all of it, or the cards of one edge.
import * as z from "zod";
import { Id } from "./ids";

/** Heaviest first; the rest is counted, not listed. */
export const FLOW_EDGES_MAX = 5_000;

/**
 * Where cards come from that no turn of the run wrote: a person, a tool, a context pack, a profile, an imported log, another run,
 * or a client that put them in (`given`).
 */
export const flowSourceKinds = ["person", "pack", "profile", "tool", "run", "import", "given"] as const;
export type FlowSourceKind = (typeof flowSourceKinds)[number];

/** A turn's id, or that of a source, which has a colon. */
const FlowEnd = z.string().regex(/^([a-z]+:.{1,200}|[A-Za-z0-9_-]{1,128})$/, "names a turn, or a source of the flow");

export const FlowCardsQuery = z.strictObject({
  from: FlowEnd.describe("A turn, or a source as the flow names it."),
  to: Id.describe("The turn that holds the cards."),
  start: z.coerce.number().int().min(0).max(10_000_000).default(0).describe("The first card of this page, from 0."),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type FlowCardsQuery = z.infer<typeof FlowCardsQuery>;
