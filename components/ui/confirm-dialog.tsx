"use client";

// A deed that cannot be taken back is named first, with what goes and what stays; the way out has the focus.
import type { ReactNode } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";

export type ConfirmDialogProps = {
  title: string;
  /** What it does. */
  description: string;
  /** What stays. */
  children: ReactNode;
  /** The deed, on its button. */
  action: string;
  isPending: boolean;
  /** Why it was refused; null = it was not. */
  error: string | null;
  onConfirm: () => void;
  onClose: () => void;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, children, action, isPending, error, onConfirm, onClose } = props;
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="ghost" data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" icon="trash" disabled={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">{children}</p>
      {error === null ? null : (
        <p role="alert" className="mt-2 text-st-failed">
          {error}
        </p>
      )}
    </Dialog>
  );
}
