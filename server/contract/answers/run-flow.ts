// Which cards went from whom to whom in a run, as the API returns it.
import * as z from "zod";
import { flowSourceKinds } from "../run-flow";
import { CardLine } from "./handover";

const weight = {
  cards: z.number(),
  tokens: z
    .number()
    .describe("Estimated. The answer of a fork is divided among its branches by the length of their parts."),
};

export const FlowEdge = z
  .strictObject({
    from: z.string().describe("A turn of the run, or the `source_id` of a source."),
    to: z.string().describe("The turn that holds the cards in its context or output."),
    ...weight,
  })
  .meta({ id: "FlowEdge" });
export type FlowEdge = z.infer<typeof FlowEdge>;

export const FlowSource = z
  .strictObject({
    source_id: z.string().describe("Its kind, a colon, and its name."),
    kind: z.enum(flowSourceKinds),
    name: z.string(),
    ...weight,
  })
  .meta({ id: "FlowSource" });
export type FlowSource = z.infer<typeof FlowSource>;

export const RunFlow = z
  .strictObject({
    root_turn_id: z.string(),
    edges: z.array(FlowEdge).describe("Most tokens first, at most 5,000."),
    edges_total: z.number(),
    tokens: z.number().describe("Of all edges, listed or not."),
    sources: z.array(FlowSource),
    looked_at: z.number().describe("Places in the boxes of its turns that were read."),
    is_partial: z.boolean().describe("The run has more turns or places than were looked at: these are the newest."),
  })
  .meta({ id: "RunFlow" });
export type RunFlow = z.infer<typeof RunFlow>;

export const FlowCards = z
  .strictObject({
    from: z.string(),
    to: z.string(),
    ...weight,
    start: z.number(),
    rows: z.array(
      CardLine.extend({
        as: z.enum(["context", "memory", "output"]).describe("memory: what its agent wrote in earlier turns."),
        flow_tokens: z.number().describe("Of this card, what belongs to this edge."),
      }),
    ),
  })
  .meta({ id: "FlowCards" });
export type FlowCards = z.infer<typeof FlowCards>;
