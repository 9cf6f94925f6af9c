// Reads the pack of a git bundle in a thread of its own (open-pack.ts): unpacking is a great deal of work, and the thread that
// answers everybody else must not do it. Before isomorphic-git unpacks anything, the size of each object is checked here: it
// would hold whatever a hostile pack unpacks to. Plain JavaScript, because a thread starts from a file and the built server
// has no TypeScript; it is found under the same path there.
import fs from "node:fs";
import { parentPort } from "node:worker_threads";
import { inflateSync } from "node:zlib";
import git from "isomorphic-git";

const TYPES = { commit: 1, tree: 2, blob: 3, tag: 4, offsetDelta: 6, refDelta: 7 };
const HEADER_BYTES = 12;
const DIGEST_BYTES = 20;

class Fault extends Error {}

let sizes = new Map();
let place;
const cache = {};

parentPort.on("message", async ({ id, op, ...question }) => {
  try {
    parentPort.postMessage({ id, answer: await ops[op](question) });
  } catch (error) {
    // Whatever else is thrown comes of the pack: an object that is missing, a delta that fits nothing.
    parentPort.postMessage({ id, fault: error instanceof Fault ? error.message : plain(error) });
  }
});

const plain = (error) => `the bundle can't be read (${error.message.slice(0, 200)}). Make it again with ${remedy}`;
const remedy = "git bundle create x.bundle HEAD";

const ops = {
  open: async ({ gitdir, packName, oid, limits }) => {
    place = { fs, dir: gitdir, gitdir, cache };
    const file = `${gitdir}/objects/pack/${packName}.pack`;
    const byOffset = checkPack(fs.readFileSync(file), limits);
    await git.indexPack({ ...place, filepath: `objects/pack/${packName}.pack` });
    sizes = sizesOf(fs.readFileSync(file.replace(/\.pack$/, ".idx")), byOffset);
    return { tree: await treeOf(oid) };
  },
  list: async ({ oid }) => {
    const { object } = await git.readObject({ ...place, oid, format: "content" });
    return entriesOf(Buffer.from(object)).map((entry) => ({ ...entry, size: sizes.get(entry.oid) }));
  },
  read: async ({ oid }) => (await git.readObject({ ...place, oid, format: "content" })).object,
};

/** A tag may name a tag. */
async function treeOf(start) {
  let oid = start;
  for (let steps = 0; steps < 8; steps++) {
    const { type, object } = await git.readObject({ ...place, oid, format: "parsed" });
    if (type === "commit") return object.tree;
    if (type !== "tag") break;
    oid = object.object;
  }
  throw new Fault(`the bundle's reference names no commit. Make it again with ${remedy}`);
}

/** Sizes of what the objects unpack to, by their offset; refused as soon as one or all of them are too large. */
function checkPack(pack, { objectBytesMax, historyBytesMax, objectsMax }) {
  if (pack.length < HEADER_BYTES + DIGEST_BYTES || pack.toString("latin1", 0, 4) !== "PACK")
    throw new Fault(`the bundle has no pack. Make it again with ${remedy}`);
  const count = pack.readUInt32BE(8);
  if (count > objectsMax)
    throw new Fault(`the bundle has more than ${objectsMax} objects. Make it from a git clone --depth 1`);
  const byOffset = new Map();
  let total = 0;
  let at = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    const start = at;
    let byte = pack[at++];
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let factor = 16; byte & 128; factor *= 128) {
      byte = pack[at++];
      size += (byte & 127) * factor;
    }
    if (type === TYPES.offsetDelta) while (pack[at++] & 128);
    if (type === TYPES.refDelta) at += DIGEST_BYTES;
    if (size > objectBytesMax) throw tooLarge(objectBytesMax);
    const { buffer, engine } = inflateSync(pack.subarray(at, pack.length - DIGEST_BYTES), {
      maxOutputLength: Math.max(1, size),
      info: true,
    });
    if (buffer.length !== size) throw new Fault(`the bundle's pack is damaged. Make it again with ${remedy}`);
    at += engine.bytesWritten;
    const whole = type === TYPES.offsetDelta || type === TYPES.refDelta ? resultSizeOf(buffer) : size;
    if (whole > objectBytesMax) throw tooLarge(objectBytesMax);
    byOffset.set(start, whole);
    total += whole;
    if (total > historyBytesMax)
      throw new Fault(
        `the bundle's history unpacks to more than ${historyBytesMax} bytes. Make it from a git clone --depth 1`,
      );
  }
  return byOffset;
}

const tooLarge = (most) =>
  new Fault(
    `the bundle holds an object of more than ${most} bytes. Make it from a git clone --depth 1 without that file`,
  );

/** A delta begins with the size of its base and with that of its result. */
function resultSizeOf(delta) {
  let at = 0;
  const next = () => {
    let size = 0;
    let byte;
    let factor = 1;
    do {
      byte = delta[at++];
      if (byte === undefined) throw new Fault(`the bundle's pack is damaged. Make it again with ${remedy}`);
      size += (byte & 127) * factor;
      factor *= 128;
    } while (byte & 128);
    return size;
  };
  next();
  return next();
}

/** The index (version 2) that was just written: names, then checksums, then offsets. */
function sizesOf(idx, byOffset) {
  const names = 8 + 1024;
  const count = idx.readUInt32BE(names - 4);
  const found = new Map();
  for (let i = 0; i < count; i++) {
    const at = names + i * DIGEST_BYTES;
    const offset = idx.readUInt32BE(names + count * (DIGEST_BYTES + 4) + i * 4);
    found.set(idx.toString("hex", at, at + DIGEST_BYTES), byOffset.get(offset));
  }
  return found;
}

/** Not isomorphic-git's own list, which refuses a whole tree for one name with a backslash. */
function entriesOf(tree) {
  const entries = [];
  for (let at = 0; at < tree.length; ) {
    const space = tree.indexOf(32, at);
    const end = tree.indexOf(0, space);
    if (space < 0 || end < 0 || end + DIGEST_BYTES >= tree.length)
      throw new Fault(`the bundle has a damaged tree. Make it again with ${remedy}`);
    const oid = tree.toString("hex", end + 1, end + 1 + DIGEST_BYTES);
    entries.push({ mode: tree.toString("latin1", at, space), name: tree.toString("utf8", space + 1, end), oid });
    at = end + 1 + DIGEST_BYTES;
  }
  return entries;
}
