// What each wagon needs for itself: a target, an instruction, and inputs that the plan declares.
import { INSTRUCTION_BYTES_MAX } from "../delegation";
import { type Checking, type GraphProblem, problem } from "./checking";
import { declareInput } from "./fixes";
import type { Rider } from "./plan";
import { nameOf, type RiderAt } from "./plan-words";
import { entryAt } from "./problem";

/** Every other brace is left alone. */
const USED = /\{input\.([a-z][a-z0-9_]{0,39})\}/g;

export function ridersReady(checking: Checking): GraphProblem[] {
  return checking.riders.flatMap((one) => {
    const { place, rider, node } = one;
    const path = checking.pathOf(place);
    // The name is looked for in the text, which may be long.
    const a = () => nameOf(rider);
    const found: GraphProblem[] = [];
    if (!rider.target)
      found.push(problem("no_target", place, `${path}.target`, `${a()} has no target. Choose a profile or an agent.`));
    else if (node.kind === "ask" && rider.target.strategy !== "new")
      found.push(
        problem(
          "no_target",
          place,
          `${path}.target.strategy`,
          `${a()} is an ask, which starts a new agent. Choose a profile.`,
        ),
      );
    if (rider.instruction.trim() === "")
      found.push(
        problem("no_instruction", place, `${path}.instruction`, `${a()} has no instruction. Write what is to be done.`),
      );
    if (isOver(rider.instruction))
      found.push(
        problem(
          "instruction_long",
          place,
          `${path}.instruction`,
          `${a()}'s instruction is over 1 MiB. Load the text as a card.`,
        ),
      );
    return found;
  });
}

/** A text has at least as many bytes as code units, and at most three times as many. */
const isOver = (text: string): boolean =>
  text.length > INSTRUCTION_BYTES_MAX ||
  (text.length > INSTRUCTION_BYTES_MAX / 3 && new TextEncoder().encode(text).length > INSTRUCTION_BYTES_MAX);

/** More inputs than a plan may declare: whoever has so many has a text full of braces, and reads no list of them all. */
const UNKNOWN_MAX = 40;

type Use = { input: string; at: string; place: string; path: string };

export function inputsKnown(checking: Checking): GraphProblem[] {
  const { plan, name } = checking;
  const declared = new Set(plan.inputs.map((input) => input.name));
  const others = new Set(plan.inputs.flatMap((input) => (input.kind === "text" ? [] : [input.name])));
  const uses = [...usesInLoads(checking), ...checking.riders.flatMap((rider) => usesInText(checking, rider, others))];
  const used = new Set(uses.map(({ input }) => input));
  const told = new Map(
    uses
      .filter(({ input }) => !declared.has(input))
      .reverse()
      .map((use) => [`${use.place} ${use.input}`, use]),
  );
  const unknown = [...told.values()]
    .reverse()
    .slice(0, UNKNOWN_MAX)
    .map(({ input, at, place, path }) =>
      problem(
        "input_unknown",
        at,
        path,
        `${name(place)} uses input ${input}, which the plan does not declare. Declare it, or write it out.`,
        declareInput(checking, input),
      ),
    );
  const unused = plan.inputs.flatMap((input, i) =>
    used.has(input.name)
      ? []
      : problem("unused_input", "", `inputs.${i}`, `Input ${input.name} is used nowhere.`, [
          { op: "set", path: `/inputs/${i}` },
        ]),
  );
  return [...unknown, ...unused];
}

const usesInLoads = ({ loads }: Checking): Use[] =>
  loads.flatMap(({ load, at, path }) =>
    "input" in load ? [{ input: load.input, at: entryAt(at, path), place: at, path }] : [],
  );

/** Boxes and cards are loaded: their braces are left alone, like all others that name no text. */
function usesInText({ pathOf }: Checking, { place, rider }: RiderAt, others: ReadonlySet<string>): Use[] {
  return [
    ...namesIn(rider.instruction).map((input) => ({ input, at: place, place, path: `${pathOf(place)}.instruction` })),
    ...namesIn(packTexts(rider)).map((input) => ({ input, at: place, place, path: `${pathOf(place)}.context_pack` })),
  ].filter(({ input }) => !others.has(input));
}

function namesIn(text: string): string[] {
  if (!text.includes("{input.")) return [];
  return [...new Set([...text.matchAll(USED)].flatMap(([, input]) => (input === undefined ? [] : [input])))];
}

/** What is filled in of a pack that is built at the start. */
function packTexts({ context_pack: pack }: Rider): string {
  if (!pack || !("goal" in pack)) return "";
  return [pack.goal, ...(pack.definition_of_done ?? []), pack.search ?? ""].join("\n");
}
