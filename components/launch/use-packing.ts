"use client";

// What is being packed, read from the URL and written back to it: ?pack=1&for=Reader&boxes=<id>
import { parseAsString, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { loadFromUrl, loadParams, loadToUrl } from "./launch-url";
import type { LoadItem } from "./load-item";

export type Packing = {
  isOpen: boolean;
  /** The profile that is to read the box. */
  reader: string | null;
  load: readonly LoadItem[];
  close: () => void;
  setReader: (reader: string | null) => void;
  setLoad: (load: readonly LoadItem[]) => void;
};

const params = { pack: parseAsString, for: parseAsString, ...loadParams };

export function usePacking(): Packing {
  const [state, setState] = useQueryStates(params);
  return useMemo(
    () => ({
      isOpen: state.pack !== null,
      reader: state.for,
      load: loadFromUrl(state),
      close: () => void setState({ pack: null, for: null, boxes: null, cards: null, load: null }),
      setReader: (reader) => void setState({ for: reader }),
      setLoad: (load) => void setState(loadToUrl(load)),
    }),
    [state, setState],
  );
}
