// Remembers, in this process, the hashes of long boxes that were handed over. An agent that forks again and again hands over the same context, and
// to hash 10,000 ids takes longer than everything else that its hand-over does. The database compares the version, so a hash that is out of date
// is never used; it costs what it would have cost without this memory.

/** `version`: of the box's row, so that whatever is written to the box makes another one. `ids_hash`: sha256 of its ids. */
export type HashedBox = { version: string; ids_hash: string };

export type HashedBoxes = {
  /** By id; absent: not known. */
  of: (project_id: string, box_ids: readonly string[]) => Map<string, HashedBox>;
  keep: (project_id: string, box_id: string, box: HashedBox) => void;
};

export function createHashedBoxes(boxesMax = 1_000): HashedBoxes {
  const known = new Map<string, HashedBox>();
  // Neither id contains a space.
  const keyOf = (project_id: string, box_id: string) => `${project_id} ${box_id}`;
  return {
    of: (project_id, box_ids) =>
      new Map(
        box_ids.flatMap((box_id) => {
          const box = known.get(keyOf(project_id, box_id));
          return box ? [[box_id, box]] : [];
        }),
      ),
    keep(project_id, box_id, box) {
      const key = keyOf(project_id, box_id);
      known.delete(key);
      known.set(key, box);
      const [oldest] = known.keys();
      if (known.size > boxesMax && oldest !== undefined) known.delete(oldest);
    },
  };
}
