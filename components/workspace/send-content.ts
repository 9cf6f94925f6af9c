// Sends an upload to the route that streams it. XMLHttpRequest, because fetch tells nothing of how far an upload has come.
import { leadToSignIn } from "@/components/trpc/session";

export type Sending = {
  projectId: string;
  name: string;
  file: File;
  signal: AbortSignal;
  /** Bytes; equal to the file's size when the server has all of it and reads. */
  onSent: (bytes: number) => void;
};

/** Rejects with the server's own words. */
export function sendContent({ projectId, name, file, signal, onSent }: Sending): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const at = `/api/v1/projects/${encodeURIComponent(projectId)}/workspaces/${encodeURIComponent(name)}/content`;
    request.open("PUT", at);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = (event) => onSent(event.loaded);
    request.upload.onload = () => onSent(file.size);
    request.onload = () => {
      if (request.status === 401) leadToSignIn();
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(new Error(reasonOf(request)));
    };
    request.onerror = () => reject(new Error("The server did not answer. Upload the file again."));
    request.onabort = () => reject(new DOMException("The upload was canceled.", "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

/** A proxy or a crash answers with something that is no JSON. */
function reasonOf({ status, responseText }: XMLHttpRequest): string {
  const [, message] = /"error_message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(responseText) ?? [];
  return message === undefined
    ? `The server answered ${status} without a reason. See the server's log.`
    : String(JSON.parse(message));
}
