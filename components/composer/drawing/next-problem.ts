// Which problem F8 leads to, and the fields of the inspector where it is mended, the nearest first. Pure.
import { type PlanProblem, placeOfProblem } from "@/server/contract/plan/problem";

type Problem = Pick<PlanProblem, "at" | "path" | "code">;
export type ProblemStop = { place: string; path: string };

/** What was visited before, and is selected still, is gone on from; what a person selected is its own first. Null = there is none. */
export function nextProblem(
  problems: readonly Problem[],
  by: 1 | -1,
  { selected, last }: { selected: string; last: ProblemStop | null },
): ProblemStop | null {
  const stops = stopsOf(problems);
  const known = stops.findIndex(({ place, path }) => place === selected && last?.place === place && last.path === path);
  const first = stops.findIndex(({ place }) => place === selected);
  const at = known >= 0 ? known + by : first >= 0 ? (by === 1 ? first : first - 1) : by === 1 ? 0 : -1;
  return stops.at(at % stops.length) ?? null;
}

/** Two problems of one field are one stop. */
const stopsOf = (problems: readonly Problem[]): ProblemStop[] => [
  ...new Map(
    problems.map(({ at, path }) => {
      const stop = { place: placeOfProblem(at), path };
      return [`${stop.place} ${path}`, stop];
    }),
  ).values(),
];

/** Names of fields (`data-field`), for a path in the body such as nodes.2.tasks.0.load.1; `inputs`: their names, in order. */
export function fieldsOf(path: string, inputs: readonly string[]): string[] {
  const [, load] = /\.load\.(\d+)/.exec(path) ?? [];
  const [, input] = /^inputs\.(\d+)/.exec(path) ?? [];
  const fields = [`track ${path}`, "problem"];
  if (load !== undefined) return [`load ${load}`, ...fields];
  if (input !== undefined) return [`input ${inputs[Number(input)] ?? ""}`, ...fields];
  if (/\.target(\.|$)/.test(path)) return ["target ref", ...fields];
  const [last = ""] = path.split(".").slice(-1);
  return [last, ...fields];
}
