"use client";

// The grid's dots stand still on the ground, and what is read from further away keeps its size on the screen. Without a render a
// frame: the canvas of React Flow is told directly.
import { useStoreApi } from "@xyflow/react";
import { useEffect } from "react";
import { detailAt } from "@/components/ground/viewport";

const DOTS = 22;

export function useGroundDots(): void {
  const store = useStoreApi();
  useEffect(() => {
    let seen: readonly number[] | null = null;
    const update = ({ transform, domNode }: ReturnType<typeof store.getState>) => {
      if (transform === seen || domNode === null) return;
      // Our own frame around it is the application, and has a name.
      if (seen === null) domNode.removeAttribute("role");
      seen = transform;
      const [x, y, zoom] = transform;
      const detail = detailAt(zoom);
      if (domNode.dataset.detail !== detail) domNode.dataset.detail = detail;
      // Elsewhere nothing uses it, and a change would restyle every wagon.
      if (detail === "chip" || detail === "steady") domNode.style.setProperty("--zoom", zoom.toFixed(4));
      // Seen from further away the dots would be a grey haze.
      const grid = detail === "block" ? DOTS : DOTS * zoom;
      domNode.style.backgroundSize = `${grid}px ${grid}px`;
      domNode.style.backgroundPosition = `${x % grid}px ${y % grid}px`;
    };
    update(store.getState());
    return store.subscribe(update);
  }, [store]);
}
