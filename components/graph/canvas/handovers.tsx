"use client";

// A handover that happens now is seen to happen: the box rides its track from the caller to the callee.
import { useEffect, useState } from "react";
import { CHAMFER } from "@/components/ground/geometry";
import type { Route } from "@/components/ground/route-tracks";
import { toSegments } from "@/components/ui/consist-segments";
import { track } from "@/components/ui/track";
import { parseConsist } from "@/server/contract/consist";
import { useYard } from "../yard-context";

export type HandoversProps = { routes: ReadonlyMap<string, Route>; isFine: boolean };

/** More at once is a crowd, not a message. */
const HANDOVERS_MAX = 6;
/** The ride, and the light behind it that fades. */
const SHOWN_MS = 900 + 600;
/** An edge that is older when it comes was not seen to happen. */
const FRESH_MS = 5_000;

export function Handovers({ routes, isFine }: HandoversProps) {
  const { live } = useYard();
  const [riding, setRiding] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!isFine) return;
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const stop = live.subscribeArrivals((edgeIds) => {
      const { edge } = live.getPicture();
      const fresh = edgeIds
        .map((id) => edge.get(id))
        .filter((e) => e !== undefined && Date.now() - Date.parse(e.created_at) < FRESH_MS)
        .map((e) => e?.target_turn_id ?? "");
      if (fresh.length === 0) return;
      setRiding((before) => [...before, ...fresh].slice(-HANDOVERS_MAX));
      const timer = setTimeout(() => {
        timers.delete(timer);
        setRiding((before) => before.filter((id) => !fresh.includes(id)));
      }, SHOWN_MS);
      timers.add(timer);
    });
    return () => {
      stop();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [live, isFine]);
  return riding.map((id) => {
    const route = routes.get(id);
    return route ? <Ride key={id} id={id} route={route} /> : null;
  });
}

const WAGON = { w: 26, h: 8 };

function Ride({ id, route }: { id: string; route: Route }) {
  const { live } = useYard();
  const path = track(route.points, CHAMFER);
  const cards = parseConsist(live.getPicture().turn.get(id)?.context_consist ?? "");
  const total = cards.reduce((sum, card) => sum + card.tokens, 0);
  let x = -WAGON.w / 2;
  return (
    <>
      <path className="handover-trail" d={path} pathLength={1} />
      <g className="handover-wagon" style={{ offsetPath: `path("${path}")` }}>
        {toSegments(cards, total, 12).map((segment) => {
          const left = x;
          x += (segment.percent / 100) * WAGON.w;
          return (
            <rect
              key={left}
              data-role={segment.role}
              style={{ fill: "var(--role)" }}
              x={left}
              y={-WAGON.h - 1}
              width={Math.max(0, x - left - 0.5)}
              height={WAGON.h}
            />
          );
        })}
        <circle className="handover-dot" r={4} />
      </g>
    </>
  );
}
