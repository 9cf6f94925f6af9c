// A length of time as a person says it. Pure.

/** 900 = "15 min", 90 = "90 s", 7200 = "2 h" */
export function formatSeconds(seconds: number): string {
  if (seconds >= 7_200 && seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  if (seconds >= 120 && seconds % 60 === 0) return `${seconds / 60} min`;
  return `${seconds} s`;
}
