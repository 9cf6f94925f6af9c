// A turn as a plate to click on.
import type { TurnRef } from "@/server/contract/line";

export type TurnRefRow = TurnRef;

/** For a table `t` of turns. */
export const TURN_REF = `t.agent_turn_id, t.root_turn_id, t.headcode, t.agent_id, t.profile_name, t.is_human, t.status, t.title, t.created_at`;

export const turnRef = (row: TurnRefRow): TurnRef => ({
  agent_turn_id: row.agent_turn_id,
  root_turn_id: row.root_turn_id,
  headcode: row.headcode,
  agent_id: row.agent_id,
  profile_name: row.profile_name,
  is_human: row.is_human,
  status: row.status,
  title: row.title,
  created_at: new Date(row.created_at).toISOString(),
});
