"use client";

// What can be done with the chosen cards: a box of their own, packing, a launch.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTRPCClient } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format";
import { useLaunchWith } from "@/components/ui/use-launch-with";
import { usePackWith } from "@/components/ui/use-pack-with";
import { pickedIds } from "./use-picked";

export type PickedBarProps = { projectId: string; cards: ReadonlyMap<number, string>; onStop: () => void };

export function PickedBar({ projectId, cards, onStop }: PickedBarProps) {
  const client = useTRPCClient();
  const router = useRouter();
  const launchWith = useLaunchWith();
  const packWith = usePackWith();
  const ids = pickedIds(cards);
  const make = useMutation({
    mutationFn: (card_ids: string[]) => client.box.gather.mutate({ project_id: projectId, card_ids }),
    retry: false,
    onSuccess: ({ box_id }) => router.push(`/p/${encodeURIComponent(projectId)}/boxes/${box_id}`),
  });
  const isNone = ids.length === 0;
  const isBusy = make.isPending || make.isSuccess;
  return (
    <section aria-label="Chosen cards" className="box-picked">
      <p aria-live="polite" className="w-full">
        {isNone
          ? "Press a card, or Space on it, to choose it."
          : `${formatCount(ids.length, "card")} chosen, in the order of the box.`}
      </p>
      {make.error === null ? null : (
        <p role="alert" className="w-full text-st-failed">
          {make.error.message}
        </p>
      )}
      <Button size="sm" icon="boxes" disabled={isNone || isBusy} onClick={() => make.mutate(ids)}>
        Make a box
      </Button>
      <Button size="sm" icon="packs" disabled={isNone} onClick={() => packWith({ cards: ids })}>
        Pack
      </Button>
      <Button size="sm" icon="launch" disabled={isNone} onClick={() => launchWith({ cards: ids })}>
        Use in a launch
      </Button>
      <span className="flex-1" />
      <Button size="sm" variant="ghost" onClick={onStop}>
        Cancel
      </Button>
    </section>
  );
}
