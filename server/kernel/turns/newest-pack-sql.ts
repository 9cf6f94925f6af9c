// The context pack that a turn leaves for whoever joins it: the newest one that it built and handed to nobody.

import { PACK_AREA, PACK_NAME_DIGITS } from "@/server/contract/context-pack/pack-name";

/** A json value or null, as envelopes name a pack. `turn`: SQL of a turn's id; $1 is the project. */
export const newestPackSql = (turn: string): string => `(
    SELECT jsonb_build_object('ref', 'artifact://${PACK_AREA}/pack-' || left(p.sha256, ${PACK_NAME_DIGITS}) || '.json', 'type', 'context_pack',
      'summary', p.goal, 'sha256', p.sha256)
    FROM resource.context_packs p
    WHERE p.project_id = $1 AND p.agent_turn_id = ${turn} AND NOT EXISTS (SELECT 1 FROM state.agent_turns c
        WHERE c.project_id = $1 AND c.parent_turn_id = ${turn} AND c.context_pack_ref ->> 'sha256' = p.sha256)
      AND NOT EXISTS (SELECT 1 FROM state.edge_extra e
        WHERE e.project_id = $1 AND e.source_turn_id = ${turn} AND e.metadata #>> '{context_pack_ref,sha256}' = p.sha256)
    ORDER BY p.created_at DESC, p.sha256 DESC LIMIT 1)`;
