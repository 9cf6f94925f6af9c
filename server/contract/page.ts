// Lists: a limit, an opaque cursor, and the total where it is cheap.
import * as z from "zod";

export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: z.string().optional(),
});
export type PageQuery = z.infer<typeof PageQuery>;
export type Page<T> = { items: T[]; next_cursor?: string; total?: number };
