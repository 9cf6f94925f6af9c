"use client";

// Who moves the viewport: the person, these commands, and, until the person has touched it, the growing run itself.
// Selecting never does.
import { ReactFlowProvider, useReactFlow, useStoreApi } from "@xyflow/react";
import { createContext, type ReactNode, useContext, useMemo, useRef } from "react";
import { type Box, berthBox } from "@/components/ground/geometry";
import { fitted, focused, type Size, type View, zoomed } from "@/components/ground/viewport";
import type { Topology } from "../plan/yard-model";
import { useYard } from "../yard-context";

export type ViewCommands = {
  fit: () => void;
  /** 1 is life size. */
  zoomTo: (zoom: number) => void;
  zoomBy: (factor: number) => void;
  focus: (id: string) => void;
  /** Keeps the middle of the screen at a place of the yard. */
  centre: (x: number, y: number) => void;
  jump: (view: View) => void;
  /** As `jump`, but seen to move. */
  glide: (view: View) => void;
  getView: () => View;
  getSize: () => Size;
  /** True until a person moves the view: then a growing run is kept in sight. */
  isFollowing: () => boolean;
  hold: () => void;
  follow: () => void;
};

/** What is shown, if not the plan: its size, and where each part of it stands. */
export type ViewGround = { bounds: Box; boxOf: (id: string) => Box | undefined };
type ProviderProps = { ground?: ViewGround; children: ReactNode };

export function ViewProvider({ ground, children }: ProviderProps) {
  return (
    <ReactFlowProvider>
      <Commands ground={ground}>{children}</Commands>
    </ReactFlowProvider>
  );
}

export function useView(): ViewCommands {
  const commands = useContext(ViewContext);
  if (commands === null) throw new Error("Moving the view needs <ViewProvider> above it; yard-screen.tsx has it.");
  return commands;
}

const ViewContext = createContext<ViewCommands | null>(null);

const MOVE_MS = 260;

function Commands({ ground, children }: ProviderProps) {
  const flow = useReactFlow();
  const store = useStoreApi();
  const { model } = useYard();
  const following = useRef(true);
  const commands = useMemo<ViewCommands>(() => {
    const getSize = () => {
      const { width, height, domNode } = store.getState();
      const figures = domNode?.querySelector<HTMLElement>(".yard-stats");
      return figures ? { width, height, top: figures.offsetTop + figures.offsetHeight } : { width, height };
    };
    const getView = () => flow.getViewport();
    const go = (view: View, isHeld = true) => {
      if (isHeld) following.current = false;
      const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      // The other way zooms out and in again while it moves, and lays out all words at each step.
      void flow.setViewport(view, { duration: isStill ? 0 : MOVE_MS, interpolate: "linear" });
    };
    return {
      getSize,
      getView,
      isFollowing: () => following.current,
      hold: () => {
        following.current = false;
      },
      follow: () => {
        following.current = true;
      },
      jump: (view) => void flow.setViewport(view),
      glide: (view) => go(view, false),
      fit() {
        following.current = true;
        go(fitted(ground?.bounds ?? model.getTopology().bounds, getSize()), false);
      },
      zoomTo: (zoom) => go(zoomed(getView(), getSize(), zoom)),
      zoomBy: (factor) => go(zoomed(getView(), getSize(), getView().zoom * factor)),
      focus(id) {
        const box = ground ? ground.boxOf(id) : wagonBox(model.getTopology(), id);
        if (box) go(focused(box, getSize(), getView().zoom));
      },
      centre(x, y) {
        following.current = false;
        const { zoom } = getView();
        const { width, height } = getSize();
        void flow.setViewport({ zoom, x: width / 2 - x * zoom, y: height / 2 - y * zoom });
      },
    };
  }, [flow, store, model, ground]);
  return <ViewContext value={commands}>{children}</ViewContext>;
}

function wagonBox({ places, blocks, held }: Topology, id: string): Box | undefined {
  const place = places.get(id) ?? blocks.get(held.get(id) ?? id) ?? places.get(held.get(id) ?? "");
  return place && berthBox(place);
}
