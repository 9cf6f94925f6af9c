// Lists as the API returns them.
import * as z from "zod";

/** One page of a list. */
export const pageAnswer = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    next_cursor: z.string().optional().describe("Send it as `cursor` to get the next page. Absent on the last page."),
    total: z.number().optional(),
  });

/** A list without pages. */
export const listAnswer = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item) });
