// Where the nodes of the drawing stand and how its bands run: sources at the left, the box in the middle, readers at the right.

export type Ends = { left: readonly { tokens: number }[]; right: readonly { tokens: number }[] };
export type Place = { x: number; y: number; width: number; height: number };
export type Band = { path: string; width: number };
export type LineageDrawing = {
  height: number;
  box: Place;
  left: Place[];
  right: Place[];
  leftBands: Band[];
  rightBands: Band[];
};

const NODE_HEIGHT = 40;
const GAP = 10;
const PAD = 16;
const NODE_WIDTH_MAX = 240;
const BOX_WIDTH_MAX = 150;
const BAND_MIN = 2;
const BAND_MAX = 22;

/** In pixels of a drawing `width` wide. */
export function layLineage({ left, right }: Ends, width: number): LineageDrawing {
  const nodeWidth = Math.min(NODE_WIDTH_MAX, Math.max(0, (width - 2 * PAD) * 0.3));
  const boxWidth = Math.min(BOX_WIDTH_MAX, Math.max(0, (width - 2 * PAD) * 0.18));
  const rows = Math.max(left.length, right.length, 2);
  const height = 2 * PAD + rows * NODE_HEIGHT + (rows - 1) * GAP;
  const most = Math.max(1, ...[...left, ...right].map((node) => node.tokens));
  const boxHeight = Math.min(
    height - 2 * PAD,
    Math.max(2 * NODE_HEIGHT, ...[left, right].map((some) => bandSum(some, most) + GAP)),
  );
  const box = { x: (width - boxWidth) / 2, y: (height - boxHeight) / 2, width: boxWidth, height: boxHeight };
  const leftPlaces = column(left.length, PAD, nodeWidth, height);
  const rightPlaces = column(right.length, width - PAD - nodeWidth, nodeWidth, height);
  const widths = (some: Ends["left"]) => some.map((node) => bandWidth(node.tokens, most));
  const [leftWidths, rightWidths] = [widths(left), widths(right)];
  const docks = (some: readonly number[]) => docksOf(some, box);
  const [leftDocks, rightDocks] = [docks(leftWidths), docks(rightWidths)];
  return {
    ...{ height, box, left: leftPlaces, right: rightPlaces },
    leftBands: leftPlaces.map((place, i) =>
      bandOf(place.x + place.width, middle(place), box.x, leftDocks[i] ?? 0, leftWidths[i] ?? BAND_MIN),
    ),
    rightBands: rightPlaces.map((place, i) =>
      bandOf(box.x + box.width, rightDocks[i] ?? 0, place.x, middle(place), rightWidths[i] ?? BAND_MIN),
    ),
  };
}

/** Logarithmic: beside 200,000 tokens, 300 would be a hair. */
export const bandWidth = (tokens: number, most: number): number =>
  BAND_MIN + (BAND_MAX - BAND_MIN) * (Math.log1p(Math.max(0, tokens)) / Math.log1p(Math.max(1, most)));

const bandSum = (some: Ends["left"], most: number) => some.reduce((sum, node) => sum + bandWidth(node.tokens, most), 0);

const middle = (place: Place): number => place.y + place.height / 2;

function column(count: number, x: number, width: number, height: number): Place[] {
  const all = count * NODE_HEIGHT + Math.max(0, count - 1) * GAP;
  const top = (height - all) / 2;
  return Array.from({ length: count }, (_, i) => ({ x, y: top + i * (NODE_HEIGHT + GAP), width, height: NODE_HEIGHT }));
}

/** The middles of the bands at the box, one below the other; squeezed together where they are more than it is high. */
function docksOf(widths: readonly number[], box: Place): number[] {
  const sum = widths.reduce((total, width) => total + width, 0);
  const scale = sum > box.height ? box.height / sum : 1;
  let at = box.y + (box.height - sum * scale) / 2;
  return widths.map((width) => {
    const dock = at + (width * scale) / 2;
    at += width * scale;
    return dock;
  });
}

function bandOf(x1: number, y1: number, x2: number, y2: number, width: number): Band {
  const n = (value: number) => Math.round(value * 10) / 10;
  const bend = (x1 + x2) / 2;
  return { path: `M${n(x1)} ${n(y1)}C${n(bend)} ${n(y1)} ${n(bend)} ${n(y2)} ${n(x2)} ${n(y2)}`, width: n(width) };
}
