// Who saw a card: what else counts as it, and why.
import * as z from "zod";

export const sightingsIncludes = ["same_words", "copies"] as const;
export type SightingsInclude = (typeof sightingsIncludes)[number];

/** card: the card itself. same_words: another card with the same content. copy: made of it. original: what it was made of. */
export const SeenWhy = z.enum(["card", "same_words", "copy", "original"]);
export type SeenWhy = z.infer<typeof SeenWhy>;

const list = sightingsIncludes.join(", ");

/** `include=same_words,copies` */
export const SightingsQuery = z.strictObject({
  include: z
    .string()
    .max(64)
    .optional()
    .describe(`What else counts as a sighting, separated by commas: ${list}.`)
    .transform((text, check): SightingsInclude[] => {
      const words = text === undefined || text === "" ? [] : text.split(",");
      const known = words.flatMap((word) => sightingsIncludes.filter((one) => one === word.trim()));
      if (known.length < words.length)
        check.addIssue({ code: "custom", message: `is a list of ${list}, separated by commas` });
      return [...new Set(known)];
    }),
});
