// The context pack that a wagon asks for, with the plan's text inputs in its goal, its definition of done and its search words.
import type { ContextPackRequest } from "@/server/contract/context-pack/request";
import { ContextPackRequest as Request } from "@/server/contract/context-pack/request";
import { KernelError } from "@/server/contract/errors";
import { shapeFault } from "@/server/contract/shape-fault";
import type { GivenInput } from "./plan-row";
import { fillInputs } from "./resolve-load";

/** bad_request if it is too long with its inputs. */
export function fillPack(request: ContextPackRequest, inputs: Record<string, GivenInput>): ContextPackRequest {
  if (!("goal" in request)) return request;
  const fill = (text: string): string => fillInputs(text, inputs);
  const { definition_of_done, search } = request;
  const filled = {
    ...request,
    goal: fill(request.goal),
    ...(definition_of_done && { definition_of_done: definition_of_done.map(fill) }),
    ...(search !== undefined && { search: fill(search) }),
  };
  const { data, error } = Request.safeParse(filled);
  if (data) return data;
  const { path, message } = shapeFault(error, "context_pack");
  throw new KernelError("bad_request", `${path}: ${message}`, { path });
}
