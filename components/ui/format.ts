// How numbers, durations and times are written. One locale, so that server and browser draw the same letters.

/** 9,453 */
export function formatNumber(value: number): string {
  return integers.format(value);
}

/** 14.4k, 1.2M; under a thousand as it is. */
export function formatCompact(value: number): string {
  const size = Math.abs(value);
  // 999,950 would read 1000.0k, so the unit changes where the rounded number does.
  if (size >= 999_950) return `${(value / 1_000_000).toFixed(1)}M`;
  if (size >= 1000) return `${(value / 1000).toFixed(1)}k`;
  return formatNumber(value);
}

/** 45 %; a part that is not nothing never reads 0 %, one that is not all never 100 %. */
export function formatPercent(part: number, whole: number): string {
  if (whole <= 0) return "0 %";
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 1) return "< 1 %";
  if (percent > 99 && percent < 100) return "> 99 %";
  return `${Math.round(percent)} %`;
}

/** 24s, 3m 11s, 2h 04m, 3d 02h; under ten seconds with one decimal, under one second in ms. */
export function formatDuration(ms: number): string {
  if (ms < 0) return "0s";
  if (ms < 1000) return `${Math.round(ms)}ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
  const hours = Math.floor(minutes / 60);
  return `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
}

/** "just now", "4s ago", "3m ago", "2h ago", "yesterday", "5d ago", then the date. */
export function formatAgo(at: Date | string | number, now: number): string {
  const ms = now - new Date(at).getTime();
  if (Number.isNaN(ms)) return "unknown time";
  if (ms < 1500) return "just now";
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s ago`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}m ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours}h ago`;
  const days = Math.round(hours / 24);
  if (days === 1) return "yesterday";
  if (days < 14) return `${days}d ago`;
  return formatDate(at);
}

/** 14:32:09, in the reader's time zone. */
export function formatClock(at: Date | string | number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** 2026-03-07 */
export function formatDate(at: Date | string | number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** $0.054, $1.20; nothing spent is $0. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars < 0.0005) return "< $0.001";
  return `$${dollars.toFixed(dollars < 1 ? 3 : 2)}`;
}

/** 12.4 kB, 5.0 MB */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** 1 card, 2 cards, 1,420 cards */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

const integers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** 00ff */
export const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** 07 */
export function two(value: number): string {
  return String(value).padStart(2, "0");
}
