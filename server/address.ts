// The only way to connect to Postgres. A lost host gives no sign of it: without a limit on every statement a worker once
// waited for an answer for ever, holding six turns, without a line in its log. Here a connection that does not answer in time
// is dropped, and statements waiting on it fail as if the database were away.
import net from "node:net";
import pg from "pg";
import { type Callback, NamedQuery, type Shapes } from "./named-query";

export type ClientOptions = {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  /** A statement without an answer for this long takes its connection with it. 0 = no limit: say why next to it. */
  statementMs?: number;
  connectMs?: number;
};

const statementMsDefault = 30_000;
const connectMsDefault = 5_000;
const keepAliveMs = 10_000;
/** A server that is stopping waits no longer than this for the other side. */
const endMs = 5_000;

/** Limits that the server enforces itself, for connections whose client disappeared silently. */
const serverSide = {
  /** A lock that is not obtained by then is requested again: its holder may be a lost host. */
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 60_000,
  tcp_user_timeout: 15_000,
} as const;

/** The server's limit is a little shorter than the client's, so that the client still learns why. */
export const serverLimitMs = (statementMs: number): number => Math.max(Math.floor(statementMs * 0.9), 1);

/** For `pg.Client` and `pg.Pool` alike. */
export function connectionConfig({ url, name, statementMs = statementMsDefault, connectMs }: ClientOptions) {
  // A statement without a limit also waits for locks: it is a migration, and says which session it waits for.
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

/** `drop` ends the connection without a goodbye. */
export type OwnClient = pg.Client & { drop: (why: string) => void };

export const makeClient = (options: ClientOptions): OwnClient =>
  new LimitedClient(connectionConfig(options)) as pg.Client as OwnClient;

type Config = ReturnType<typeof connectionConfig> & { onSilent?: (silent: LimitedClient, sinceMs: number) => void };

/** For one statement: longer or shorter than its connection's limit. */
export const within = <C extends pg.QueryConfig>(statementMs: number | undefined, config: C): C =>
  statementMs === undefined ? config : { ...config, answer_ms: statementMs };

/** NamedQuery does not know these: such a statement goes to the driver. */
const DRIVER_ONLY = ["submit", "rowMode", "types", "binary", "rows", "portal", "callback", "query_timeout"];

/** Once this many bytes are buffered they are sent, so that Postgres can start on them. */
const GATHERED_BYTES_MAX = 32_768;

const isPlainNamed = (config: unknown): config is pg.QueryConfig & { name: string } =>
  typeof config === "object" &&
  config !== null &&
  "name" in config &&
  typeof config.name === "string" &&
  !DRIVER_ONLY.some((key) => key in config);

export class LimitedClient extends pg.Client {
  readonly #socket: net.Socket;
  readonly #config: Config;
  readonly #shapes: Shapes = new Map();
  #waiting = 0;
  #isGathering = false;
  #heardAt = performance.now();

  /** The stream that it writes to: the socket, or what encrypts it. */
  get #connection(): { stream: net.Socket } {
    return (this as unknown as { connection: { stream: net.Socket } }).connection;
  }

  constructor(config: Config) {
    const socket = new net.Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
    this.#config = config;
    // Enforced by the server if it can; a server that cannot watch its clients refuses only this setting.
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
    this.#gather();
    const answer: unknown = isPlainNamed(config)
      ? this.#askNamed(config, args)
      : Reflect.apply(super.query, this, args);
    if (answer instanceof Promise) answer.then(settled, settled);
    else if (at < 0) settled();
    return answer as never;
  }

  #askNamed(config: pg.QueryConfig, [, given, ...rest]: unknown[]): unknown {
    const named = Array.isArray(given) ? { ...config, values: given } : config;
    const send = (callback: Callback) => super.query(new NamedQuery(named, this.#shapes, callback) as never);
    const callback = [given, ...rest].find((arg) => typeof arg === "function");
    if (callback) return send(callback as Callback);
    const answer = new Promise((resolve, reject) => {
      send((error, result) => (error ? reject(error) : resolve(result)));
    });
    // The driver adds the same: without it, a named statement was heard before an unnamed one that was sent earlier.
    return answer.catch((error: Error) => {
      Error.captureStackTrace(error);
      throw error;
    });
  }

  /**
   * Statements of one tick of the event loop are buffered and go out in one write, or in pieces of about 32 KiB: a quarter of what a fork cost
   * this process was its writes.
   */
  #gather(): void {
    const { stream } = this.#connection;
    if (this.#isGathering) {
      if (stream.writableLength >= GATHERED_BYTES_MAX) {
        stream.uncork();
        stream.cork();
      }
      return;
    }
    this.#isGathering = true;
    stream.cork();
    // One more tick, so that a commit that is sent right after the last statement is in the same write.
    process.nextTick(() =>
      process.nextTick(() => {
        this.#isGathering = false;
        stream.uncork();
      }),
    );
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
    this.drop(`Postgres has not answered for ${ms} ms; the connection is closed`);
    this.#config.onSilent?.(this, sentAt);
  }

  /** True if nothing has been received since, and nothing waits on it. */
  isStale(sinceMs: number): boolean {
    return this.#waiting === 0 && this.#heardAt < sinceMs;
  }

  /** Without a goodbye: nobody would receive it. */
  drop(why: string): void {
    this.#socket.destroy(Object.assign(new Error(why), { code: "ETIMEDOUT" }));
  }

  override end(...given: never[]): never {
    // A lost host never answers a goodbye, and a stop used to wait for it.
    setTimeout(() => this.#socket.destroy(), endMs).unref();
    return Reflect.apply(super.end, this, given) as never;
  }
}
