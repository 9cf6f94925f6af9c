"use client";

// What is typed in the form outlives the page and a reload of the tab.
import { useEffect, useState } from "react";
import { keepText, keptText } from "@/components/domain/kept-text";
import { isRecord } from "@/server/contract/is-record";
import { noTexts, type PackTexts } from "./pack-form";

export function useFormTexts(projectId: string) {
  const key = `context-pack ${projectId}`;
  const [texts, setTexts] = useState<PackTexts>(noTexts);
  // After the first markup, which the server has written without them.
  useEffect(() => {
    const kept = keptText(key);
    if (kept !== null) setTexts(readTexts(kept));
  }, [key]);
  const change = (over: Partial<PackTexts>) => {
    const next = { ...texts, ...over };
    setTexts(next);
    keepText(key, JSON.stringify(next));
  };
  const forget = () => keepText(key, null);
  return { texts, change, forget };
}

/** What an older version kept may have another form. */
function readTexts(kept: string): PackTexts {
  const value: unknown = parsed(kept);
  if (!isRecord(value)) return noTexts;
  const text = (name: string) => (typeof value[name] === "string" ? value[name] : "");
  const done = Array.isArray(value.done) ? value.done.filter((row) => typeof row === "string") : [];
  return {
    goal: text("goal"),
    done: done.length === 0 ? [""] : done,
    constraints: text("constraints"),
    policy: text("policy"),
    search: text("search"),
    files: text("files"),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Cut off, or of another version: the form starts empty.
    return null;
  }
}
