// What may be stored under a key: any JSON except null, within the size limit.
import { KernelError } from "@/server/contract/errors";
import { refuseBadText } from "@/server/contract/text";
import type { Tunables } from "../tunables";

/** Deeper than any real value; the database fails at a few thousand levels. */
const DEPTH_MAX = 200;

/** The value as JSON and its bytes. bad_request for what is no value, payload_too_large past the limit. */
export function checkValue(value: unknown, { envValueBytesMax }: Tunables): { json: string; value_bytes: number } {
  if (value === undefined)
    throw new KernelError(
      "bad_request",
      'value: is missing; give any JSON value except null (false, 0, "" and [] are fine)',
    );
  if (value === null)
    throw new KernelError("bad_request", "value: null is not a value; store another value or delete the key");
  if (isDeeper(value, DEPTH_MAX))
    throw new KernelError("bad_request", `value: is nested deeper than ${DEPTH_MAX}; store it flatter, or as text`);
  refuseBadText(value, "value");
  const json = JSON.stringify(value);
  if (json === undefined) throw new KernelError("bad_request", "value: can't be written as JSON");
  const value_bytes = Buffer.byteLength(json);
  if (value_bytes > envValueBytesMax)
    throw new KernelError(
      "payload_too_large",
      `value: has ${value_bytes} bytes as JSON, and the limit is ${envValueBytesMax}; store it in parts or hand it over as a card`,
    );
  return { json, value_bytes };
}

function isDeeper(value: unknown, left: number): boolean {
  if (value === null || typeof value !== "object") return false;
  return left === 0 || Object.values(value).some((item) => isDeeper(item, left - 1));
}
