// A run as one page to read anywhere: no server, no network, no script needed. Each card is written once, where it is first read, and
// linked from there on. What does not fit is named at the top.
import { createHash } from "node:crypto";
import { type BundleInput, layOut } from "@/server/interop/bundle/export-bundle";
import { Folder } from "@/server/interop/bundle/folder";
import type { Kernel } from "@/server/kernel/kernel";
import { escaped, readable } from "./escape";
import { planSection } from "./plan-section";
import { SCRIPT } from "./report-script";
import { STYLE } from "./report-style";
import { type RunIndex, readIndex } from "./run-index";
import { type Room, treeLine, turnSection } from "./turn-section";

/** With room for the head of the page. */
const REPORT_BYTES_MAX = 50_000_000;
const HEAD_BYTES = 100_000;

/** A stream of the page. not_found before the first byte. */
export async function exportReport(
  kernel: Kernel,
  { bytesMax = REPORT_BYTES_MAX, ...input }: BundleInput & { bytesMax?: number },
): Promise<AsyncGenerator<Uint8Array>> {
  const bundle = await layOut(kernel, input);
  const page = await Folder.open();
  try {
    const index = await readIndex(bundle);
    const room: Room = {
      left: bytesMax - HEAD_BYTES,
      written: new Set(),
      cardsLeftOut: 0,
      turnsLeftOut: 0,
      plansLeftOut: 0,
    };
    await page.add("tree", new Uint8Array());
    await page.add("plans", new Uint8Array());
    await page.add("turns", new Uint8Array());
    for (const { turn, depth } of index.turns) {
      const line = Buffer.from(treeLine(turn, depth));
      if (line.byteLength > room.left) {
        room.turnsLeftOut++;
        continue;
      }
      room.left -= line.byteLength;
      await page.add("tree", line);
      for await (const part of turnSection(index, turn, depth, room)) await page.add("turns", Buffer.from(part));
    }
    for await (const plan of index.plansOf()) {
      const part = Buffer.from(planSection(index, plan));
      if (part.byteLength > room.left) room.plansLeftOut++;
      else {
        room.left -= part.byteLength;
        await page.add("plans", part);
      }
    }
    return send(page, headOf(index, room, input.redact));
  } catch (error) {
    await page.remove();
    throw error;
  } finally {
    await bundle.remove();
  }
}

async function* send(page: Folder, head: string): AsyncGenerator<Uint8Array> {
  try {
    yield Buffer.from(head);
    yield* page.bytes("tree");
    yield Buffer.from("</ol></nav><main>");
    if (page.facts("plans").size > 0) yield Buffer.from("<h2>Plans</h2>");
    yield* page.bytes("plans");
    yield Buffer.from("<h2>Turns</h2>");
    yield* page.bytes("turns");
    yield Buffer.from(`</main><script>${SCRIPT}</script></body></html>\n`);
  } finally {
    await page.remove();
  }
}

const digest = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const POLICY = `default-src 'none'; style-src ${digest(STYLE)}; script-src ${digest(SCRIPT)}; base-uri 'none'; form-action 'none'`;

function headOf({ run, turns, notes }: RunIndex, room: Room, isRedacted: boolean): string {
  const title = escaped(run.title || run.root_turn_id);
  const cost = turns.reduce((sum, { turn }) => sum + (turn.cost ?? 0), 0);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">
<title>${title}</title><style>${STYLE}</style></head><body>
<header><h1 dir="auto">${title}</h1>
<p class="dim">${turns.length} turns, began ${escaped(readable(run.created_at))}${cost > 0 ? `, cost ${cost.toFixed(4)} USD` : ""}, run ${escaped(run.root_turn_id)}</p>
<p class="dim">${isRedacted ? "Secrets were replaced by placeholders where they were recognised." : "Not redacted: this page may hold secrets."}</p>
${notes.map(({ count, text }) => `<p class="dim">${count}: ${escaped(text)}.</p>`).join("")}
${leftOut(room)}</header>
<div class="tools" hidden><input type="search" aria-label="Find in turns" placeholder="Find in turns"><button type="button" data-open>Open all</button><button type="button" data-close>Close all</button><span role="status" data-found></span></div>
<nav aria-label="Tree of turns"><h2>Tree</h2><ol class="tree">`;
}

function leftOut({ cardsLeftOut, turnsLeftOut, plansLeftOut }: Room): string {
  if (cardsLeftOut + turnsLeftOut + plansLeftOut === 0) return "";
  const what = [
    ...(turnsLeftOut > 0 ? [`${turnsLeftOut} turns`] : []),
    ...(plansLeftOut > 0 ? [`${plansLeftOut} plan runs`] : []),
    ...(cardsLeftOut > 0 ? [`the content of ${cardsLeftOut} cards`] : []),
  ];
  return `<p class="note">Left out, because the page would be over its limit of ${REPORT_BYTES_MAX / 1_000_000} MB: ${what.join(" and ")}. The run bundle has everything.</p>`;
}
