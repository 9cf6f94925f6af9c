// A workspace's state and what its listing leaves out, in words. Pure.
import { formatNumber } from "@/components/ui/format";
import type { Workspace } from "@/server/contract/workspace";

export function stateWords({ state, is_waiting, seen, done, error, snapshot_sha256 }: Workspace): string {
  if (state === "new") return "Not indexed yet";
  if (state === "ready") return "Ready";
  if (is_waiting) return "Waits for another index of this server";
  if (state === "indexing")
    return seen === 0 ? "Looking for files" : `Read ${formatNumber(done)} of ${formatNumber(seen)} files`;
  const kept = snapshot_sha256 === null ? "" : " Packs still use the previous index.";
  return `Failed: ${error?.message ?? "no reason was recorded"}.${kept}`;
}

export const leftOut = (skipped: Workspace["skipped"]): number =>
  Object.values(skipped).reduce((sum, count) => sum + count, 0);

export function leftOutWords(skipped: Workspace["skipped"]): string {
  const reasons = Object.entries(skipped).filter(([, count]) => count > 0);
  if (reasons.length === 0) return "nothing";
  return reasons.map(([reason, count]) => `${reason.replaceAll("_", " ")} ${formatNumber(count)}`).join(", ");
}
