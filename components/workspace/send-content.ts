// Sends an upload to the route that streams it into a workspace.
import { sendFile } from "@/components/trpc/send-file";

export type Sending = {
  projectId: string;
  name: string;
  file: File;
  signal: AbortSignal;
  /** Bytes; equal to the file's size when the server has all of it and reads. */
  onSent: (bytes: number) => void;
};

const words = {
  unanswered: "The server did not answer. Upload the file again.",
  canceled: "The upload was canceled.",
};

/** Rejects with the server's own words. */
export async function sendContent({ projectId, name, ...sending }: Sending): Promise<void> {
  const path = `/projects/${encodeURIComponent(projectId)}/workspaces/${encodeURIComponent(name)}/content`;
  await sendFile({ method: "PUT", path, type: "application/octet-stream", words, ...sending });
}
