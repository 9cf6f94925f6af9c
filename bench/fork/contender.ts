// What every contender of the fork/join bench offers. Each has a database and a process of its own, on one server.

export type Contender = {
  /** Hands n no-op children out and resolves when all of them and their join are durable. Several may run at once. */
  fork: (n: number) => Promise<void>;
  close: () => Promise<void>;
};

export type OpenContender = (url: string) => Promise<Contender>;
