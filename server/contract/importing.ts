// Imports: the answer to one file, and the error of a refused file.
import * as z from "zod";

export const ImportInput = z.strictObject({
  format: z.enum(["who-and-when"]),
  data: z.unknown(),
  name: z.string().max(200).optional(),
});
export type ImportInput = z.infer<typeof ImportInput>;

/** Of a file that is sent by itself: a bundle is no JSON. */
export const ImportFormat = z.enum(["who-and-when", "bundle"]);
export type ImportFormat = z.infer<typeof ImportFormat>;

export type ImportResult = {
  root_turn_id: string;
  turns: number;
  cards: number;
  boxes: number;
  edges: number;
  agents: number;
  /** How many already existed. A repeated import returns the same ids and writes nothing. */
  skipped: number;
  is_replay: boolean;
};
