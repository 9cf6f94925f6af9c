// Results of tools as the events of a pack: failures, what was tried again after one, and diffs. Other results say nothing that
// the goal needs. Pure.
import type { BuildEvent } from "@/server/contract/context-pack/build-input";
import type { Redactor } from "./build/outcome";
import { filesNamedIn } from "./files-named-in";
import type { ToolResult } from "./read-results";

const EVENTS_MAX = 20;
const SUMMARY_MAX = 300;
const DIFF = /^(diff --git |--- a\/|\+\+\+ b\/)/m;

/** `paths`: the files of the workspace. A failure that the same tool has made good since is one no longer. */
export function whatHappened(
  results: readonly ToolResult[],
  { paths, redact }: { paths: ReadonlySet<string>; redact: Redactor },
): BuildEvent[] {
  const events = results.flatMap((one, i): BuildEvent[] => {
    const { card_id, tool_name, is_failure, error, text, at } = one;
    const isDiff = !is_failure && DIFF.test(text);
    const isRepeat = results.slice(0, i).some((other) => other.tool_name === tool_name && other.is_failure);
    if (!is_failure && !isDiff && !isRepeat) return [];
    const isMadeGood =
      is_failure && results.slice(i + 1).some((other) => other.tool_name === tool_name && !other.is_failure);
    const said = is_failure ? `${tool_name} failed: ${error ?? text}` : `${tool_name}: ${text}`;
    return [
      {
        seq: at,
        kind: isDiff ? "diff" : is_failure ? "error" : "test_result",
        ref: `card://${card_id}`,
        type: isDiff ? "diff" : is_failure ? "log" : "report",
        summary: cutTo(redact.text(said).text),
        isFailure: is_failure && !isMadeGood,
        files: filesNamedIn(text, paths),
      },
    ];
  });
  return events.slice(-EVENTS_MAX);
}

/** One line: the whole is behind the reference. */
function cutTo(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const letters = [...line];
  return letters.length <= SUMMARY_MAX ? line : `${letters.slice(0, SUMMARY_MAX - 1).join("")}…`;
}
