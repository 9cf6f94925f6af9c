// Open objects as people and programs give them for a pack. What zod would drop in silence is refused, and a tool policy that
// nobody could merge later is refused while its author can still correct it: a pack never changes.
import * as z from "zod";
import { OpenObject } from "./forms";
import { toolPolicyFault } from "./tool-policy";

export const GivenObject = z.preprocess((given, check) => {
  const path = inheritedIn(given);
  if (path)
    check.addIssue({
      code: "custom",
      input: given,
      path,
      message: "has a member named __proto__. Rename it",
    });
  return given;
}, OpenObject);

export const GivenToolPolicy = GivenObject.superRefine((policy, check) => {
  const fault = toolPolicyFault(policy);
  if (fault) check.addIssue({ code: "custom", path: [fault.name], message: fault.cause });
});

type Visit = { value: unknown; key: string; owner: Visit | null };

/** Where the owner of such a member stands. Without recursion or copied paths: the depth is the sender's choice. */
function inheritedIn(given: unknown): string[] | null {
  const open: Visit[] = [{ value: given, key: "", owner: null }];
  for (let visit = open.pop(); visit; visit = open.pop()) {
    const { value } = visit;
    if (value === null || typeof value !== "object") continue;
    for (const [key, member] of Object.entries(value)) {
      if (key === "__proto__") return pathOf(visit);
      if (member !== null && typeof member === "object") open.push({ value: member, key, owner: visit });
    }
  }
  return null;
}

function pathOf(visit: Visit): string[] {
  const path: string[] = [];
  for (let at = visit; at.owner; at = at.owner) path.push(at.key);
  return path.reverse();
}
