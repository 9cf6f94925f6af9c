// What the parts read so far refer to, so that the parts behind them have exactly that.
export type Gathered = {
  /** By id. */
  turns: string[];
  agents: Set<string>;
  boxes: Set<string>;
  cards: Set<string>;
  files: Set<string>;
  /** As of their first turn of the run: a person is in many projects, and in each has another profile and began another day. */
  people: Map<string, { profile_box_id: string; created_at: string }>;
  /** Steps with a request, and how long it is. */
  requests: { step_id: string; size: number }[];
  /** The latest time in any of it. */
  changed: string;
};

export const nothingGathered = (): Gathered => ({
  turns: [],
  agents: new Set(),
  boxes: new Set(),
  cards: new Set(),
  files: new Set(),
  people: new Map(),
  requests: [],
  changed: "",
});

/** Times of one form compare as texts. */
export function noteTimes(gathered: Gathered, ...times: (string | null)[]): void {
  for (const time of times) if (time !== null && time > gathered.changed) gathered.changed = time;
}

export function addAll(set: Set<string>, ids: readonly (string | null | undefined)[]): void {
  for (const id of ids) if (typeof id === "string") set.add(id);
}

/** As bytes compare, whatever the database sorts by. */
export const sorted = (ids: Iterable<string>): string[] => [...ids].sort();

export function* pagesOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** Map.groupBy, which Node 20 does not have. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const known = groups.get(keyOf(item));
    if (known) known.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
