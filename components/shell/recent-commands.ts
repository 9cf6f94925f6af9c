// What was chosen last in the palette, kept in this browser so that an empty palette is not an empty page.
import type { CommandItem } from "@/components/ui/commands";

export type RecentCommand = Pick<CommandItem, "id" | "label" | "plate" | "isMono" | "detail" | "href">;

const storageKey = "switchyard-recent";
const recentMax = 6;

export function readRecent(): RecentCommand[] {
  const text = localStorage.getItem(storageKey);
  return text === null ? [] : parseRecent(text);
}

export function rememberCommand(item: CommandItem): void {
  const { id, label, plate, isMono, detail, href } = item;
  const rest = readRecent().filter((other) => other.id !== id);
  const recent = [{ id, label, plate, isMono, detail, href }, ...rest].slice(0, recentMax);
  localStorage.setItem(storageKey, JSON.stringify(recent));
}

/** Anything else under the key is dropped: it may be of another version. */
export function parseRecent(text: string): RecentCommand[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  return Array.isArray(value) ? value.filter(isRecent) : [];
}

function isRecent(value: unknown): value is RecentCommand {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    typeof value.id === "string" &&
    "label" in value &&
    typeof value.label === "string"
  );
}
