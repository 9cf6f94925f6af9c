// YAML from outside, read in a thread of its own: 240 kB of keys once held the web process for a minute, and everybody with
// it. One thread, kept warm, one text at a time, the projects by turns; a text that takes too long ends with its thread.
import path from "node:path";
import { Worker } from "node:worker_threads";
import { KernelError } from "@/server/contract/errors";
import { PLAN_BYTES_MAX } from "@/server/contract/plan/plan";
import { lineOf } from "../take-turns";

/** Of one profile or tool as text: what is saved becomes a card, and a card has no more. */
export const DOCUMENT_BYTES_MAX = 1_048_576;

/** What a text may be, and what it is called in refusals. `tokensMax`: words and signs, which are counted before anything is built. */
export type DocumentLimits = { what: string; bytesMax: number; valuesMax: number; tokensMax: number };
export const PROFILE_DOCUMENT: DocumentLimits = {
  what: "a profile or tool",
  bytesMax: DOCUMENT_BYTES_MAX,
  valuesMax: 20_000,
  tokensMax: 200_000,
};
/** As much as a launch takes as JSON. */
export const PLAN_DOCUMENT: DocumentLimits = {
  what: "a plan",
  bytesMax: PLAN_BYTES_MAX,
  valuesMax: 50_000,
  tokensMax: 500_000,
};
/** The largest text takes a second on a slow machine. */
const DEADLINE_MS = 5_000;
/** One project's bad texts delay another's by one text at most, up to its deadline. */
const WAITING_MAX = { ofProject: 8, ofAll: 256 };
const HEAP_MB_MAX = 256;

type Fault = { message: string; line?: number; column?: number };
type Answer = { id: number; value?: unknown; line?: number; fault?: Fault };
type Question = { project_id: string; text: string; keys?: string; deadlineMs: number; limits: DocumentLimits };
type Task = Question & { id: number; done: (answer: Answer) => void; failed: (error: Error) => void };

/** bad_request with line and column of what is wrong, and for what is too deep, too long or takes too long. */
export async function readYaml(
  project_id: string,
  text: string,
  deadlineMs = DEADLINE_MS,
  limits = PROFILE_DOCUMENT,
): Promise<Record<string, unknown>> {
  const { bytesMax, what } = limits;
  if (Buffer.byteLength(text) > bytesMax)
    throw new KernelError(
      "payload_too_large",
      `the document is over ${bytesMax} bytes, the limit of ${what}; send less`,
    );
  const { value, fault } = await ask({ project_id, text, deadlineMs, limits });
  if (fault) throw refusalOf(fault);
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new KernelError("bad_request", `the YAML is not a mapping; write ${what} as "key: value" lines`);
  return value as Record<string, unknown>;
}

/** Where the key at a path (`tags.1`), or one above it, is written; undefined where none is. */
export async function lineOfYaml(project_id: string, text: string, keys: string): Promise<number | undefined> {
  return (await ask({ project_id, text, keys, deadlineMs: DEADLINE_MS, limits: PROFILE_DOCUMENT })).line;
}

function refusalOf({ message, line, column }: Fault): KernelError {
  const place = line === undefined ? "" : `line ${line}, column ${column}: `;
  return new KernelError("bad_request", `not YAML: ${place}${message}`, { line, column });
}

const waiting = lineOf<Task>(WAITING_MAX);
let current: { task: Task; deadline: NodeJS.Timeout } | undefined;
let reader: Worker | undefined;
let count = 0;

function ask(question: Question): Promise<Answer> {
  return new Promise((done, failed) => {
    if (!waiting.add(question.project_id, { ...question, id: ++count, done, failed }))
      throw new KernelError(
        "busy",
        `the server is reading other YAML documents, and ${WAITING_MAX.ofProject} of one project may wait. Send it again in a few seconds`,
      );
    next();
  });
}

function next(): void {
  if (current) return;
  const task = waiting.next();
  if (!task) return;
  reader ??= startReader();
  // Warm, it must not keep a process that is done; at work, it must.
  reader.ref();
  const { id, text, keys, deadlineMs, limits } = task;
  current = { task, deadline: setTimeout(() => giveUp(tooSlow(deadlineMs)), deadlineMs) };
  const { bytesMax: charsMax, valuesMax, tokensMax } = limits;
  reader.postMessage({ id, text, path: keys, limits: { charsMax, valuesMax, tokensMax } });
}

const tooSlow = (deadlineMs: number) =>
  new KernelError("bad_request", `the YAML takes longer than ${deadlineMs} ms to read; make it smaller`);

function startReader(): Worker {
  // Not beside this module: bundled, it is elsewhere, and the build takes the file along under the same path.
  const file = path.join(process.cwd(), "server/kernel/roster/yaml-reader.mjs");
  const worker = new Worker(/* turbopackIgnore: true */ file, {
    // What this process was started with is for its own files: the reader is plain JavaScript.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
  worker.on("message", (answer: Answer) => {
    if (current?.task.id !== answer.id) return;
    finish()?.done(answer);
  });
  worker.on("error", (error: NodeJS.ErrnoException) => {
    if (worker === reader)
      giveUp(
        error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? new KernelError("bad_request", "the YAML takes too much memory to read; make it smaller")
          : error,
      );
  });
  return worker;
}

/** The reader goes with its task: it may be in the middle of it. */
function giveUp(error: Error): void {
  void reader?.terminate();
  reader = undefined;
  finish()?.failed(error);
}

function finish(): Task | undefined {
  const task = current?.task;
  clearTimeout(current?.deadline);
  current = undefined;
  reader?.unref();
  next();
  return task;
}
