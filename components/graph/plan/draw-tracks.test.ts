import { describe, expect, it } from "vitest";
import { createPlan } from "@/components/ground/plan";
import { routeTracks } from "@/components/ground/route-tracks";
import { emptyPicture, type Frame, fold, type TurnFrame } from "@/server/contract/frame";
import { sampleRun } from "../testing/sample-frames";
import { drawTracks } from "./draw-tracks";
import { linksOf, placingsOf, turnsOf } from "./yard-turns";

describe("drawn tracks", () => {
  it("are solid where a box was delivered and thin where one is still awaited", () => {
    expect(drawnAs({ status: "running" })).toMatchObject({
      lane: "travelled",
      under: "occupied",
      buffer: "reservedBuffers",
    });
    expect(drawnAs({ status: "success" })).toMatchObject({ lane: "travelled", under: "travelled", buffer: "buffers" });
    expect(drawnAs({ status: "queued" })).toMatchObject({
      lane: "reserved",
      under: "reserved",
      buffer: "reservedBuffers",
    });
  });

  it("end at a red buffer without a deliverable, and at none where the turn returns", () => {
    expect(drawnAs({ status: "failed" }).buffer).toBe("redBuffers");
    expect(drawnAs({ status: "success", primitive: "ask_expert" }).buffer).toBeNull();
    expect(drawnAs({ status: "success", profile_name: "import:WebSurfer" }).buffer).toBeNull();
  });

  it("are dashed where an import was read and not declared", () => {
    expect(drawnAs({ status: "success" }, true).lane).toBe("inferred");
  });
});

/** How the one leaf of a run is drawn. */
function drawnAs(over: Partial<TurnFrame>, isInferred = false) {
  const frames: Frame[] = sampleRun([1], isInferred).map((frame) =>
    frame.kind === "turn" && frame.id === "t2" ? { ...frame, ...over } : frame,
  );
  const picture = fold(emptyPicture(), frames);
  const links = linksOf(picture, "t0");
  const plan = createPlan();
  plan.add(placingsOf({ turns: turnsOf(picture, "t0"), links }).placings);
  const place = plan.places.get("t2");
  if (!place) throw new Error("t2 is not placed");
  const lane = drawTracks({
    routes: routeTracks(plan.places).filter((route) => route.target === "t2"),
    places: [],
    turnOf: (id) => picture.turn.get(id),
    edgeOf: (id) => links.get(id)?.edge,
  });
  const wagon = drawTracks({
    routes: [],
    places: [place],
    turnOf: (id) => picture.turn.get(id),
    edgeOf: () => undefined,
  });
  const first = <K extends keyof typeof wagon>(drawing: typeof wagon, keys: readonly K[]) =>
    keys.find((key) => drawing[key] !== "") ?? null;
  return {
    lane: first(lane, ["travelled", "reserved", "inferred"] as const),
    under: first(wagon, ["occupied", "reserved", "travelled"] as const),
    buffer: first(wagon, ["buffers", "reservedBuffers", "redBuffers"] as const),
  };
}
