// Erases a card: hiding it (delete-card.ts) keeps its bytes, so that a person can still see what a model was sent. Erasing removes the
// content itself, its copies, the stored requests that contain it, and what quotes it in titles, results and questions to people.
import type { Deletion } from "@/server/contract/answers/deletions";
import { KernelError } from "@/server/contract/errors";
import { refuseBadText } from "@/server/contract/text";
import { getCard } from "../cardbox/get-cards";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { moveDeletion } from "./deletion-row";
import { eraseRequests } from "./erase-requests";
import { eraseWithCopies } from "./erase-with-copies";
import { readDeletion } from "./read-deletions";

/** `by`: who erases it, as the record says it. */
export type EraseCardInput = { project_id: string; card_id: string; by: string; reason: string };

/** Copies that name the card; more are as many forks and redactions of one card. */
const COPIES_MAX = 1_000;
const LOCK = "SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND c.card_id = $2 FOR UPDATE";
const KNOWN = `
  SELECT d.deletion_id FROM state.deletions d JOIN cards c ON c.tenant_id = $1 AND c.card_id = $2 AND c.content = 'null'
  WHERE d.project_id = $1 AND d.kind = 'card' AND d.subject_id = $2 ORDER BY d.begun_at DESC LIMIT 1`;
const BEGIN = `
  INSERT INTO state.deletions AS d (project_id, deletion_id, kind, subject_id, deleted_by, reason, phase)
  VALUES ($1, $2, 'card', $3, $4, $5, 'requests')`;
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
  const deletion_id = unit.kernel.newId("del_");
  await unit.query("erase_begin", BEGIN, [project_id, deletion_id, card_id, by, reason]);
  const counts = await eraseWithCopies(unit, {
    ...{ project_id, deletion_id, by },
    card_ids: [card_id],
    copies_max: COPIES_MAX,
    refuse: () =>
      new KernelError(
        "conflict",
        `card_id: card ${card_id} has over ${COPIES_MAX} copies; delete the runs that made them, then erase it`,
        { path: "card_id", card_id },
      ),
  });
  moveDeletion(unit, { project_id, deletion_id }, { to: "requests", settles: true, counts });
  return deletion_id;
}
