"use client";

// Right click, or the menu key: what can be done with what lies there. The same verbs as the keys, with their keys beside them.
import { useState } from "react";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { isTaskPlace } from "@/server/contract/plan/plan-words";
import { copy, duplicate, paste } from "../clipboard";
import { type Composing, chosen, knownParts, useComposer } from "../composer-context";
import { addingTask, toggling } from "../draft/edits";
import { takingAway } from "../draft/taking-away";
import { tidying } from "../draft/tidying";
import { linkOf } from "../drawing/links";
import { berthAt, type XY } from "./drag";
import type { DrawingView } from "./use-view";

export type MenuAt = { n: number; x: number; y: number; on: XY };

/** Opens at the pointer; another right click opens another one. */
export function useGroundMenu(toward: (event: { clientX: number; clientY: number }) => XY) {
  const [at, setAt] = useState<MenuAt | null>(null);
  return {
    at,
    open: (event: { clientX: number; clientY: number; preventDefault: () => void }) => {
      event.preventDefault();
      setAt((before) => ({ n: (before?.n ?? 0) + 1, x: event.clientX, y: event.clientY, on: toward(event) }));
    },
  };
}

export function GroundMenu({ at, view }: { at: MenuAt; view: DrawingView }) {
  const composing = useComposer();
  const { selection, plan } = composing.store.get();
  const id = chosen({ selection });
  const link = id === null ? null : linkOf(id);
  const place = id?.replace(/^gate:/, "") ?? null;
  const isPart = place !== null && knownParts(plan).has(place);
  return (
    <Menu
      key={at.n}
      isOpenAtOnce
      trigger={<button type="button" aria-label="Menu" className="ground-menu" style={{ left: at.x, top: at.y }} />}
    >
      {link?.kind === "track" ? (
        <TrackItems composing={composing} link={link} />
      ) : isPart && place !== null ? (
        <PlaceItems composing={composing} place={place} />
      ) : link === null ? (
        <GroundItems composing={composing} view={view} on={at.on} />
      ) : null}
      {selection.length === 0 ? null : (
        <>
          <MenuSeparator />
          <MenuItem
            isDanger
            keys="mod+backspace"
            onSelect={() => composing.store.change(takingAway(composing.store.get().plan, selection))}
          >
            Delete
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function TrackItems({ composing, link }: { composing: Composing; link: { from: string; to: string } }) {
  return (
    <MenuItem keys="n" onSelect={() => composing.adding.set({ as: "splice", place: link.to, track: link })}>
      Add between
    </MenuItem>
  );
}

function PlaceItems({ composing, place }: { composing: Composing; place: string }) {
  const { store, adding, edit, openOrder } = composing;
  const { selection } = store.get();
  const part = knownParts(store.get().plan).get(place);
  const isRider = part !== undefined && "instruction" in part;
  const toggle = (field: "hold" | "disabled") => {
    const change = toggling(store.get().plan, selection, field);
    if (change) store.change(change);
  };
  return (
    <>
      {isRider ? (
        <>
          <MenuItem keys="enter" onSelect={() => edit("instruction")}>
            Instruction
          </MenuItem>
          <MenuItem keys="h" onSelect={() => openOrder(place)}>
            Hand-over
          </MenuItem>
        </>
      ) : null}
      <MenuItem keys="n" onSelect={() => adding.set({ as: "behind", place })}>
        Add behind
      </MenuItem>
      {isTaskPlace(place) ? null : (
        <MenuItem keys="shift+n" onSelect={() => adding.set({ as: "before", place })}>
          Add before
        </MenuItem>
      )}
      <MenuItem keys="t" onSelect={() => store.change(addingTask(store.get().plan, place, null))}>
        {isRider && !isTaskPlace(place) ? "Make it a fork of two" : "Add a task"}
      </MenuItem>
      <MenuItem keys="w" onSelect={() => adding.set({ as: "load", place })}>
        Load something
      </MenuItem>
      <MenuItem keys="shift+w" onSelect={() => adding.set({ as: "send", place })}>
        Send its result to
      </MenuItem>
      <MenuSeparator />
      {isTaskPlace(place) ? null : (
        <>
          <MenuItem keys="p" onSelect={() => toggle("hold")}>
            Hold, or let pass
          </MenuItem>
          <MenuItem keys="x" onSelect={() => toggle("disabled")}>
            Switch off, or on
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuItem keys="mod+c" onSelect={() => void copy(composing, selection)}>
        Copy
      </MenuItem>
      <MenuItem keys="mod+x" onSelect={() => void copy(composing, selection, true)}>
        Cut
      </MenuItem>
      <MenuItem keys="mod+d" onSelect={() => duplicate(composing, selection)}>
        Duplicate
      </MenuItem>
    </>
  );
}

function GroundItems({ composing, view, on }: { composing: Composing; view: DrawingView; on: XY }) {
  const { store, adding } = composing;
  return (
    <>
      <MenuItem keys="n" onSelect={() => adding.set({ as: "behind", place: null, at: berthAt(on) })}>
        Add here
      </MenuItem>
      <MenuItem keys="mod+v" onSelect={() => void paste(composing)}>
        Paste
      </MenuItem>
      <MenuSeparator />
      <MenuItem keys="alt+t" onSelect={() => store.change(tidying(store.get().plan, []))}>
        Tidy
      </MenuItem>
      <MenuItem keys="0" onSelect={() => view.fit()}>
        Show all
      </MenuItem>
    </>
  );
}
