// The process of one contender: opens it, then does what the runner asks for. Ends when the runner is gone.
import { contenders } from "./contenders";

/** `forks` at most, in groups of `at_once`; stops after `ms_max`. */
export type Order = { n: number; at_once: number; forks: number; ms_max: number };
export type Report = { children: number; ms: number; latencies_ms: number[] };
export type Message = { kind: "ready" } | { kind: "done"; report: Report } | { kind: "failed"; error: string };

const [, , name, url = ""] = process.argv;
const entry = contenders.find((contender) => contender.name === name);
const say = (message: Message): void => void process.send?.(message);

try {
  if (!entry) throw new Error(`no contender is called ${name}`);
  const open = await entry.load();
  const contender = await open(url);
  const work = async (order: Order): Promise<void> => {
    try {
      say({ kind: "done", report: await run(contender.fork, order) });
    } catch (error) {
      fail(error);
    }
  };
  process.on("message", (order: Order) => void work(order));
  process.on("disconnect", () => process.exit(0));
  say({ kind: "ready" });
} catch (error) {
  fail(error);
}

async function run(fork: (n: number) => Promise<void>, order: Order): Promise<Report> {
  const latencies_ms: number[] = [];
  const start = performance.now();
  const spent = (): number => performance.now() - start;
  while (latencies_ms.length < order.forks && spent() < order.ms_max) {
    const group = Array.from({ length: order.at_once }, async () => {
      const began = performance.now();
      await fork(order.n);
      latencies_ms.push(performance.now() - began);
    });
    await Promise.all(group);
  }
  return { children: latencies_ms.length * order.n, ms: spent(), latencies_ms };
}

function fail(error: unknown): void {
  say({ kind: "failed", error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
