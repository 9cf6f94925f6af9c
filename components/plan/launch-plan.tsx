"use client";

// Launches a version of a plan: its inputs are asked for, and everything else is in the plan.
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { TextArea } from "@/components/ui/text-area";
import { TextInput } from "@/components/ui/text-input";
import type { PlanInput } from "@/server/contract/plan/plan";
import { isRequired } from "./plan-words";

export type LaunchPlanProps = {
  projectId: string;
  plan: { name: string; version: number; inputs: readonly PlanInput[] };
  onLaunched: (root_turn_id: string) => void;
  onClose: () => void;
};

export function LaunchPlan({ projectId, plan, onLaunched, onClose }: LaunchPlanProps) {
  const client = useTRPCClient();
  const [values, setValues] = useState<Record<string, string>>({});
  const [isStepped, setIsStepped] = useState(false);
  const [wasTried, setWasTried] = useState(false);
  // The same form is the same launch, however often it is sent; changed, it is another.
  const attempt = useRef({ action_id: crypto.randomUUID(), sent: "" });
  const launch = useMutation({
    mutationFn: (args: object) => {
      const sent = JSON.stringify(args);
      if (attempt.current.sent !== "" && attempt.current.sent !== sent)
        attempt.current = { action_id: crypto.randomUUID(), sent };
      attempt.current.sent = sent;
      const { action_id } = attempt.current;
      return client.delegation.launch.mutate({ project_id: projectId, tool: "launch_plan", args, action_id });
    },
    retry: false,
    onSuccess: (made) => onLaunched(made.root_turn_id),
  });
  const missing = plan.inputs.filter((input) => isRequired(input) && (values[input.name] ?? "").trim() === "");
  const submit = () => {
    setWasTried(true);
    if (missing.length > 0 || launch.isPending) return;
    const inputs = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));
    launch.mutate({ plan: plan.name, version: plan.version, inputs, is_stepped: isStepped });
  };
  return (
    <Dialog
      isOpen
      width={560}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={`Launch ${plan.name}`}
      description={`Version ${plan.version}. It starts a run of its own, which you can watch in the yard.`}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" icon="launch" aria-disabled={launch.isPending} onClick={submit}>
            {launch.isPending ? "Launching" : "Launch"}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {plan.inputs.map((input) => (
          <InputField
            key={input.name}
            input={input}
            value={values[input.name] ?? ""}
            error={wasTried && missing.includes(input) ? `Fill in ${input.name}. The plan needs it.` : null}
            onChange={(value) => {
              launch.reset();
              setValues((before) => ({ ...before, [input.name]: value }));
            }}
          />
        ))}
        <label className="flex items-center gap-2 max-sm:min-h-11">
          <input type="checkbox" checked={isStepped} onChange={(event) => setIsStepped(event.target.checked)} />
          Ask me before each step
        </label>
      </form>
      {launch.error === null ? null : (
        <p role="alert" className="mt-3 rounded-2 bg-wash-fail px-2.5 py-2">
          <b className="font-semibold text-st-failed">Not launched.</b> {launch.error.message}
        </p>
      )}
    </Dialog>
  );
}

type InputFieldProps = {
  input: PlanInput;
  value: string;
  error: string | null;
  onChange: (value: string) => void;
};

function InputField({ input, value, error, onChange }: InputFieldProps) {
  const { kind, description } = input;
  const preset = input.default === undefined ? undefined : `If left empty: ${input.default.slice(0, 200)}`;
  const hint = [description, preset].filter(Boolean).join(" ") || undefined;
  return (
    <Field
      label={input.name}
      aside={isRequired(input) ? undefined : "optional"}
      hint={hint ?? (kind === "text" ? undefined : `The id of a ${kind}, from its page.`)}
      error={error}
    >
      {kind === "text" ? (
        <TextArea rows={3} maxLength={1_048_576} value={value} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <TextInput isMono maxLength={200} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
