// Failure codes of workspaces; part of the one list in failures.ts.
import type { Failure } from "./failure";

export const workspaceFailures = {
  workspace_refused: {
    status: 422,
    where: ["request", "call"],
    cause: "The content of the workspace cannot be read, leaves it, or is over a limit.",
    remedy: "Change what the message names, and send or index it again. The former index is still read.",
  },
  workspace_changed: {
    status: 409,
    where: ["request", "call"],
    cause: "A file of the workspace is not the one that was indexed.",
    remedy: "Index the workspace again, then repeat the request.",
  },
  workspace_gone: {
    status: 409,
    where: ["request", "call"],
    cause: "The folder of the workspace, or a file of it, is missing.",
    remedy: "Restore it, or index the workspace again.",
  },
} as const satisfies Record<string, Failure>;
