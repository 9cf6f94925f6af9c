// The thread that unpacks a bundle (pack-reader.mjs), as calls with answers. It has a time limit for each question: a pack can
// be built so that a small file is hours of work.
import path from "node:path";
import { Worker } from "node:worker_threads";
import { SourceFault } from "@/server/kernel/workspaces/sources/source";

const DEADLINE_MS = 120_000;
const HEAP_MB_MAX = 512;

export type PackEntry = { mode: string; name: string; oid: string; size?: number };
export type PackLimits = { objectBytesMax: number; historyBytesMax: number; objectsMax: number };
export type Pack = {
  open: (question: { gitdir: string; packName: string; oid: string; limits: PackLimits }) => Promise<{ tree: string }>;
  list: (oid: string) => Promise<PackEntry[]>;
  read: (oid: string) => Promise<Uint8Array>;
  end: () => Promise<unknown>;
};
type Waiter = { done: (answer: unknown) => void; failed: (error: Error) => void; deadline: NodeJS.Timeout };

export function openPack(): Pack {
  // Not beside this module: bundled, it is elsewhere, and the build takes the file along under the same path.
  const file = path.join(process.cwd(), "server/kernel/workspaces/sources/pack-reader.mjs");
  const worker = new Worker(/* turbopackIgnore: true */ file, {
    // What this process was started with is for its own files: the reader is plain JavaScript.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
  const waiting = new Map<number, Waiter>();
  let failure: Error | undefined;
  let count = 0;
  const fail = (error: Error) => {
    failure ??= error;
    for (const waiter of waiting.values()) {
      clearTimeout(waiter.deadline);
      waiter.failed(failure);
    }
    waiting.clear();
  };
  worker.on("message", ({ id, answer, fault }: { id: number; answer: unknown; fault?: string }) => {
    const waiter = waiting.get(id);
    waiting.delete(id);
    clearTimeout(waiter?.deadline);
    if (fault === undefined) waiter?.done(answer);
    else waiter?.failed(new SourceFault("workspace_refused", fault));
  });
  worker.on("error", (error: NodeJS.ErrnoException) =>
    fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooHeavy("memory") : error),
  );
  worker.on("exit", () => fail(new Error("the thread that reads bundles ended")));
  const ask = (op: string, question: object) =>
    new Promise<unknown>((done, failed) => {
      if (failure) return failed(failure);
      const id = ++count;
      const deadline = setTimeout(() => {
        fail(tooHeavy("time"));
        void worker.terminate();
      }, DEADLINE_MS);
      waiting.set(id, { done, failed, deadline });
      worker.postMessage({ id, op, ...question });
    });
  return {
    open: async (question) => (await ask("open", question)) as { tree: string },
    list: async (oid) => (await ask("list", { oid })) as PackEntry[],
    read: async (oid) => (await ask("read", { oid })) as Uint8Array,
    end: () => worker.terminate(),
  };
}

const tooHeavy = (what: string) =>
  new SourceFault("workspace_refused", `the bundle takes too much ${what} to read. Make it from a git clone --depth 1`);
