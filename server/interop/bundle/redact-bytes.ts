// Bytes without secrets, if they are text; null where they are not and a secret shows in them.
import { redactText, redactValue } from "@/server/kernel/redaction/redact";

export function redactBytes(bytes: Uint8Array): Uint8Array | null {
  const text = textOf(bytes);
  if (text === null) return redactText(Buffer.from(bytes).toString("latin1")).kinds.length > 0 ? null : bytes;
  const clean = redactWritten(text);
  return clean === text ? bytes : Buffer.from(clean);
}

/** As JSON where it is: the name of a member tells of its value. Then as text, for what only shows in one piece. */
export function redactWritten(text: string): string {
  const value = jsonOf(text);
  if (value === undefined) return redactText(text).text;
  const redacted = redactValue(value);
  return redactText(redacted.findings.length > 0 ? JSON.stringify(redacted.value) : text).text;
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
