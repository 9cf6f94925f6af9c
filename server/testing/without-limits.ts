// Loaded before a worker's own code: a connection that does not answer is never given up, as with a driver that has a fault.
// What is left then is silence, and a worker that notices it.
import { LimitedClient } from "@/server/address";
import { tunables } from "@/server/kernel/tunables";

LimitedClient.prototype.drop = () => undefined;
// Three periods of silence are 15 s then.
Object.assign(tunables, { quickStatementMs: 2_000 });
