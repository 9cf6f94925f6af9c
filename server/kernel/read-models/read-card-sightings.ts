// Who saw a card, with the names a page shows: plates, profiles and states beside the ids.
import type { CardSightings } from "@/server/contract/line";
import type { SightingsInclude } from "@/server/contract/sightings";
import { findBoxes } from "../cardbox/read-box";
import { readSightings } from "../cardbox/read-sightings";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

// A context box is packed before its turn exists: the turn names it.
const TURNS = `
  SELECT ${TURN_REF}, t.context_box_id FROM state.agent_turns t
  WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[])
  UNION
  SELECT ${TURN_REF}, t.context_box_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.context_box_id = ANY ($3::text[])`;

/** not_found for an unknown card and for one of another project alike. */
export async function readCardSightings(
  kernel: Kernel,
  input: { project_id: string; card_id: string; include?: readonly SightingsInclude[] },
): Promise<CardSightings> {
  const { project_id } = input;
  const seen = await readSightings(kernel, input);
  const held = seen.boxes.filter((box) => box.kind !== "request");
  const boxIds = held.map((box) => box.box_id);
  const ids = new Set([...seen.turns.map((t) => t.agent_turn_id), ...held.flatMap((box) => box.owner_turn_id ?? [])]);
  const [{ boxes }, rows] = await Promise.all([
    findBoxes(kernel, { project_id, box_ids: boxIds }),
    read<TurnRefRow & { context_box_id: string }>(kernel, "card_seen_by", TURNS, [project_id, [...ids], boxIds]),
  ]);
  const turns = new Map(rows.map((row) => [row.agent_turn_id, turnRef(row)]));
  const readers = new Map(rows.map((row) => [row.context_box_id, row.headcode]));
  const lengths = new Map(boxes.map((box) => [box.box_id, box.length]));
  return {
    boxes: held.map(({ box_id, kind, position, origin, owner_turn_id, created_at }) => ({
      ...{ box_id, kind, position, origin, created_at },
      length: lengths.get(box_id) ?? 0,
      headcode: turns.get(owner_turn_id ?? "")?.headcode ?? readers.get(box_id),
    })),
    box_count: seen.boxes_total - seen.requests_total,
    turns: seen.turns.flatMap((turn) => {
      const ref = turns.get(turn.agent_turn_id);
      return ref ? [{ ...ref, as: turn.as, why: turn.why }] : [];
    }),
    turn_count: seen.turns_total,
    agent_count: seen.agents.length,
    request_count: seen.requests_total,
    ...(seen.looked_at !== undefined && { looked_at: seen.looked_at }),
    first_seen: seen.first_seen,
    last_seen: seen.last_seen,
  };
}
