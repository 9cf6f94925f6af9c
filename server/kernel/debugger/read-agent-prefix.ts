// How far each request of an agent begins like the one before it. At most the newest 200 requests, and it says of how many.
import type { PrefixSheet } from "@/server/contract/prefix";
import type { Kernel } from "../kernel";
import { readAgent } from "../roster/read-agents";
import { comparePrefixes } from "./compare-prefixes";
import { prefixSheet } from "./prefix-sheet";
import { readAgentRequests, type SentRequest } from "./read-sent-requests";

/** Cards of all requests together: 200 requests of 10,000 cards each took the memory of the process. */
const CARDS_MAX = 400_000;

/** not_found for an unknown agent and for one of another project alike. */
export async function readAgentPrefix(
  kernel: Kernel,
  input: { project_id: string; agent_id: string },
): Promise<PrefixSheet> {
  const { project_id } = input;
  const newest = await readAgentRequests(kernel, input);
  if (newest.length === 0) await readAgent(kernel, input);
  const requests = withinCards(newest).toReversed();
  const before = (at: number) => (at === 0 ? null : at - 1);
  return prefixSheet(await comparePrefixes(kernel, { project_id, requests, before }), newest[0]?.total ?? 0);
}

/** The first is kept whatever it holds. */
export function withinCards(requests: readonly SentRequest[]): SentRequest[] {
  let cards = 0;
  return requests.filter(({ length }, at) => {
    cards += length;
    return at === 0 || cards <= CARDS_MAX;
  });
}
