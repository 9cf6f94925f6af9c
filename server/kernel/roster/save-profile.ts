// Saves a profile: its body as a sys.profile card in its own box. When it is saved again under the same name, new agents get
// the new box; existing agents keep the old one.
import { KernelError } from "@/server/contract/errors";
import type { Profile } from "@/server/contract/profile";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { columnsOf } from "../columns";
import { refuseDots } from "../refuse-dots";
import type { Unit } from "../unit";
import type { ParsedProfile } from "./parse-profile";
import { PROFILE_COLUMNS, type ProfileRow, profileOf } from "./profile-row";

const SAVE = `
  INSERT INTO resource.profiles (project_id, profile_box_id, name, worker_target, tags, description, delegation_context)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (project_id, lower(name)) DO UPDATE SET profile_box_id = excluded.profile_box_id,
    worker_target = excluded.worker_target, tags = excluded.tags, description = excluded.description,
    delegation_context = excluded.delegation_context, rev = profiles.rev + 1, updated_at = now()
    WHERE profiles.name = excluded.name
  RETURNING ${columnsOf(PROFILE_COLUMNS, "profiles")}`;

export type SaveProfileInput = { project_id: string; profile: ParsedProfile; author_id: string };

/** conflict when the name differs from a registered one only by case. */
export async function saveProfile(unit: Unit, input: SaveProfileInput): Promise<Profile> {
  const { project_id, profile, author_id } = input;
  const { body } = profile;
  refuseDots(body.name, "name");
  await requireProject(unit, project_id);
  const [card] = await insertCards(unit, {
    project_id,
    cards: [{ type: "sys.profile", content: { kind: "json", data: JSON.parse(JSON.stringify(body)) }, author_id }],
  });
  if (!card) throw new Error("a card was given and none came back");
  const [box] = await createBoxes(unit, {
    project_id,
    boxes: [{ kind: "profile", items: [{ ...card, origin: "given" }] }],
  });
  const [row] = await unit.query<ProfileRow>("profile_save", SAVE, [
    project_id,
    box?.box_id,
    body.name,
    body.worker_target,
    body.tags,
    body.description ?? null,
    profile.delegation_context,
  ]);
  if (!row)
    throw new KernelError(
      "conflict",
      `name: a profile whose name differs from "${body.name}" only by case already exists; use its exact name or another one`,
    );
  unit.frame(project_id, {
    kind: "profile",
    id: row.name,
    rev: row.rev,
    name: row.name,
    profile_box_id: row.profile_box_id,
    worker_target: row.worker_target,
    is_deleted: false,
  });
  return profileOf(row);
}

async function requireProject(unit: Unit, project_id: string): Promise<void> {
  const [row] = await unit.query("project_is_there", "SELECT 1 FROM projects WHERE project_id = $1", [project_id]);
  if (!row) throw new KernelError("not_found", `project ${project_id} not found`);
}
