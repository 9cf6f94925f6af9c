// Erases a card: hiding it (delete-card.ts) keeps its bytes, so that a person can still see what a model was sent. Erasing removes the
// content itself, its copies, the stored requests that contain it, and what quotes it in titles, results and questions to people.
import type { Deletion } from "@/server/contract/answers/deletions";
import { KernelError } from "@/server/contract/errors";
import { refuseBadText } from "@/server/contract/text";
import { dropUnused } from "../artifacts/drop-unused";
import { eraseCards } from "../cardbox/erase-cards";
import { getCard } from "../cardbox/get-cards";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { moveDeletion } from "./deletion-row";
import { eraseQuotes } from "./erase-quotes";
import { eraseRequests } from "./erase-requests";
import { readDeletion } from "./read-deletions";

/** `by`: who erases it, as the record says it. */
export type EraseCardInput = { project_id: string; card_id: string; by: string; reason: string };

/** Copies that name the card; more are as many forks and redactions of one card. */
const COPIES_MAX = 1_000;
// Copies of copies too.
const COPIES = `
  WITH RECURSIVE copies AS (
    SELECT $2::text AS card_id
    UNION
    SELECT c.card_id FROM copies o CROSS JOIN LATERAL (SELECT c.card_id FROM cards c WHERE c.tenant_id = $1
      AND coalesce(c.metadata ->> 'redacted_from', c.metadata ->> 'replaces') = o.card_id OFFSET 0) c
  )
  SELECT o.card_id FROM copies o WHERE o.card_id <> $2 LIMIT ${COPIES_MAX + 1}`;
const LOCK = "SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND c.card_id = $2 FOR UPDATE";
const KNOWN = `
  SELECT d.deletion_id FROM state.deletions d JOIN cards c ON c.tenant_id = $1 AND c.card_id = $2 AND c.content = 'null'
  WHERE d.project_id = $1 AND d.kind = 'card' AND d.subject_id = $2 ORDER BY d.begun_at DESC LIMIT 1`;
const BEGIN = `
  INSERT INTO state.deletions AS d (project_id, deletion_id, kind, subject_id, deleted_by, reason, phase)
  VALUES ($1, $2, 'card', $3, $4, $5, 'requests')`;
const NOTE = `
  INSERT INTO state.deletion_cards (project_id, deletion_id, card_id, is_erased)
  SELECT $1, $2, g.card_id, true FROM unnest($3::text[]) AS g(card_id) ON CONFLICT DO NOTHING`;

/** Erasing twice gives the same record. not_found for an unknown card, conflict for the body of a profile. */
export async function eraseCard(kernel: Kernel, input: EraseCardInput): Promise<Deletion> {
  const { project_id } = input;
  refuseBadText(input.reason, "reason");
  const deletion_id = await withUnit(kernel, (unit) => begin(unit, input));
  const untilMs = Date.now() + kernel.tunables.purgeTickMs;
  await eraseRequests({ ...kernel, keyed: undefined }, { project_id, deletion_id, untilMs });
  return readDeletion(kernel, { project_id, deletion_id });
}

async function begin(unit: Unit, { project_id, card_id, by, reason }: EraseCardInput): Promise<string> {
  await unit.query("erase_lock", LOCK, [project_id, card_id]);
  const card = await getCard(unit, { project_id, card_id });
  if (card.type === "sys.profile")
    throw new KernelError(
      "conflict",
      `card_id: card ${card_id} holds a profile, and agents are made of it; save the profile without the text, or delete the profile`,
      { path: "card_id", card_id },
    );
  const [known] = await unit.query<{ deletion_id: string }>("erase_known", KNOWN, [project_id, card_id]);
  if (known) return known.deletion_id;
  const copies = await unit.query<{ card_id: string }>("erase_copies", COPIES, [project_id, card_id]);
  if (copies.length > COPIES_MAX)
    throw new KernelError(
      "conflict",
      `card_id: card ${card_id} has over ${COPIES_MAX} copies; delete the runs that made them, then erase it`,
      { path: "card_id", card_id },
    );
  const card_ids = [card_id, ...copies.map((copy) => copy.card_id)];
  const deletion_id = unit.kernel.newId("del_");
  await unit.query("erase_begin", BEGIN, [project_id, deletion_id, card_id, by, reason]);
  await unit.query("erase_note", NOTE, [project_id, deletion_id, card_ids]);
  const titles = await eraseQuotes(unit, { project_id, card_ids });
  const { card_ids: erased, sha256s } = await eraseCards(unit, { project_id, card_ids });
  const artifacts = await dropUnused(unit, { project_id, sha256s });
  const deleted_at = unit.kernel.now().toISOString();
  for (const id of erased)
    unit.frame(project_id, { kind: "card", id, rev: 2, is_deleted: true, deleted_by: by, deleted_at });
  moveDeletion(
    unit,
    { project_id, deletion_id },
    {
      to: "requests",
      settles: true,
      counts: { cards: erased.length, ...(titles > 0 && { titles }), ...(artifacts > 0 && { artifacts }) },
    },
  );
  return deletion_id;
}
