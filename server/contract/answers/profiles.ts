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
export const ProfileDetail = Profile.extend({
  body: ProfileBody,
  yaml: z.string(),
  warnings: z.array(z.string()),
  agent_count: z.number(),
}).meta({ id: "ProfileDetail" });

export const SavedProfile = Profile.extend({ warnings: z.array(z.string()) }).meta({ id: "SavedProfile" });
