// What differs inside a pair of cards: words of a text, paths of JSON.

/** `same` words are cut in the middle where many are equal: `cut` says how many letters were left out there. */
export type WordChange = { kind: "same" | "removed" | "added"; text: string; cut?: number };

/** `path` is a JSON pointer: into b, and for what was removed into a. */
export type PathChange = { kind: "removed" | "added" | "changed"; path: string; before?: unknown; after?: unknown };

/**
 * `words`: of two texts. `paths`: of two structures. `none`: not compared, `reason` says why. `left_out`: changes beyond the
 * limit. `is_coarse`: too different to be aligned word by word, so the middle is said as a whole.
 */
export type PairChange =
  | { how: "words"; words: WordChange[]; is_coarse?: true; left_out?: number }
  | { how: "paths"; paths: PathChange[]; left_out?: number }
  | { how: "none"; reason: string };
