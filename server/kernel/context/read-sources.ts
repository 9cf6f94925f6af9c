// Plans inheritances from what the check has read, and reads the single cards that a rule or a repeat makes it check.
import { getCards } from "../cardbox/get-cards";
import { type RedactedCard, redactCard } from "../cardbox/redact-card";
import type { Kernel } from "../kernel";
import { type Reader, read } from "../reader";
import {
  cardsToLookAt,
  type Fact,
  type Facts,
  type Inheritance,
  outlineInheritance,
  type Planned,
  planInheritance,
} from "./plan-inheritance";
import type { HandoverAnswers } from "./read-handovers";

export type SourcesInput = {
  project_id: string;
  inheritances: Inheritance[];
  /** What the check read. */
  read: Pick<HandoverAnswers, "boxes" | "facts">;
};

/** One plan for each inheritance, in order. At most two statements, and none if boxes are copied whole. */
export async function planInheritances(kernel: Kernel, reader: Reader, input: SourcesInput): Promise<Planned[]> {
  const { project_id, inheritances, read } = input;
  const outlines = inheritances.map((inheritance) => ({
    inheritance,
    parts: outlineInheritance(inheritance, read.boxes),
  }));
  const wanted = new Set(outlines.flatMap((o) => cardsToLookAt(o.inheritance, o.parts)));
  const facts = await readFacts(
    reader,
    project_id,
    [...wanted].filter((id) => !read.facts.has(id)),
  );
  const all: Facts = facts.size > 0 ? new Map([...read.facts, ...facts]) : read.facts;
  const hiding = outlines.filter((o) => o.inheritance.redact);
  const secrets = await readRedacted(kernel, reader, project_id, [
    ...new Set(hiding.flatMap((o) => cardsToLookAt(o.inheritance, o.parts))),
  ]);
  for (const { inheritance } of hiding)
    for (const edit of inheritance.edited?.values() ?? []) {
      const redacted = "copy" in edit ? redactCard(kernel, edit.copy) : null;
      if (redacted && "copy" in edit) secrets.set(edit.copy.card_id, redacted);
    }
  return outlines.map((o) =>
    planInheritance({ ...o, facts: all, redacted: o.inheritance.redact ? secrets : new Map() }),
  );
}

const FACTS = `
  SELECT card_id, token_count, metadata ->> 'type' AS type, metadata ->> 'role' AS role
  FROM cards WHERE tenant_id = $1 AND card_id = ANY ($2::text[])`;

async function readFacts(reader: Reader, projectId: string, ids: string[]): Promise<Map<string, Fact>> {
  if (ids.length === 0) return new Map();
  const rows = await read<Fact>(reader, "handover_facts", FACTS, [projectId, ids]);
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
