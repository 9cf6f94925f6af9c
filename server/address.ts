// The only way to make a connection to Postgres. A lost host sends no word of it: without a limit on every statement a worker
// once waited for its answer for ever, with six turns in its hands and not a line in its log. Here a connection that does not
// answer in time is given up, and what waited on it fails as it does when the database is away.
import net from "node:net";
import pg from "pg";

export type ClientOptions = {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  /** A statement without an answer for so long takes its connection with it. 0 = no limit: say why beside it. */
  statementMs?: number;
  connectMs?: number;
};

const statementMsDefault = 30_000;
const connectMsDefault = 5_000;
const keepAliveMs = 10_000;
/** A server that is asked to end waits no longer than this for the other side to agree. */
const endMs = 5_000;

/** The limits the server keeps by itself, for connections whose client is gone without a word. */
const serverSide = {
  /** A lock that is not had by then is asked for again by whoever wants it: its holder may be a host that was lost. */
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 60_000,
  tcp_user_timeout: 15_000,
} as const;

/** The server is a little quicker than the client: whoever can still be answered learns why. */
export const serverLimitMs = (statementMs: number): number => Math.max(Math.floor(statementMs * 0.9), 1);

/** For `pg.Client` and `pg.Pool` alike. */
export function connectionConfig({ url, name, statementMs = statementMsDefault, connectMs }: ClientOptions) {
  // What has no limit waits for locks too: it is a migration, and says who is waited for.
  const settings = statementMs > 0 ? { statement_timeout: serverLimitMs(statementMs), ...serverSide } : {};
  return {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectMs ?? connectMsDefault,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    options: ["jit=off", ...Object.entries(settings).map(([key, ms]) => `${key}=${ms}`)]
      .map((s) => `-c ${s}`)
      .join(" "),
    statementMs,
  };
}

/** `drop` ends it without a farewell. */
export type OwnClient = pg.Client & { drop: (why: string) => void };

export const makeClient = (options: ClientOptions): OwnClient =>
  new LimitedClient(connectionConfig(options)) as pg.Client as OwnClient;

type Config = ReturnType<typeof connectionConfig> & { onSilent?: (silent: LimitedClient, sinceMs: number) => void };

/** Of one statement: longer or shorter than its connection's. */
export const within = <C extends pg.QueryConfig>(statementMs: number | undefined, config: C): C =>
  statementMs === undefined ? config : { ...config, answer_ms: statementMs };

export class LimitedClient extends pg.Client {
  readonly #socket: net.Socket;
  readonly #config: Config;
  #waiting = 0;
  #heardAt = performance.now();

  constructor(config: Config) {
    const socket = new net.Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
    this.#config = config;
    // Kept by the server where it can; a server that cannot watch its clients refuses the setting and nothing else.
    if (config.statementMs > 0)
      this.once("connect", () => super.query("SET client_connection_check_interval = 5000").catch(() => undefined));
  }

  // Of the three ways to ask (promise, callback, an object of its own) each ends here once.
  override query(...given: never[]): never {
    const args: unknown[] = [...given];
    const [config] = args as [{ answer_ms?: number; callback?: unknown } | string | undefined];
    const ms = (typeof config === "object" ? config?.answer_ms : undefined) ?? this.#config.statementMs;
    const settled = this.#expect(ms);
    const at = args.findLastIndex((arg) => typeof arg === "function");
    const given_back = args[at];
    if (typeof given_back === "function")
      args[at] = (...answer: unknown[]) => {
        settled();
        given_back(...answer);
      };
    const answer: unknown = Reflect.apply(super.query, this, args);
    if (answer instanceof Promise) answer.then(settled, settled);
    else if (at < 0) settled();
    return answer as never;
  }

  #expect(ms: number): () => void {
    const sentAt = performance.now();
    this.#waiting++;
    const timer = ms > 0 ? setTimeout(() => this.#giveUp(ms, sentAt), ms) : undefined;
    let isSettled = false;
    return () => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      this.#waiting--;
      this.#heardAt = performance.now();
    };
  }

  #giveUp(ms: number, sentAt: number): void {
    this.drop(`Postgres has not answered for ${ms} ms: the connection is given up`);
    this.#config.onSilent?.(this, sentAt);
  }

  /** True when nothing was heard of it since, and nobody waits on it. */
  isStale(sinceMs: number): boolean {
    return this.#waiting === 0 && this.#heardAt < sinceMs;
  }

  /** Without a farewell: there is nobody to hear it. */
  drop(why: string): void {
    this.#socket.destroy(Object.assign(new Error(why), { code: "ETIMEDOUT" }));
  }

  override end(...given: never[]): never {
    // A farewell to a host that is gone is never answered, and a stop waited for it.
    setTimeout(() => this.#socket.destroy(), endMs).unref();
    return Reflect.apply(super.end, this, given) as never;
  }
}
