// Takes ids out of a text that were made since the runs that are compared began: two runs of the same work differ in all of them. Ids
// that are older stay, because both runs could have named the same thing. Pure.

/** As new-id.ts makes them: a prefix or an agent's profile, and the 32 digits of a uuid v7, which begin with the time. */
const MADE = /\b(?:[A-Za-z0-9-]+_)*([0-9a-f]{12})7[0-9a-f]{3}[89ab][0-9a-f]{15}\b/g;

/** `since_ms`: milliseconds since 1970. */
export const foldIds = (text: string, since_ms: number): string =>
  text.replaceAll(MADE, (whole, time: string) => (Number.parseInt(time, 16) >= since_ms ? "#" : whole));
