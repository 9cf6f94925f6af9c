// A scrap of track plan drawn from an agent's id: the same id gives the same mark on every machine, for ever.
// Changing a line here changes the face of every agent, so the test holds a few of them.

export type AgentMarkShape = {
  /** The route set, on a 20 grid. */
  main: string;
  /** The second leg; empty where the grid leaves no room for one. */
  second: string;
  dot: { x: number; y: number };
  /** Tint of the tile in degrees, one of twelve, from the profile. */
  hue: number;
};

export function agentMarkShape(agentId: string, profile: string): AgentMarkShape {
  const x = hash(agentId);
  const route = pick(routes, x);
  const others = routes.filter((other) => other.b === route.b && other.c !== route.c);
  const other = others.length > 0 ? pick(others, x >>> 5) : route;
  const ends = [
    { x: columns.a, y: rows[route.a] },
    { x: columns.c, y: rows[route.c] },
    { x: columns.b, y: rows[route.b] },
  ] as const;
  return {
    main: `M${at("a", route.a)}L${at("b", route.b)}L${at("c", route.c)}`,
    second: secondLeg(x, route, other),
    dot: pick(ends, x >>> 17),
    hue: (hash(profile) % 12) * 30 + 15,
  };
}

type Lane = 0 | 1 | 2;
type Route = { a: Lane; b: Lane; c: Lane };

const lanes: readonly Lane[] = [0, 1, 2];
const columns = { a: 3, b: 10, c: 17 } as const;
const rows = { 0: 4.5, 1: 10, 2: 15.5 } as const;

/** The 17 routes across three columns that never climb more than one lane at a time. */
const routes: readonly Route[] = lanes.flatMap((a) =>
  lanes.flatMap((b) =>
    lanes.flatMap((c) => (Math.abs(a - b) < 2 && Math.abs(b - c) < 2 ? [{ a, b, c } satisfies Route] : [])),
  ),
);

function secondLeg(x: number, route: Route, other: Route): string {
  const branchOut = `M${at("b", route.b)}L${at("c", other.c)}`;
  switch ((x >>> 9) % 4) {
    case 0:
      return branchOut;
    case 1: {
      const from = lanes.find((lane) => lane !== route.a && Math.abs(lane - route.b) < 2);
      return from === undefined ? "" : `M${at("a", from)}L${at("b", route.b)}`;
    }
    case 2: {
      const free = lanes.find((lane) => lane !== route.a && lane !== route.b && lane !== route.c);
      return free === undefined ? branchOut : `M${at("a", free)}L${at("c", free)}`;
    }
    default: {
      const lane: Lane = route.b === 0 ? 2 : route.b === 2 ? 0 : (x >>> 13) % 2 ? 0 : 2;
      return `M${at("b", lane)}L${at((x >>> 14) % 2 ? "c" : "a", lane)}`;
    }
  }
}

function at(column: keyof typeof columns, lane: Lane): string {
  return `${columns[column]} ${rows[lane]}`;
}

function pick<T>(list: readonly [T, ...T[]] | readonly T[], x: number): T {
  const chosen = list[x % list.length];
  if (chosen === undefined) throw new Error("An empty list has no item to pick.");
  return chosen;
}

/** FNV-1a with a finisher: without it ids that differ in their last letter drew the same route. */
function hash(text: string): number {
  let x = 2166136261;
  for (const letter of text) {
    x ^= letter.charCodeAt(0);
    x = Math.imul(x, 16777619);
  }
  x ^= x >>> 15;
  x = Math.imul(x, 2246822507);
  x ^= x >>> 13;
  return x >>> 0;
}
