// Test data that specs create through the REST interface, as a program would; what they check is the page.
import { expect } from "./fixtures";

type Json = Record<string, unknown>;

const token = process.env.SWITCHYARD_TOKEN;
const bearer = token ? { authorization: `Bearer ${token}` } : undefined;

export async function api<T = Json>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  type = "application/json",
): Promise<T> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { "content-type": type, ...bearer },
    body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

const lead = `
name: Lead
delegation_policy: { target_tags: [], target_profiles: [Hand] }
allowed_tools: [delegate_async]
llm_config:
  provider: script
  script:
    - { think: "Two questions, two hands.", wait_ms: 400 }
    - { call: delegate_async, arguments: { target_strategy: new, target_ref: Hand, instruction: "Weigh the first half" }, wait_ms: 300 }
    - { call: delegate_async, arguments: { target_strategy: new, target_ref: Hand, instruction: "Weigh the second half" }, wait_ms: 300 }
    - { deliver: "Both halves are on their way.", wait_ms: 300 }
`;
const hand = `
name: Hand
llm_config:
  provider: script
  script:
    - { think: "Reading what was handed over.", wait_ms: 700 }
    - { think: "Adding it up.", wait_ms: 700 }
    - { deliver: "**It weighs** what it says.", wait_ms: 400 }
`;

/** `isBrisk`: for tests that look at a run only once it has ended; what it does is the same, in a tenth of the time. */
export type Pace = { isBrisk?: boolean };

export const paced = (yaml: string, { isBrisk = false }: Pace): string =>
  isBrisk ? yaml.replace(/wait_ms: (\d+)/g, (_all, ms: string) => `wait_ms: ${Math.round(Number(ms) / 10)}`) : yaml;

/** A project with two scripted profiles: Lead delegates twice to Hand; a run takes some three seconds. */
export async function makeProject(url: string, title: string, pace: Pace = {}): Promise<string> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  for (const yaml of [lead, hand])
    await api(url, "POST", `/projects/${project_id}/profiles`, paced(yaml, pace), "text/yaml");
  return project_id;
}

export async function launchLead(url: string, project_id: string): Promise<{ root_turn_id: string; child: string }> {
  const { root_turn_id, result } = await api<{ root_turn_id: string; result: { agent_turn_id: string } }>(
    url,
    "POST",
    `/projects/${project_id}/pmo/delegate_async:call`,
    { args: { target_strategy: "new", target_ref: "Lead", instruction: "Weigh the whole thing" } },
  );
  return { root_turn_id, child: result.agent_turn_id };
}

export type TurnLine = { agent_turn_id: string; headcode: string; status: string };

async function turnsOf(url: string, project_id: string): Promise<TurnLine[]> {
  return (await api<{ items: TurnLine[] }>(url, "GET", `/projects/${project_id}/turns?limit=500`)).items;
}

/** Resolves when all four turns of Lead's run have succeeded. */
export async function runEnds(url: string, project_id: string): Promise<TurnLine[]> {
  await expect
    .poll(async () => (await turnsOf(url, project_id).catch(() => [])).map((t) => t.status), { timeout: 60_000 })
    .toEqual(["success", "success", "success", "success"]);
  return turnsOf(url, project_id);
}
