// Profiles as the API returns them.
import * as z from "zod";
import { ProfileBody } from "../profile";

const DelegationContextLevel = z.enum(["off", "minimal", "standard", "verbose"]).meta({ id: "DelegationContextLevel" });
const Profile = z
  .strictObject({
    profile_box_id: z.string(),
    project_id: z.string(),
    name: z.string(),
    worker_target: z.string(),
    tags: z.array(z.string()),
    description: z.string().optional(),
    delegation_context: DelegationContextLevel,
    rev: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Profile" });
export const ProfileSummary = Profile.extend({
  agent_count: z.number(),
}).meta({ id: "ProfileSummary" });
/** As it was saved. What has a default may be missing: an importer or an earlier version wrote none, and a client failed on it. */
const StoredBody = ProfileBody.partial({ worker_target: true, tags: true, llm_config: true, must_end_with: true });
export const ProfileDetail = Profile.extend({
  body: StoredBody,
  yaml: z.string(),
  warnings: z.array(z.string()),
  agent_count: z.number(),
}).meta({ id: "ProfileDetail" });

export const SavedProfile = Profile.extend({ warnings: z.array(z.string()) }).meta({ id: "SavedProfile" });
