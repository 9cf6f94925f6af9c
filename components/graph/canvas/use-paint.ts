"use client";

// The colours of the theme for what is painted on a canvas, where no style sheet reaches.
import { useSyncExternalStore } from "react";
import { type TurnStatus, turnStatuses } from "@/server/contract/turn";

export type Paint = {
  status: Readonly<Record<TurnStatus, string>>;
  rail: string;
  ink: string;
  yard: string;
  lamp: string;
  warn: string;
};

/** Null on the server. A new object when the theme changes. */
export function usePaint(): Paint | null {
  return useSyncExternalStore(subscribe, current, none);
}

let paint: Paint | null = null;
let theme: string | undefined;

function current(): Paint {
  const now = document.documentElement.dataset.theme;
  if (paint === null || theme !== now) {
    theme = now;
    paint = read();
  }
  return paint;
}

function read(): Paint {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(name).trim();
  const statuses = Object.fromEntries(turnStatuses.map((status) => [status, value(`--st-${status}`)]));
  return {
    status: statuses as Record<TurnStatus, string>,
    rail: value("--rail"),
    ink: value("--ink"),
    yard: value("--yard"),
    lamp: value("--here"),
    warn: value("--st-partial"),
  };
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

function none(): null {
  return null;
}
