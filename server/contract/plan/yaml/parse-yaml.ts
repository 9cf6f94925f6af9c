// A plan written as YAML: the plan, or what is wrong with it and at which line.
import { isMap, isScalar, isSeq } from "yaml";
import { parsePlan } from "../parse-plan";
import { plainJson } from "../plain-json";
import type { Plan } from "../plan";
import { type Composed, composeYaml } from "./compose-yaml";
import type { YamlProblem } from "./yaml-fault";

export type TextPlace = { line: number; column: number };
/** `placeOf`: where the value at a path of the plan (nodes.2.load.0) is written, or the nearest one around it. */
export type ParsedYaml = { plan: Plan; placeOf: (path: string) => TextPlace } | { problems: YamlProblem[] };

export function parseYaml(text: string): ParsedYaml {
  const composed = composeYaml(text);
  return "problems" in composed ? composed : parseComposed(composed);
}

export function parseComposed(composed: Composed): ParsedYaml {
  const placeOf = (path: string) => placeIn(composed, path);
  const plain = plainJson(composed.value);
  const read = "fault" in plain ? plain : parsePlan(plain.value);
  return "fault" in read
    ? { problems: [{ ...placeOf(read.fault.path), ...read.fault }] }
    : { plan: read.plan, placeOf };
}

/** Any YAML, also JSON: its value as plain data. */
export function readYaml(
  text: string,
): { value: unknown; placeOf: (path: string) => TextPlace } | { problems: YamlProblem[] } {
  const composed = composeYaml(text);
  if ("problems" in composed) return composed;
  return { value: composed.value, placeOf: (path) => placeIn(composed, path) };
}

function placeIn({ doc, lines }: Composed, path: string): TextPlace {
  let tokens = path === "" ? [] : path.split(".");
  let node: unknown = doc.contents;
  let at = doc.contents?.range[0] ?? 0;
  while (tokens.length > 0) {
    const next = stepInto(node, tokens);
    if (!next) break;
    [node, at, tokens] = [next.node, next.at ?? at, next.rest];
  }
  const { line, col } = lines.linePos(at);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

type Stepped = { node: unknown; at: number | undefined; rest: string[] };

function stepInto(node: unknown, tokens: string[]): Stepped | null {
  if (isSeq(node)) {
    const item = node.items[Number(tokens[0])];
    return item === undefined ? null : { node: item, at: startOf(item), rest: tokens.slice(1) };
  }
  if (!isMap(node)) return null;
  // A key may have points of its own: layout.places.searches.flow
  for (let n = 1; n <= tokens.length; n++) {
    const name = tokens.slice(0, n).join(".");
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    if (pair) return { node: pair.value, at: startOf(pair.key), rest: tokens.slice(n) };
  }
  return null;
}

const startOf = (node: unknown): number | undefined =>
  (node as { range?: [number, number, number] } | null)?.range?.[0];
