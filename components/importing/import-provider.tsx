"use client";

// Holds the imports of this window and sends them one after another; it stands above the pages, so that an upload goes on
// while one looks elsewhere. Its panel is opened by `?import=1`, so that any feature can ask for it with a link.
import { parseAsString, useQueryState } from "nuqs";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useReducer, useRef } from "react";
import { type ImportEvent, type ImportItem, importList, nextToSend, type ReadyItem } from "./import-list";
import { uploadFile } from "./upload-file";

export type Imports = {
  /** Null on a page without a project: then a place is asked for. */
  projectId: string | null;
  items: readonly ImportItem[];
  isOpen: boolean;
  open: () => void;
  close: () => void;
  add: (files: readonly File[]) => void;
  place: (projectId: string) => void;
  cancel: (id: number) => void;
  retry: (id: number) => void;
};

const ImportContext = createContext<Imports | null>(null);

export function useImports(): Imports {
  const imports = useContext(ImportContext);
  if (imports === null) throw new Error("Imports need <ImportProvider> above them.");
  return imports;
}

export function ImportProvider({ projectId, children }: { projectId: string | null; children: ReactNode }) {
  const [items, dispatch] = useReducer(importList, []);
  const [param, setParam] = useQueryState("import", parseAsString);
  const nextId = useRef(1);
  const calledOff = useRef(new Map<number, AbortController>());

  const next = nextToSend(items);
  useEffect(() => {
    if (next === null) return;
    const stop = new AbortController();
    calledOff.current.set(next.id, stop);
    dispatch({ kind: "sent", id: next.id, bytes: 0 });
    void send(next, stop.signal, dispatch);
  }, [next]);

  const value = useMemo<Imports>(
    () => ({
      projectId,
      items,
      isOpen: param !== null,
      open: () => void setParam("1", { history: "push" }),
      close: () => {
        dispatch({ kind: "cleared" });
        void setParam(null);
      },
      add: (files) => {
        dispatch({ kind: "added", files, project_id: projectId, first_id: nextId.current });
        nextId.current += files.length;
      },
      place: (project_id) => dispatch({ kind: "placed", project_id }),
      cancel: (id) => {
        calledOff.current.get(id)?.abort();
        dispatch({ kind: "canceled", id });
      },
      retry: (id) => dispatch({ kind: "retried", id }),
    }),
    [projectId, items, param, setParam],
  );
  return <ImportContext value={value}>{children}</ImportContext>;
}

async function send(item: ReadyItem, signal: AbortSignal, dispatch: (event: ImportEvent) => void): Promise<void> {
  try {
    const result = await uploadFile({
      project_id: item.project_id,
      file: item.file,
      signal,
      onSent: (bytes) => dispatch({ kind: "sent", id: item.id, bytes }),
    });
    dispatch({ kind: "done", id: item.id, result });
  } catch (error) {
    if (signal.aborted) dispatch({ kind: "canceled", id: item.id });
    else dispatch({ kind: "failed", id: item.id, error: error instanceof Error ? error.message : String(error) });
  }
}
