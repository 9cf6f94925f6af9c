"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { useTRPC } from "@/components/trpc/client";
// The short name of the page's turn or batch, once the page has read it. Looked up in the query cache: a
// query of its own would keep the page from taking over what the server has sent with the markup.
import { batchCode } from "@/server/contract/batch-code";
import type { HandoverSheet } from "@/server/contract/handover-diff";

export function usePlate(projectId: string, pathname: string): string | undefined {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [, , , section, thing, part] = pathname.split("/");
  const id = decodeURIComponent(thing ?? "");
  const subscribe = useCallback((listener: () => void) => client.getQueryCache().subscribe(listener), [client]);
  const get = () => {
    if (id === "") return undefined;
    if (section === "turns" && part === "handover") {
      const sheets = client.getQueriesData<HandoverSheet>({ queryKey: trpc.debugger.handover.pathKey() });
      return sheets.find(([, sheet]) => sheet?.callee.agent_turn_id === id)?.[1]?.callee.headcode;
    }
    if (section === "turns")
      return client.getQueryData(trpc.turn.sheet.queryKey({ project_id: projectId, agent_turn_id: id }))?.headcode;
    if (section !== "batches") return undefined;
    const batch = client.getQueryData(trpc.batch.get.queryKey({ project_id: projectId, batch_id: id }));
    return batch && batchCode(batch);
  };
  return useSyncExternalStore(subscribe, get, () => undefined);
}
