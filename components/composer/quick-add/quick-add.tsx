"use client";

// Opens the list of what can be added. Its code comes while the page rests; what is typed before is typed into it.
import { useRef } from "react";
import { Dialog } from "@/components/ui/dialog";
import { EarlyKeys } from "@/components/ui/early-keys";
import { MissingPart } from "@/components/ui/missing-part";
import { useIsAtRest } from "@/components/ui/use-is-at-rest";
import { usePart } from "@/components/ui/use-part";
import { type QuickAdd as Asked, useComposer } from "../composer-context";
import { usePick } from "../small-store";
import type { Typed } from "./quick-add-dialog";

const load = () => import("./quick-add-dialog").then((module) => module.QuickAddDialog);

const nothing: Typed = { text: "", isEntered: false };

export function QuickAdd() {
  const { adding } = useComposer();
  const asked = usePick(adding, whole);
  const isAtRest = useIsAtRest();
  const { Component, isMissing } = usePart(load, isAtRest || asked !== null);
  const typed = useRef(nothing);
  if (asked === null) return null;
  const close = () => {
    typed.current = nothing;
    adding.set(null);
  };
  if (isMissing)
    return (
      <Dialog isOpen title="Add" width={520} onOpenChange={(isOpen) => (isOpen ? undefined : close())}>
        <MissingPart title="The list of what can be added could not be loaded" />
      </Dialog>
    );
  if (Component === null)
    return (
      <EarlyKeys
        onType={(change) => {
          typed.current = { text: change(typed.current.text), isEntered: false };
        }}
        onEnter={() => {
          typed.current = { ...typed.current, isEntered: true };
        }}
        onEscape={close}
      />
    );
  return (
    <Component
      key={`${asked.as} ${asked.place}`}
      asked={asked}
      takeTyped={() => {
        const taken = typed.current;
        typed.current = nothing;
        return taken;
      }}
    />
  );
}

const whole = (asked: Asked | null): Asked | null => asked;
