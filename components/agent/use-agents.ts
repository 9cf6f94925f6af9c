"use client";

// The list of agents, kept true by the journal: a frame tells which agents did something, and those are read again.
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { useFrames } from "@/components/domain/use-frames";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import type { Frame } from "@/server/contract/frame";
import type { AgentLine } from "@/server/contract/line";
import { type AgentFilter, agentListQuery } from "./agent-list-query";

/** A busy run changes an agent many times a second; the list is read at most so often. */
const readAgainMs = 400;
const idsMax = 100;

export function useAgents(projectId: string, filter: AgentFilter) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = agentListQuery(projectId, filter);
  const list = useInfiniteQuery(
    trpc.agent.list.infiniteQueryOptions(query, { ...patient, ...nextPage, placeholderData: (before) => before }),
  );
  const touched = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const readAgain = useEffectEvent(async () => {
    const ids = [...touched.current];
    touched.current = new Set();
    const known = new Set(list.data?.pages.flatMap((page) => page.items.map((agent) => agent.agent_id)));
    // An agent that is new, or more than one request may ask for: the list itself is read again.
    if (ids.length > idsMax || ids.some((id) => !known.has(id))) {
      await list.refetch();
      return;
    }
    const again = await queryClient.fetchQuery(
      trpc.agent.again.queryOptions({ project_id: projectId, agent_ids: ids }, { staleTime: 0 }),
    );
    queryClient.setQueryData(trpc.agent.list.infiniteQueryKey(query), (before) =>
      before === undefined ? before : withLines(before, again.items),
    );
  });

  useEffect(() => () => clearTimeout(timer.current), []);
  const schedule = useEffectEvent(() => {
    timer.current = undefined;
    void readAgain();
  });
  const isLive = useFrames({
    projectId,
    after: list.data?.pages[0]?.live_cursor,
    onFrames: (frames) => {
      for (const id of agentsOf(frames)) touched.current.add(id);
      if (touched.current.size > 0) timer.current ??= setTimeout(schedule, readAgainMs);
    },
    onReset: () => void list.refetch(),
  });
  return { list, isLive };
}

/** Whose line may have changed. */
export function agentsOf(frames: readonly Frame[]): string[] {
  return frames.flatMap((frame) => (frame.kind === "turn" || frame.kind === "agent" ? frame.agent_id : []));
}

type Pages = { pages: { items: AgentLine[] }[] };

export function withLines<Data extends Pages>(data: Data, lines: readonly AgentLine[]): Data {
  const fresh = new Map(lines.map((line) => [line.agent_id, line]));
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.map((line) => fresh.get(line.agent_id) ?? line),
  }));
  return { ...data, pages };
}
