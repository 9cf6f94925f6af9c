"use client";

// A JSON value of any size: foldable, searchable, to be copied whole.
import { type ReactNode, useCallback, useState } from "react";
import { jsonLines } from "./json-lines";
import { Reader } from "./reader";

export type JsonViewProps = {
  value: unknown;
  label?: string;
  lead?: ReactNode;
  note?: ReactNode;
  maxHeight?: string;
};

export function JsonView({ value, label = "JSON", lead, note, maxHeight }: JsonViewProps) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const linesFor = useCallback((isSearching: boolean) => jsonLines(value, turned, isSearching), [value, turned]);
  return (
    <Reader
      label={label}
      lead={lead}
      note={note}
      maxHeight={maxHeight}
      copyText={() => JSON.stringify(value, null, 2) ?? ""}
      linesFor={linesFor}
      onFold={(path) =>
        setTurned((before) => {
          const next = new Set(before);
          if (!next.delete(path)) next.add(path);
          return next;
        })
      }
    />
  );
}
