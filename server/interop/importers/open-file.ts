// Reads the file of an import in a thread (file-reader.mjs) that takes the bytes and returns an outline, then the list in
// pieces. One file at a time, projects in turn, each with a deadline and a memory limit. The thread and its memory end with
// the file.
import path from "node:path";
import { Worker } from "node:worker_threads";
import { KernelError } from "@/server/contract/errors";
import type { ErrorCode } from "@/server/contract/failure-codes";
import { lineOf } from "@/server/kernel/take-turns";

export type Wants = {
  /** Fields other than the list, and all their texts together. */
  head: readonly string[];
  headBytesMax: number;
  /** The one that maps names to texts. */
  map: string;
  mapMax: number;
  list: string;
  item: readonly string[];
  textBytesMax: number;
  valuesMax: number;
};

export type OpenFile = {
  /** The fields around it, if the file is one field of a body. */
  envelope?: unknown;
  head: unknown;
  digest: string;
  ignored_keys: string[];
  count: number;
  /** Items of the list, reduced to the wanted fields; an empty piece is the end. */
  more: () => Promise<unknown[]>;
};

export type FileToOpen = {
  project_id: string;
  /** Large buffers move to the thread and are empty afterwards. */
  bytes: Uint8Array;
  /** The file is their `data` field. */
  isEnvelope: boolean;
  wants: Wants;
  deadlineMs?: number;
};

type Outline = Omit<OpenFile, "more" | "envelope">;
type Fault = { code: ErrorCode; message: string; detail?: Record<string, unknown> };
type Answer = { fault?: Fault; envelope?: unknown; file?: Outline; items?: unknown[] };

/** A file of the largest size takes two seconds. */
const DEADLINE_MS = 60_000;
/** Room for the bytes, their text, the parsed value and the pieces in transit. */
const HEAP_MB_MAX = 768;
const HANDED_OVER_BYTES = 1_048_576;

// Each waits with its bytes; their sum is limited where they are received.
const waiting = lineOf<() => void>({ ofProject: 4, ofAll: 32 });
let isOpen = false;

export async function withFile<T>(file: FileToOpen, use: (open: OpenFile) => Promise<T>): Promise<T> {
  await turn(file.project_id);
  const reader = startReader(file.deadlineMs ?? DEADLINE_MS);
  try {
    const { bytes, isEnvelope, wants } = file;
    const isWhole = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
    const given = isWhole && bytes.length > HANDED_OVER_BYTES ? [bytes.buffer as ArrayBuffer] : [];
    const answer = await reader.ask({ bytes, isEnvelope, wants }, given);
    if (!answer.file) return await use({ ...nothing, envelope: answer.envelope });
    return await use({
      ...answer.file,
      envelope: answer.envelope,
      more: async () => (await reader.ask({})).items ?? [],
    });
  } finally {
    await reader.end();
    // Handed straight to the next file: if it were released, another could slip in and two would run.
    const go = waiting.next();
    if (go) go();
    else isOpen = false;
  }
}

const nothing: OpenFile = { head: null, digest: "", ignored_keys: [], count: 0, more: async () => [] };

async function turn(project_id: string): Promise<void> {
  if (!isOpen) {
    isOpen = true;
    return;
  }
  await new Promise<void>((go) => {
    if (!waiting.add(project_id, go))
      throw new KernelError("busy", "several imports are already waiting; send it again in a few seconds");
  });
}

type Reader = { ask: (question: object, given?: ArrayBuffer[]) => Promise<Answer>; end: () => Promise<unknown> };

function startReader(deadlineMs: number): Reader {
  // Not next to this module: in the bundle it is elsewhere, and the build copies this file under the same path.
  const script = path.join(process.cwd(), "server/interop/importers/file-reader.mjs");
  const worker = new Worker(/* turbopackIgnore: true */ script, {
    // Without this process's own arguments (such as loaders): the reader is plain JavaScript.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
  let failure: Error | undefined;
  let asked: { done: (answer: Answer) => void; failed: (error: Error) => void } | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    asked?.failed(failure);
    asked = undefined;
  };
  const late = new KernelError("bad_request", `the file takes longer than ${deadlineMs} ms to read; split it`);
  const deadline = setTimeout(() => {
    fail(late);
    void worker.terminate();
  }, deadlineMs);
  worker.on("message", (answer: Answer) => {
    const waiter = asked;
    asked = undefined;
    if (answer.fault) waiter?.failed(new KernelError(answer.fault.code, answer.fault.message, answer.fault.detail));
    else waiter?.done(answer);
  });
  worker.on("error", (error: NodeJS.ErrnoException) =>
    fail(
      error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? new KernelError("payload_too_large", "the file takes too much memory to read; split it")
        : error,
    ),
  );
  worker.on("exit", () => fail(new Error("the thread that reads files stopped unexpectedly")));
  return {
    ask: (question, given = []) =>
      new Promise((done, failed) => {
        if (failure) return failed(failure);
        asked = { done, failed };
        worker.postMessage(question, given);
      }),
    end: () => {
      clearTimeout(deadline);
      return worker.terminate();
    },
  };
}
