// Where the nodes of plans stand in the yard, before and after their turns, and how the tracks between them run.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { berthBox } from "@/components/ground/geometry";
import type { Frame, PlanRunFrame } from "@/server/contract/frame";
import { graphOf } from "@/server/contract/plan/graph";
import { layOutPlan } from "@/server/contract/plan/lay-out-plan";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import type { PlanGraphView } from "@/server/contract/plan/plan-sheet";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { createLivePicture } from "../live/live-picture";
import { phoneRows } from "../phone/phone-plan";
import { sampleBatch } from "../testing/sample-batches";
import { at, sampleEdge, sampleTurn } from "../testing/sample-frames";
import { planGraphsOf } from "./plan-graphs";
import { walk } from "./walk";
import { createYardModel, type YardModel } from "./yard-model";

const target = { ref: "Echo" };
const wagon = (id: string, after: string[] = [], kind = "wagon") => ({
  id,
  kind,
  target,
  after: after.map((node) => ({ node })),
});
const fork = (id: string, tasks: number, after: string[] = []) => ({
  id,
  kind: "fork",
  after: after.map((node) => ({ node })),
  tasks: Array.from({ length: tasks }, (_, i) => ({ id: `t${i}`, target })),
});
const planOf = (nodes: unknown[]): Plan => PlanShape.parse({ switchyard: "plan/1", nodes });

/** As the server answers it. */
function viewOf(plan: Plan, body_rev = 1, given = {}): PlanGraphView {
  const { into } = graphOf(plan);
  const berths = layOutPlan(plan, given);
  return {
    plan_run_id: "pr",
    body_rev,
    nodes: plan.nodes.map((node) => ({
      node_id: node.id,
      kind: node.kind,
      title: node.id,
      targets: [],
      tasks: node.kind === "fork" ? node.tasks.map(({ id }) => ({ title: id, target: "Echo" })) : [],
      berth: berths.get(node.id) ?? { col: 1, row: 0 },
      hold: node.hold,
      disabled: node.disabled,
      waits_for: (into.get(node.id) ?? []).map(({ from, on }) => ({ node_id: nodeIdOf(from), on })),
    })),
  };
}

const person = sampleTurn("t0", { is_human: true, depth: 0, headcode: "0H01", profile_name: "sys.human" });
const run = (over: Partial<PlanRunFrame> = {}): PlanRunFrame => ({
  kind: "plan_run",
  id: "pr",
  plan_run_id: "pr",
  parent_turn_id: "t0",
  root_turn_id: "t0",
  name: "drawn",
  body_rev: 1,
  sha256: "",
  is_stepped: false,
  status: "running",
  rev: 1,
  created_at: at(1),
  ...over,
});

/** A batch of the node with a turn for each task that has begun. */
function started(
  node: string,
  seconds: number,
  tasks = 1,
  tool_name: "plan_wagon" | "fork_join" = "plan_wagon",
): Frame[] {
  const batch_id = `b_${node}_${seconds}`;
  const batch = sampleBatch(batch_id, {
    tool_name,
    task_count: tasks,
    parent_agent_turn_id: "t0",
    plan_run_id: "pr",
    plan_node_id: node,
    created_at: at(seconds),
  });
  return [
    batch,
    ...Array.from({ length: tasks }, (_, task_index) => {
      const id = `${node}_${task_index}_${seconds}`;
      return [
        sampleTurn(id, { parent_turn_id: "t0", batch_id, task_index, created_at: at(seconds), depth: 1 }),
        sampleEdge("t0", id),
      ];
    }).flat(),
  ];
}

function modelOf(frames: readonly Frame[], graph: PlanGraphView | null | undefined) {
  const live = createLivePicture({ now: () => 0, soon: (go) => go(), later: () => () => {} });
  live.load([person, ...frames], "1");
  if (graph !== undefined) planGraphsOf(live).put("pr", graph);
  const model = createYardModel(live, "t0");
  return { live, model };
}

const spotOf = (model: YardModel, slot: string): string | undefined => {
  const place = [...model.getTopology().places.values()].find((one) => one.slot === slot);
  return place && `${place.col} ${place.row} ${place.is_behind ?? false}`;
};
const slots = ["pr.a", "pr.f.0", "pr.f.1", "pr.f.2", "pr.b", "pr.c"];
const line = planOf([wagon("a"), fork("f", 3, ["a"]), wagon("b", ["f"]), wagon("c", ["b"])]);

describe("a plan on the ground", () => {
  it("stands whole before anything of it has started, and each turn takes its place", () => {
    const { live, model } = modelOf([run()], viewOf(line));
    const before = slots.map((slot) => spotOf(model, slot));
    expect(before).toEqual(["1 0 false", "2 -1 false", "2 0 false", "2 1 false", "3 0 true", "4 0 false"]);
    live.receive([...started("a", 2)], "2");
    live.receive([...started("f", 3, 3, "fork_join")], "3");
    live.receive([...started("b", 4)], "4");
    expect(slots.map((slot) => spotOf(model, slot))).toEqual(before);
    const { places, blocks, stops } = model.getTopology();
    expect([...places.values()].filter((place) => place.is_ghost).map(({ id }) => id)).toEqual(["pr.c"]);
    expect(blocks.get("b_f_3")).toMatchObject({ stop: "pr.f", col: 2, row: -1 });
    expect(stops.get("pr.f")?.holder).toBe("b_f_3");
  });

  it("stands the same whether it came piece by piece or at once", () => {
    const frames = [run(), ...started("a", 2), ...started("f", 3, 3, "fork_join"), ...started("b", 4)];
    const { live, model } = modelOf([], viewOf(line));
    for (const [i, frame] of frames.entries()) {
      live.receive([frame], `${i + 2}`);
      model.getTopology();
    }
    const whole = modelOf(frames, viewOf(line)).model.getTopology();
    expect(new Map([...model.getTopology().places].sort())).toEqual(new Map([...whole.places].sort()));
  });

  it("holds its turns back until its graph is known, and draws them like others if it cannot be", () => {
    const { live, model } = modelOf([run(), ...started("a", 2)], undefined);
    expect([...model.getTopology().places.keys()]).toEqual(["t0"]);
    planGraphsOf(live).put("pr", viewOf(line));
    expect(spotOf(model, "pr.a")).toBe("1 0 false");
    const unread = modelOf([run(), ...started("a", 2)], null);
    expect([...unread.model.getTopology().places.keys()]).toEqual(["t0", "a_0_2"]);
    // Once it can be read, it is drawn, and nothing stands twice.
    planGraphsOf(unread.live).put("pr", viewOf(line));
    expect(spotOf(unread.model, "pr.a")).toBe("1 0 false");
    expect(unread.model.getTopology().places.has("pr.a")).toBe(false);
  });

  it("gives the newest try its place: an earlier wagon stands below, an earlier fork with all its lanes", () => {
    const { live, model } = modelOf([run(), ...started("a", 2), ...started("f", 3, 3, "fork_join")], viewOf(line));
    const before = slots.map((slot) => spotOf(model, slot));
    live.receive([...started("a", 8), ...started("f", 9, 3, "fork_join")], "2");
    expect(slots.map((slot) => spotOf(model, slot))).toEqual(before);
    const { places, blocks } = model.getTopology();
    expect(places.get("a_0_8")).toMatchObject({ slot: "pr.a", row: 0 });
    expect(places.get("a_0_2")?.slot).toBeUndefined();
    expect(places.get("a_0_2")?.row).toBeGreaterThan(0);
    const [old, now] = [blocks.get("b_f_3"), blocks.get("b_f_9")];
    expect(now?.row).toBe(-1);
    expect(old?.row).toBeGreaterThan((now?.row ?? 0) + 3);
    expect(places.get("f_1_3")).toMatchObject({ row: (old?.row ?? 0) + 1, col: 2 });
  });

  it("takes an edit up: what is added stands free, what is taken away is gone, what has started stays", () => {
    const { live, model } = modelOf([run(), ...started("a", 2)], viewOf(line));
    const edited = planOf([wagon("a"), fork("f", 3, ["a"]), wagon("b", ["f"]), wagon("d", ["a"])]);
    planGraphsOf(live).put("pr", viewOf(edited, 2, Object.fromEntries(layOutPlan(line))));
    live.receive([run({ body_rev: 2, rev: 2 })], "2");
    expect(spotOf(model, "pr.a")).toBe("1 0 false");
    expect(spotOf(model, "pr.c")).toBeUndefined();
    expect(spotOf(model, "pr.d")).toBe("2 3 false");
    expect(spotOf(model, "pr.b")).toBe("3 0 true");
  });

  it("is walked along its tracks, and listed on a phone", () => {
    const { model } = modelOf([run(), ...started("a", 2)], viewOf(line));
    const { places, order, routes, blocks, stops, plans } = model.getTopology();
    const ground = { places, order, routes, stops, matches: null };
    expect(walk(ground, "pr.f.0", "down")).toBe("pr.f.1");
    expect(walk(ground, "pr.f.1", "left")).toBe("a_0_2");
    expect(walk(ground, "pr.f.1", "right")).toBe("pr.b");
    expect(walk(ground, "pr.c", "left")).toBe("pr.b");
    expect(walk(ground, "a_0_2", "left")).toBe("t0");
    expect(walk(ground, "t0", "right")).toBe("a_0_2");
    const rows = phoneRows(places, blocks, { stops, plans });
    expect(rows.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      "turn t0",
      "turn a_0_2",
      "drawn pr.f",
      "ghost pr.f.0",
      "ghost pr.f.1",
      "ghost pr.f.2",
      "ghost pr.b",
      "ghost pr.c",
    ]);
  });
});

describe("around a plan", () => {
  const boxesOf = (model: YardModel) =>
    [...model.getTopology().places.values()].map((place) => ({ id: place.id, ...berthBox(place) }));
  const overlapping = (model: YardModel): string[] => {
    const all = boxesOf(model);
    return all.flatMap((a, i) =>
      all
        .slice(i + 1)
        .filter((b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
        .map((b) => `${a.id} on ${b.id}`),
    );
  };
  const called = (id: string, parent: string, seconds: number): Frame[] => [
    sampleTurn(id, { parent_turn_id: parent, created_at: at(seconds), depth: 2 }),
    sampleEdge(parent, id),
  ];
  const other = (parent_turn_id: string, seconds: number): PlanRunFrame =>
    run({ id: "pq", plan_run_id: "pq", parent_turn_id, created_at: at(seconds) });
  const nested = planOf([wagon("x"), fork("y", 2, ["x"]), wagon("z", ["y"])]);

  it("what its agents call stands where there is room, and moves nothing of it", () => {
    const { live, model } = modelOf([run(), ...started("a", 2), ...started("f", 3, 3, "fork_join")], viewOf(line));
    const before = slots.map((slot) => spotOf(model, slot));
    live.receive([...called("c1", "a_0_2", 4), ...called("c2", "f_1_3", 5), ...called("c3", "f_1_3", 6)], "2");
    live.receive([...started("b", 7), ...called("c4", "b_0_7", 8)], "3");
    expect(slots.map((slot) => spotOf(model, slot))).toEqual(before);
    expect(overlapping(model)).toEqual([]);
    expect(["c1", "c2", "c3", "c4"].every((id) => model.getTopology().places.has(id))).toBe(true);
  });

  it.each([
    ["the person once more", "t0", []],
    ["an agent of a wagon", "a_0_2", started("a", 2)],
    ["an agent in a lane", "f_1_3", started("f", 3, 3, "fork_join")],
  ])("another plan that is launched by %s takes ground of its own", (_, parent, frames) => {
    const { live, model } = modelOf([run(), ...frames], viewOf(line));
    const before = slots.map((slot) => spotOf(model, slot));
    planGraphsOf(live).put("pq", { ...viewOf(nested), plan_run_id: "pq" });
    live.receive([other(parent, 9)], "2");
    const inner = ["pq.x", "pq.y.0", "pq.y.1", "pq.z"].map((slot) => spotOf(model, slot));
    expect(inner).not.toContain(undefined);
    expect(slots.map((slot) => spotOf(model, slot))).toEqual(before);
    expect(overlapping(model)).toEqual([]);
    const rows = phoneRows(model.getTopology().places, model.getTopology().blocks, model.getTopology());
    expect(rows.filter(({ id }) => id.startsWith("pq.")).length).toBe(5);
  });

  it("of two ways into a node both ends lead there, and an expert's turn takes its place too", () => {
    const diamond = planOf([wagon("a"), wagon("q", ["a"], "ask"), wagon("b", ["a"]), wagon("d", ["b", "q"])]);
    const { live, model } = modelOf([run(), ...started("a", 2)], viewOf(diamond));
    const before = spotOf(model, "pr.q");
    const go = (from: string, step: "left" | "right") => {
      const { places, order, routes, stops } = model.getTopology();
      return walk({ places, order, routes, stops, matches: null }, from, step);
    };
    expect([go("pr.b", "right"), go("pr.q", "right")]).toEqual(["pr.d", "pr.d"]);
    live.receive(
      started("q", 3).map((frame) => (frame.kind === "batch" ? { ...frame, tool_name: "ask_expert" as const } : frame)),
      "2",
    );
    expect(spotOf(model, "pr.q")).toBe(before);
    expect(go("q_0_3", "right")).toBe("pr.d");
  });
});

it("tracks of any plan run level and upright, through no wagon but their own ends, and there is one for each wait", () => {
  const drawn = fc.array(fc.tuple(fc.nat(3), fc.nat(13), fc.array(fc.nat(30), { maxLength: 3 })), { maxLength: 16 });
  fc.assert(
    fc.property(drawn, (given) => {
      const plan = planOf(
        given.map(([kind, tasks, after], i) => {
          const before = i === 0 ? [] : [...new Set(after.map((one) => `n${one % i}`))];
          return kind === 3 ? fork(`n${i}`, tasks + 1, before) : wagon(`n${i}`, before, kind === 2 ? "ask" : "wagon");
        }),
      );
      const { tracks, places, stops, bounds } = modelOf([run()], viewOf(plan)).model.getTopology();
      const routes = tracks.query({
        x: bounds.x - 1_000,
        y: bounds.y - 3_000,
        w: bounds.w + 2_000,
        h: bounds.h + 6_000,
      });
      for (const stop of stops.values()) {
        const own = new Set(
          routes.filter((route) => route.stop === stop.id).map(({ source, on }) => `${source} ${on}`),
        );
        expect(own.size, stop.id).toBe(Math.max(1, stop.waits_for.length));
      }
      let crossed = 0;
      for (const { points, stop, source } of routes) {
        for (const [i, [x, y]] of points.entries()) {
          const [fromX, fromY] = points[i - 1] ?? [x, y];
          expect(x === fromX || y === fromY).toBe(true);
          for (const place of places.values()) {
            if (place.stop === stop || place.id === source || place.col === 0) continue;
            const box = berthBox(place);
            const isThrough =
              Math.min(x, fromX) < box.x + box.w - 2 &&
              Math.max(x, fromX) > box.x + 2 &&
              Math.min(y, fromY) < box.y + box.h - 2 &&
              Math.max(y, fromY) > box.y + 2;
            if (isThrough) crossed++;
          }
        }
      }
      expect(crossed).toBe(0);
    }),
    { numRuns: 300 },
  );
});
