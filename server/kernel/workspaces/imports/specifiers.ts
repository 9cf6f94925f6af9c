// What a file names in its imports, by real parsers: oxc-parser for TypeScript and JavaScript, tree-sitter for Python and Go.
// They run in a thread (import-reader.mjs) with a time limit; a text that takes too long has no imports, and the thread is
// started again for the next one.
import path from "node:path";
import { Worker } from "node:worker_threads";

const DEADLINE_MS = 5_000;
const HEAP_MB_MAX = 512;
/** Longer ones are generated, and nobody looks for a neighbour of them. */
const CHARS_MAX = 512 * 1024;

type Task = { id: number; done: (specifiers: string[]) => void; failed: (error: Error) => void };
type Imports = { specifiersOf: (path: string, text: string) => Promise<string[]>; close: () => Promise<void> };

const languages: [RegExp, string][] = [
  [/\.[cm]?[jt]sx?$/i, "script"],
  [/\.pyi?$/i, "python"],
  [/\.go$/i, "go"],
];

export function openImports(): Imports {
  let worker: Worker | undefined;
  let current: Task | undefined;
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();
  const finish = (specifiers: string[]) => {
    const task = current;
    current = undefined;
    task?.done(specifiers);
  };
  const start = (): Worker => {
    // Not beside this module: bundled, it is elsewhere, and the build takes the file along under the same path.
    const file = path.join(process.cwd(), "server/kernel/workspaces/imports/import-reader.mjs");
    const started = new Worker(/* turbopackIgnore: true */ file, {
      // What this process was started with is for its own files: the reader is plain JavaScript.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    });
    started.unref();
    started.on("message", ({ id, specifiers }: { id: number; specifiers: string[] }) => {
      if (current?.id === id) finish(specifiers);
    });
    // A parser that runs out of memory ends its thread; any other fault of it is one of ours.
    started.on("error", (error: NodeJS.ErrnoException) => {
      if (worker !== started) return;
      worker = undefined;
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") return finish([]);
      const task = current;
      current = undefined;
      task?.failed(error);
    });
    return started;
  };
  const ask = async (language: string, file: string, text: string): Promise<string[]> => {
    worker ??= start();
    const asked = worker;
    const id = ++count;
    const deadline = setTimeout(() => {
      if (worker === asked) worker = undefined;
      void asked.terminate();
      finish([]);
    }, DEADLINE_MS);
    try {
      return await new Promise<string[]>((done, failed) => {
        current = { id, done, failed };
        asked.postMessage({ id, language, path: file, text });
      });
    } finally {
      clearTimeout(deadline);
    }
  };
  return {
    specifiersOf: (file, text) => {
      const language = languages.find(([ending]) => ending.test(file))?.[1];
      if (language === undefined || text.length > CHARS_MAX) return Promise.resolve([]);
      // One after the other: a thread that is ended for one text must not take another one with it.
      const answer = last.then(() => ask(language, file, text));
      last = answer.catch(() => undefined);
      return answer;
    },
    close: async () => {
      await last;
      await worker?.terminate();
      worker = undefined;
    },
  };
}
