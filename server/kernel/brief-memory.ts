// Keeps a yes for a second: nearly every request asks the same, so each process asks the database once a second. A no is
// never kept, and what this process changes itself is forgotten at once.

export type BriefMemory = {
  /** `ask` is not called while a yes is fresh or on its way. */
  isTrue: (id: string, ask: () => Promise<boolean>) => Promise<boolean>;
  /** Call it after the commit that turns the answer into a no. An answer that was on its way then is not kept. */
  forget: (id: string) => void;
};
export type BriefMemoryOptions = { freshMs?: number; idsMax?: number; now?: () => number };

export function createBriefMemory(options: BriefMemoryOptions = {}): BriefMemory {
  const { freshMs = 1_000, idsMax = 1_000, now = () => performance.now() } = options;
  // Its age counts from the question: the answer may be older than its arrival.
  const known = new Map<string, { at: number; answer: Promise<boolean> }>();
  return {
    isTrue(id, ask) {
      const before = known.get(id);
      if (before !== undefined && now() - before.at < freshMs) return before.answer;
      const entry = { at: now(), answer: ask() };
      known.delete(id);
      known.set(id, entry);
      const [first] = known.keys();
      if (known.size > idsMax && first !== undefined) known.delete(first);
      const drop = () => {
        if (known.get(id) === entry) known.delete(id);
      };
      entry.answer.then((isTrue) => isTrue || drop(), drop);
      return entry.answer;
    },
    forget: (id) => void known.delete(id),
  };
}
