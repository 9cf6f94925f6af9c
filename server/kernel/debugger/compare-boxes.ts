// Two boxes card by card. At most five statements beside the one that found them, however many cards.
import type { BoxDiff, BoxDiffQuery, BoxDiffRow } from "@/server/contract/box-diff/box-diff";
import { judgeDiff } from "@/server/contract/box-diff/judge-diff";
import { type DiffCard, matchCards, unmatched } from "@/server/contract/box-diff/match-cards";
import { pairInSteps } from "@/server/contract/box-diff/pair-alike";
import { weighDiff } from "@/server/contract/box-diff/weigh-diff";
import { readBoxIds } from "../cardbox/read-box";
import type { Reader } from "../reader";
import { betweenOtherWork } from "./between-other-work";
import { type ReadFact, readCardFacts } from "./read-card-facts";
import { missingLine, readCardLines } from "./read-card-lines";
import { readChanges } from "./read-changes";
import type { DiffSides } from "./read-diff-sides";
import { readLeftoverTexts } from "./read-leftover-texts";

export type CompareBoxes = BoxDiffQuery & { project_id: string; sides: DiffSides };

export async function compareBoxes(reader: Reader, input: CompareBoxes): Promise<BoxDiff> {
  const { project_id, sides, verdict, from, limit } = input;
  const ids = await readBoxIds(reader, { project_id, box_ids: [sides.a.box_id, sides.b.box_id] });
  const [idsA, idsB] = [ids.get(sides.a.box_id) ?? [], ids.get(sides.b.box_id) ?? []];
  const facts = await readCardFacts(reader, { project_id, card_ids: [...idsA, ...idsB] });
  const cards = { a: idsA.map((id) => diffCard(id, facts)), b: idsB.map((id) => diffCard(id, facts)) };
  const exact = matchCards(cards.a, cards.b);
  const left = await readLeftoverTexts(reader, { project_id, cards, left: unmatched(cards, exact) });
  const alike = await betweenOtherWork(pairInSteps(left.a, left.b));
  const judged = judgeDiff({ ...cards, pairs: [...exact, ...alike] });
  const kept = verdict === undefined ? judged : judged.filter((row) => row.verdict === verdict);
  const page = kept.slice(from, from + limit).map((row) => ({ row, a: idsA[row.a ?? -1], b: idsB[row.b ?? -1] }));
  const pairs = page.flatMap(({ row, a, b }) =>
    row.verdict === "rewritten" && a !== undefined && b !== undefined ? [{ a, b }] : [],
  );
  const [lines, changes] = await Promise.all([
    readCardLines(reader, { project_id, card_ids: page.flatMap(({ a, b }) => [a, b]) }),
    readChanges(reader, { project_id, pairs }),
  ]);
  const nextChange = changes.values();
  const line = (id: string, at: number) => ({ ...(lines.get(id) ?? missingLine(id)), at });
  return {
    ...sides,
    verdicts: weighDiff(judged, cards),
    unpaired: left.unpaired,
    rows: page.map(({ row: { a: atA, b: atB, ...row }, a, b }): BoxDiffRow => {
      const change = row.verdict === "rewritten" ? nextChange.next().value : undefined;
      return {
        ...row,
        ...(a !== undefined && { a: line(a, atA ?? 0) }),
        ...(b !== undefined && { b: line(b, atB ?? 0) }),
        ...(change && { change }),
      };
    }),
    rows_total: kept.length,
    from,
  };
}

function diffCard(card_id: string, facts: ReadonlyMap<string, ReadFact>): DiffCard {
  const fact = facts.get(card_id);
  // What is not stored has no words: its id stands for them.
  if (!fact) return { card_id, type: "unknown", author_id: "", tokens: 0, content_hash: card_id, stands_for: null };
  const { type, author_id, tokens, content_hash, stands_for } = fact;
  return { card_id, type, author_id, tokens, content_hash, stands_for };
}
