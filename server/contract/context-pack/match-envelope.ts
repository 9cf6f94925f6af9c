// A routing rule over envelopes: the status, or a place in `structured`. Other members do not route.
import { isRecord } from "../is-record";
import { sameJson } from "../same-json";
import type { Envelope } from "./envelope";

/** `at`: status.ok, status.code, or a JSON pointer into `structured` such as /tests/failed. */
export type EnvelopeRule = { at: string; equals: unknown };

export function matchesEnvelope({ at, equals }: EnvelopeRule, { status, structured }: Envelope): boolean {
  if (at === "status.ok") return status.ok === equals;
  if (at === "status.code") return status.code !== undefined && status.code === equals;
  const found = valueAt(structured, at);
  return found !== undefined && sameJson(found, equals);
}

function valueAt(value: unknown, pointer: string): unknown {
  if (!pointer.startsWith("/")) return undefined;
  let found = value;
  for (const part of pointer.slice(1).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = /^(0|[1-9]\d{0,9})$/.test(name) ? found[Number(name)] : undefined;
    else found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}
