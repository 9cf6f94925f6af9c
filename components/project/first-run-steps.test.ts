import { expect, test } from "vitest";
import { firstRunSteps } from "./first-run-steps";

const worker = (...targets: string[]) => ({
  worker_id: "w",
  project_id: "*",
  targets,
  version: "0",
  started_at: "",
  seen_at: "",
});
const health = (...workers: ReturnType<typeof worker>[]) => ({ status: "ok" as const, workers });
const profile = (name: string, worker_target = "worker_generic") => ({ name, worker_target, needs_own_worker: false });
const isMissing = () => false;

test("nothing yet: the worker is next, the cause is named, the launch says what it waits for", () => {
  const steps = firstRunSteps({ health: health(), profiles: [], isMissing });
  expect(steps).toMatchObject({
    worker: { state: "next", tone: "waiting" },
    profile: { state: "later" },
    launch: { state: "later", note: "Available when there is a profile" },
    cause: "No worker is taking turns for any profile yet.",
  });
});

test("a worker reports: the profile is next", () => {
  const steps = firstRunSteps({ health: health(worker("*")), profiles: [], isMissing });
  expect(steps.worker).toEqual({ state: "done", tone: "good", note: "1 worker takes every target" });
  expect(steps.profile.state).toBe("next");
  expect(steps.cause).toContain("no profile");
});

test("both are there: the launch is next", () => {
  const steps = firstRunSteps({
    health: health(worker("worker_generic"), worker("gpu")),
    profiles: [profile("A"), profile("B"), profile("C"), profile("D", "mail")],
    isMissing: ({ worker_target }) => worker_target === "mail",
  });
  expect(steps.worker.note).toBe("2 workers take worker_generic, gpu");
  expect(steps.profile.note).toBe("A, B and 2 more");
  expect(steps.launch).toEqual({ state: "next", note: "" });
});

test("a worker that takes none of the profiles' targets is no worker for them", () => {
  const steps = firstRunSteps({ health: health(worker("gpu")), profiles: [profile("A")], isMissing: () => true });
  expect(steps.worker).toMatchObject({ state: "next", tone: "warn", note: "Running, but none takes worker_generic" });
  expect(steps.launch).toMatchObject({ state: "later", note: "It would wait: no worker is running" });
  expect(steps.cause).toBe("No worker takes turns for worker_generic.");
});

test("a profile without a model waits for a program of the project's own, whatever the built-in worker takes", () => {
  const own = { ...profile("A"), needs_own_worker: true };
  const isLeft = (one: { needs_own_worker: boolean }) => one.needs_own_worker;
  const steps = firstRunSteps({ health: health(worker("*")), profiles: [own], isMissing: isLeft });
  expect(steps.worker.note).toBe("Running, but none takes worker_generic without a model");
  const both = firstRunSteps({ health: health(worker("*")), profiles: [own, profile("B")], isMissing: isLeft });
  expect(both.worker.state).toBe("done");
});

test("whether a worker takes the profiles is not claimed before it is known", () => {
  const profiles = [profile("A"), profile("B", "mail")];
  const stepsOf = (isLeft: () => boolean | undefined, ...workers: ReturnType<typeof worker>[]) =>
    firstRunSteps({ health: health(...workers), profiles, isMissing: isLeft });
  expect(stepsOf(() => undefined, worker("gpu"))).toMatchObject({
    worker: { state: "asked", note: "" },
    launch: { state: "asked", note: "" },
    cause: "Looking for workers.",
  });
  // Without any worker there is nothing to find out.
  expect(stepsOf(() => undefined).cause).toBe("No worker is taking turns.");
});

test("what is not known is not claimed, and a database that is away is the cause", () => {
  expect(firstRunSteps({ health: null, profiles: null, isMissing }).cause).toBe("Looking for workers.");
  const steps = firstRunSteps({ health: { status: "down", workers: [] }, profiles: null, isMissing });
  expect(steps.cause).toBe("The database does not answer.");
  expect(steps.worker.tone).toBe("warn");
});
