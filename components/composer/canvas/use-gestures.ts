"use client";

// What the pointer does on the ground: drag a wagon by berths, a coupling to a wagon, a frame around several; and what is dragged up
// from the shelf. Escape puts everything back.
import { useReactFlow } from "@xyflow/react";
import { type PointerEvent as ReactPointerEvent, useCallback, useEffect, useMemo, useRef } from "react";
import { berthBox } from "@/components/ground/geometry";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { duplicate } from "../clipboard";
import { type Composing, useComposer } from "../composer-context";
import { refusedSources, refusedTargets } from "../drawing/couplable";
import type { Drawing } from "../drawing/drawing";
import { crateId, trackId, wireId } from "../drawing/links";
import { type Gap, gapAt } from "../drawing/rank";
import {
  type Drag,
  dropOf,
  endAt,
  type Item,
  type Linked,
  movedBy,
  type Over,
  overAt,
  trackAt,
  wireAt,
  type XY,
} from "./drag";

/** A pointer that moved less than this has clicked. */
const CLICK = 5;

type Toward = (event: { clientX: number; clientY: number }) => XY;

export function useGestures() {
  const composing = useComposer();
  const { screenToFlowPosition } = useReactFlow();
  const toward = useCallback<Toward>(
    ({ clientX, clientY }) => screenToFlowPosition({ x: clientX, y: clientY }),
    [screenToFlowPosition],
  );
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  /** Follows the pointer until it is let go. `begin` makes the drag once it has moved. */
  const follow = useCallback(
    (down: { clientX: number; clientY: number }, begin: (event: PointerEvent) => Drag | null, onClick: () => void) => {
      stop.current?.();
      let drag: Drag | null = null;
      const { drag: shared } = composing;
      const onMove = (event: PointerEvent) => {
        if (drag === null) {
          if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < CLICK) return;
          drag = begin(event);
          if (drag === null) return end();
        }
        drag = moved(composing, drag, toward(event), event);
        shared.set(drag);
      };
      const onUp = (event: PointerEvent) => {
        const last = drag && moved(composing, drag, toward(event), event);
        end();
        if (last === null) onClick();
        else letGo(composing, last);
      };
      const onKey = (event: KeyboardEvent) => {
        if (event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          end();
          composing.store.say("Let go. Nothing was changed.");
        } else if (drag && (event.key === "Shift" || event.key === "Alt")) {
          drag = drag.kind === "couple" ? { ...drag, carried: carriedBy(event) } : drag;
          shared.set(drag);
        }
      };
      const end = () => {
        window.removeEventListener("pointermove", onMove);
        window.removeEventListener("pointerup", onUp);
        window.removeEventListener("pointercancel", end);
        window.removeEventListener("keydown", onKey, true);
        window.removeEventListener("keyup", onKey, true);
        shared.set(null);
        stop.current = null;
      };
      window.addEventListener("pointermove", onMove);
      window.addEventListener("pointerup", onUp);
      window.addEventListener("pointercancel", end);
      window.addEventListener("keydown", onKey, true);
      window.addEventListener("keyup", onKey, true);
      stop.current = end;
    },
    [composing, toward],
  );

  const onPointerDown = useCallback(
    (event: ReactPointerEvent<HTMLElement>) => {
      if (event.button !== 0 || event.pointerType === "touch" || !(event.target instanceof Element)) return;
      const { store } = composing;
      const start = toward(event);
      const coupling = event.target.closest<HTMLElement>("[data-coupling]")?.dataset.coupling;
      if (coupling !== undefined) {
        const from = coupling;
        follow(
          event,
          (now) => ({
            kind: "couple",
            from,
            at: toward(now),
            carried: carriedBy(now),
            over: overAt(composing.ground.get(), toward(now)),
            refusals: refusedTargets(store.get().plan, from),
          }),
          () => composing.adding.set({ as: "behind", place: from }),
        );
        event.preventDefault();
        return;
      }
      if (event.target.closest("button, a, input, textarea, [role=menuitem]")) return;
      const crate = event.target.closest<HTMLElement>("[data-crate]")?.dataset.crate;
      const link = crate === undefined ? linkUnder(composing, start, event.target) : null;
      if (crate !== undefined || link !== null) {
        const id = link?.id ?? crateId(crate ?? "");
        follow(
          event,
          (now) => (link === null || store.get().locked !== null ? null : link.drag(toward(now))),
          () => selectOne(store, id, event.shiftKey || event.metaKey || event.ctrlKey),
        );
        return;
      }
      const place = event.target.closest<HTMLElement>("[data-place], [data-gate], [data-fork]");
      const id = place?.dataset.place ?? (place?.dataset.gate ? `gate:${place.dataset.gate}` : place?.dataset.fork);
      if (id !== undefined) {
        const { selection } = store.get();
        const isMore = event.shiftKey || event.metaKey || event.ctrlKey;
        const places = selection.includes(id) ? selection : [id];
        follow(
          event,
          (now) =>
            store.get().locked !== null
              ? null
              : {
                  kind: "move",
                  places,
                  start,
                  at: toward(now),
                  over: overAt(composing.ground.get(), toward(now)),
                  isCopy: now.altKey,
                },
          () => selectOne(store, id, isMore),
        );
        return;
      }
      if (!event.target.closest(".react-flow__pane")) return;
      follow(
        event,
        (now) => ({ kind: "marquee", start, at: toward(now) }),
        () => store.select([]),
      );
    },
    [composing, follow, toward],
  );

  /** What lies under a right click is what its menu is about; a selection that holds it stays. */
  const selectAt = useCallback(
    (event: { clientX: number; clientY: number; target: EventTarget }) => {
      if (!(event.target instanceof Element)) return;
      const { store } = composing;
      const { selection } = store.get();
      const crate = event.target.closest<HTMLElement>("[data-crate]")?.dataset.crate;
      const place = event.target.closest<HTMLElement>("[data-place], [data-gate], [data-fork]");
      const link = crate === undefined ? linkUnder(composing, toward(event), event.target) : null;
      const id =
        link?.id ??
        (crate === undefined ? undefined : crateId(crate)) ??
        place?.dataset.place ??
        (place?.dataset.gate ? `gate:${place.dataset.gate}` : place?.dataset.fork);
      if (id === undefined) store.select([]);
      else if (!selection.includes(id)) store.select([id]);
    },
    [composing, toward],
  );

  /** From the shelf, or a list. */
  const takeUp = useCallback(
    (item: Item, event: { clientX: number; clientY: number }, onClick: () => void) => {
      follow(
        event,
        (now) => ({
          kind: "item",
          item,
          at: toward(now),
          over: overAt(composing.ground.get(), toward(now)),
          gap: null,
        }),
        onClick,
      );
    },
    [composing, follow, toward],
  );
  return useMemo(() => ({ onPointerDown, selectAt, takeUp, toward }), [onPointerDown, selectAt, takeUp, toward]);
}

function selectOne(store: Composing["store"], id: string, isMore: boolean): void {
  const { selection } = store.get();
  store.select(isMore ? (selection.includes(id) ? selection.filter((one) => one !== id) : [...selection, id]) : [id]);
}

/** A track or a wire under the pointer, on open ground or inside a frame; wagons, heads and gates lie above it. */
function linkUnder({ ground, wires, store }: Composing, at: XY, target: Element) {
  if (!target.closest(".react-flow__pane, .drawn-frame")) return null;
  const { plan } = store.get();
  const wire = wireAt(wires.get(), at);
  if (wire) {
    const link = { kind: "wire", crate: wire.crate, to: wire.to } as const;
    return { id: wireId(wire.crate, wire.to), drag: dragging(ground.get(), link, "to", new Map()) };
  }
  const route = trackAt(ground.get(), at, undefined, 7);
  if (!route || route.from === null) return null;
  const link = { kind: "track", from: route.from, to: route.to } as const;
  const end = endAt(route.points, at);
  const refusals = end === "to" ? refusedTargets(plan, link.from) : refusedSources(plan, link.to);
  return { id: trackId(link.from, link.to), drag: dragging(ground.get(), link, end, refusals) };
}

const dragging =
  (drawing: Drawing, link: Linked, end: "from" | "to", refusals: ReadonlyMap<string, string>) =>
  (at: XY): Drag => ({ kind: "link", link, end, at, over: overAt(drawing, at), refusals });

const carriedBy = ({ shiftKey, altKey }: { shiftKey: boolean; altKey: boolean }) =>
  altKey ? "order" : shiftKey ? "output" : "deliverable";

/** In which gap of the wagon's consist it is held. */
function gapUnder(
  { ground, checks }: Composing,
  drag: Extract<Drag, { kind: "item" }>,
  over: Over,
  at: XY,
): Gap | null {
  const place = over.kind === "wagon" && "load" in drag.item ? ground.get().places.get(over.place) : undefined;
  if (!place) return null;
  const { x, w } = berthBox(place);
  return gapAt(checks.get().places.get(place.id), place.id, (at.x - x) / w);
}

function moved(composing: Composing, drag: Drag, at: XY, event: { shiftKey: boolean; altKey: boolean }): Drag {
  const { ground } = composing;
  if (drag.kind === "marquee") return { ...drag, at };
  const except =
    drag.kind === "move"
      ? new Set([...drag.places, ...drag.places.map(nodeIdOf)].filter((id) => drag.places.includes(id)))
      : undefined;
  const over = overAt(ground.get(), at, except);
  if (drag.kind === "couple") return { ...drag, at, over, carried: carriedBy(event) };
  if (drag.kind === "move") return { ...drag, at, over, isCopy: event.altKey };
  if (drag.kind === "item") return { ...drag, at, over, gap: gapUnder(composing, drag, over, at) };
  return { ...drag, at, over };
}

function letGo(composing: Composing, drag: Drag): void {
  const { store, ground } = composing;
  if (drag.kind === "marquee") {
    const { start, at } = drag;
    const box = {
      x: Math.min(start.x, at.x),
      y: Math.min(start.y, at.y),
      w: Math.abs(at.x - start.x),
      h: Math.abs(at.y - start.y),
    };
    store.select(
      ground
        .get()
        .wagons.query(box)
        .map(({ id }) => id)
        .filter((id) => id !== "person"),
    );
    return;
  }
  if (drag.kind === "couple" && (drag.over.kind === "berth" || drag.over.kind === "track")) {
    composing.adding.set({
      as: "behind",
      place: drag.from,
      ...(drag.over.kind === "berth" && { at: drag.over.berth }),
    });
    return;
  }
  if (drag.kind === "move" && drag.isCopy) {
    duplicate(composing, drag.places, movedBy(drag.start, drag.at));
    return;
  }
  const dropped = dropOf(store.get().plan, ground.get(), drag);
  if (dropped === null) return;
  if (typeof dropped === "string") store.say(dropped);
  else store.change(dropped);
}
