// What the turns of pairs were given and wrote, and how their requests began: six statements for all pairs.

import { canonicalJson } from "@/server/contract/canonical-json";
import type { TurnContents } from "@/server/contract/run-compare/find-parting";
import { chunksOf } from "../../cardbox/chunks-of";
import { readBoxIds } from "../../cardbox/read-box";
import { type Reader, read } from "../../reader";
import { findBodies } from "../../roster/read-bodies";
import { readCardMarks } from "../read-card-facts";
import { cardsOf, layContents, type StepRow, type TurnCards } from "./lay-contents";
import type { RunTurn } from "./read-run-turns";
import { readWords } from "./read-words";

// Of a request the system prompt and the tools stand first.
const STEPS = `
  SELECT s.agent_turn_id, s.step_id, s.ordinal, s.started_at, k.card_ids[1:2] AS head FROM state.agent_steps s
  LEFT JOIN LATERAL ${chunksOf("s.request_box_id")} k ON k.n = 0
  WHERE s.project_id = $1 AND s.agent_turn_id = ANY ($2::text[]) ORDER BY s.ordinal, s.step_id`;

export type TurnsOfPair = { a: RunTurn; b: RunTurn; is_fork: boolean };
export type ContentsOfPair = { a: TurnContents; b: TurnContents };
export type Contents = {
  /** Laid when it is asked for: ten thousand turns at once held the event loop for half a second. */
  contentsOf: (pair: TurnsOfPair) => ContentsOfPair;
  stepIdOf: (agent_turn_id: string, ordinal: number | undefined) => string | undefined;
  /** The tool whose answer a card is. */
  toolOf: (card_id: string | undefined) => string | undefined;
};

/** `since_ms`: ids that were made later are no difference. */
export async function readContents(
  reader: Reader,
  { project_id, pairs, since_ms }: { project_id: string; pairs: readonly TurnsOfPair[]; since_ms: number },
): Promise<Contents> {
  const turns = pairs.flatMap(({ a, b }) => [a, b]);
  const ids = [...new Set(turns.map(({ agent_turn_id }) => agent_turn_id))];
  const steps = await read<StepRow>(reader, "compare_steps", STEPS, [project_id, ids]);
  const boxes = await readBoxIds(reader, { project_id, box_ids: [...new Set(turns.flatMap(boxesOf))] });
  const stepsOf = groupBy(steps, ({ agent_turn_id }) => agent_turn_id);
  const cards = new Map(turns.map((turn) => [turn, cardsOf(turn, boxes)]));
  const idsOf = (turn: RunTurn): string[] => {
    const { given, written } = cards.get(turn) ?? NONE;
    return [...given, ...written, ...(stepsOf.get(turn.agent_turn_id) ?? []).flatMap(({ head }) => head ?? [])];
  };
  const facts = await readCardMarks(reader, { project_id, card_ids: turns.flatMap(idsOf) });
  const bodies = await findBodies(reader, {
    project_id,
    profile_box_ids: [...new Set(turns.map((turn) => turn.profile_box_id))],
  });
  const hashOf = (id: string): string => facts.get(id)?.content_hash ?? id;
  const said = await readWords(reader, {
    ...{ project_id, since_ms },
    pairs: pairs.map(({ a, b }) => onlyThere(idsOf(a), idsOf(b), hashOf)),
  });
  // By hash: a card that another pair has on both sides is said there as it is here.
  const words = new Map([...said.words].map(([id, text]) => [hashOf(id), text]));
  const wordsOf = (id: string): string => words.get(hashOf(id)) ?? hashOf(id);
  const stepById = new Map(steps.map((step) => [step.step_id, step]));
  const layTurn = (turn: RunTurn, is_fork: boolean): TurnContents => {
    const body = bodies.get(turn.profile_box_id);
    return layContents(turn, {
      ...{
        is_fork,
        stepById,
        facts,
        wordsOf,
        cards: cards.get(turn) ?? NONE,
        steps: stepsOf.get(turn.agent_turn_id) ?? [],
      },
      model: body ? canonicalJson(body.llm_config ?? {}) : null,
    });
  };
  const callers = new Map(
    [...facts].flatMap(([id, { tool_call_id }]) => (said.tools.has(id) && tool_call_id ? [[tool_call_id, id]] : [])),
  );
  return {
    contentsOf: ({ a, b, is_fork }) => ({ a: layTurn(a, is_fork), b: layTurn(b, is_fork) }),
    stepIdOf: (id, ordinal) => stepsOf.get(id)?.find((step) => step.ordinal === ordinal)?.step_id,
    toolOf: (id) => said.tools.get(callers.get(facts.get(id ?? "")?.tool_call_id ?? "") ?? ""),
  };
}

const NONE: TurnCards = { given: [], written: [] };

const boxesOf = ({ context_box_id, output_box_id }: RunTurn): string[] =>
  [context_box_id, output_box_id].flatMap((id) => id ?? []);

/** Cards whose like the other side does not have, letter by letter. */
function onlyThere(a: readonly string[], b: readonly string[], hashOf: (id: string) => string) {
  const [hashesA, hashesB] = [new Set(a.map(hashOf)), new Set(b.map(hashOf))];
  return { a: a.filter((id) => !hashesB.has(hashOf(id))), b: b.filter((id) => !hashesA.has(hashOf(id))) };
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const known = groups.get(keyOf(one));
    if (known) known.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}
