// Sends one file to a route that takes bytes. XMLHttpRequest, because fetch tells nothing of how far an upload has come; the
// browser reads the file from disk as it goes, so that it never stands in memory.
import { leadToSignIn } from "./session";

export type FileToSend = {
  method: "POST" | "PUT";
  /** Below /api/v1. */
  path: string;
  /** Media type. */
  type: string;
  file: File;
  signal: AbortSignal;
  /** Bytes sent; equal to the file's size when the server has all of it and reads. */
  onSent: (bytes: number) => void;
  /** What is said where the server does not answer, and where the upload is called off. */
  words: { unanswered: string; canceled: string };
};

/** `answer` is null if it is no JSON. Rejects with the server's own words; with an AbortError when it was called off. */
export function sendFile({
  method,
  path,
  type,
  file,
  signal,
  onSent,
  words,
}: FileToSend): Promise<{ status: number; answer: unknown }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, `/api/v1${path}`);
    request.setRequestHeader("content-type", type);
    request.upload.onprogress = (event) => onSent(event.loaded);
    request.upload.onload = () => onSent(file.size);
    request.onload = () => {
      const answer = parse(request.responseText);
      if (request.status === 401) leadToSignIn();
      if (request.status >= 200 && request.status < 300) resolve({ status: request.status, answer });
      else reject(new Error(refusalOf(request.status, answer)));
    };
    request.onerror = () => reject(new Error(words.unanswered));
    request.onabort = () => reject(new DOMException(words.canceled, "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

/** A proxy or a crash answers with something that is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function refusalOf(status: number, answer: unknown): string {
  const detail = typeof answer === "object" && answer !== null && "detail" in answer ? answer.detail : null;
  const message =
    typeof detail === "object" && detail !== null && "error_message" in detail ? detail.error_message : null;
  return typeof message === "string"
    ? message
    : `The server answered ${status} without a reason. See the server's log.`;
}
