// Runs to compare: the same work launched twice, where a tool may answer differently, and once with one branch more.
import { expect } from "./fixtures";
import { api } from "./scenes";

const leaf = `
name: Searcher
description: Looks up one source.
allowed_tools: [look_up]
llm_config:
  provider: script
  script:
    - { think: "I look up {instruction}." }
    - { call: look_up, arguments: { source: "{instruction}" } }
    - { deliver: "Found {result.1} for {instruction}." }
`;
const lead = (sources: readonly string[]) => `
name: Lead
description: Splits the question and sums it up.
allowed_tools: [fork_join]
delegation_policy: { target_tags: [], target_profiles: [Searcher] }
llm_config:
  provider: script
  script:
    - { think: "I split the question." }
    - { call: fork_join, arguments: { tasks: [${sources.map((source) => `{ target_strategy: new, target_ref: Searcher, instruction: "${source}" }`).join(", ")}] } }
    - { deliver: "Summed up ${sources.length} sources." }
`;

type Turn = { agent_turn_id: string; headcode: string; status: string; root_turn_id: string };
type Detail = Turn & { waiting: { tool_call_id: string }[] };

export async function makeCompareProject(url: string, title: string): Promise<string> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  await api(url, "POST", `/projects/${project_id}/tools`, { tool_name: "look_up", options: { timeout_ms: 600_000 } });
  await api(url, "POST", `/projects/${project_id}/profiles`, leaf, "text/yaml");
  return project_id;
}

/** Source -> what the tool answers for it. */
export type Answers = Record<string, string>;

/** Answers the root turn of a run of Lead that has ended. */
export async function runLead(url: string, project_id: string, answers: Answers): Promise<string> {
  const sources = Object.keys(answers);
  await api(url, "POST", `/projects/${project_id}/profiles`, lead(sources), "text/yaml");
  const { root_turn_id } = await api<{ root_turn_id: string }>(
    url,
    "POST",
    `/projects/${project_id}/pmo/delegate_async:call`,
    {
      args: { target_strategy: "new", target_ref: "Lead", instruction: "Which storage is cheapest above 24 hours?" },
    },
  );
  const turns = async () =>
    (await api<{ items: Turn[] }>(url, "GET", `/projects/${project_id}/turns?root_turn_id=${root_turn_id}&limit=100`))
      .items;
  const waiting = async () =>
    (await turns()).filter(({ headcode, status }) => headcode.startsWith("2") && status === "suspended");
  await expect.poll(async () => (await waiting()).length, { timeout: 40_000 }).toBe(sources.length);
  const open = (await waiting()).sort((a, b) => (a.headcode < b.headcode ? -1 : 1));
  for (const [i, { agent_turn_id }] of open.entries()) {
    const turn = await api<Detail>(url, "GET", `/projects/${project_id}/turns/${agent_turn_id}`);
    await api(url, "POST", `/projects/${project_id}/tool-calls/${turn.waiting[0]?.tool_call_id}:report`, {
      ...{ status: "success", result: answers[sources[i] ?? ""] },
    });
  }
  await expect
    .poll(async () => (await turns()).every(({ status }) => status === "success"), { timeout: 40_000 })
    .toBe(true);
  return root_turn_id;
}
