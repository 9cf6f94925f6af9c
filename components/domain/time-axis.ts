// What every picture of time shares: round steps between its ticks, and room right of what grows.

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Room right of the newest end, as a part of the whole, so that the line of now is not the edge. */
export const AHEAD = 0.06;

const steps = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 4, 6, 12].map((n) => n * HOUR),
  DAY,
];

/** The smallest round step with at most `most` of them in `span` milliseconds; whole days beyond a day. */
export const roundStep = (span: number, most: number): number =>
  steps.find((step) => span / step <= most) ?? Math.ceil(span / most / DAY) * DAY;

const fineSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** The same where parts of a second can be told apart. */
export const fineStep = (span: number, most: number): number =>
  fineSteps.find((step) => span / step <= most) ?? roundStep(span, most);
