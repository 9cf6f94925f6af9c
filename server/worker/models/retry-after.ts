// When a provider says how long it wants to be left alone: in milliseconds, in seconds, or until a date.

/** null when it says nothing that can be read. */
export function retryAfterMs(headers: Record<string, string>, now: number): number | null {
  const exact = numberOf(headers["retry-after-ms"]);
  if (exact !== null) return Math.round(exact);
  const given = headers["retry-after"];
  const seconds = numberOf(given);
  if (seconds !== null) return Math.round(seconds * 1000);
  const date = given === undefined ? Number.NaN : Date.parse(given);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}
