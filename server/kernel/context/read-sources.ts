// Reads what inheritances need, set-wise: ids a chunk at a time, and single cards only where a rule looks at them.
import { getCards } from "../cardbox/get-cards";
import { type Reader, read } from "../cardbox/reader";
import { type RedactedCard, redactCard } from "../cardbox/redact-card";
import type { Kernel } from "../kernel";
import {
  cardsToLookAt,
  type Facts,
  type Inheritance,
  outlineInheritance,
  type Planned,
  planInheritance,
  type SourceBox,
} from "./plan-inheritance";

/** One plan for each inheritance, in order. At most three statements, whatever the number and length of the boxes. */
export async function planInheritances(
  kernel: Kernel,
  reader: Reader,
  input: { project_id: string; inheritances: Inheritance[] },
): Promise<Planned[]> {
  const { project_id, inheritances } = input;
  const boxes = await readSourceBoxes(reader, project_id, [...new Set(inheritances.flatMap((i) => i.box_ids))]);
  const outlines = inheritances.map((inheritance) => ({ inheritance, parts: outlineInheritance(inheritance, boxes) }));
  const wanted = [...new Set(outlines.flatMap((o) => cardsToLookAt(o.inheritance, o.parts)))];
  const facts = await readFacts(reader, project_id, wanted);
  const hiding = outlines.filter((o) => o.inheritance.redact);
  const secrets = await readRedacted(kernel, reader, project_id, [
    ...new Set(hiding.flatMap((o) => cardsToLookAt(o.inheritance, o.parts))),
  ]);
  return outlines.map((o) => planInheritance({ ...o, facts, redacted: o.inheritance.redact ? secrets : new Map() }));
}

// Ids hold no spaces: one text a chunk is read ten times faster than an array of texts.
const CHUNKS = `
  SELECT b.box_id, b.consist, c.n, c.start, array_to_string(c.card_ids, ' ') AS ids, c.tokens, c.has_untravelled
  FROM card_boxes b
  JOIN card_box_chunks c ON c.tenant_id = b.tenant_id AND c.box_id = b.box_id
  WHERE b.tenant_id = $1 AND b.box_id = ANY ($2::text[])
  ORDER BY b.box_id, c.n`;

type ChunkRow = {
  box_id: string;
  consist: string;
  n: number;
  start: number;
  ids: string;
  tokens: number;
  has_untravelled: boolean;
};

async function readSourceBoxes(reader: Reader, projectId: string, ids: string[]): Promise<Map<string, SourceBox>> {
  const rows = ids.length > 0 ? await read<ChunkRow>(reader, "handover_chunks", CHUNKS, [projectId, ids]) : [];
  const boxes = new Map<string, SourceBox>();
  for (const { box_id, consist, ids: text, ...chunk } of rows) {
    const box = boxes.get(box_id) ?? { box_id, consist, chunks: [] };
    boxes.set(box_id, box);
    const last = box.chunks.at(-1);
    if (last) last.is_last = false;
    box.chunks.push({
      ...chunk,
      card_ids: text.split(" "),
      before_tokens: last ? last.before_tokens + last.tokens : 0,
      is_last: true,
    });
  }
  return boxes;
}

const FACTS = `
  SELECT card_id, token_count, metadata ->> 'type' AS type, metadata ->> 'role' AS role
  FROM cards WHERE tenant_id = $1 AND card_id = ANY ($2::text[])`;

async function readFacts(reader: Reader, projectId: string, ids: string[]): Promise<Facts> {
  if (ids.length === 0) return new Map();
  type Row = NonNullable<ReturnType<Facts["get"]>>;
  const rows = await read<Row>(reader, "handover_facts", FACTS, [projectId, ids]);
  return new Map(rows.map((row) => [row.card_id, row]));
}

async function readRedacted(
  kernel: Kernel,
  reader: Reader,
  projectId: string,
  ids: string[],
): Promise<Map<string, RedactedCard>> {
  const cards = await getCards(reader, { project_id: projectId, card_ids: ids });
  const found = new Map<string, RedactedCard>();
  for (const card of cards) {
    const redacted = redactCard(kernel, card);
    if (redacted) found.set(card.card_id, redacted);
  }
  return found;
}
