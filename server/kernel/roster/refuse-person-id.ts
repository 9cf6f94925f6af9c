// `human_<user>` is a person, who may hand over any box of the project: no agent may take such a name.
import { KernelError } from "@/server/contract/errors";

export function refusePersonId(agent_id: string): void {
  if (agent_id.startsWith("human_"))
    throw new KernelError(
      "bad_request",
      "agent_id: ids that begin with human_ are reserved for people; choose another id",
    );
}
