// Estimates the cost of a JSON body by its brackets and commas, before anything is built from it.
import { KernelError } from "../contract/errors";

/** Shapes are checked recursively: a body of nothing but brackets would end in a stack overflow instead of an answer. */
const DEPTH_MAX = 200;

/** Each value is walked, sorted and written several times: 250,000 keys blocked everyone else for 4 s. */
export function refuseHeavy(bytes: Uint8Array, { valuesMax }: { valuesMax: number }): void {
  let depth = 0;
  let values = 1;
  let isText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (isText) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) isText = false;
    } else if (byte === 0x22) isText = true;
    else if (byte === 0x2c) values++;
    else if (byte === 0x5b || byte === 0x7b) {
      values++;
      if (++depth > DEPTH_MAX)
        throw new KernelError(
          "bad_request",
          `the body is nested deeper than ${DEPTH_MAX} levels; flatten it or send it as text`,
        );
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  if (values > valuesMax)
    throw new KernelError(
      "payload_too_large",
      `the body has more than ${valuesMax} values, the limit here; send less at once, or send it as text`,
    );
}
