// Fair turns for projects that share something which does one thing at a time: the project served longest ago comes first. In
// order of arrival, one project's slow texts delayed everyone else's.

export type Line<T> = {
  /** False if the project, or all of them together, already have as much waiting as allowed. */
  add: (project_id: string, one: T) => boolean;
  next: () => T | undefined;
};

export type LineMax = { ofProject: number; ofAll: number };

/** More than can wait at once; a project forgotten is merely served a little sooner. */
const REMEMBERED_MAX = 10_000;

export function lineOf<T>(max: LineMax): Line<T> {
  const waiting = new Map<string, T[]>();
  const servedAt = new Map<string, number>();
  let count = 0;
  let clock = 0;

  function add(project_id: string, one: T): boolean {
    const own = waiting.get(project_id) ?? [];
    if (count >= max.ofAll || own.length >= max.ofProject) return false;
    own.push(one);
    waiting.set(project_id, own);
    count++;
    return true;
  }

  function next(): T | undefined {
    const project_id = longestAgo();
    if (project_id === undefined) return undefined;
    const own = waiting.get(project_id) ?? [];
    const one = own.shift();
    if (own.length === 0) waiting.delete(project_id);
    count--;
    // Put in anew: the order of the map is the order of service, so that the oldest is forgotten first.
    servedAt.delete(project_id);
    servedAt.set(project_id, ++clock);
    const [oldest] = servedAt.keys();
    if (servedAt.size > REMEMBERED_MAX && oldest !== undefined) servedAt.delete(oldest);
    return one;
  }

  function longestAgo(): string | undefined {
    let found: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const project_id of waiting.keys()) {
      const at = servedAt.get(project_id) ?? 0;
      if (at >= least) continue;
      least = at;
      found = project_id;
    }
    return found;
  }

  return { add, next };
}
