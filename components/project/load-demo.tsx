"use client";

// One click to a running demo: creates the demo project if it does not exist, runs it, and opens it.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { leadToSignIn } from "@/components/trpc/session";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { useShortcut } from "@/components/ui/shortcuts";

export type LoadDemoProps = {
  /** The lamp-coloured one where nothing else is. */
  variant?: "plain" | "primary";
  keys?: string;
};

export function LoadDemo({ variant = "plain", keys }: LoadDemoProps) {
  const router = useRouter();
  const { mutate, isPending } = useMutation({
    mutationFn: startDemo,
    onSuccess: ({ project_id, root_turn_id }) =>
      router.push(`/p/${encodeURIComponent(project_id)}?run=${encodeURIComponent(root_turn_id)}`),
    onError: (error) => announce({ title: "Could not start the demo", detail: error.message, status: "failed" }),
  });
  useShortcut(keys ?? "s", "Run the demo", () => mutate(), { isEnabled: keys !== undefined && !isPending });
  return (
    <Button variant={variant} icon="play" keys={keys} disabled={isPending} onClick={() => mutate()}>
      Run the demo
    </Button>
  );
}

async function startDemo(): Promise<{ project_id: string; root_turn_id: string }> {
  const response = await fetch("/api/demo", { method: "POST" });
  if (response.status === 401) leadToSignIn();
  const answer: unknown = await response.json();
  if (response.ok && isStarted(answer)) return answer;
  throw new Error(messageOf(answer) ?? `The server answered ${response.status}.`);
}

const isStarted = (answer: unknown): answer is { project_id: string; root_turn_id: string } =>
  typeof answer === "object" && answer !== null && "project_id" in answer && "root_turn_id" in answer;

function messageOf(answer: unknown): string | null {
  const detail = typeof answer === "object" && answer !== null && "detail" in answer ? answer.detail : null;
  if (typeof detail !== "object" || detail === null || !("error_message" in detail)) return null;
  return typeof detail.error_message === "string" ? detail.error_message : null;
}
