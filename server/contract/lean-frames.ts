// Many frames as columns, for the way to the browser: 5,000 turns were 7.5 MB of JSON, most of it names of fields, ids said again and
// fields that are the same in every turn. Nothing is left out: unpacked, they are the frames that were packed.
import type { Frame, FrameKind } from "./frame";
import { isoTime } from "./iso-time";

/** What one field is in each frame of a kind; where it has none, null. */
export type LeanColumn =
  /** The same in all of them. */
  | { all: string | number | boolean }
  /** As another field of the same frame. */
  | { as: string }
  /** An id of a frame, by its place among all ids. */
  | { at: (number | null)[] }
  /** Few texts, said once. */
  | { of: string[]; in: (number | null)[] }
  /** Milliseconds since the one before that has one. */
  | { ms: (number | null)[] }
  | { list: unknown[] }
  /** Of a field that may be null itself. */
  | { some: ([unknown] | null)[] };
export type LeanTable = { kind: FrameKind; count: number; columns: Record<string, LeanColumn> };
export type LeanFrames = LeanTable[];

/** By field: null where a frame has none. `id` has no gaps. */
export type FrameColumns = { id: string[] } & Record<string, readonly unknown[]>;

/** Kind by kind, in the order in which each kind first comes; within a kind in their order. */
export function packFrames(frames: readonly Frame[], packer: LeanPacker = createPacker()): LeanFrames {
  const kinds = new Map<FrameKind, Frame[]>();
  for (const frame of frames) {
    const own = kinds.get(frame.kind);
    if (own) own.push(frame);
    else kinds.set(frame.kind, [frame]);
  }
  for (const [kind, own] of kinds) {
    const columns = new Map<string, unknown[]>();
    const boxed = new Set<string>();
    own.forEach((frame, row) => {
      for (const [key, value] of Object.entries(frame)) {
        if (key === "kind" || value === undefined) continue;
        const column = columns.get(key) ?? new Array(own.length).fill(null);
        columns.set(key, column);
        column[row] = [value];
        if (value === null) boxed.add(key);
      }
    });
    for (const [key, column] of columns)
      if (!boxed.has(key))
        columns.set(
          key,
          column.map((box) => (box as [unknown] | null)?.[0] ?? null),
        );
    packer.add(kind, { ...Object.fromEntries(columns), id: own.map(({ id }) => id) }, { boxed });
  }
  return packer.tables;
}

export type LeanPacker = {
  tables: LeanFrames;
  /** `times`: fields in milliseconds that become times. `boxed`: fields in which null is a value, so that each is a list of one. */
  add: (kind: FrameKind, columns: FrameColumns, special?: { times?: Fields; boxed?: Fields }) => void;
};
type Fields = ReadonlySet<string>;

export function createPacker(): LeanPacker {
  const tables: LeanFrames = [];
  const places = new Map<string, number>();
  let ids = 0;
  return {
    tables,
    add(kind, { id, ...others }, { times, boxed } = {}) {
      if (id.length === 0) return;
      for (const one of id) places.set(one, ids++);
      const columns: Record<string, LeanColumn> = { id: { list: id } };
      for (const [key, values] of Object.entries(others)) {
        const column = values.every((value) => value === null)
          ? undefined
          : times?.has(key)
            ? { ms: deltas(values as (number | null)[]) }
            : boxed?.has(key)
              ? { some: values as ([unknown] | null)[] }
              : columnOf(values, id, places);
        if (column) columns[key] = column;
      }
      tables.push({ kind, count: id.length, columns });
    },
  };
}

function columnOf(values: readonly unknown[], id: readonly string[], places: ReadonlyMap<string, number>): LeanColumn {
  const [first] = values;
  if (typeof first !== "object" && values.every((value) => value === first))
    return { all: first as string | number | boolean };
  if (!values.every((value) => value === null || typeof value === "string")) return { list: [...values] };
  const texts = values as readonly (string | null)[];
  if (texts.every((text, row) => text === id[row])) return { as: "id" };
  return placed(texts, places) ?? timed(texts) ?? worded(texts) ?? { list: [...texts] };
}

function placed(texts: readonly (string | null)[], places: ReadonlyMap<string, number>): LeanColumn | undefined {
  const at: (number | null)[] = [];
  for (const text of texts) {
    const place = text === null ? null : places.get(text);
    if (place === undefined) return undefined;
    at.push(place);
  }
  return { at };
}

function timed(texts: readonly (string | null)[]): LeanColumn | undefined {
  const ms: (number | null)[] = [];
  for (const text of texts) {
    const at = text === null ? null : TIME.test(text) ? Date.parse(text) : Number.NaN;
    // What looks like a time and is none, a 30th of February, is kept as it is.
    if (at !== null && (Number.isNaN(at) || isoTime(at) !== text)) return undefined;
    ms.push(at);
  }
  return { ms: deltas(ms) };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function deltas(times: readonly (number | null)[]): (number | null)[] {
  let before = 0;
  return times.map((at) => {
    if (at === null) return null;
    const step = at - before;
    before = at;
    return step;
  });
}

/** Worth it if at most every other text is a new one. */
function worded(texts: readonly (string | null)[]): LeanColumn | undefined {
  const known = new Map<string, number>();
  const at: (number | null)[] = [];
  for (const text of texts) {
    if (text !== null && !known.has(text)) known.set(text, known.size);
    if (known.size * 2 > texts.length + 1) return undefined;
    at.push(text === null ? null : (known.get(text) ?? null));
  }
  return { of: [...known.keys()], in: at };
}
