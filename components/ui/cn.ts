// Joins class names and drops what is absent, so that a caller can write a condition in place.

export function cn(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
