// A bundle on its way, as files of a temporary folder: in a tar the length of a part stands before it, and a run does not fit into
// memory. Digests and lines are counted as they are written.
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { canonicalJson } from "@/server/contract/canonical-json";
import { clearLeft, folderPrefix } from "./clear-left";

const HELD_BYTES = 262_144;

type Part = {
  file: string;
  hash: Hash;
  size: number;
  lines: number;
  /** Since the last end of a line. */
  openBytes: number;
  held: Uint8Array[];
  heldBytes: number;
};
export type PartFacts = { name: string; size: number; lines: number; sha256: string };

export class Folder {
  private readonly parts = new Map<string, Part>();
  /** Of all parts but files. Counted as they come: asked for at each piece of a tar that may have a hundred thousand files. */
  lineCount = 0;
  private constructor(private readonly root: string) {}

  static async open(): Promise<Folder> {
    await clearLeft();
    return new Folder(await fs.mkdtemp(path.join(os.tmpdir(), folderPrefix(process.pid))));
  }

  /** The part is there afterwards, with or without bytes. Where they begin. */
  async add(name: string, bytes: Uint8Array): Promise<number> {
    const part = this.parts.get(name) ?? this.begin(name);
    const at = part.size;
    part.hash.update(bytes);
    part.size += bytes.byteLength;
    let lines = 0;
    for (const byte of bytes) if (byte === NEWLINE) lines++;
    part.lines += lines;
    part.openBytes =
      lines === 0 ? part.openBytes + bytes.byteLength : bytes.byteLength - 1 - bytes.lastIndexOf(NEWLINE);
    if (!FILE.test(name)) this.lineCount += lines;
    part.held.push(bytes);
    part.heldBytes += bytes.byteLength;
    if (part.heldBytes > HELD_BYTES) await flush(part);
    return at;
  }

  addLine(name: string, line: unknown): Promise<number> {
    return this.add(name, Buffer.from(`${canonicalJson(line)}\n`));
  }

  has = (name: string): boolean => this.parts.has(name);
  names = (): string[] => [...this.parts.keys()];

  endedLines = (name: string): number => this.part(name).lines;
  /** Of the line that is being added to. */
  openBytes = (name: string): number => this.part(name).openBytes;

  facts(name: string): PartFacts {
    const { size, lines, hash } = this.part(name);
    return { name, size, lines, sha256: hash.copy().digest("hex") };
  }

  async *bytes(name: string): AsyncGenerator<Uint8Array> {
    const part = this.part(name);
    await flush(part);
    if (part.size > 0) yield* createReadStream(part.file) as AsyncIterable<Uint8Array>;
  }

  /** Lines without their ends. Not by readline, which takes U+2028 within a text for an end. */
  async *lines(name: string): AsyncGenerator<string> {
    let rest: Buffer[] = [];
    for await (const chunk of this.bytes(name)) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let from = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...rest, bytes.subarray(from, end)]).toString("utf8");
        rest = [];
        from = end + 1;
      }
      if (from < bytes.length) rest.push(bytes.subarray(from));
    }
    if (rest.length > 0) yield Buffer.concat(rest).toString("utf8");
  }

  async lineAt(name: string, { at, length }: { at: number; length: number }): Promise<Uint8Array> {
    const part = this.part(name);
    await flush(part);
    const file = await fs.open(part.file);
    try {
      return (await file.read(Buffer.alloc(length), 0, length, at)).buffer;
    } finally {
      await file.close();
    }
  }

  async remove(): Promise<void> {
    await fs.rm(this.root, { recursive: true, force: true });
  }

  private begin(name: string): Part {
    // Numbered: no name from a tar is ever a path here.
    const file = path.join(this.root, String(this.parts.size));
    const part: Part = { file, hash: createHash("sha256"), size: 0, lines: 0, openBytes: 0, held: [], heldBytes: 0 };
    this.parts.set(name, part);
    return part;
  }

  private part(name: string): Part {
    const part = this.parts.get(name);
    if (!part) throw new Error(`a bundle's folder has no part ${name}`);
    return part;
  }
}

const NEWLINE = 10;
/** The name of a file in a bundle: the digest of its bytes. */
export const FILE = /^artifacts\/[0-9a-f]{64}$/;

async function flush(part: Part): Promise<void> {
  if (part.held.length === 0) return;
  const bytes = Buffer.concat(part.held);
  part.held = [];
  part.heldBytes = 0;
  await fs.appendFile(part.file, bytes);
}
