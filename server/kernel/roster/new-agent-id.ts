// The id of an agent that nobody has named: its profile's name, and what makes it the only one.
import { slug } from "@/server/contract/ids";

/** `<slug of the profile's name>_<id>`. A profile called Human used to make agents of ids that are people's. */
export function newAgentId(profileName: string, id: string): string {
  const stem = slug(profileName);
  return `${stem === "human" ? "human-agent" : stem}_${id}`;
}
