// How many connections to Postgres a worker opens at most.

const CONNECTIONS_MAX = 36;

/**
 * By the turns that it runs at once. A turn writes in short bursts between long thoughts, so half a connection each is enough; 512 turns of
 * 2 s took as long with 36 as with 132, and 260 were more than a server takes by default.
 */
export const connectionsOf = (concurrency: number): number => Math.min(Math.ceil(concurrency / 2) + 4, CONNECTIONS_MAX);
