// Pages of boxes, each with the turn that reads or writes it.
import type { BoxKind } from "@/server/contract/box";
import { AT } from "../cardbox/page-cursor";
import { read, UNPREPARED } from "../reader";
import { boxSql } from "./box-sql";
import type { Hit, Pieces, Source } from "./source";
import { wantedOf } from "./words";

const COLUMNS = "b.box_id, b.kind, b.length, b.token_sum, b.owner_turn_id, b.created_at";

// A context box is packed before its turn exists, so the turn names it and not the other way round.
const ROWS = (p: Pieces) => `
  SELECT b.box_id, b.box_id AS id, ${AT("b.created_at")}, b.kind, b.length, b.token_sum, b.created_at, o.headcode AS owner_headcode,
    o.profile_name AS owner_profile_name, o.title AS owner_title, o.agent_turn_id AS owner_turn_id,
    (SELECT r.number FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = o.root_turn_id) AS run_number
  FROM (
    SELECT ${COLUMNS} FROM (
      SELECT ${COLUMNS} FROM card_boxes b WHERE b.tenant_id = $1 AND ${p.within}
      ORDER BY b.created_at DESC, b.box_id DESC LIMIT ${p.window}
    ) b WHERE ${p.where}
    ORDER BY b.created_at DESC, b.box_id DESC LIMIT ${p.limit}
  ) b
  LEFT JOIN LATERAL (
    (SELECT t.agent_turn_id, t.root_turn_id, t.headcode, t.profile_name, t.title FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.agent_turn_id = b.owner_turn_id)
    UNION ALL
    (SELECT t.agent_turn_id, t.root_turn_id, t.headcode, t.profile_name, t.title FROM state.agent_turns t
      WHERE b.owner_turn_id IS NULL AND b.kind = 'context' AND t.project_id = $1 AND t.context_box_id = b.box_id ORDER BY t.created_at LIMIT 1)
  ) o ON true
  ORDER BY b.created_at DESC, b.box_id DESC`;

const END = (p: Pieces) => `
  SELECT b.box_id AS id, ${AT("b.created_at")} FROM (SELECT b.box_id, b.created_at FROM card_boxes b WHERE b.tenant_id = $1 AND ${p.within}
    ORDER BY b.created_at DESC, b.box_id DESC OFFSET ${p.window} - 1 LIMIT 2) b ORDER BY b.created_at DESC, b.box_id DESC`;

export type BoxHitRow = Hit & {
  box_id: string;
  kind: BoxKind;
  length: number;
  token_sum: number;
  created_at: string;
  owner_headcode: string | null;
  owner_profile_name: string | null;
  owner_title: string | null;
  owner_turn_id: string | null;
  run_number: number | null;
};

export const boxSource: Source<BoxHitRow> = {
  kind: "box",
  sql: boxSql,
  id: "b.box_id",
  time: "b.created_at",
  rows: (reader, pieces, values) => read<BoxHitRow>(reader, UNPREPARED, ROWS(pieces), values),
  // There is one for every step, and one for every profile: they would hide the boxes they were made from.
  listed: (tree, bind) => {
    const words = wantedOf(tree).flatMap(({ kind, text }) => (kind === "word" ? text.toLowerCase() : []));
    if (words.some((word) => word === "request" || word === "profile")) return "true";
    return `(b.kind NOT IN ('request', 'profile') OR lower(right(b.box_id, 4)) = ANY (${bind(words, "text[]")}))`;
  },
  end: (reader, pieces, values) => read<Hit>(reader, UNPREPARED, END(pieces), values),
};
