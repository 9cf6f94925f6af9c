// Imports: the answer to one file, and what a refused file says.
import * as z from "zod";

/** Bytes of one file; told before it is sent, held to by the server. */
export const IMPORT_BYTES_MAX = 67_108_864;

export const ImportInput = z.strictObject({
  format: z.enum(["who-and-when"]),
  data: z.unknown(),
  name: z.string().max(200).optional(),
});
export type ImportInput = z.infer<typeof ImportInput>;

export type ImportResult = {
  root_turn_id: string;
  turns: number;
  cards: number;
  boxes: number;
  edges: number;
  agents: number;
  /** Entities that were there already: a repeated import answers the same ids and writes nothing. */
  skipped: number;
  is_replay: boolean;
};
