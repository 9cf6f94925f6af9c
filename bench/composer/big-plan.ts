// A plan of 300 wagons in 15 layers: each waits for two of the layer before it, and loads one of 300 boxes.
export type BenchNode = {
  id: string;
  title: string;
  target: { ref: string };
  instruction: string;
  load: ({ from: string } | { box: string })[];
};
export type BenchPlan = { switchyard: "plan/1"; name: string; nodes: BenchNode[] };

const LAYER = 20;

export function bigPlan(wagons: number, boxes: readonly string[]): BenchPlan {
  const nodes = Array.from({ length: wagons }, (_, i): BenchNode => {
    const layer = Math.floor(i / LAYER);
    const before = (by: number) => `w${(layer - 1) * LAYER + ((i + by) % LAYER)}`;
    const tracks = layer === 0 ? [] : [{ from: before(0) }, { from: before(1) }];
    const box = boxes[i % boxes.length];
    return {
      id: `w${i}`,
      title: `Wagon ${i}`,
      target: { ref: "Bench" },
      instruction: `Do part ${i} of the work, and say what you found.`,
      load: [...(box === undefined ? [] : [{ box }]), ...tracks],
    };
  });
  return { switchyard: "plan/1", name: "Bench", nodes };
}
