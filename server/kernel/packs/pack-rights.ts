// What an agent may make and hand over as a pack: boxes and cards that are its own, workspaces that its profile names, and packs
// of its run. A person may use everything of the project.

import type { PackRecord } from "@/server/contract/context-pack/record";
import type { PackToBuild } from "@/server/contract/context-pack/request";
import { KernelError } from "@/server/contract/errors";
import type { ProfileBody } from "@/server/contract/profile";
import { isRefusal } from "../attempt";
import { refuseUngranted } from "../context/authorise-boxes";
import { readGrants } from "../context/read-grants";
import { type Reader, read } from "../reader";
import type { TurnRow } from "../turns/turn-row";
import { findPacks } from "./find-packs";

export type PackAuthor = {
  turn: Pick<TurnRow, "agent_id" | "agent_turn_id" | "root_turn_id" | "turn_epoch">;
  /** null for a person. */
  body: ProfileBody | null;
  is_human: boolean;
  tool_call_id?: string;
};

// Built in the run, or handed to a turn of it.
const OF_RUN = `
  SELECT p.sha256 FROM resource.context_packs p WHERE p.project_id = $1 AND p.sha256 = ANY ($2::text[])
    AND (p.root_turn_id = $3
      OR EXISTS (SELECT 1 FROM state.agent_turns t WHERE t.project_id = $1 AND t.root_turn_id = $3 AND t.context_pack_ref ->> 'sha256' = p.sha256)
      OR EXISTS (SELECT 1 FROM state.edge_extra e WHERE e.project_id = $1 AND e.root_turn_id = $3
        AND e.metadata #>> '{context_pack_ref,sha256}' = p.sha256))`;

type Foreign<T> = {
  project_id: string;
  by: PackAuthor;
  packs: readonly T[];
  at: (i: number) => string;
};

/** In input order; what is not of the agent's run is answered like a pack that does not exist. */
export async function refuseForeignPacks(
  reader: Reader,
  { project_id, by, packs, at }: Foreign<PackRecord | KernelError>,
): Promise<(PackRecord | KernelError)[]> {
  const known = packs.flatMap((one) => (isRefusal(one) ? [] : one.sha256));
  if (by.is_human || known.length === 0) return [...packs];
  const rows = await read<{ sha256: string }>(reader, "packs_of_run", OF_RUN, [
    project_id,
    known,
    by.turn.root_turn_id,
  ]);
  const own = new Set(rows.map(({ sha256 }) => sha256));
  return packs.map((one, i) =>
    isRefusal(one) || own.has(one.sha256)
      ? one
      : new KernelError(
          "not_found",
          `${at(i)}: your run has no such context pack. Use one that you were given or built, or build one`,
          { path: at(i) },
        ),
  );
}

/** Throws for the first that is not the agent's. */
export async function refuseForeignSources(
  reader: Reader,
  { project_id, by, request }: { project_id: string; by: PackAuthor; request: PackToBuild },
): Promise<void> {
  if (by.is_human) return;
  const { from_boxes: box_ids = [], from_cards: card_ids = [], decisions_from: ids = [], workspace } = request;
  if (workspace !== undefined && !by.body?.workspaces?.includes(workspace))
    throw new KernelError(
      "auth_failed",
      `workspace: the profile ${by.body?.name ?? "of the caller"} does not name ${workspace} among its workspaces. Leave it out, or add it to the profile`,
      { path: "workspace" },
    );
  const source_agent_id = by.turn.agent_id;
  if (box_ids.length + card_ids.length > 0) {
    const grants = await readGrants(reader, { project_id, source_agent_id, box_ids, card_ids });
    refuseUngranted({ ...grants, source_is_there: true }, { source_agent_id, box_ids, card_ids });
  }
  if (ids.length === 0) return;
  const packs = await findPacks(reader, {
    project_id,
    packs: ids.map((pack_id) => ({ pack_id })),
    field: "decisions_from",
  });
  const refused = await refuseForeignPacks(reader, { project_id, by, packs, at: (i) => `decisions_from.${i}` });
  const first = refused.find(isRefusal);
  if (first) throw first;
}
