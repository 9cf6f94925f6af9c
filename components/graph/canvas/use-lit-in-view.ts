"use client";

// A status is filtered by to see those turns. In a large run none of them may be on the screen, and "Failed only" seemed to do
// nothing: then they come into view, or the first of them. Words do not move the view, for they are typed letter by letter.
import { useQueryStates } from "nuqs";
import { useEffect, useRef } from "react";
import { type Box, berthBox, union } from "@/components/ground/geometry";
import { meets } from "@/components/ground/spatial";
import { freeBox, withAll } from "@/components/ground/viewport";
import type { Topology } from "../plan/yard-model";
import { useYard } from "../yard-context";
import { yardParams } from "../yard-url";
import { useView } from "./view-provider";

export function useLitInView(): void {
  const [{ status }] = useQueryStates(yardParams);
  const { model, matches } = useYard();
  const view = useView();
  const asked = status.join();
  const before = useRef(asked);
  useEffect(() => {
    if (before.current === asked) return;
    before.current = asked;
    if (asked === "" || matches === null) return;
    const topology = model.getTopology();
    const lit = [...matches].flatMap((id) => litBox(topology, id) ?? []);
    const [now, size] = [view.getView(), view.getSize()];
    const [first] = matches;
    if (first === undefined || lit.length === 0 || lit.some((box) => meets(box, freeBox(now, size)))) return;
    const whole = withAll(lit.reduce(union), size, now);
    view.hold();
    if (whole === now) view.focus(first);
    else view.glide(whole);
  }, [asked, matches, model, view]);
}

/** Where the turn is lit: itself, or the wagon that holds it. */
function litBox({ places, blocks, held }: Topology, id: string): Box | undefined {
  const holder = held.get(id) ?? "";
  const place = places.get(id) ?? blocks.get(holder) ?? places.get(holder);
  return place && berthBox(place);
}
