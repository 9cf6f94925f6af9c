// A run whose agents fill their windows to each of the five steps of the yard, beside many agents alike.
import { batchEnds, fork } from "./fork-scenes";
import { api } from "./scenes";

/** A request with it has about 1,700 tokens: 10, 30, 50, 70 and 90 % of the windows. */
const LONG = "Read the report on iron-air cells and say what it costs to store one kilowatt hour for a day. ".repeat(
  44,
);
const WINDOWS = [17_000, 5_600, 3_400, 2_430, 1_890];

/** In a project of forks. `alike`: so many agents of one profile. The root turn's id. */
export async function makeWindowsRun(url: string, project: string, alike: number): Promise<string> {
  for (const [i, window] of WINDOWS.entries())
    await api(
      url,
      "POST",
      `/projects/${project}/profiles`,
      `name: Window_${i + 1}\nllm_config:\n  provider: script\n  context_window: ${window}\n  script:\n    - { think: "Reading." }\n    - { deliver: "done" }\n`,
      "text/yaml",
    );
  const read = WINDOWS.map((_, i) => ({ target_ref: `Window_${i + 1}`, instruction: LONG }));
  const searched = Array.from({ length: alike }, (_, i) => ({ target_ref: "Search", instruction: `Part ${i + 1}` }));
  const { batch_id, root_turn_id } = await fork(url, project, [...read, ...searched], { deadline_seconds: 900 });
  await batchEnds(url, project, batch_id, "success");
  return root_turn_id;
}
