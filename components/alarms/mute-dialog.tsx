"use client";

// Mutes an alarm, or its rule in this project: both ask why, so that another person knows.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { alarmMeanings, alarmNames, alarmSentence } from "@/components/domain/alarm-words";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { TextArea } from "@/components/ui/text-area";
import type { AlarmLine } from "@/server/contract/alarm-page";
import type { MuteScope } from "@/server/contract/alarm-rules";

const REASON_MAX = 500;

type MuteDialogProps = { projectId: string; line: AlarmLine; onClose: () => void };

export function MuteDialog({ projectId, line, onClose }: MuteDialogProps) {
  const trpc = useTRPC();
  const [reason, setReason] = useState("");
  const [scope, setScope] = useState<MuteScope>("this");
  const name = alarmNames[line.rule];
  const mute = useMutation(
    trpc.alarm.mute.mutationOptions({
      onSuccess: () => {
        announce(
          scope === "this"
            ? { title: "The alarm is muted", detail: "To see it again, choose Show muted.", status: "success" }
            : {
                title: `The rule "${name}" is muted`,
                detail: "In this project, until you unmute it.",
                status: "success",
              },
        );
        onClose();
      },
    }),
  );
  const canSend = reason.trim() !== "" && !mute.isPending;
  const send = () => {
    if (canSend) mute.mutate({ project_id: projectId, alarm_id: line.alarm_id, reason, scope });
  };
  return (
    <Dialog
      isOpen
      width={460}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={`Mute: ${name}`}
      description={`${alarmSentence(line)} ${alarmMeanings[line.rule]}`}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" disabled={!canSend} onClick={send}>
            {mute.isPending ? "Muting" : "Mute"}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Segmented
          label="What is muted"
          value={scope}
          choices={[
            { value: "this", label: "This alarm" },
            { value: "rule", label: "This rule in the project" },
          ]}
          onChange={setScope}
        />
        <Field
          label="Reason"
          aside={`${reason.length} of ${REASON_MAX}`}
          hint="Required. Other people see it beside the alarm."
          error={mute.error && `Could not mute it: ${mute.error.message}`}
        >
          <TextArea
            data-autofocus
            rows={3}
            maxLength={REASON_MAX}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
