// Forks created through the REST interface: three branches that deliver, one that fails, one that is slow.
import { expect } from "./fixtures";
import { api, type Pace, paced } from "./scenes";

const profile = (name: string, steps: string, more = "") => `
name: ${name}
${more}
llm_config:
  provider: script
  script:
${steps}
`;

const quick = profile(
  "Search",
  `    - { think: "Reading what was handed over.", wait_ms: 300 }
    - { deliver: "{instruction}: cheaper above 24 hours only.", wait_ms: 300 }`,
);
const broken = profile("Hydrogen", `    - { fail: "the electrolyser report cannot be read", wait_ms: 300 }`);
const slow = profile(
  "Thermal",
  `    - { think: "A long review.", wait_ms: 2500 }
    - { deliver: "Packed beds are cheap where heat is what is wanted.", wait_ms: 6000 }`,
);
// Longer than any test file takes on a slow machine: a branch that ended by itself could not be stopped any more.
const endless = profile(
  "Patience",
  `    - { think: "Still at it.", wait_ms: 600000 }
    - { think: "Still at it.", wait_ms: 600000 }
    - { deliver: "late" }`,
);
const unserved = profile("Elsewhere", `    - { deliver: "never" }`, "worker_target: worker_elsewhere");

/** A project with the profiles that the forks below are made of. `five` takes nine seconds, and one where `isBrisk`. */
export async function makeForkProject(url: string, title: string, pace: Pace = {}): Promise<string> {
  const { project_id } = await api<{ project_id: string }>(url, "POST", "/projects", { title });
  const ending = [quick, broken, slow].map((yaml) => paced(yaml, pace));
  for (const yaml of [...ending, endless, unserved])
    await api(url, "POST", `/projects/${project_id}/profiles`, yaml, "text/yaml");
  return project_id;
}

export type Task = { target_ref: string; instruction: string };

export const five: Task[] = [
  { target_ref: "Search", instruction: "Iron-air" },
  { target_ref: "Search", instruction: "Flow batteries" },
  { target_ref: "Search", instruction: "Compressed air" },
  { target_ref: "Thermal", instruction: "Thermal storage" },
  { target_ref: "Hydrogen", instruction: "Hydrogen" },
];
export const endlessTwo: Task[] = [
  { target_ref: "Patience", instruction: "Wait for one" },
  { target_ref: "Patience", instruction: "Wait for two" },
];

export type Forked = { batch_id: string; root_turn_id: string; agent_turn_id: string };

/** By a person: their turn is the parent. */
export async function fork(url: string, project_id: string, tasks: Task[], more: object = {}): Promise<Forked> {
  const launched = await api<{ root_turn_id: string; agent_turn_id: string; result: { batch_id: string } }>(
    url,
    "POST",
    `/projects/${project_id}/pmo/fork_join:call`,
    { args: { tasks: tasks.map((task) => ({ target_strategy: "new", ...task })), ...more } },
  );
  const { root_turn_id, agent_turn_id, result } = launched;
  return { root_turn_id, agent_turn_id, batch_id: result.batch_id };
}

export async function batchEnds(url: string, project_id: string, batch_id: string, status: string): Promise<void> {
  await expect
    .poll(
      async () => (await api<{ status: string }>(url, "GET", `/projects/${project_id}/batches/${batch_id}`)).status,
      {
        timeout: 60_000,
      },
    )
    .toBe(status);
}

/** No test may leave anything behind that keeps a worker busy for that long. The batch ends with the turn that forked. */
export async function stopFork(url: string, project_id: string, { agent_turn_id, batch_id }: Forked): Promise<void> {
  await api(url, "POST", `/projects/${project_id}/turns/${agent_turn_id}:stop`, {});
  await batchEnds(url, project_id, batch_id, "canceled");
}

/** One more turn for the agent of the first branch; it waits in the agent's inbox. */
export async function queueBehind(url: string, project_id: string, { batch_id }: Forked): Promise<string> {
  const batch = await api<{ tasks: { agent_id: string }[] }>(url, "GET", `/projects/${project_id}/batches/${batch_id}`);
  const agent_id = batch.tasks[0]?.agent_id ?? "";
  await delegate(url, project_id, { target_strategy: "reuse", target_ref: agent_id });
  return agent_id;
}

export async function delegate(
  url: string,
  project_id: string,
  target: { target_strategy: string; target_ref: string },
): Promise<void> {
  await api(url, "POST", `/projects/${project_id}/pmo/delegate_async:call`, {
    args: { ...target, instruction: "Wait for somebody" },
  });
}
