// The size of a worker's pool of connections to Postgres.

const CONNECTIONS_MAX = 36;

/**
 * Half a connection for each turn that it runs at once, and 4: a turn writes in short bursts between long waits. No more than 36: 512 turns of
 * 2 s finished no sooner with 132, and half a connection each would be 260, more than a server takes by default.
 */
export const connectionsOf = (concurrency: number): number => Math.min(Math.ceil(concurrency / 2) + 4, CONNECTIONS_MAX);
