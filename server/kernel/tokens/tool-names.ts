// Names of tools as a provider takes them. Projects name tools as they like (web.search); most providers refuse a dot, and with it
// every request of every agent that is offered the tool. Pure: the same names are sent under the same names, in any order.
import { createHash } from "node:crypto";
import type { ModelClient } from "@/server/contract/models";

const LENGTH_MAX = 64;
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

const accepted: Record<ModelClient, RegExp> = {
  openai: PLAIN,
  anthropic: PLAIN,
  compatible: PLAIN,
  // Gemini takes dots and colons, and no digit at the beginning.
  google: /^[A-Za-z_][\w.:-]{0,63}$/,
};

/** What each name is sent as, where it is not itself. Two names are never sent as one. */
export function wireNames(names: Iterable<string>, client: ModelClient): Map<string, string> {
  const all = [...new Set(names)];
  const taken = new Set(all.filter((name) => accepted[client].test(name)));
  const odd = all.filter((name) => !taken.has(name)).toSorted();
  const plain = odd.map(plainOf);
  const counts = new Map<string, number>();
  for (const simple of plain) counts.set(simple, (counts.get(simple) ?? 0) + 1);
  const out = new Map<string, string>();
  const unclear: [string, string][] = [];
  for (const [i, name] of odd.entries()) {
    const simple = plain[i] ?? "";
    if (simple.length > LENGTH_MAX || taken.has(simple) || counts.get(simple) !== 1) unclear.push([name, simple]);
    else out.set(name, simple);
  }
  for (const wire of out.values()) taken.add(wire);
  for (const [name, simple] of unclear) {
    const wire = hashed(name, simple, taken);
    taken.add(wire);
    out.set(name, wire);
  }
  return out;
}

function plainOf(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}

function hashed(name: string, simple: string, taken: ReadonlySet<string>): string {
  const digest = createHash("sha256").update(name).digest("hex");
  // A tool may be called exactly as another one's name with its hash: then more of it is used.
  const lengths = [8, 16, 24, 32, 40];
  const made = lengths.map((length) => `${simple.slice(0, LENGTH_MAX - length - 1)}_${digest.slice(0, length)}`);
  const free = made.find((one) => !taken.has(one));
  if (free === undefined) throw new Error(`no name is left for the tool ${name}`);
  return free;
}

/** What a model reads of a tool that it knows under another name from its prompt. */
export const describedAs = (name: string, wire: string, description: string): string =>
  wire === name ? description : `Also called ${name}. ${description}`.trim();
