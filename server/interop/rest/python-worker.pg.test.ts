// The word count of examples/, run from a shell: a program in another language forks, joins and delivers over REST alone,
// next to the built-in worker.
import { execFile, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tunables } from "@/server/kernel/tunables";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { type RestServer, serveRestOnPort } from "@/server/testing/rest-server";
import { inNoTime, launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).status === 0;
const run = promisify(execFile);

let kernel: TestKernel;
let server: RestServer;
let builtIn: Awaited<ReturnType<typeof startTestWorker>>;
beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, watchdogMs: 200 } });
  server = await serveRestOnPort(kernel);
  builtIn = await startTestWorker(kernel, { targets: ["worker_generic"], models: { script: inNoTime } });
});
afterAll(async () => {
  await builtIn.stop();
  await server.close();
  await kernel.close();
});
const { ok } = restOf(() => kernel);

/** Counts like the example's tool, in another language. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}]+(?:['’][\p{L}]+)*/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

test.skipIf(!hasPython)(
  "a Python worker counts the words of a text in parts (skipped where there is no python3)",
  async () => {
    await seedProject(kernel, "counting", [scripted("Beside", [{ deliver: "here too" }])]);
    const beside = launchTurn(kernel, "counting", { target: "Beside" });
    const args = ["examples/word-count/worker.py", "--url", server.url, "--project", "counting", "--parts", "3"];
    const { stdout } = await run("python3", [...args, "LICENSE"], { timeout: 60_000 });
    const said = Object.fromEntries(stdout.split("\n").map((line) => [line.slice(0, 9).trim(), line.slice(10)]));
    const counts = countWords(fs.readFileSync("LICENSE", "utf8"));
    expect(said.words).toBe(String([...counts.values()].reduce((sum, n) => sum + n, 0)));
    expect(said.distinct).toBe(String(counts.size));
    expect(said.parts).toBe("3 of 3");
    expect(JSON.parse(said.top ?? "")[0]).toEqual([...counts].sort((a, b) => b[1] - a[1])[0]);

    const { items: turns } = await ok("GET", "/projects/counting/turns");
    type Line = { profile_name: string; status: string; turn_epoch: number; step_count: number; batch_id?: string };
    const of = (name: string) => turns.filter((turn: Line) => turn.profile_name === name);
    expect(of("Word_Count_Mapper").map((turn: Line) => turn.status)).toEqual(["success", "success", "success"]);
    // It was suspended once, until its mappers ended, and continued under a new epoch.
    expect(of("Word_Count_Principal")).toMatchObject([{ status: "success", turn_epoch: 2, step_count: 2 }]);
    const [{ batch_id }] = of("Word_Count_Mapper");
    expect(await ok("GET", `/projects/counting/batches/${batch_id}`)).toMatchObject({
      status: "success",
      task_count: 3,
    });
    const { items: steps } = await ok("GET", "/projects/counting/state/steps");
    expect(new Set(steps.map((step: { status: string }) => step.status))).toEqual(new Set(["completed"]));
    expect((await untilTurn(kernel, "counting", (await beside).agent_turn_id)).status).toBe("success");
  },
);

// The test below backdates heartbeats, so it passed while a tool with a wait of 30 s lost every count of a killed worker.
test("what the example waits for outlasts as many takeovers as a turn has attempts", () => {
  const seconds = (file: string, name: string) =>
    Number(new RegExp(`${name}"?: (\\d+)`).exec(fs.readFileSync(`examples/word-count/${file}`, "utf8"))?.[1]);
  const takeoversMs = tunables.attemptsMax * (tunables.leaseMs + tunables.watchdogMs);
  expect(seconds("tool.yaml", "timeout_seconds") * 1000).toBeGreaterThan(takeoversMs);
  expect(seconds("worker.py", "deadline_seconds")).toBeGreaterThan(seconds("tool.yaml", "timeout_seconds"));
});

test.skipIf(!hasPython)("killed in the middle of counting, its turns are taken over by another one", async () => {
  await seedProject(kernel, "killed");
  const args = ["examples/word-count/worker.py", "--url", server.url, "--project", "killed", "--parts", "2"];
  const doomed = spawn("python3", [...args, "--pause", "60", "LICENSE"], { stdio: "ignore" });
  const ended = new Promise((resolve) => doomed.on("exit", resolve));
  const mappers = async () =>
    (await ok("GET", "/projects/killed/turns")).items.filter(
      (turn: { profile_name: string; note?: string }) =>
        turn.profile_name === "Word_Count_Mapper" && turn.note === "calls word_count",
    );
  while ((await mappers()).length < 2) await new Promise((done) => setTimeout(done, 50));
  doomed.kill("SIGKILL");
  // Much shorter than a Python worker's heartbeat, and much longer than the remaining work of the next worker.
  kernel.tunables.leaseMs = 3_000;
  await ended;
  const [{ root_turn_id }] = await mappers();
  const parent = (await ok("GET", `/projects/killed/turns?root_turn_id=${root_turn_id}`)).items.find(
    (turn: { profile_name: string }) => turn.profile_name === "Word_Count_Principal",
  );
  const heir = spawn("python3", [...args, "--serve"], { stdio: "ignore" });
  const { status } = await untilTurn(kernel, "killed", parent.agent_turn_id);
  heir.kill("SIGKILL");
  expect(status).toBe("success");
  expect((await ok("GET", "/projects/killed/batches")).items).toMatchObject([{ status: "success" }]);
  // One fork, one count of each part and one sum, whichever worker made the call.
  expect((await ok("GET", "/projects/killed/cards?type=tool.call")).items).toHaveLength(4);
  const taken = (await ok("GET", `/projects/killed/turns?root_turn_id=${root_turn_id}`)).items.filter(
    (turn: { profile_name: string }) => turn.profile_name === "Word_Count_Mapper",
  );
  for (const turn of taken) expect(turn.turn_epoch).toBeGreaterThan(1);
});
