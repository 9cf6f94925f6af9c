"use client";

// Builds a context pack: what it is for, what it is made from and what it may weigh, with what it would be beside it.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { useTabTitle } from "@/components/ui/tab-title";
import { BuildFields } from "./build-fields";
import { EstimatePanel } from "./estimate-panel";
import { formParams } from "./form-params";
import { type FormFaults, readForm, refusalFaults } from "./pack-form";
import { useEstimate } from "./use-estimate";
import { useFormTexts } from "./use-form-texts";
import "../pack.css";
import "./build.css";

export function BuildScreen({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const [choices, setChoices] = useQueryStates(formParams);
  const { texts, change, forget } = useFormTexts(projectId);
  const { request, faults } = readForm(texts, choices);
  const estimated = useEstimate(projectId, request);
  useTabTitle("Build a pack", "Context packs");
  const build = useMutation(
    trpc.context_pack.build.mutationOptions({
      onSuccess: ({ record, is_new }) => {
        announce(
          is_new
            ? { title: `${record.code} is built` }
            : {
                title: `${record.code} exists already`,
                detail: "The same input was built before. Nothing was stored.",
              },
        );
        forget();
        router.push(`/p/${encodeURIComponent(projectId)}/packs/${record.sha256}`);
      },
    }),
  );
  const known: FormFaults = { ...estimated.faults, ...faults };
  // What kept it from being built may have passed: the button stays.
  const all: FormFaults = { ...(build.error === null ? {} : refusalFaults(build.error.message)), ...known };
  const isBusy = build.isPending || build.isSuccess;
  const canBuild = request !== null && !isBusy && Object.keys(known).length === 0;
  const submit = () => {
    if (canBuild && request !== null) build.mutate({ project_id: projectId, request });
  };
  return (
    <form
      className="cpack-build"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
          event.preventDefault();
          submit();
        }
      }}
    >
      <BuildFields
        projectId={projectId}
        texts={texts}
        choices={choices}
        faults={all}
        onTexts={(over) => {
          build.reset();
          change(over);
        }}
        onChoices={(over) => {
          build.reset();
          void setChoices(over);
        }}
      />
      <EstimatePanel
        isAsked={request !== null}
        estimated={estimated}
        profile={choices.profile}
        fault={all.form}
        action={
          <Button type="submit" variant="primary" icon="packs" disabled={!canBuild}>
            {isBusy ? "Building" : "Build the pack"}
          </Button>
        }
      />
    </form>
  );
}
