// How long an import takes and how long it blocks the event loop of its process: `npx tsx bench/import.ts [megabytes]`.
// Synthetic logs of both kinds, a throw-away Postgres with its default settings.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { startEmbedded } from "@/server/embedded/start";
import { importRun } from "@/server/interop/importers/import-run";
import { createProject } from "@/server/kernel/roster/create-project";
import { migrate } from "@/server/migrate";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { wireKernel } from "@/server/wire";

type Entry = { role: string; content: string; name?: string };

const megabytes = Number(process.argv[2] ?? 20);
const words =
  "the yard keeps every card in its box and each turn reads what was handed to it, no more and no less".split(" ");

/** Prose about as long as real messages: some 1.4 kB. */
function prose(seed: number): string {
  let text = `Message ${seed}:`;
  for (let i = 0; text.length < 700 + ((seed * 7919) % 1400); i++)
    text += ` ${words[(seed * 31 + i * i) % words.length]}`;
  return text;
}

function orchestrated(bytes: number): Entry[] {
  const history: Entry[] = [{ role: "human", content: "What is in the yard?" }];
  const roles = ["Orchestrator (thought)", "Orchestrator (-> WebSurfer)", "Orchestrator (thought)", "WebSurfer"];
  for (let size = 0, i = 0; size < bytes; i++) {
    const entry = { role: roles[i % roles.length] ?? "", content: prose(i) };
    size += entry.content.length + 60;
    history.push(entry);
  }
  history.push({ role: "Orchestrator (termination condition)", content: "Everything." });
  return history;
}

function groupChat(bytes: number, count: number): Entry[] {
  const filler = Math.max(0, Math.floor(bytes / count) - 1500);
  return Array.from({ length: count }, (_, i) => {
    let content = prose(i);
    while (content.length < filler) content += ` ${prose(i + content.length)}`;
    return { role: "user", name: ["Planner", "Coder", "Computer_terminal"][i % 3] ?? "", content };
  });
}

async function measure(name: string, history: Entry[]): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ question: name, history }, null, 1));
  await createProject(kernel, { project_id: name, title: name });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  await new Promise((done) => setTimeout(done, 300));
  delay.enable();
  const start = performance.now();
  const result = await importRun(kernel, { project_id: name, format: "who-and-when", bytes });
  const seconds = (performance.now() - start) / 1000;
  delay.disable();
  console.log(
    [
      name.padEnd(14),
      `${(bytes.length / 1e6).toFixed(1)} MB`,
      `${history.length} messages`,
      `${result.turns} turns`,
      `${result.boxes} boxes`,
      `${seconds.toFixed(1)} s`,
      `event loop: max ${(delay.max / 1e6).toFixed(0)} ms, p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms`,
    ].join("  "),
  );
}

const scratch = makeScratch();
const { url } = await startEmbedded({ dataDir: scratch });
await migrate(url);
const kernel = wireKernel({ url, name: "bench-import" });
try {
  await measure("warm-up", orchestrated(200_000));
  await measure("orchestrated", orchestrated(megabytes * 1e6));
  for (const count of [500, 1000, 2000]) await measure(`group-${count}`, groupChat(megabytes * 1e6, count));
} finally {
  await kernel.close();
  await removeScratch(scratch);
}
