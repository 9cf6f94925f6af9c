"use client";

// Turns that nobody drew: an agent called them, or a person added them to the run. Each says so.
import { useStore, ViewportPortal } from "@xyflow/react";
import { useMemo } from "react";
import { CHAMFER } from "@/components/ground/geometry";
import { detailAt } from "@/components/ground/viewport";
import { Aspect } from "@/components/ui/aspect";
import { Consist } from "@/components/ui/consist";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { track } from "@/components/ui/track";
import { parseConsist } from "@/server/contract/consist";
import type { RunDrawing } from "@/server/contract/plan/run-drawing";
import { useComposer, useGround } from "../composer-context";
import { addedPlaces } from "./added-places";
import { callerWords } from "./live-words";

export function AddedLayer({ watched }: { watched: RunDrawing }) {
  const ground = useGround();
  const { projectId } = useComposer();
  const detail = useStore((state) => detailAt(state.transform[2]));
  const { turns, added } = watched;
  const places = useMemo(() => addedPlaces(ground, turns, added), [ground, turns, added]);
  if (places.length === 0) return null;
  return (
    <ViewportPortal>
      <svg className="yard-tracks" aria-hidden="true">
        {places.map(({ turn, track: points }) => (
          <path key={turn.agent_turn_id} className="track" d={track(points, CHAMFER)} />
        ))}
      </svg>
      {places.map(({ turn, box }) => (
        <a
          key={turn.agent_turn_id}
          className="added-turn nopan nodrag"
          href={`/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(turn.agent_turn_id)}`}
          style={{ transform: `translate(${box.x}px, ${box.y}px)`, width: box.w, height: box.h }}
        >
          <span className="wagon drawn-wagon" data-status={turn.status} data-detail={detail}>
            <span className="wagon-marks">
              <Aspect status={turn.status} size={15} />
            </span>
            <span className="wagon-lines">
              <span className="flex min-w-0 items-center gap-1.5">
                <b dir="auto" className="wagon-words min-w-0 flex-1 truncate">
                  {turn.name}
                </b>
                <Plate code={turn.headcode} tone="raised" />
              </span>
              <span dir="auto" className="wagon-words wagon-note truncate">
                {plainWords(turn.note ?? turn.status)}
              </span>
            </span>
            <Consist
              cards={[...parseConsist(turn.context_consist), ...parseConsist(turn.output_consist)]}
              window={turn.window_tokens ?? null}
            />
          </span>
          <span className="added-words">not in the drawing: {callerWords(watched, turn)}</span>
        </a>
      ))}
    </ViewportPortal>
  );
}
