"use client";

// The way back, and the rules saved under a name: the next version of a recipe, for this wagon and for others.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { TextInput } from "@/components/ui/text-input";
import type { Handover } from "@/server/contract/pack";
import type { Rider } from "@/server/contract/plan/plan";
import { useComposer } from "../composer-context";
import { choosing, nameFor } from "./handover-edits";

export type OrderFootProps = {
  place: string;
  rider: Rider;
  handover: Handover;
  recipe: string | null;
  onClose: () => void;
};

export function OrderFoot({ place, rider, handover, recipe, onClose }: OrderFootProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { projectId, store } = useComposer();
  // The recipe that was changed is the one that is saved, under the number that follows.
  const [before] = useState(() => nameFor(rider, recipe?.replace(/@\d+$/, "") ?? null));
  const [name, setName] = useState(before);
  const { data } = useQuery(trpc.recipe.list.queryOptions({ project_id: projectId }, { staleTime: 5_000 }));
  const newest = data?.find((one) => one.name === name.trim())?.version ?? 0;
  const save = useMutation(
    trpc.recipe.save.mutationOptions({
      onSuccess: ({ recipe: saved, is_new }) => {
        announce({
          title: is_new
            ? `Saved as ${saved.name}@${saved.version}`
            : `${saved.name}@${saved.version} is the same already`,
          status: "success",
        });
        store.change(choosing(store.get().plan, place, rider, `${saved.name}@${saved.version}`));
        void queryClient.invalidateQueries({ queryKey: trpc.recipe.pathKey() });
      },
    }),
  );
  const isOwn = rider.handover !== undefined;
  return (
    <footer className="composer-foot">
      {isOwn ? (
        <Field
          label="Save the rules as"
          isQuiet
          isLabelHidden
          error={save.error?.message ?? null}
          className="min-w-0 flex-1"
        >
          <TextInput
            value={name}
            maxLength={120}
            placeholder="Name of a recipe"
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
      ) : (
        <span className="flex-1 text-ink-3">{recipe === null ? "The built-in rules." : `Packed by ${recipe}.`}</span>
      )}
      {isOwn ? (
        <Button
          aria-disabled={name.trim() === "" || save.isPending}
          onClick={() => {
            if (name.trim() !== "" && !save.isPending)
              save.mutate({ project_id: projectId, name: name.trim(), handover });
          }}
        >
          Save as {name.trim() === "" ? "a recipe" : `${name.trim()}@${newest + 1}`}
        </Button>
      ) : null}
      <Button onClick={onClose} keys="escape">
        Done
      </Button>
    </footer>
  );
}
