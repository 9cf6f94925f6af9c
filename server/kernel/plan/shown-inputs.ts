// Inputs as they may still be told. Text inputs become cards, and the content of a card can be deleted: what was deleted once went
// on in the instructions of every node that had not started, and in every fork of the run.
import { type Reader, read } from "../reader";
import type { PlanRunKey, PlanRunRow } from "./plan-row";

const GONE = `
  SELECT c.card_id FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])
    AND (c.deleted_at IS NOT NULL OR c.expires_at <= now())`;

/** As requests say it. */
export const DELETED = "[content deleted]";

export async function shownInputs(
  reader: Reader,
  { project_id, inputs }: Pick<PlanRunKey, "project_id"> & Pick<PlanRunRow, "inputs">,
): Promise<PlanRunRow["inputs"]> {
  const texts = Object.values(inputs).flatMap((given) => (given.text === undefined ? [] : given.card_id));
  if (texts.length === 0) return inputs;
  const rows = await read<{ card_id: string }>(reader, "plan_inputs_gone", GONE, [project_id, texts]);
  const gone = new Set(rows.map(({ card_id }) => card_id));
  if (gone.size === 0) return inputs;
  return Object.fromEntries(
    Object.entries(inputs).map(([name, given]) => [
      name,
      given.text !== undefined && gone.has(given.card_id) ? { ...given, text: DELETED } : given,
    ]),
  );
}
