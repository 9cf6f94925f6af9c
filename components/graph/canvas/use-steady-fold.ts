"use client";

// Folding moves what stands beside it. What the person folded, or has selected, stays where it is on the screen; what was unfolded
// and does not fit there is brought into view whole.
import { useLayoutEffect, useRef } from "react";
import { type Box, berthBox, frameBox, laneBerth, union } from "@/components/ground/geometry";
import { withAll } from "@/components/ground/viewport";
import type { Folds } from "../plan/folds";
import type { Topology } from "../plan/yard-model";
import { useTopology, useYard } from "../yard-context";
import { useView } from "./view-provider";

export function useSteadyFold(): void {
  const { folds, selectedId } = useYard();
  const topology = useTopology();
  const view = useView();
  const before = useRef({ folds, topology });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { folds, topology };
    const changed = changedIn(was.folds, folds);
    if (changed.length === 0 || was.topology.scope !== topology.scope || was.topology.order.length === 0) return;
    const [first] = changed;
    const isHeldOtherwise = selectedId !== null && was.topology.held.get(selectedId) !== topology.held.get(selectedId);
    const id = isHeldOtherwise ? selectedId : changed.length === 1 ? first : undefined;
    const [from, to] = [standBox(was.topology, id), standBox(topology, id)];
    if (!from || !to) {
      if (selectedId !== null && topology.places.has(selectedId)) view.focus(selectedId);
      else view.fit();
      return;
    }
    view.hold();
    const { x, y, zoom } = view.getView();
    const steady = { zoom, x: x + (from.x - to.x) * zoom, y: y + (from.y - to.y) * zoom };
    view.jump(steady);
    const opened = changed.length === 1 ? openedBox(was.topology, topology, first) : undefined;
    const whole = opened && withAll(opened, view.getSize(), steady);
    if (whole && whole !== steady) view.glide(whole);
  }, [folds, topology, selectedId, view]);
}

/** Ids of the wishes that came or went. */
function changedIn(before: Folds, now: Folds): string[] {
  const gone = before.filter((one) => !now.includes(one));
  const come = now.filter((one) => !before.includes(one));
  return [...new Set([...gone, ...come].map((wish) => wish.replace(/^-/, "")))];
}

/** What a wagon held that is drawn now: its frame, or all its turns. Undefined where nothing was unfolded. */
function openedBox(was: Topology, now: Topology, wish: string | undefined): Box | undefined {
  // A stretch is wished for by its first turn and a mark.
  const id = wish?.replace(/~$/, "");
  const boxes: Box[] = [];
  for (const [turn, holder] of was.held) {
    const place = holder === id ? now.places.get(turn) : undefined;
    if (place) boxes.push(berthBox(place));
  }
  const block = now.blocks.get(id ?? "");
  if (block && !block.is_folded && was.blocks.get(block.id)?.is_folded) boxes.push(frameBox(block));
  return boxes.length === 0 ? undefined : boxes.reduce(union);
}

/** Where it stands: itself, what holds it, or the first of what it held. */
function standBox({ places, blocks, held, alike }: Topology, id: string | undefined): Box | undefined {
  if (id === undefined) return undefined;
  const block = blocks.get(id) ?? blocks.get(held.get(id) ?? "");
  if (block) return berthBox(block.is_folded ? block : laneBerth(block, 0));
  const place =
    places.get(id) ?? places.get(held.get(id) ?? "") ?? places.get(alike.get(id)?.members[0]?.agent_turn_id ?? "");
  return place && berthBox(place);
}
