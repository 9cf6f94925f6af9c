// The frames of a picture that came as columns (lean-frames.ts), as they were packed.
import type { Frame } from "./frame";
import { isoTime } from "./iso-time";
import type { LeanColumn, LeanFrames, LeanTable } from "./lean-frames";

type Made = Record<string, unknown>;

export function unpackFrames(tables: LeanFrames): Frame[] {
  const ids: string[] = [];
  const frames: Frame[] = [];
  for (const table of tables) {
    const id = table.columns.id;
    if (id && "list" in id) for (const one of id.list) ids.push(one as string);
    unpackTable(table, ids, frames);
  }
  return frames;
}

/** A field that only others of its kind have is undefined. */
function unpackTable({ kind, count, columns }: LeanTable, ids: readonly string[], frames: Frame[]): void {
  const first: Made = { kind };
  const varying: { key: string; values: readonly unknown[] }[] = [];
  for (const [key, column] of Object.entries(columns)) {
    if ("all" in column) first[key] = column.all;
    else {
      varying.push({ key, values: valuesOf(column, columns, ids) });
      first[key] = null;
    }
  }
  // Put together field by field, a frame became a hash table, twice as large and slower to read; a copy has the form that
  // JSON.parse gave the first. One form for each kind: copying many took four times as long.
  const form: Made = JSON.parse(JSON.stringify(first));
  for (let row = 0; row < count; row++) {
    const frame = { ...form };
    for (const { key, values } of varying) frame[key] = values[row];
    frames.push(frame as unknown as Frame);
  }
}

/** undefined where a frame has none. */
function valuesOf(column: LeanColumn, columns: LeanTable["columns"], ids: readonly string[]): readonly unknown[] {
  if ("list" in column) return column.list.map(orNone);
  if ("at" in column) return column.at.map((place) => (place === null ? undefined : ids[place]));
  if ("in" in column) return column.in.map((place) => (place === null ? undefined : column.of[place]));
  if ("ms" in column) return timesOf(column.ms);
  if ("some" in column) return column.some.map((one) => (one === null ? undefined : one[0]));
  const other = "as" in column ? columns[column.as] : undefined;
  return other ? valuesOf(other, columns, ids) : [];
}

function timesOf(steps: readonly (number | null)[]): readonly unknown[] {
  let at = 0;
  return steps.map((step) => {
    if (step === null) return undefined;
    at += step;
    return isoTime(at);
  });
}

const orNone = (value: unknown): unknown => (value === null ? undefined : value);
