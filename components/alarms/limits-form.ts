// The limits of the alarms as a form: what each one means, its unit, and what is written in a field as the number that is kept. Pure.
import { AlarmLimits, type AlarmLimitsPatch } from "@/server/contract/alarm";
import type { AlarmRule } from "@/server/contract/alarm-rules";

export type LimitName = keyof AlarmLimits;
export type Limit = {
  name: LimitName;
  rule: AlarmRule;
  label: string;
  unit: "tokens" | "%" | "times" | "seconds";
  /** What must be so for an alarm. */
  meaning: string;
};
/** As written, by name. */
export type LimitTexts = Readonly<Record<LimitName, string>>;

/** In the order of the page: limits of one rule follow each other. */
export const limits: readonly Limit[] = [
  {
    ...{ name: "pressure_share", rule: "pressure", label: "Part of the window", unit: "%" },
    meaning: "A request fills more than this much of the model's window.",
  },
  {
    ...{ name: "passed_unseen_share", rule: "passed_unseen", label: "Part of the hand-over", unit: "%" },
    meaning: "More than this much of the tokens was never sent to the caller's own model,",
  },
  {
    ...{ name: "passed_unseen_tokens", rule: "passed_unseen", label: "Tokens handed over", unit: "tokens" },
    meaning: "and it is more than this many tokens.",
  },
  {
    ...{ name: "sibling_lacks_tokens", rule: "sibling_lacks", label: "Tokens that are missing", unit: "tokens" },
    meaning: "The cards that most siblings were given, and this branch was not, come to more than this.",
  },
  {
    ...{ name: "paid_often_times", rule: "paid_often", label: "Times sent", unit: "times" },
    meaning: "One card was sent more often than this,",
  },
  {
    ...{ name: "paid_often_tokens", rule: "paid_often", label: "Tokens together", unit: "tokens" },
    meaning: "and all its times together cost more than this.",
  },
  {
    ...{ name: "prefix_broken_share", rule: "prefix_broken", label: "Part in common", unit: "%" },
    meaning: "A request shares less than this much of the tokens of the one before it, though nothing was removed.",
  },
  {
    ...{ name: "prefix_broken_tokens", rule: "prefix_broken", label: "Tokens of a request", unit: "tokens" },
    meaning: "Shorter requests are not looked at. No provider caches them.",
  },
  {
    ...{ name: "loop_times", rule: "loop", label: "Times delegated", unit: "times" },
    meaning: "The same instruction was delegated this often, along one chain or to one agent.",
  },
  {
    ...{ name: "late_times", rule: "late", label: "Times the median", unit: "times" },
    meaning: "A branch takes longer than this many times the median of its siblings,",
  },
  {
    ...{ name: "late_ms", rule: "late", label: "Least time", unit: "seconds" },
    meaning: "and longer than this.",
  },
];

/** What one of the unit is in the number that is kept. */
const factors: Record<Limit["unit"], number> = { tokens: 1, times: 1, "%": 0.01, seconds: 1_000 };

export const limitText = ({ name, unit }: Limit, values: AlarmLimits): string =>
  String(tidy(values[name] / factors[unit]));

export const textsOf = (values: AlarmLimits): LimitTexts =>
  Object.fromEntries(limits.map((limit) => [limit.name, limitText(limit, values)])) as LimitTexts;

/** The number that is kept, or what is wrong with the text and what to write instead. */
export function readLimit({ name, unit }: Limit, text: string): { value: number } | { error: string } {
  const written = text.trim().replace(/(?<=\d)[, ](?=\d{3}\b)/g, "");
  const { minValue, maxValue } = AlarmLimits.shape[name];
  const [least, most] = [minValue, maxValue].map((bound) => tidy((bound ?? 0) / factors[unit]).toLocaleString("en-US"));
  const wanted = `between ${least} and ${most}`;
  if (!/^\d+(\.\d+)?$/.test(written)) return { error: `Write a number ${wanted}.` };
  const value =
    unit === "seconds" ? Math.round(Number(written) * factors[unit]) : tidy(Number(written) * factors[unit]);
  if (AlarmLimits.shape[name].safeParse(value).success) return { value };
  const isInside = Number(written) * factors[unit] >= (minValue ?? 0) && value <= (maxValue ?? 0);
  return { error: isInside ? `Write a whole number ${wanted}.` : `Write a number ${wanted}.` };
}

/** Only what was changed; back at the default the project has no limit of its own. */
export function patchOf(texts: LimitTexts, holds: AlarmLimits, defaults: AlarmLimits): AlarmLimitsPatch {
  return Object.fromEntries(
    limits.flatMap((limit) => {
      const read = readLimit(limit, texts[limit.name]);
      if ("error" in read || read.value === holds[limit.name]) return [];
      return [[limit.name, read.value === defaults[limit.name] ? null : read.value]];
    }),
  );
}

/** 0.8 / 0.01 is 80.00000000000001. */
const tidy = (value: number): number => Number(value.toFixed(6));
