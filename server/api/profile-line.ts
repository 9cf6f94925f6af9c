// Adds the line to a refusal that names only a key, so that an editor can show where it is.
import { isNode, LineCounter, parseDocument } from "yaml";
import { KernelError } from "@/server/contract/errors";

/** Runs `check`; a refusal with `detail.path` leaves with `detail.line` too, where the key or one above it is written. */
export function atLine<T>(yaml: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof KernelError) || typeof error.detail?.path !== "string") throw error;
    const line = lineOf(yaml, error.detail.path);
    throw line === undefined ? error : new KernelError(error.code, error.message, { ...error.detail, line });
  }
}

function lineOf(yaml: string, path: string): number | undefined {
  const lines = new LineCounter();
  const doc = parseDocument(yaml, { lineCounter: lines });
  for (const keys = path.split("."); keys.length > 0; keys.pop()) {
    const node = doc.getIn(
      keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
      true,
    );
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}
