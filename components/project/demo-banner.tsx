"use client";

// Nobody may take the demo for work of their own; one click takes it away.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTRPC } from "@/components/trpc/client";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { announce } from "@/components/ui/toaster";

export function DemoBanner({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const remove = useMutation(
    trpc.project.remove.mutationOptions({
      onSuccess: () => {
        announce({ title: "Demo removed", detail: "You can run it again from the projects page." });
        router.push("/");
      },
      onError: (error) => announce({ title: "Could not remove the demo", detail: error.message, status: "failed" }),
    }),
  );
  return (
    <Banner
      tone="info"
      icon="flag"
      title="Demo"
      action={
        <Button
          size="sm"
          icon="trash"
          disabled={remove.isPending}
          onClick={() => remove.mutate({ project_id: projectId })}
        >
          Remove the demo
        </Button>
      }
    >
      Scripted agents with real waiting times. Nothing is sent to a model.
    </Banner>
  );
}
