// The interface of every contender of the fork/join bench. Each has its own database and process, on one server.

export type Contender = {
  /** Starts n no-op children and resolves when all of them and their join are durable. Several may run at once. */
  fork: (n: number) => Promise<void>;
  close: () => Promise<void>;
};

export type OpenContender = (url: string) => Promise<Contender>;
