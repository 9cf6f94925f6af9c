// The id of an agent that was given none: its profile's name and a unique part.
import { slug } from "@/server/contract/ids";

/** `<slug of the profile's name>_<id>`. A profile called Human used to give its agents ids that are reserved for people. */
export function newAgentId(profileName: string, id: string): string {
  const stem = slug(profileName);
  return `${stem === "human" ? "human-agent" : stem}_${id}`;
}
