// A refusal as a value, for checks of many things at once: what is refused is kept until it is known what else is.
import { KernelError } from "@/server/contract/errors";

export function attempt<T>(work: () => T): T | KernelError {
  try {
    return work();
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}

export const isRefusal = (value: unknown): value is KernelError => value instanceof KernelError;

export function pass<T>(value: T | KernelError): T {
  if (isRefusal(value)) throw value;
  return value;
}

/** All of them, or the first refusal is thrown. */
export const passAll = <T>(values: readonly (T | KernelError)[]): T[] => values.map((value) => pass(value));
