// The picture as it is shown: snapshot and stream folded together, once an animation frame, with a hand brake.
// Free of any framework, so that gaps, repeats and pauses are tested without a browser.
import { emptyPicture, type Frame, type FrameKind, fold, type Picture } from "@/server/contract/frame";

export type LinkStatus = "connecting" | "live" | "catching_up" | "cut";

export type LiveState = {
  status: LinkStatus;
  /** Since when the link has been as it is. */
  since: number;
  paused_at: number | null;
  /** Changes collected since the pause. */
  new_count: number;
  /** True once a snapshot has been folded in. */
  is_loaded: boolean;
};

export type LivePicture = {
  /** What is shown: while paused, what was there at that moment. */
  getPicture: () => Picture;
  getState: () => LiveState;
  /** Resume here and nothing is missed; null before the first snapshot. */
  getCursor: () => string | null;
  subscribe: (listener: () => void) => () => void;
  subscribeEntity: (kind: FrameKind, id: string, listener: () => void) => () => void;
  /** Edges that came over the stream while it was live and shown: the ones whose handover may be seen to move. */
  subscribeArrivals: (listener: (edgeIds: readonly string[]) => void) => () => void;
  /** A snapshot: of the first run shown, and later of others. Never moves the cursor once there is one. */
  load: (frames: readonly Frame[], cursor: string) => void;
  /** Frames of the stream, and the cursor after them. */
  receive: (frames: readonly Frame[], cursor: string) => void;
  /** The server no longer keeps the frames after our cursor: start again from a snapshot. */
  reset: (frames: readonly Frame[], cursor: string) => void;
  setStatus: (status: LinkStatus) => void;
  pause: () => void;
  resume: () => void;
};

export type LiveClock = {
  now: () => number;
  /** Runs once, soon: with the next picture of the screen when there is one. */
  soon: (run: () => void) => void;
  /** Answers how to cancel. */
  later: (run: () => void, ms: number) => () => void;
};

/** After a reconnect the stream first sends what was missed; this long without frames means that it has. */
export const CAUGHT_UP_MS = 400;

export function createLivePicture(clock: LiveClock): LivePicture {
  let live = emptyPicture();
  let shown = live;
  let state: LiveState = {
    status: "connecting",
    since: clock.now(),
    paused_at: null,
    new_count: 0,
    is_loaded: false,
  };
  let cursor: string | null = null;
  let buffer: Frame[] = [];
  let isScheduled = false;
  let cancelQuiet = () => {};
  const listeners = new Set<() => void>();
  const arrivals = new Set<(edgeIds: readonly string[]) => void>();
  const entities = new Map<string, { kind: FrameKind; id: string; listeners: Set<() => void> }>();

  function change(next: Partial<LiveState>) {
    state = { ...state, ...next };
  }

  /** Shows `next`, and tells exactly those who look at something that is another object now. */
  function show(next: Picture) {
    const before = shown;
    shown = next;
    if (before !== next)
      for (const { kind, id, listeners: own } of entities.values())
        if (before[kind] !== next[kind] && before[kind].get(id) !== next[kind].get(id))
          for (const listener of own) listener();
    for (const listener of listeners) listener();
  }

  function flush() {
    isScheduled = false;
    const frames = buffer;
    buffer = [];
    const before = live;
    live = fold(live, frames);
    if (live === before) return;
    if (state.paused_at !== null) {
      change({ new_count: state.new_count + countChanges(before, live, frames) });
      show(shown);
      return;
    }
    show(live);
    if (state.status !== "live") return;
    const edgeIds = frames.filter((f) => f.kind === "edge" && !before.edge.has(f.id)).map((f) => f.id);
    if (edgeIds.length > 0) for (const listener of arrivals) listener(edgeIds);
  }

  function setStatus(status: LinkStatus) {
    cancelQuiet();
    if (status === "catching_up") cancelQuiet = clock.later(() => setStatus("live"), CAUGHT_UP_MS);
    if (status === state.status) return;
    change({ status, since: clock.now() });
    for (const listener of listeners) listener();
  }

  function replace(base: Picture, frames: readonly Frame[]) {
    live = fold(base, [...frames, ...buffer]);
    buffer = [];
    change({ is_loaded: true });
    if (state.paused_at === null) show(live);
    else show(shown === emptyShown ? live : shown);
  }
  const emptyShown = shown;

  return {
    getPicture: () => shown,
    getState: () => state,
    getCursor: () => cursor,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    subscribeEntity(kind, id, listener) {
      const key = `${kind} ${id}`;
      const entry = entities.get(key) ?? { kind, id, listeners: new Set() };
      entities.set(key, entry);
      entry.listeners.add(listener);
      return () => {
        entry.listeners.delete(listener);
        if (entry.listeners.size === 0) entities.delete(key);
      };
    },
    subscribeArrivals(listener) {
      arrivals.add(listener);
      return () => arrivals.delete(listener);
    },
    load(frames, at) {
      cursor ??= at;
      replace(live, frames);
    },
    receive(frames, at) {
      cursor = at;
      if (state.status === "catching_up") setStatus("catching_up");
      buffer.push(...frames);
      if (isScheduled) return;
      isScheduled = true;
      clock.soon(flush);
    },
    reset(frames, at) {
      cursor = at;
      buffer = [];
      replace(emptyPicture(), frames);
    },
    setStatus,
    pause() {
      if (state.paused_at !== null) return;
      change({ paused_at: clock.now(), new_count: 0 });
      show(shown);
    },
    resume() {
      if (state.paused_at === null) return;
      change({ paused_at: null, new_count: 0 });
      show(live);
    },
  };
}

/** Turns and runs that are new or other than before: heartbeats of one turn within a flush count once. */
function countChanges(before: Picture, after: Picture, frames: readonly Frame[]): number {
  const changed = new Set<string>();
  for (const { kind, id } of frames)
    if ((kind === "turn" || kind === "run") && before[kind].get(id) !== after[kind].get(id))
      changed.add(`${kind} ${id}`);
  return changed.size;
}

/** The browser's clock. A hidden tab draws no pictures, so there frames are folded by a timer. */
export const browserClock: LiveClock = {
  now: () => Date.now(),
  soon: (run) => {
    if (document.hidden) setTimeout(run, 200);
    else requestAnimationFrame(run);
  },
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
