// What the service of a tool answered, as the result of the call. Pure.
import type { CallCode } from "@/server/contract/failure-codes";
import { isRecord } from "@/server/contract/is-record";
import type { Decoded } from "./decode-answer";
import { rejected, type ToolAnswer } from "./inline-tool";

const EXCERPT_MAX = 500;

/** null = 202: it reports later. */
export function readHttpAnswer(
  answer: { status: number; type: string } & Decoded,
  declared: "suspend" | "terminate",
): ToolAnswer | null {
  const { status, type, text, unread } = answer;
  if (status === 202) return null;
  // A tool that ends the turn ends it by failing, too.
  const failed = (code: CallCode, message: string): ToolAnswer => ({
    ...rejected(code, message),
    ...(declared === "terminate" && { after_execution: declared }),
  });
  if (status < 200 || status > 299) return failed(`http_${status}`, `${remedyOf(status)}${excerptOf(text)}`);
  if (unread !== undefined)
    return failed(
      "http_bad_answer",
      `the service answered in the charset ${unread}, which is not known here; let it answer in UTF-8`,
    );
  if (text.trim() === "") return success(null, declared);
  if (type === "application/json" || type.endsWith("+json")) {
    try {
      return success(JSON.parse(text), declared);
    } catch {
      return failed("http_bad_answer", `the service's answer is labelled JSON but is not JSON${excerptOf(text)}`);
    }
  }
  if (type === "" || type.startsWith("text/")) return success(text, declared);
  return failed("http_bad_answer", `the service answered ${type.slice(0, 80)}; a tool answers JSON or text`);
}

/** What the result says of itself counts before what the tool declares. */
function success(result: unknown, declared: "suspend" | "terminate"): ToolAnswer {
  const control = isRecord(result) && isRecord(result.__cg_control) ? result.__cg_control.after_execution : undefined;
  const after = control === "suspend" || control === "terminate" ? control : declared;
  return { status: "success", result, ...(after === "terminate" && { after_execution: "terminate" as const }) };
}

function remedyOf(status: number): string {
  if (status === 401 || status === 403)
    return `the service refused access (${status}): check options.headers of the tool`;
  if (status === 404 || status === 405 || status === 410)
    return `the service was not found at this address (${status}): check target_subject of the tool`;
  if (status === 429) return "the service has received too many requests (429): try again later";
  if (status >= 500) return `the service failed (${status}): try again later`;
  return `the service refused the call (${status}): check the arguments`;
}

function excerptOf(text: string): string {
  const words = text.replaceAll(/\s+/g, " ").trim();
  if (words === "") return "";
  return words.length > EXCERPT_MAX
    ? `. Its answer (the first ${EXCERPT_MAX} characters): ${words.slice(0, EXCERPT_MAX)}`
    : `. Its answer: ${words}`;
}
