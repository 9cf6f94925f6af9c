// The profiles of a project as people read them: who runs on each, and the model it names.
import { type LlmConfig, namesModel, type ProfileLine, type ProfileLines } from "@/server/contract/profile";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { listProfiles } from "../roster/list-profiles";

const MODELS = `
  SELECT p.name, c.content -> 'data' -> 'llm_config' AS llm_config
  FROM resource.profiles p
  CROSS JOIN LATERAL (SELECT b.card_ids[1] AS card_id FROM card_box_chunks b
    WHERE b.tenant_id = $1 AND b.box_id = p.profile_box_id AND b.n = 0 OFFSET 0) b
  CROSS JOIN LATERAL (SELECT c.content FROM cards c WHERE c.tenant_id = $1 AND c.card_id = b.card_id OFFSET 0) c
  WHERE p.project_id = $1`;

type ModelRow = { name: string; llm_config: LlmConfig | null };

/** By name. not_found for an unknown project. */
export async function listProfileLines(kernel: Kernel, project_id: string): Promise<ProfileLines> {
  const live_cursor = await readCursor(kernel, project_id);
  const [profiles, models] = await Promise.all([
    listProfiles(kernel, project_id),
    read<ModelRow>(kernel, "profile_models", MODELS, [project_id]),
  ]);
  const modelOf = new Map(models.map((row) => [row.name, row]));
  const items = profiles.map((profile): ProfileLine => {
    const config = modelOf.get(profile.name)?.llm_config ?? {};
    const { provider, model } = config;
    return { ...profile, provider, model, needs_own_worker: !namesModel(config) };
  });
  return { items, live_cursor };
}
