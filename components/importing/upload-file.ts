// Sends one file to the import route.
import { refusalOf, sendFile } from "@/components/trpc/send-file";
import type { ImportResult } from "@/server/contract/importing";

export type Upload = {
  project_id: string;
  file: File;
  signal: AbortSignal;
  /** Bytes sent; equal to the file's size when the server has all of it and reads. */
  onSent: (bytes: number) => void;
};

const words = {
  unanswered: "The server did not answer. You can upload the file again; it will not be imported twice.",
  canceled: "The import was canceled.",
};

/** Rejects with the server's own words, which name the place in the file; with an AbortError when it was called off. */
export async function uploadFile({ project_id, file, ...upload }: Upload): Promise<ImportResult> {
  const isBundle = await beginsAsGzip(file);
  const query = new URLSearchParams({ format: isBundle ? "bundle" : "who-and-when", name: file.name.slice(0, 200) });
  const type = isBundle ? "application/gzip" : "application/json";
  const path = `/projects/${encodeURIComponent(project_id)}/imports?${query.toString()}`;
  const { status, answer } = await sendFile({ method: "POST", path, type, file, words, ...upload });
  if (isResult(answer)) return answer;
  throw new Error(refusalOf(status, answer));
}

function isResult(answer: unknown): answer is ImportResult {
  return typeof answer === "object" && answer !== null && "root_turn_id" in answer;
}

/** A run bundle is a tar.gz, whatever its name is; a log is text. */
async function beginsAsGzip(file: File): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}
