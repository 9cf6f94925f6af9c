// A TCP relay in front of Postgres, on 127.0.0.1, that imitates network faults: it loses answers, goes silent like a host
// without power, is slow, and leads to another server after a fail-over.
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** `open` = connections made so far, new ones work (a host that was lost and replaced); `all` = new ones hang too. */
type Frozen = "none" | "open" | "all";
/** `request` = the COMMIT never reaches the server; `answer` = the server commits, and the client never learns of it. */
export type LostPart = "request" | "answer";

export type Relay = {
  port: number;
  /** The same address, by way of the relay. */
  through: (url: string) => string;
  /** New connections lead there from now on; open ones stay where they are (`cut` ends them). */
  pointTo: (port: number) => void;
  /** Nothing is passed on and nothing closed, in both directions. */
  freeze: (what: Exclude<Frozen, "none">) => void;
  /** Continues frozen connections where they stopped. */
  thaw: () => void;
  /** Each packet waits so long, in both directions. */
  delay: (ms: number) => void;
  /** Resets every open connection; says how many. */
  cut: () => number;
  /** The next `count` COMMITs are each cut off with their connection. */
  loseCommits: (count: number, part: LostPart) => void;
  /** COMMITs lost so far. */
  lost: () => number;
  open: () => number;
  close: () => Promise<void>;
};

/** node-postgres sends COMMIT as a simple query: `Q`, length 11, text, zero. */
const COMMIT = Buffer.from("Q\0\0\0\u000bCOMMIT\0", "latin1");
const COMMITTED = Buffer.from("COMMIT\0Z", "latin1");

type Pair = { near: net.Socket; far: net.Socket; isFrozen: boolean; isOver: boolean; isLosing: boolean; tail: Buffer };

export async function startRelay(to: { port: number }): Promise<Relay> {
  const pairs = new Set<Pair>();
  let target = to.port;
  let frozen: Frozen = "none";
  let delayMs = 0;
  let toLose = { count: 0, part: "answer" as LostPart };
  let lost = 0;

  const end = (pair: Pair): void => {
    pairs.delete(pair);
    pair.near.resetAndDestroy();
    pair.far.resetAndDestroy();
  };
  const lose = (pair: Pair): void => {
    lost++;
    end(pair);
  };

  function toServer(pair: Pair, data: Buffer): void {
    const at = toLose.count > 0 && !pair.isLosing ? data.indexOf(COMMIT) : -1;
    if (at < 0) return void pair.far.write(data);
    toLose.count--;
    pair.isLosing = true;
    if (toLose.part === "answer") return void pair.far.write(data);
    pair.far.write(data.subarray(0, at), () => lose(pair));
  }

  // Cut only after the server has confirmed the commit: before that, its outcome is unknown.
  function toClient(pair: Pair, data: Buffer): void {
    if (!pair.isLosing) return void pair.near.write(data);
    pair.tail = Buffer.concat([pair.tail, data]);
    if (pair.tail.includes(COMMITTED)) lose(pair);
  }

  async function pass(pair: Pair, from: net.Socket, onward: (pair: Pair, data: Buffer) => void): Promise<void> {
    for await (const data of from) {
      if (delayMs > 0) await sleep(delayMs);
      // A packet in transit when the line froze arrives only after it is back.
      while (pair.isFrozen && pairs.has(pair)) await sleep(10);
      if (!pairs.has(pair)) return;
      onward(pair, data);
    }
  }

  const server = net.createServer((near) => {
    const far = net.connect(target, "127.0.0.1");
    const pair: Pair = { near, far, isFrozen: frozen === "all", isOver: false, isLosing: false, tail: Buffer.alloc(0) };
    pairs.add(pair);
    const ended = (): void => {
      // A dead line does not deliver the end of a connection either.
      pair.isOver = true;
      if (!pair.isFrozen) end(pair);
    };
    for (const [from, onward] of [
      [near, toServer],
      [far, toClient],
    ] as const) {
      from.setNoDelay(true);
      from.on("error", ended);
      pass(pair, from, onward).then(ended, ended);
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the relay has no port");
  const { port } = address;

  return {
    port,
    through: (url) => {
      const own = new URL(url);
      own.hostname = "127.0.0.1";
      own.port = String(port);
      return own.href;
    },
    pointTo: (next) => {
      target = next;
    },
    freeze: (what) => {
      frozen = what;
      for (const pair of pairs) pair.isFrozen = true;
    },
    thaw: () => {
      frozen = "none";
      for (const pair of pairs) {
        pair.isFrozen = false;
        if (pair.isOver) end(pair);
      }
    },
    delay: (ms) => {
      delayMs = ms;
    },
    cut: () => {
      const all = [...pairs];
      for (const pair of all) end(pair);
      return all.length;
    },
    loseCommits: (count, part) => {
      toLose = { count, part };
    },
    lost: () => lost,
    open: () => pairs.size,
    close: async () => {
      for (const pair of [...pairs]) end(pair);
      await new Promise((done) => server.close(done));
    },
  };
}
