// Numbers, durations and times as people type them: 1k, 2M, 500ms, 3s, 2026-11-25, 2h, yesterday. Times are in UTC.

const MOST = Number.MAX_SAFE_INTEGER;
const TIMES = { k: 1_000, K: 1_000, M: 1_000_000 } as const;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const DAY_MS = UNIT_MS.d;

/** null for anything else, and for what is too large to be counted. */
export function readNumber(text: string): number | null {
  const [, digits, times] = /^(\d{1,16}(?:\.\d{1,9})?)([kKM])?$/.exec(text) ?? [];
  if (digits === undefined) return null;
  return within(Number(digits) * (times === undefined ? 1 : TIMES[times as keyof typeof TIMES]));
}

/** In milliseconds; null without a unit: 500 could be seconds or milliseconds. */
export function readDuration(text: string): number | null {
  const [, digits, unit] = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d|w)$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return null;
  return within(Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS]);
}

/** Milliseconds since 1970. A duration is that long ago; `yesterday` is when it began. */
export function readTime(text: string, now: Date): number | null {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  if (text === "now") return now.getTime();
  if (text === "today") return today;
  if (text === "yesterday") return today - DAY_MS;
  const ago = readDuration(text);
  if (ago !== null) return sinceEpoch(now.getTime() - ago);
  const [, day, time, zone] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  if (day === undefined) return null;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Date.parse takes 30 February for 2 March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return null;
  return time === undefined ? sinceEpoch(midnight) : sinceEpoch(Date.parse(`${day}T${time}${zone ?? "Z"}`));
}

const within = (n: number): number | null => (Number.isFinite(n) && n <= MOST ? n : null);

/** Postgres and JavaScript both write the years 1 to 9999 alike. */
const sinceEpoch = (ms: number): number | null =>
  Number.isFinite(ms) && ms >= -62_135_596_800_000 && ms <= 253_402_300_799_999 ? ms : null;
