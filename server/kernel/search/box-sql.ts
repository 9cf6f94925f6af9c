// What a query asks of `card_boxes b`: its own figures, and the names of the turn that reads or writes it. $1 is the project.
import { alarmFlags } from "./alarm-sql";
import type { KindSql } from "./condition";
import { inNames } from "./words";

// A context box is packed before its turn exists, so the turn names it and not the other way round.
const NAMES = "concat_ws(' ', o.headcode, o.profile_name, o.title)";
const TEXT = `concat_ws(' ', b.kind, coalesce(
  (SELECT ${NAMES} FROM state.agent_turns o WHERE o.project_id = $1 AND o.agent_turn_id = b.owner_turn_id),
  (SELECT ${NAMES} FROM state.agent_turns o WHERE o.project_id = $1 AND o.context_box_id = b.box_id AND b.kind = 'context' ORDER BY o.created_at LIMIT 1)))`;

const names = inNames(TEXT, "b.box_id");

export const boxSql: KindSql = {
  fields: {
    tokens: ({ is }) => is("b.token_sum"),
    cards: ({ is }) => is("b.length"),
    before: ({ is }) => is("b.created_at"),
    after: ({ is }) => is("b.created_at"),
  },
  flags: alarmFlags("al.subject_id = b.box_id"),
  phrase: names.phrase,
  // The plate of a box is the end of its id: four characters, as on the screen.
  word: (leaf, bind) => {
    const word = bind(leaf.text, "text");
    return `(${names.word(leaf, bind)} OR (length(${word}) = 4 AND lower(right(b.box_id, 4)) = lower(${word})))`;
  },
};
