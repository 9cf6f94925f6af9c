// Keeps a hold while an index is at work: an upload that arrives slowly writes nothing before its end, and a batch of files that
// are hard to parse may take longer than a minute.
import { log } from "@/server/log";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import type { Hold } from "./hold";

const EVERY_MS = 20_000;
const RENEW = `
  UPDATE resource.workspaces SET lease_until = now() + interval '60 s' WHERE project_id = $1 AND name = $2 AND lease_id = $3
  RETURNING name`;

/** A renewal that fails is tried again; whoever has lost the hold is told by its next batch. */
export async function whileHeld<T>(kernel: Kernel, hold: Hold, work: () => Promise<T>, everyMs = EVERY_MS): Promise<T> {
  const renew = () =>
    withUnit(kernel, (unit) => unit.query("workspace_renew", RENEW, [hold.project_id, hold.name, hold.lease_id])).catch(
      (error: unknown) => log().warn({ error: String(error), workspace: hold.name }, "a hold could not be renewed"),
    );
  const timer = setInterval(renew, everyMs);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
