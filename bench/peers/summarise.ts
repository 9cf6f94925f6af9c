// Turns the samples of all rounds into one line per contender and size: medians over rounds, percentiles over all forks.
import type { Counts } from "../fork/counters";
import type { Report } from "./host";

export type Sample = { contender: string; size: number; round: number } & Report & Counts;

export type Result = {
  contender: string;
  size: number;
  forks: number;
  children_per_s: number;
  /** The floor's children per second over this one's, round by round, then the median. */
  times_floor: number | null;
  /** Switchyard's children per second over this one's, likewise. */
  switchyard_times: number | null;
  p50_ms: number;
  p99_ms: number;
  statements_per_child: number;
  transactions_per_child: number;
  wal_bytes_per_child: number;
};

export function summarise(samples: Sample[]): Result[] {
  return grouped(samples).flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { contender, size } = first;
    const latencies = group.flatMap((sample) => sample.latencies_ms).toSorted((a, b) => a - b);
    return [
      {
        contender,
        size,
        forks: latencies.length,
        children_per_s: Math.round(median(group.map(rate))),
        times_floor: against(samples, group, "floor", 2),
        switchyard_times: against(samples, group, "switchyard", 2),
        p50_ms: round(quantile(latencies, 0.5), 1),
        p99_ms: round(quantile(latencies, 0.99), 1),
        statements_per_child: round(median(group.map((sample) => sample.statements / sample.children)), 3),
        transactions_per_child: round(median(group.map((sample) => sample.transactions / sample.children)), 3),
        wal_bytes_per_child: Math.round(median(group.map((sample) => sample.wal_bytes / sample.children))),
      },
    ];
  });
}

function grouped(samples: Sample[]): Sample[][] {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = `${sample.size} ${sample.contender}`;
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  return [...groups.values()];
}

// Ratios within one round only: between rounds the speed of the machine may have changed.
function against(samples: Sample[], group: Sample[], contender: string, digits: number): number | null {
  const ratios = group.flatMap((mine) => {
    const its = samples.find((s) => s.contender === contender && s.size === mine.size && s.round === mine.round);
    return its ? [rate(its) / rate(mine)] : [];
  });
  return ratios.length > 0 ? round(median(ratios), digits) : null;
}

const rate = (sample: Sample): number => (sample.children / sample.ms) * 1000;

const median = (values: number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

function quantile(sorted: number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
