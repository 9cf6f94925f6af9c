// Many turns as one wagon: what folds by itself, what a person wishes, and that nothing moves for a run that grows.
import { describe, expect, it } from "vitest";
import type { Frame } from "@/server/contract/frame";
import { createLivePicture } from "../live/live-picture";
import { branchOf, forkedRun, sampleBatch } from "../testing/sample-batches";
import { at, EPOCH, sampleEdge, sampleRun, sampleTurn } from "../testing/sample-frames";
import { type FoldGround, foldableAt, folding, openedTo } from "./fold-ways";
import { walk } from "./walk";
import { createYardModel } from "./yard-model";

/** A planner that calls searches one after the other. */
const calls = (count: number): Frame[] => sampleRun(Array.from({ length: count }, () => 1));
const group = "t1~Associate_Search";

describe("calls alike", () => {
  it("stand as one wagon once there are more than six, and one by one before", () => {
    expect(modelOf(calls(6)).getTopology().blocks.size).toBe(0);
    const { blocks, places, held, routes } = modelOf(calls(7)).getTopology();
    expect(blocks.get(group)).toMatchObject({ is_folded: true, parent: "t1" });
    expect([...places.keys()]).toEqual(["t0", "t1"]);
    expect(held.size).toBe(7);
    expect(routes.get(group)?.source).toBe("t1");
  });

  it("say how many they are, how they stand, the worst of them, and what they hold", () => {
    const fold = modelOf(calls(64)).getFolds().get(group);
    expect(fold).toMatchObject({ kind: "alike", name: "Associate_Search", count: 64, worst: "failed" });
    const { done = 0, running = 0, waiting = 0, failed = 0, tokens } = fold?.stats ?? {};
    expect(done + running + waiting + failed).toBe(64);
    expect(tokens).toBe(64 * 8_000);
  });

  it("hold what their turns called too", () => {
    const frames = [...calls(7), ...child("deep", "t5", 60), ...child("deeper", "deep", 61)];
    const model = modelOf(frames);
    expect(model.getFolds().get(group)?.turns).toHaveLength(9);
    expect(model.getFolds().get(group)?.count).toBe(7);
    expect(model.getTopology().held.get("deeper")).toBe(group);
  });

  it("are of one profile: two profiles are two wagons, and people, branches and speakers of a log are none", () => {
    const others = Array.from({ length: 7 }, (_, i) => child(`o${i}`, "t1", 60 + i, "Writer")).flat();
    expect([
      ...modelOf([...calls(7), ...others])
        .getTopology()
        .blocks.keys(),
    ]).toEqual([group, "t1~Writer"]);
    const log = sampleRun(
      Array.from({ length: 20 }, () => 1),
      true,
    );
    expect(modelOf(log).getTopology().alike.size).toBe(0);
    expect(modelOf(forkedRun(Array.from({ length: 9 }, () => "success" as const))).getTopology().alike.size).toBe(0);
  });

  it("move nothing while a run grows: what is drawn one by one stays, and what comes after the twelfth folds", () => {
    const live = liveOf(calls(5));
    const model = createYardModel(live, "t0");
    const first = new Map(model.getTopology().places);
    for (let i = 5; i < 30; i++) {
      live.receive(child(`t${i + 2}`, "t1", i + 1), `c${i}`);
      const { places } = model.getTopology();
      for (const [id, place] of first) expect(places.get(id)).toMatchObject({ col: place.col, row: place.row });
    }
    const { places, held } = model.getTopology();
    expect(places.size).toBe(2 + 12);
    expect(held.size).toBe(18);
    expect(model.getFolds().get(group)?.count).toBe(18);
    // Who asks for a fresh arrangement gets one wagon.
    model.retidy(null);
    expect(model.getTopology().held.size).toBe(30);
    expect(model.getTopology().places.size).toBe(2);
  });

  it("have no hold on a turn that a person has unfolded", () => {
    const live = liveOf(calls(20));
    const model = createYardModel(live, "t0", [`-${group}`]);
    const before = new Map(model.getTopology().places);
    expect(before.size).toBe(22);
    live.receive(child("later", "t1", 90), "c1");
    expect(model.getTopology().places.size).toBe(23);
    for (const [id, place] of before) expect(model.getTopology().places.get(id)).toBe(place);
  });
});

describe("a long conversation", () => {
  const log = (count: number) =>
    sampleRun(
      Array.from({ length: count }, (_, i) => i + 1),
      true,
    );

  it("is drawn message by message while it fits a screen", () => {
    expect(modelOf(log(130)).getTopology().held.size).toBe(0);
    expect(modelOf(log(130)).getTopology().places.size).toBe(132);
  });

  it("is some fifty stretches beyond, each a turn that stands for those that follow it", () => {
    const { places, held, bounds, routes } = modelOf(log(2_000)).getTopology();
    expect(places.size).toBeLessThan(60);
    expect(places.size + held.size).toBe(2_002);
    expect(bounds.w / bounds.h).toBeGreaterThan(1);
    expect(bounds.w / bounds.h).toBeLessThan(3);
    // Each hangs on the one before.
    const [, , first, second] = [...places.keys()];
    expect(routes.get(second ?? "")?.source).toBe(first);
    expect(modelOf(log(2_000)).getFolds().get("t2")).toMatchObject({ kind: "stretch", count: 49 });
  });

  it("unfolds stretch by stretch, and folds again", () => {
    const frames = log(400);
    const ground = groundOf(frames);
    const open = folding(ground, [], "t12", false);
    expect(open).toEqual(["-t12~"]);
    expect(folding(ground, open, "t12", true)).toEqual([]);
    const { places, held, routes } = modelOf(frames, open).getTopology();
    for (let i = 12; i < 22; i++) expect(places.has(`t${i}`)).toBe(true);
    expect(held.get("t11")).toBe("t2");
    expect(routes.get("t22")?.source).toBe("t21");
    expect(openedTo(ground, [], "t15")).toEqual(["-t12~"]);
    expect(foldableAt(ground, "t15")).toBe("t12");
    expect(modelOf(frames, ["none"]).getTopology().held.size).toBe(0);
  });

  it("keeps its stretches while it grows", () => {
    const live = liveOf(log(300));
    const model = createYardModel(live, "t0");
    const before = new Map(model.getTopology().places);
    live.receive(log(340), "c1");
    const { places } = model.getTopology();
    for (const [id, { col, row }] of before) expect(places.get(id)).toMatchObject({ col, row });
    expect(model.getTopology().held.size).toBeGreaterThan(290);
  });
});

describe("all that hangs on a turn", () => {
  it("is folded into it, with its batches, and the turn stays", () => {
    const frames = [...calls(3), ...child("a", "t2", 20), sampleBatch("b2", { parent_agent_turn_id: "a" })];
    frames.push(...branchOf("a", sampleBatch("b2", { parent_agent_turn_id: "a" }), 0, "failed"));
    const model = modelOf(frames, ["t2"]);
    const { places, blocks, held } = model.getTopology();
    expect(places.has("t2")).toBe(true);
    expect(Object.fromEntries(held)).toEqual({ a: "t2", b2_0: "t2" });
    expect(blocks.size).toBe(0);
    expect(model.getFolds().get("t2")).toMatchObject({ kind: "below", count: 2, worst: "failed" });
  });
});

describe("a wish", () => {
  const ground = (frames: readonly Frame[], folds: readonly string[] = []) => groundOf(frames, folds);

  it("is in the address only where it differs from what folds by itself", () => {
    const many = ground(calls(20));
    const open = folding(many, [], group, false);
    expect(open).toEqual([`-${group}`]);
    expect(folding(many, open, group, true)).toEqual([]);
    const few = ground(calls(4));
    expect(folding(few, [], group, true)).toEqual([group]);
    expect(folding(few, [group], group, false)).toEqual([]);
    expect(folding(few, ["all"], group, false)).toEqual(["all", `-${group}`]);
    expect(folding(few, [], "t1", true)).toEqual(["t1"]);
  });

  it("of all folds everything, of none nothing", () => {
    const frames = [...calls(4), ...forkedRun(["success", "failed"]).filter(({ kind }) => kind !== "edge")];
    expect(modelOf(frames, ["all"]).getFolds().size).toBe(2);
    expect(modelOf(calls(64), ["none"]).getFolds().size).toBe(0);
  });

  it("unfolds the way to a turn, through everything that holds it", () => {
    const frames = [...calls(8), ...Array.from({ length: 8 }, (_, i) => child(`d${i}`, "t3", 50 + i, "Writer")).flat()];
    const way = openedTo(ground(frames), [], "d5");
    expect(way).toEqual(["-t3~Writer", `-${group}`]);
    expect(modelOf(frames, way).getTopology().places.has("d5")).toBe(true);
    expect(
      modelOf(frames, openedTo(ground(frames), ["t1"], "d5"))
        .getTopology()
        .places.has("d5"),
    ).toBe(true);
    const none: string[] = [];
    expect(openedTo(ground(frames), none, "t1")).toBe(none);
  });
});

describe("the key", () => {
  it("folds what a turn stands in, unfolds what holds it, and else takes what it called", () => {
    const frames = calls(8);
    expect(foldableAt(groundOf(frames), "t5")).toBe(group);
    expect(foldableAt(groundOf(frames, [`-${group}`]), "t5")).toBe(group);
    expect(foldableAt(groundOf(frames), group)).toBe(group);
    expect(foldableAt(groundOf(frames), "t1")).toBe(group);
    expect(foldableAt(groundOf(sampleRun([1, 2])), "t2")).toBe("t2");
    expect(foldableAt(groundOf(sampleRun([1])), "t2")).toBeUndefined();
    expect(foldableAt(groundOf(frames), null)).toBeUndefined();
  });

  it("walks onto a folded wagon, past what it holds, and back", () => {
    const frames = [...calls(8), ...child("other", "t1", 90, "Writer")];
    const { getTopology } = modelOf(frames);
    const go = (from: string | null, step: Parameters<typeof walk>[2], matches: ReadonlySet<string> | null = null) =>
      walk({ ...getTopology(), matches }, from, step);
    expect(go("t1", "callee")).toBe(group);
    expect(go(group, "caller")).toBe("t1");
    expect(go(group, "down")).toBe("other");
    expect(go("other", "up")).toBe(group);
    expect(go(group, "next")).toBe("other");
    expect(go("other", "previous")).toBe(group);
    // From a turn that it holds the keys go on from the wagon.
    expect(go("t5", "down")).toBe("other");
    // A wagon is passed by unless one of its turns is found.
    expect(go("other", "up", new Set(["other"]))).toBeNull();
    expect(go("other", "up", new Set(["t4"]))).toBe(group);
  });
});

function child(id: string, parent: string, second: number, profile = "Associate_Search"): Frame[] {
  return [
    sampleTurn(id, { parent_turn_id: parent, created_at: at(second), profile_name: profile }),
    sampleEdge(parent, id, { created_at: at(second) }),
  ];
}

function groundOf(
  frames: readonly Frame[],
  folds: readonly string[] = [],
): FoldGround & Parameters<typeof foldableAt>[0] {
  const live = liveOf(frames);
  const { turn, batch } = live.getPicture();
  return {
    ...createYardModel(live, "t0", folds).getTopology(),
    turnOf: (id) => turn.get(id),
    batchOf: (id) => batch.get(id),
  };
}

function liveOf(frames: readonly Frame[]) {
  const live = createLivePicture({ now: () => EPOCH, soon: (run) => run(), later: () => () => {} });
  live.load(frames, "c");
  return live;
}

const modelOf = (frames: readonly Frame[], folds: readonly string[] = []) =>
  createYardModel(liveOf(frames), "t0", folds);
