"use client";

// A dialog: nothing until it is first opened, and its code is not part of any page's first load.
import { useState } from "react";
import type { DialogProps } from "./dialog-props";
import { lazyPart } from "./lazy-part";

export const loadDialog = () => import("./dialog-surface").then((module) => module.DialogSurface);
const DialogSurface = lazyPart<DialogProps>(loadDialog, { missing: "The dialog could not be loaded" });

export function Dialog(props: DialogProps) {
  const [wasOpened, setWasOpened] = useState(props.isOpen);
  if (props.isOpen && !wasOpened) setWasOpened(true);
  // It stays from then on: closing is told to it too, and gives the focus back.
  return wasOpened ? <DialogSurface {...props} /> : null;
}
