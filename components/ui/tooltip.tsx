"use client";

// The name of a control, and its key, for whoever hovers or tabs onto it. The control is drawn as it is; what is shown
// beside it is fetched when it is first needed, or while the page rests.
import { cloneElement, useEffect, useId, useRef, useState } from "react";
import { lazyPart } from "./lazy-part";
import type { TooltipProps, TooltipSurfaceProps } from "./tooltip-props";

const HOVER_MS = 400;

export const loadTooltip = () => import("./tooltip-surface").then((module) => module.TooltipSurface);
const TooltipSurface = lazyPart<TooltipSurfaceProps>(loadTooltip);

export function Tooltip({ onlyIfCut = false, children, ...shown }: TooltipProps) {
  const id = useId();
  const [control, setControl] = useState<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const close = () => {
    clearTimeout(timer.current);
    setControl(null);
  };
  const open = (element: Element, afterMs: number) => {
    clearTimeout(timer.current);
    if (onlyIfCut && !isCut(element)) return;
    timer.current = setTimeout(() => setControl(element), afterMs);
  };
  const { props } = children;
  return (
    <>
      {cloneElement(children, {
        "aria-describedby": control === null ? props["aria-describedby"] : id,
        onPointerEnter: (event) => {
          props.onPointerEnter?.(event);
          if (event.pointerType !== "touch") open(event.currentTarget, HOVER_MS);
        },
        onPointerLeave: (event) => {
          props.onPointerLeave?.(event);
          close();
        },
        onPointerDown: (event) => {
          props.onPointerDown?.(event);
          close();
        },
        onFocus: (event) => {
          props.onFocus?.(event);
          // A click gives the focus too, and has said what it wants.
          if (event.currentTarget.matches(":focus-visible")) open(event.currentTarget, 0);
        },
        onBlur: (event) => {
          props.onBlur?.(event);
          close();
        },
      })}
      {control === null ? null : <TooltipSurface {...shown} id={id} control={control} onClose={close} />}
    </>
  );
}

const isCut = (element: Element): boolean =>
  element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
