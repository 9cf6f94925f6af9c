"use client";

// The place where announcements appear. The library that draws them comes when the page rests, or when one is made.
import { useEffect, useState } from "react";
import { onUnheard } from "./announcements";
import { lazyPart } from "./lazy-part";
import { useIsAtRest } from "./use-is-at-rest";

const ToastHost = lazyPart<object>(() => import("./toast-host").then((module) => module.ToastHost));

export function Toaster() {
  const isAtRest = useIsAtRest();
  const [isAsked, setIsAsked] = useState(false);
  useEffect(() => onUnheard(() => setIsAsked(true)), []);
  return isAtRest || isAsked ? <ToastHost /> : null;
}
