// Which run is open, told by one of its turns in the address: what has a headcode is looked for there first.

/** Undefined = no run is open, or the address names none: then the newest is the one on the screen. */
export function openTurn({ pathname, search }: Pick<Location, "pathname" | "search">): string | undefined {
  const [, named] = /\/p\/[^/]+\/(?:runs|turns)\/([^/]+)/.exec(pathname) ?? [];
  if (named !== undefined) return decodeURIComponent(named);
  const params = new URLSearchParams(search);
  const run = params.get("run");
  return (run === ALL_RUNS ? null : run) ?? params.get("turn") ?? undefined;
}

/** As the yard's address has it (components/graph/plan/yard-turns.ts). */
const ALL_RUNS = "all";
