// The text of a dropped or chosen file, or why it cannot be a profile.
import { formatBytes } from "@/components/ui/format";
import type { Fault } from "./fault";

const bytesMax = 1_048_576;

export type Brought = { text: string; fault: null } | { text: null; fault: Fault };

export const readProfileFiles = (files: readonly File[]): Promise<Brought[]> => Promise.all(files.map(readProfileFile));

async function readProfileFile(file: File): Promise<Brought> {
  if (file.size > bytesMax)
    return refused(
      `${file.name} has ${formatBytes(file.size)}; a profile has at most ${formatBytes(bytesMax)}.`,
      "To import a log, drop it on the yard.",
    );
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (text.trim() === "") return refused(`${file.name} is empty.`, null);
    return { text: text.replaceAll("\r\n", "\n"), fault: null };
  } catch (error) {
    const reason = error instanceof TypeError ? "it is not text in UTF-8" : String(error);
    return refused(`${file.name} cannot be read: ${reason}.`, "Choose a .yaml, .yml or .json file.");
  }
}

function refused(message: string, remedy: string | null): Brought {
  return { text: null, fault: { message, line: null, remedy } };
}
