// A key of outside data as a refusal names it. A key may be a megabyte long, and came back whole.
const CHARS_MAX = 80;

export const shownKey = (key: PropertyKey): string => {
  const text = String(key);
  return text.length <= CHARS_MAX ? text : `${text.slice(0, CHARS_MAX)}…`;
};
