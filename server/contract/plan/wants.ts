// Which ends tracks ask for, so that two lists of hundreds are compared at once: no end is a failure and a delivery.
import { isTaskPlace, nodeIdOf } from "./plan-words";
import type { Track } from "./tracks";

export type Wants = {
  failed: ReadonlySet<string>;
  delivered: ReadonlySet<string>;
  success: ReadonlySet<string>;
};

export function wantsOf(tracks: readonly Track[] = []): Wants {
  const from = (...ons: Track["on"][]) =>
    new Set(tracks.filter(({ on }) => ons.includes(on)).map((track) => track.from));
  return { failed: from("failed"), delivered: from("delivered", "success"), success: from("success") };
}

/** A place that one wants to fail and the other to deliver. The success of a fork is the success of each of its tasks. */
export function clash(one: Wants, other: Wants): string | undefined {
  return [...one.failed].find(
    (place) => other.delivered.has(place) || (isTaskPlace(place) && other.success.has(nodeIdOf(place))),
  );
}
