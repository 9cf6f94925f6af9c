// The agents of a run with their fullest requests, and who called and made whom (docs/debugging.md). Four statements.
import type { RunAgents } from "@/server/contract/answers/run-agents";
import type { Reader } from "../reader";
import { noRun } from "../roster/no-run";
import { REQUESTS_MAX, readKinship, readNames, readRequests, readRunTurns, TURNS_MAX } from "./agents/read-run-turns";
import { sumAgents, sumDelegations } from "./agents/sum-agents";

/** As many as turns are looked at: what is alike is folded where it is drawn. */
const AGENTS_MAX = TURNS_MAX;

/** not_found for an unknown run and for one of another project alike. */
export async function readRunAgents(
  reader: Reader,
  input: { project_id: string; root_turn_id: string },
): Promise<RunAgents> {
  const { project_id, root_turn_id } = input;
  const turns = await readRunTurns(reader, input);
  if (turns.length === 0) throw await noRun(reader, input);
  const all = [...new Set(turns.toReversed().map(({ agent_id }) => agent_id))];
  const agent_ids = all.slice(0, AGENTS_MAX);
  const [requests, names, kinship] = await Promise.all([
    readRequests(
      reader,
      project_id,
      turns.map(({ agent_turn_id }) => agent_turn_id),
    ),
    readNames(reader, project_id, agent_ids),
    readKinship(reader, project_id, agent_ids),
  ]);
  const nameOf = new Map(names.map((row) => [row.agent_id, row]));
  const isListed = (id: string) => nameOf.has(id);
  return {
    root_turn_id,
    agents: sumAgents(turns, requests).flatMap((figures) => {
      const named = nameOf.get(figures.agent_id);
      return named ? [{ ...named, ...figures }] : [];
    }),
    agents_total: all.length,
    delegations: sumDelegations(turns).filter(({ from, to }) => isListed(from) && isListed(to)),
    identity: kinship.map(({ action, source_agent_id: from, target_agent_id: to }) => ({ from, to, action })),
    is_partial: turns.length === TURNS_MAX || requests.length === REQUESTS_MAX,
  };
}
