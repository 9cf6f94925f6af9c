"use client";

// Text of any size with line numbers; YAML with its keys set off.
import { type ReactNode, useCallback } from "react";
import { Reader } from "./reader";
import { textLines, yamlLines } from "./reader-lines";

export type TextViewProps = {
  text: string;
  language?: "text" | "yaml";
  label?: string;
  lead?: ReactNode;
  note?: ReactNode;
  maxHeight?: string;
};

export function TextView({ text, language = "text", label = "Text", lead, note, maxHeight }: TextViewProps) {
  const linesFor = useCallback(() => (language === "yaml" ? yamlLines(text) : textLines(text)), [text, language]);
  return (
    <Reader label={label} lead={lead} note={note} maxHeight={maxHeight} copyText={() => text} linesFor={linesFor} />
  );
}
