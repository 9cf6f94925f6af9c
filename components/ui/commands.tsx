"use client";

// What the command palette can do and show. Features register here; the palette in the shell only draws it.
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";

export type CommandGroup = "turns" | "do" | "show" | "boxes" | "agents" | "cards";

export type CommandItem = {
  /** Unique among all sources, and the same tomorrow: the list of recent ones remembers it. */
  id: string;
  label: string;
  icon: ReactNode;
  /** A headcode or box number behind the label; it is searched too. */
  plate?: string;
  /** Set for types, ids and filters. */
  isMono?: boolean;
  detail?: string;
  /** Further words it is found by. */
  words?: string;
  trailing?: ReactNode;
  /** Key that does the same outside the palette. */
  keys?: string;
  /** Drawn at the right while the row is current. */
  preview?: ReactNode | (() => ReactNode);
  /** On the button below the preview: "Open turn". */
  actionLabel?: string;
  /** Where it leads, or what it does. */
  href?: string;
  run?: () => void;
};

export type CommandSource = {
  id: string;
  group: CommandGroup;
  /** Rows known without asking; matched here, letter by letter. */
  items?: readonly CommandItem[];
  /** Rows that a server finds. It gets the query without its prefix; abort with the signal. */
  search?: (query: string, signal: AbortSignal) => Promise<readonly CommandItem[]>;
  /** Of the newest so many, where an answer did not look at all: "10,000 cards". Asked after `search`. */
  lookedAt?: (query: string) => Promise<readonly string[]>;
};

export type CommandPalette = {
  isOpen: boolean;
  close: () => void;
  /** What it was opened with; may carry a prefix: ">" do, "#" box, "@" agent. */
  initialQuery: string;
  sources: readonly CommandSource[];
};

export function CommandsProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createStore);
  return <StoreContext value={store}>{children}</StoreContext>;
}

/** Registers a source while the calling component is on the page. Memoise it: a new object registers again. */
export function useCommands(source: CommandSource | null): void {
  const store = useStore();
  useEffect(() => {
    if (source === null) return;
    return store.add(source);
  }, [store, source]);
}

/** Opens the palette. It does not subscribe to it: a shell that did would render again with every source. */
export function useOpenPalette(): (query?: string) => void {
  const store = useStore();
  return useCallback((query = "") => store.set({ isOpen: true, initialQuery: query }), [store]);
}

export function useIsPaletteOpen(): boolean {
  const store = useStore();
  return useSyncExternalStore(
    store.subscribe,
    () => store.get().isOpen,
    () => false,
  );
}

/** Everything the palette draws; for the palette alone. */
export function useCommandPalette(): CommandPalette {
  const store = useStore();
  const state = useSyncExternalStore(store.subscribe, store.get, store.get);
  const close = useCallback(() => store.set({ isOpen: false }), [store]);
  return useMemo(() => ({ ...state, close }), [state, close]);
}

type State = { isOpen: boolean; initialQuery: string; sources: readonly CommandSource[] };

type Store = {
  get: () => State;
  set: (change: Partial<State>) => void;
  add: (source: CommandSource) => () => void;
  subscribe: (listener: () => void) => () => void;
};

const StoreContext = createContext<Store | null>(null);

function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === null) throw new Error("Commands need <CommandsProvider> above them; app/providers.tsx has it.");
  return store;
}

function createStore(): Store {
  let state: State = { isOpen: false, initialQuery: "", sources: [] };
  const listeners = new Set<() => void>();
  function set(change: Partial<State>) {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }
  return {
    get: () => state,
    set,
    add(source) {
      set({ sources: [...state.sources, source] });
      return () => set({ sources: state.sources.filter((other) => other !== source) });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
