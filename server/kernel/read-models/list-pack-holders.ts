// Where a context pack has gone: the boxes that hold it, newest first, each with the turn that reads or writes it.

import type { PackHolder, PackHolders } from "@/server/contract/answers/context-packs";
import { chunkAt } from "../cardbox/chunks-of";
import { heldIn } from "../cardbox/held-in";
import { findPack } from "../packs/find-packs";
import { type Reader, read } from "../reader";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

// A pack that is handed over often has a card for each time: those before the newest are not looked for.
const CARDS_MAX = 500;
const SHOWN_MAX = 60;

// A context box is packed before its turn exists: the turn names it. Requests repeat what a context holds.
const HOLDERS = `
  WITH given AS MATERIALIZED (
    SELECT c.card_id, c.token_count FROM cards c
    WHERE c.tenant_id = $1 AND c.metadata ->> 'type' = 'context.pack' AND c.metadata ->> 'sha256' = $2
    ORDER BY c.created_at DESC, c.card_id DESC LIMIT ${CARDS_MAX}
  ), held AS MATERIALIZED (
    SELECT DISTINCT ON (h.box_id) h.box_id, k.start + array_position(k.card_ids, g.card_id) - 1 AS position, g.token_count
    FROM given g CROSS JOIN LATERAL ${heldIn("ARRAY[g.card_id]")} h CROSS JOIN LATERAL ${chunkAt("h.box_id", "h.n")} k
    ORDER BY h.box_id, h.n
  ), shown AS MATERIALIZED (
    SELECT b.box_id, b.kind, b.length, b.token_sum, b.consist, h.position, h.token_count AS tokens, b.owner_turn_id,
      b.created_at AS box_at, count(*) OVER ()::int AS total, (SELECT count(*) FROM given)::int AS cards
    FROM held h JOIN card_boxes b ON b.tenant_id = $1 AND b.box_id = h.box_id AND b.kind <> 'request'
    ORDER BY b.created_at DESC, b.box_id DESC LIMIT ${SHOWN_MAX}
  )
  SELECT s.box_id, s.kind, s.length, s.token_sum, s.consist, s.position, s.tokens, s.box_at, s.total, s.cards, t.*
  FROM shown s
  LEFT JOIN LATERAL (
    SELECT ${TURN_REF} FROM state.agent_turns t
    WHERE t.project_id = $1 AND (t.context_box_id = s.box_id OR t.agent_turn_id = s.owner_turn_id)
    ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT 1
  ) t ON true
  ORDER BY s.box_at DESC, s.box_id DESC`;

type HolderRow = Omit<PackHolder, "created_at" | "turn"> & { box_at: string; total: number; cards: number } & (
    | TurnRefRow
    | { [K in keyof TurnRefRow]: null }
  );

/** not_found for an unknown pack and for one of another project alike. */
export async function listPackHolders(
  reader: Reader,
  input: { project_id: string; pack: string },
): Promise<PackHolders> {
  const { sha256 } = await findPack(reader, input);
  const rows = await read<HolderRow>(reader, "pack_holders", HOLDERS, [input.project_id, sha256]);
  const [first] = rows;
  return {
    boxes: rows.map(toHolder),
    box_count: first?.total ?? 0,
    is_all: (first?.cards ?? 0) < CARDS_MAX,
  };
}

function toHolder(row: HolderRow): PackHolder {
  const { box_id, kind, length, token_sum, consist, position, tokens, box_at } = row;
  return {
    ...{ box_id, kind, length, token_sum, consist, position, tokens },
    created_at: new Date(box_at).toISOString(),
    ...(row.agent_turn_id !== null && { turn: turnRef(row) }),
  };
}
