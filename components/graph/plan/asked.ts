// What turns have asked people, for the mark at their wagons.
import type { HumanRequestFrame } from "@/server/contract/frame";
import { byTurn } from "./by-turn";

export const requestsOf = byTurn<HumanRequestFrame>();

/** "waits for you: which one?", while something is open. */
export function askedWords(requests: readonly HumanRequestFrame[]): string | null {
  const open = requests.filter((request) => request.status === "open");
  const [first] = open;
  if (first === undefined) return null;
  if (open.length > 1) return `waits for you, ${open.length} times`;
  return first.request_kind === "approval"
    ? `asks for approval to call ${first.title}?`
    : `waits for you: ${first.title}`;
}
