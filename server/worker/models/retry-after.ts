// Reads how long a provider wants us to wait: in milliseconds, in seconds, or until a date.

/** null if it gives nothing readable. */
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
