"use client";

// What a node waits for: its tracks, on which end each may be taken, and whether a person lets it start.
import type { KeyboardEvent } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { type Track, writtenTracks } from "@/server/contract/plan/tracks";
import { useComposer, usePlan } from "../composer-context";
import { named, uncoupling } from "../draft/edits";
import { trackId } from "../drawing/links";

export const ends = [
  { value: "delivered", label: "delivered" },
  { value: "success", label: "success" },
  { value: "failed", label: "failed" },
  { value: "ended", label: "ended" },
] as const;

export function StartsSection({ place }: { place: string }) {
  const plan = usePlan();
  const { store, adding } = useComposer();
  const index = plan.nodes.findIndex(({ id }) => id === nodeIdOf(place));
  const node = plan.nodes[index];
  if (!node) return null;
  const tracks = writtenTracks(node, index);
  /** As on the ground: N adds into the track, and with the delete key it is taken away. */
  function onKey(event: KeyboardEvent, from: string) {
    const isGone = (event.key === "Backspace" || event.key === "Delete") && (event.metaKey || event.ctrlKey);
    if (!isGone && event.key !== "n") return;
    event.preventDefault();
    event.stopPropagation();
    if (!node) return;
    if (isGone) store.change(uncoupling(plan, from, node.id));
    else adding.set({ as: "splice", place: node.id, track: { from, to: node.id } });
  }
  return (
    <Section title="Starts when">
      {tracks.length === 0 ? <p className="text-ink-3">At once, when the plan is launched.</p> : null}
      <ul>
        {tracks.map((track) => (
          <li key={`${track.from} ${track.on} ${track.path}`} className="flex min-h-8 items-center gap-2">
            <button
              type="button"
              dir="auto"
              className="min-w-0 flex-1 truncate text-left hover:underline"
              data-field={`track ${track.path}`}
              title="Open the track"
              onClick={() => store.select([trackId(track.from, node.id)])}
              onKeyDown={(event) => onKey(event, track.from)}
            >
              {named(plan, track.from)}
            </button>
            <Select
              label={`On which end of ${named(plan, track.from)}`}
              className="w-28 flex-none"
              value={track.on}
              options={ends}
              onChange={(on) =>
                store.change({
                  label: `${named(plan, node.id)} starts when ${named(plan, track.from)} has ${on}`,
                  ops: [endOp(node.id, track, on)],
                })
              }
            />
            <IconButton
              icon="x"
              label={`Take the track from ${named(plan, track.from)} away`}
              size="sm"
              iconSize={13}
              onClick={() => store.change(uncoupling(plan, track.from, node.id))}
            />
          </li>
        ))}
      </ul>
      <label className="mt-1 flex min-h-7 items-center gap-2">
        <input
          type="checkbox"
          checked={node.hold}
          onChange={({ target }) =>
            store.change({
              label: `${named(plan, node.id)}: ${target.checked ? "hold" : "no hold"}`,
              ops: [{ op: "set", node: node.id, path: "/hold", value: target.checked }],
            })
          }
        />
        A person lets it start
      </label>
    </Section>
  );
}

/** A load alone waits for delivery: another end is written down. */
export const endOp = (to: string, { from, on, is_load }: Track, next: Track["on"]) =>
  is_load
    ? ({ op: "add_track", to, track: { node: from, on: next } } as const)
    : ({ op: "set_track", to, track: { node: from, on }, with: { node: from, on: next } } as const);
