// Requests that no handler should have to read: a method, a target or an escape that Next would answer with its own 500, and
// a header that is given twice.
import type { IncomingMessage } from "node:http";

export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Longer than any of our addresses: ids have 128 characters, and long values go into a body. */
const TARGET_CHARS_MAX = 16_384;

export type Unreadable = { status: 400 | 405 | 414; error_code: "bad_request"; error_message: string };

type FirstLines = Pick<IncomingMessage, "method" | "url" | "rawHeaders">;

/** null if a handler can read it. */
export function refuseUnreadable({ method = "", url = "", rawHeaders }: FirstLines): Unreadable | null {
  if (!methods.includes(method))
    return refusal(405, `the method ${method} is not served; it takes ${methods.join(", ")}`);
  if (url.length > TARGET_CHARS_MAX)
    return refusal(414, `the address is over ${TARGET_CHARS_MAX} characters; send what is long in a body`);
  if (!url.startsWith("/"))
    return refusal(400, "the request names no path; it begins with /, as in GET /api/v1/health");
  const [path = ""] = url.split("?");
  if (!isDecodable(path)) return refusal(400, "the path contains a malformed % escape; write a literal % as %25");
  // Next reads `/api/../p` as a page after the checks took it for the API.
  if (path.includes("\\") || path.split("/").some((part) => /^(\.|%2e){1,2}$/i.test(part)))
    return refusal(400, "the path contains ., .. or a backslash; send the final path");
  // Next would redirect to an address without it, and a name that is written wrongly would become another one.
  if (path.startsWith("/api/v1/") && path.includes("//"))
    return refusal(400, "the path contains an empty part (//); remove the extra /");
  if (path.includes("%00")) return refusal(400, "the path contains a NUL (%00); remove it");
  // Node passes on the first one: a proxy that uses the last would let in a name that nobody has checked.
  if (rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === "host").length > 1)
    return refusal(400, "the request has several Host headers; send one");
  return null;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const refusal = (status: Unreadable["status"], error_message: string): Unreadable => ({
  status,
  error_code: "bad_request",
  error_message,
});
