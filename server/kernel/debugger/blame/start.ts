// Where the path begins: at the chosen words of a card, or at the card of a run that carries a text.
import { type BlameBody, SELECTION_MAX } from "@/server/contract/blame";
import { KernelError } from "@/server/contract/errors";
import { type Reader, read } from "../../reader";
import { noRun } from "../../roster/no-run";
import { hayOf, readBlameCards } from "./blame-card";
import { needleOf } from "./needle";
import { readRunCards } from "./read-run-cards";
import { type Budget, searchCards } from "./search-cards";
import { chosenSpot, type Spot } from "./spot";

type Starting = BlameBody & { project_id: string; budget: Budget };

const RUN = "SELECT root_turn_id FROM state.runs WHERE project_id = $1 AND root_turn_id = $2";

/** null = no card of the run carries the text. */
export async function startOf(reader: Reader, input: Starting): Promise<Spot | null> {
  const { card_id, text, root_turn_id } = input;
  if (card_id !== undefined) return startAt(reader, input, card_id);
  if (text === undefined || root_turn_id === undefined)
    throw new KernelError("bad_request", "card_id is missing. Name a card, or give text and root_turn_id");
  const needle = needleOf([text]);
  if (!needle) throw blank("text");
  const { project_id, budget } = input;
  const [run] = await read(reader, "blame_of_run", RUN, [project_id, root_turn_id]);
  if (!run) throw await noRun(reader, { project_id, root_turn_id });
  const { sent, is_partial } = await readRunCards(reader, { project_id, root_turn_id });
  if (is_partial) budget.is_partial = true;
  const choice = await searchCards(reader, { project_id, needle, sent, budget });
  return choice && chosenSpot(choice);
}

async function startAt(reader: Reader, { project_id, start, end, budget }: Starting, card_id: string): Promise<Spot> {
  const card = (await readBlameCards(reader, { project_id, card_ids: [card_id] })).get(card_id);
  if (!card) throw new KernelError("not_found", `card ${card_id} not found in project ${project_id}`);
  if (!card.content)
    throw new KernelError("conflict", `card_id: the content of card ${card_id} was deleted. Choose another card`);
  const { text } = hayOf(card);
  const from = start ?? 0;
  const to = end ?? Math.min(text.length, from + SELECTION_MAX);
  if (to > text.length)
    throw refusal("end", `the text of the card has ${text.length} characters. Choose an end within it`);
  if (from >= text.length)
    throw refusal("start", `the text of the card has ${text.length} characters. Choose a start within it`);
  if (text.slice(from, to).trim() === "") throw blank(start === undefined ? "card_id" : "start");
  if (end === undefined && to < text.length) budget.is_partial = true;
  budget.cards.add(card_id);
  return { card, ranges: [{ start: from, end: to }], others: [], found: 1 };
}

const refusal = (path: string, message: string): KernelError =>
  new KernelError("bad_request", `${path}: ${message}`, { path });

const blank = (path: string): KernelError => refusal(path, "there are no words in it. Choose some words");
