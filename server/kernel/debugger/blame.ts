// Where words come from (docs/debugging.md): from a card, or from a text of a run, back along the cards that carried them, to
// whoever said them first. Facts about text, never about a model's reasons.
import type { BlameAnswer, BlameBody, BlameEnd, BlameHop } from "@/server/contract/blame";
import type { Reader } from "../reader";
import { tunables } from "../tunables";
import { followRecords, type Next } from "./blame/follow-records";
import { followRoot } from "./blame/follow-root";
import type { Needle } from "./blame/needle";
import { REQUESTS_MAX, readSent } from "./blame/read-sent";
import { readWriter, type Writer } from "./blame/read-writer";
import { type Budget, budgetUntil, isSpent, searchCards } from "./blame/search-cards";
import { chosenSpot, needleAt, placeOf, type Spot } from "./blame/spot";
import { startOf } from "./blame/start";

export type BlameInput = BlameBody & { project_id: string };

const HOPS_MAX = 24;

/** not_found for an unknown card or run, and for one of another project alike. Six statements a hop, and one for each further million tokens that are compared, at most 16. */
export async function blame(reader: Reader, input: BlameInput): Promise<BlameAnswer> {
  const { project_id } = input;
  const { blameMsMax } = ("query" in reader ? undefined : reader.tunables) ?? tunables;
  const budget = budgetUntil(performance.now() + blameMsMax);
  const path: Path = { hops: [], seen: new Set() };
  let spot: Spot | null = await startOf(reader, { ...input, budget });
  let end: BlameEnd = "nowhere";
  let file: string | undefined;
  while (spot) {
    const writer = await readWriter(reader, { project_id, card: spot.card });
    if (writer) budget.turns.add(writer.agent_turn_id);
    addTo(path, spot, writer);
    const next: Next = await nextOf(reader, { project_id, spot, writer, budget });
    if ("end" in next) ({ end, file } = next);
    else if (path.seen.has(next.spot.card.card_id)) end = "cycle";
    else if (path.hops.length >= HOPS_MAX || isSpent(budget)) end = "limit";
    spot = "end" in next || end === "cycle" || end === "limit" ? null : next.spot;
  }
  return {
    ...(path.start && { start: path.start }),
    hops: path.hops,
    end,
    ...(file !== undefined && { file }),
    is_partial: budget.is_partial || end === "limit",
    looked_at: { cards: budget.cards.size, turns: budget.turns.size },
  };
}

type Path = { start?: BlameAnswer["start"]; hops: BlameHop[]; seen: Set<string> };

function addTo(path: Path, spot: Spot, writer: Writer | null): void {
  const place = placeOf(spot, {
    agent_turn_id: writer?.agent_turn_id ?? spot.card.agent_turn_id,
    step_id: writer?.step_id ?? null,
  });
  path.seen.add(spot.card.card_id);
  if (!spot.carried) {
    path.start = place;
    return;
  }
  path.hops.push({
    ...place,
    ...spot.carried,
    ...(writer && { headcode: writer.headcode, profile_name: writer.profile_name }),
    others: spot.others.flatMap((other) =>
      other.carried ? [{ ...placeOf(other, other.card), ...other.carried }] : [],
    ),
    found: spot.found,
  });
}

type Going = { project_id: string; spot: Spot; writer: Writer | null; budget: Budget };

async function nextOf(reader: Reader, { project_id, spot, writer, budget }: Going): Promise<Next> {
  const needle = needleAt(spot);
  if (!needle) return { end: "first_said" };
  if (isSpent(budget)) return { end: "limit" };
  const asked = { project_id, spot, needle, writer, budget };
  return (
    (await followRecords(reader, asked)) ??
    (await followRoot(reader, asked)) ??
    (writer ? await followWords(reader, { ...asked, writer }) : { end: "first_said" })
  );
}

type Words = { project_id: string; spot: Spot; needle: Needle; writer: Writer; budget: Budget };

async function followWords(reader: Reader, { project_id, spot, needle, writer, budget }: Words): Promise<Next> {
  if ((writer.ordinal ?? 0) > REQUESTS_MAX) budget.is_partial = true;
  const sent = await readSent(reader, { project_id, writer, card: spot.card });
  const choice = await searchCards(reader, { project_id, needle, sent, budget });
  if (choice) return { spot: chosenSpot(choice) };
  return { end: isSpent(budget) ? "limit" : "first_said" };
}
