"use client";

// The strap between the live picture and React: a snapshot for what is looked at, one stream for the browser.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { readAgain } from "@/components/domain/read-again";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import type { RunFrame } from "@/server/contract/frame";
import { useLiveState } from "../yard-context";
import { browserClock, createLivePicture, type LivePicture } from "./live-picture";
import { openStream } from "./open-stream";
import { type Channel, type Locks, shareStream } from "./share-stream";
import { framesOf, yardSnapshot } from "./yard-snapshot";

export type LiveInput = {
  projectId: string;
  /** A root turn, "all", or null for the newest run. */
  run: string | null;
  /** The selected turn: without a run, the one it belongs to is shown. */
  turn: string | null;
  limit: number | null;
};

export type LiveYard = {
  live: LivePicture;
  /** The run that is shown; undefined in a project without runs, and before the first snapshot. */
  rootTurnId: string | undefined;
  /** In the database; undefined while this scope has not been read. */
  totalTurns: number | undefined;
  /** Fewer than that where there are too many: then what is missing are the callers of those that are there. */
  shownTurns: number | undefined;
  error: string | null;
  retry: () => void;
};

export function useLivePicture({ projectId, run, turn, limit }: LiveInput): LiveYard {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const options = trpc.graph.snapshot.queryOptions(yardSnapshot(projectId, run, turn, limit));
  // Which run is the newest is asked each time one comes here; while one looks, the picture itself says what is new.
  const { data, error, refetch } = useQuery({
    ...options,
    // A database that is back is noticed without a key being pressed.
    ...patient,
    staleTime: run === null ? 0 : undefined,
    refetchOnReconnect: false,
    // Compared field by field with the answer before, one of 10,000 turns held the page.
    structuralSharing: false,
  });
  const [live] = useState(() => {
    const picture = createLivePicture(browserClock);
    if (data) picture.load(framesOf(data), data.cursor);
    return picture;
  });
  /** Where the stream was last joined again, after a reset. */
  const [joinedAt, setJoinedAt] = useState("");
  useEffect(() => {
    if (!data) return;
    live.load(framesOf(data), data.cursor);
    // The same under the run's own name: when the address comes to name it, it is not asked for again.
    const named = trpc.graph.snapshot.queryKey(yardSnapshot(projectId, data.root_turn_id ?? null, null, limit));
    if (run === null && data.root_turn_id !== undefined) queries.setQueryData(named, (before) => before ?? data);
  }, [live, data, run, limit, projectId, queries, trpc]);

  const startAnew = useEffectEvent(async () => {
    live.setStatus("cut");
    // Asked for now, not taken from the cache: the cached one is what turned out to be too old.
    const fresh = await queries.fetchQuery({ ...options, staleTime: 0, retry: Number.POSITIVE_INFINITY });
    live.reset(framesOf(fresh), fresh.cursor);
    setJoinedAt(fresh.cursor);
  });

  const { is_loaded: isLoaded } = useLiveState(live);
  useEffect(() => {
    if (!isLoaded) return;
    let isLeft = false;
    const leave = shareStream({
      name: `switchyard:live:${projectId}`,
      getCursor: () => live.getCursor() ?? joinedAt,
      open: openStream(
        (after, events) => client.graph.stream.subscribe({ project_id: projectId, after }, events),
        isReset,
      ),
      port: {
        onFrames(frames, cursor) {
          live.receive(frames, cursor);
          // Beside the picture lie texts of cards.
          if (frames.some((frame) => frame.kind === "card")) void readAgain(queries);
        },
        onStatus: live.setStatus,
        onReset() {
          if (isLeft) return;
          isLeft = true;
          leave();
          void startAnew();
        },
      },
      locks: browserLocks(),
      channel: browserChannel(),
    });
    return () => {
      if (!isLeft) leave();
      isLeft = true;
    };
  }, [live, client, projectId, isLoaded, joinedAt, queries]);

  // A page that comes back from the browser's memory has missed everything and was told nothing.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) void startAnew();
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);

  const firstRun = useFirstRun(live, data !== undefined && data.root_turn_id === undefined);
  return {
    live,
    rootTurnId: run ?? data?.root_turn_id ?? firstRun,
    totalTurns: data?.total_turns,
    shownTurns: data?.shown_turns,
    error: error?.message ?? null,
    retry: () => void refetch(),
  };
}

/** In a project that was empty when it was opened: the run that began since. */
function useFirstRun(live: LivePicture, isWanted: boolean): string | undefined {
  const get = () => (isWanted ? newestRun(live) : undefined);
  return useSyncExternalStore(live.subscribe, get, get);
}

function newestRun(live: LivePicture): string | undefined {
  let newest: RunFrame | undefined;
  for (const run of live.getPicture().run.values()) if (!newest || run.number > newest.number) newest = run;
  return newest?.root_turn_id;
}

function isReset(error: unknown): boolean {
  const data = (error as { data?: { detail?: { reset?: boolean } } } | null)?.data;
  return data?.detail?.reset === true;
}

function browserLocks(): Locks | undefined {
  if (!("locks" in navigator)) return undefined;
  return async (name, signal, hold) => {
    await navigator.locks.request(name, { signal }, hold);
  };
}

function browserChannel(): ((name: string) => Channel) | undefined {
  if (!("BroadcastChannel" in window)) return undefined;
  return (name) => {
    const line = new BroadcastChannel(name);
    const channel: Channel = {
      onmessage: null,
      postMessage: (message) => line.postMessage(message),
      close: () => line.close(),
    };
    line.onmessage = (event) => channel.onmessage?.(event);
    return channel;
  };
}
