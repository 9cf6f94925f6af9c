"use client";

// Puts the picture of another moment in the place of the live one, for as long as one looks at it. Its code is fetched when somebody
// first looks back. Of a run whose moments are few they are all here; of another each is asked for, not more often than a hand can tell.
import { skipToken, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { fold } from "@/server/contract/frame";
import type { AsOf, RunHistory } from "@/server/contract/run-history";
import { browserClock, type LivePicture } from "../live/live-picture";
import { planGraphsOf } from "../plan/plan-graphs";
import type { YardModel } from "../plan/yard-model";
import { askMoments } from "./ask-moments";
import { createThenModel } from "./then-model";
import { createThenPicture, groundOf, thenOf, withRun } from "./then-picture";
import type { Then, TimeWays } from "./use-yard-time";

export type AsOfPartProps = {
  projectId: string;
  live: LivePicture;
  model: YardModel;
  rootTurnId: string;
  ways: TimeWays;
  onThen: (then: Then | null) => void;
};

export function AsOfPart({ projectId, live, model, rootTurnId, ways, onThen }: AsOfPartProps) {
  const { time, settle } = ways;
  const client = useTRPCClient();
  const picture = useMemo(() => createThenPicture(live, browserClock, () => settle(null)), [live, settle]);
  const then = useMemo<Then>(
    () => ({ live: picture.live, model: createThenModel(model, picture.live) }),
    [picture, model],
  );
  useEffect(() => {
    live.pause();
    return () => live.resume();
  }, [live]);
  useGraphsOf(live, picture.live);
  const { history, error } = useHistory(projectId, rootTurnId, time);

  useEffect(() => {
    if (error !== null) time.set({ error, isReading: false });
    if (history === undefined) {
      if (error === null) time.set({ isReading: true });
      return;
    }
    return history.is_whole ? fromHistory(history) : fromServer();

    function put(at: number, next: ReturnType<typeof thenOf>, told: RunHistory | AsOf) {
      picture.show(next, at);
      const source = told.source === "journal" ? { source: told.source } : { source: told.source, why: told.why };
      const before = time.getState().source;
      const isSame = before?.source === source.source && before.why === source.why;
      time.set({ ...(!isSame && { source }), isReading: false, error: null });
      onThen(then);
    }

    function fromHistory(whole: RunHistory) {
      let shown: number | null = null;
      let frame = 0;
      const draw = () => {
        frame = 0;
        const { at } = time.getState();
        if (at === null || at === shown) return;
        shown = at;
        put(at, thenOf(live.getPicture(), rootTurnId, whole.frames, at), whole);
      };
      draw();
      const stop = time.subscribe(() => {
        frame ||= requestAnimationFrame(draw);
      });
      return () => {
        stop();
        cancelAnimationFrame(frame);
      };
    }

    function fromServer() {
      return askMoments<AsOf>({
        time,
        ask: (at, signal) =>
          client.graph.asOf.query(
            { project_id: projectId, root_turn_id: rootTurnId, at: new Date(at).toISOString() },
            { signal },
          ),
        put(at, told) {
          const base = live.getPicture();
          put(at, withRun(fold(groundOf(base, rootTurnId), told.frames), base, rootTurnId), told);
        },
        later: (run, ms) => setTimeout(run, ms),
      });
    }
  }, [client, history, error, live, onThen, picture, projectId, rootTurnId, then, time]);

  useEffect(() => () => onThen(null), [onThen]);
  return null;
}

/** All moments of the run. What has been read stays while it is read again. */
export function useHistory(
  projectId: string,
  rootTurnId: string | null,
  time: TimeWays["time"],
): { history: RunHistory | undefined; error: string | null } {
  const trpc = useTRPC();
  const { data, error } = useQuery(
    trpc.graph.history.queryOptions(
      rootTurnId === null ? skipToken : { project_id: projectId, root_turn_id: rootTurnId },
      { staleTime: 10_000, refetchOnWindowFocus: false },
    ),
  );
  useEffect(() => time.setHistory(data ?? null), [time, data]);
  return { history: data, error: error?.message ?? null };
}

/** The plans that have been read stand beside the live picture. */
function useGraphsOf(live: LivePicture, then: LivePicture): void {
  useEffect(() => {
    const [from, to] = [planGraphsOf(live), planGraphsOf(then)];
    const copy = () => {
      for (const [id, graph] of from.get()) to.put(id, graph);
    };
    copy();
    return from.subscribe(copy);
  }, [live, then]);
}
