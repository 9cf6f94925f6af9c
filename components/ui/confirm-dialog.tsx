"use client";

// A deed that cannot be taken back is named first, with what goes and what stays; the way out has the focus.
import type { ReactNode } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";
import type { IconName } from "./icon";

export type ConfirmDialogProps = {
  title: string;
  /** What it does. */
  description: string;
  /** What stays, where the description does not say it. */
  children?: ReactNode;
  /** The deed, on its button. */
  action: string;
  icon?: IconName;
  /** The way out, on its button. */
  stay?: string;
  isPending: boolean;
  /** Why it was refused; null = it was not. */
  error: string | null;
  onConfirm: () => void;
  onClose: () => void;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, children, action, icon = "trash", stay = "Cancel", isPending, error } = props;
  const { onConfirm, onClose } = props;
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
            {stay}
          </Button>
          <Button variant="danger" icon={icon} disabled={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children === undefined ? null : <div className="mb-2 text-ink-2">{children}</div>}
      {error === null ? null : (
        <p role="alert" className="text-st-failed">
          {error}
        </p>
      )}
    </Dialog>
  );
}
