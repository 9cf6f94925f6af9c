// Sends one file to the import route. XMLHttpRequest, because fetch tells nothing of how far an upload has come; the
// browser reads the file from disk as it goes, so that 64 MiB never stand in memory.
import { leadToSignIn } from "@/components/trpc/session";
import type { ImportResult } from "@/server/contract/importing";

export type Upload = {
  project_id: string;
  file: File;
  signal: AbortSignal;
  /** Bytes sent; equal to the file's size when the server has all of it and reads. */
  onSent: (bytes: number) => void;
};

/** Rejects with the server's own words, which name the place in the file; with an AbortError when it was called off. */
export function uploadFile({ project_id, file, signal, onSent }: Upload): Promise<ImportResult> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ format: "who-and-when", name: file.name.slice(0, 200) });
    request.open("POST", `/api/v1/projects/${encodeURIComponent(project_id)}/imports?${query.toString()}`);
    request.setRequestHeader("content-type", "application/json");
    request.upload.onprogress = (event) => onSent(event.loaded);
    request.upload.onload = () => onSent(file.size);
    request.onload = () => {
      const answer = parse(request.responseText);
      if (request.status === 401) leadToSignIn();
      if (request.status >= 200 && request.status < 300 && isResult(answer)) resolve(answer);
      else reject(new Error(refusalOf(request.status, answer)));
    };
    request.onerror = () =>
      reject(new Error("The server did not answer. You can upload the file again; it will not be imported twice."));
    request.onabort = () => reject(new DOMException("The import was canceled.", "AbortError"));
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

function isResult(answer: unknown): answer is ImportResult {
  return typeof answer === "object" && answer !== null && "root_turn_id" in answer;
}

export function refusalOf(status: number, answer: unknown): string {
  const detail = typeof answer === "object" && answer !== null && "detail" in answer ? answer.detail : null;
  const message =
    typeof detail === "object" && detail !== null && "error_message" in detail ? detail.error_message : null;
  return typeof message === "string"
    ? message
    : `The server answered ${status} without a reason. See the server's log.`;
}
