// The steps to a first turn: which of the three are done, which is next, and what blocks it. Pure.
import type { AskedOfWorkers, Health } from "@/server/contract/health";
import type { ProfileLine } from "@/server/contract/profile";

/** `asked`: whether it is done is not known yet. */
export type StepState = "asked" | "done" | "next" | "later";

export type FirstRunSteps = {
  worker: { state: StepState; note: string; tone: "waiting" | "good" | "warn" };
  profile: { state: StepState; note: string };
  launch: { state: StepState; note: string };
  /** One sentence under the heading: what is missing, or that nothing is. */
  cause: string;
};

export type FirstRunFacts = {
  /** null = not known yet. */
  health: Pick<Health, "status" | "workers"> | null;
  profiles: readonly Pick<ProfileLine, "name" | "worker_target" | "needs_own_worker">[] | null;
  /** Nobody takes the turns of such a profile; undefined = not known yet. */
  isMissing: (profile: AskedOfWorkers) => boolean | undefined;
};

export function firstRunSteps({ health, profiles, isMissing }: FirstRunFacts): FirstRunSteps {
  const isDown = health?.status === "down";
  // Until both are known nothing is said of any step: which is the next one depends on all of them.
  if (!isDown && (health === null || profiles === null)) return unknownSteps;
  const workers = health?.workers ?? [];
  const known = profiles ?? [];
  const answers = known.map(isMissing);
  const missing = known.filter((_, index) => answers[index]);
  const orphans = [...new Set(missing.map(kindWords))];
  const isUp = workers.length > 0 && (known.length === 0 || answers.includes(false));
  if (!isDown && workers.length > 0 && !isUp && answers.includes(undefined)) return unknownSteps;
  const hasProfile = known.length > 0;
  return {
    worker: workerStep(isDown, workers, orphans, isUp),
    profile: {
      state: hasProfile ? "done" : isUp ? "next" : "later",
      note: hasProfile ? named(known.map((profile) => profile.name)) : "",
    },
    launch: {
      state: hasProfile && isUp ? "next" : "later",
      note: hasProfile ? (isUp ? "" : "It would wait: no worker is running") : "Available when there is a profile",
    },
    cause: causeOf(isDown, isUp, hasProfile, workers.length, orphans),
  };
}

const asked = { state: "asked", note: "" } as const;
const unknownSteps: FirstRunSteps = {
  worker: { ...asked, tone: "waiting" },
  profile: asked,
  launch: asked,
  cause: "Looking for workers.",
};

function workerStep(
  isDown: boolean,
  workers: Health["workers"],
  orphans: readonly string[],
  isUp: boolean,
): FirstRunSteps["worker"] {
  if (isDown) return { state: "next", tone: "warn", note: "The database is not available, so workers cannot report" };
  if (workers.length === 0) return { state: "next", tone: "waiting", note: "Waiting for a worker to report" };
  if (!isUp) return { state: "next", tone: "warn", note: `Running, but none takes ${orphans.join(", ")}` };
  const targets = [...new Set(workers.flatMap((worker) => worker.targets))];
  const takes = targets.includes("*") ? "every target" : targets.join(", ");
  return {
    state: "done",
    tone: "good",
    note: `${workers.length === 1 ? "1 worker takes" : `${workers.length} workers take`} ${takes}`,
  };
}

function causeOf(
  isDown: boolean,
  isUp: boolean,
  hasProfile: boolean,
  workers: number,
  orphans: readonly string[],
): string {
  if (isDown) return "The database does not answer.";
  if (workers === 0)
    return hasProfile ? "No worker is taking turns." : "No worker is taking turns for any profile yet.";
  if (!isUp) return `No worker takes turns for ${orphans.join(", ")}.`;
  return hasProfile ? "Everything is ready for the first turn." : "A worker is running. It has no profile yet.";
}

/** A profile without a model is for a program of the project's own, also where the built-in worker takes the target. */
const kindWords = ({ worker_target, needs_own_worker }: AskedOfWorkers): string =>
  needs_own_worker ? `${worker_target} without a model` : worker_target;

function named(names: readonly string[]): string {
  const shown = names.slice(0, 2).join(", ");
  return names.length > 2 ? `${shown} and ${names.length - 2} more` : shown;
}
