// What a file names in its imports, by real parsers: oxc-parser for TypeScript and JavaScript, tree-sitter for Python and Go.
// They run in a process of their own (import-reader.mjs): 400 kB of brackets overflow the stack of the native parser, and in
// a thread that ended the whole server. A text that takes too long or too much has no imports, and the process is started
// again for the next one.
import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";

const DEADLINE_MS = 5_000;
const HEAP_MB_MAX = 512;
/** Longer ones are generated, and nobody looks for a neighbour of them. */
const CHARS_MAX = 512 * 1024;

type Imports = { specifiersOf: (path: string, text: string) => Promise<string[]>; close: () => Promise<void> };
type Answer = { id: number; specifiers?: string[]; failed?: string };
type Question = { language: string; path: string; text: string };

const languages: [RegExp, string][] = [
  [/\.[cm]?[jt]sx?$/i, "script"],
  [/\.pyi?$/i, "python"],
  [/\.go$/i, "go"],
];

export function openImports(): Imports {
  let reader: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (question: Question): Promise<string[]> => {
    // One that ended since its last answer can't be asked.
    if (!reader?.connected || reader.exitCode !== null || reader.signalCode !== null) reader = startReader();
    try {
      return await answerOf(reader, question);
    } finally {
      reader.unref();
      reader.channel?.unref();
    }
  };
  return {
    specifiersOf: (file, text) => {
      const language = languages.find(([ending]) => ending.test(file))?.[1];
      if (language === undefined || text.length > CHARS_MAX) return Promise.resolve([]);
      // One after the other: a process that is ended for one text must not take another one with it.
      const answer = last.then(() => ask({ language, path: file, text }));
      last = answer.catch(() => undefined);
      return answer;
    },
    close: async () => {
      await last;
      reader?.kill("SIGKILL");
      reader = undefined;
    },
  };
}

function startReader(): ChildProcess {
  // Not beside this module: bundled, it is elsewhere, and the build takes the file along under the same path.
  const file = path.join(process.cwd(), "server/kernel/workspaces/imports/import-reader.mjs");
  return fork(/* turbopackIgnore: true */ file, {
    // What this process was started with is for its own files: the reader is plain JavaScript.
    execArgv: [`--max-old-space-size=${HEAP_MB_MAX}`],
    // It reads what others wrote and needs none of our settings.
    env: { NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

let count = 0;

function answerOf(reader: ChildProcess, question: Question): Promise<string[]> {
  reader.ref();
  reader.channel?.ref();
  const id = ++count;
  return new Promise((done, failed) => {
    const deadline = setTimeout(() => reader.kill("SIGKILL"), DEADLINE_MS);
    const end = () => {
      clearTimeout(deadline);
      reader.off("message", onMessage).off("exit", onExit).off("error", onError);
    };
    const onMessage = (answer: Answer) => {
      if (answer.id !== id) return;
      end();
      if (answer.specifiers) done(answer.specifiers);
      else failed(new Error(`the parser of imports can't be loaded: ${answer.failed}. Install the packages again`));
    };
    // Ended by a signal: out of time, of stack or of memory. Any other end is a fault of the reader.
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      end();
      if (signal !== null) done([]);
      else failed(new Error(`the process that reads imports ended with code ${code}`));
    };
    const onError = (error: Error) => {
      end();
      failed(error);
    };
    reader.on("message", onMessage).on("exit", onExit).on("error", onError);
    const asked = { id, ...question };
    reader.send(asked);
  });
}
