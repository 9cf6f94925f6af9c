// Text in which something was redacted: a black bar with the kind of what was there, never a value.
import { splitRedacted } from "@/components/ui/reader-lines";

export function RedactedText({ text }: { text: string }) {
  const parts = splitRedacted(text);
  if (parts.length === 1) return text;
  return parts.map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text.
      <span key={at} className="redact" title={`[REDACTED:${part}]`}>
        REDACTED {part.replaceAll("_", " ")}
      </span>
    ),
  );
}
