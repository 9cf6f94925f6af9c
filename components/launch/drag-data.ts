// What is dragged from the sources to the hand-over, and within it.
import type { LoadItem } from "./load-item";

const TYPE = "application/x-switchyard-item";

export function putDragged(data: DataTransfer, dragged: LoadItem): void {
  data.setData(TYPE, JSON.stringify(dragged));
  data.effectAllowed = "copyMove";
}

/** Files and things of other pages are not ours. */
export const isOurs = (data: DataTransfer): boolean => data.types.includes(TYPE);

export function takeDragged(data: DataTransfer): LoadItem | null {
  const text = data.getData(TYPE);
  if (text === "") return null;
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("kind" in value) || !("id" in value)) return null;
  const { kind, id } = value;
  return (kind === "box" || kind === "card") && typeof id === "string" ? { kind, id } : null;
}
