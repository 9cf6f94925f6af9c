// Step 2: the documents that lead the work, in their order, each with the sections that concern the goal. A missing one is a
// warning: it neither stops the build nor changes the mode.
import type { BuildDoc, Snapshot, SnapshotFile } from "@/server/contract/context-pack/build-input";
import type { DocPriority, DocRef } from "@/server/contract/context-pack/pack";
import { type Blobs, EXCERPTED_BYTES_MAX } from "./blobs";
import type { Entry } from "./draft";
import { excerptOfFile, excerptOfSections, matchingSections, wordsOf } from "./excerpt";
import { type Section, sectionsOf, uncheckedBoxes } from "./headings";
import { invalid, type Normal } from "./normalise";
import { byBytes, firstOfEach } from "./order";
import type { Redactor } from "./outcome";
import { docPath, isReference, isUnder } from "./paths";

const CONTRACT: [name: string, priority: DocPriority][] = [
  ["PLAN", "high"],
  ["ACCEPTANCE", "high"],
  ["ARCHITECTURE", "high"],
  ["DECISIONS", "medium"],
  ["RUNBOOK", "medium"],
  ["OVERVIEW", "medium"],
];
/** Of documents that are not part of the contract. */
const OTHERS_MAX = 20;
const SECTIONS_MAX = 2;

export type Docs = { docRefs: Entry<DocRef>[]; definitionOfDone: string[]; warnings: string[]; docsClass?: string };
type Source = { input: Normal; snapshot: Snapshot | null; blobs: Blobs; redact: Redactor };
type Doc = { path: string; sha256: string; size: number; priority: DocPriority; anchors?: string[]; isRead: boolean };

export function takeDocs(source: Source): Docs {
  const { input, snapshot, blobs } = source;
  const warnings: string[] = [];
  const contract = contractDocs(source, warnings);
  const leading = firstOfEach([...contract, ...namedDocs(source, warnings)], ({ path }) => path);
  const found = [...leading, ...otherDocs(source, new Set(leading.map(({ path }) => path)), warnings)];
  const named = new Map((input.docs ?? []).map((doc) => [doc.path, doc]));
  const docs = found.map((doc) => ({ ...doc, ...asNamed(named.get(doc.path)) }));
  warnStale(input, docs, warnings);
  return {
    docRefs: docs.map((doc) => refer(doc, source, warnings)),
    definitionOfDone: definitionOfDone(input, contract, blobs, warnings),
    warnings,
    ...(snapshot && { docsClass: classOf(snapshot, contract.length, input) }),
  };
}

const asNamed = (doc: BuildDoc | undefined): Partial<Doc> => ({
  ...(doc?.anchors && { anchors: doc.anchors }),
  ...(doc?.priority && { priority: doc.priority }),
});

const folderOf = (input: Normal): string => input.docsRoot.slice(1);
const isDoc = (path: string): boolean => /\.mdx?$/i.test(path);
const fromFile = ({ path, sha256, size }: SnapshotFile): Pick<Doc, "path" | "sha256" | "size"> => ({
  path,
  sha256,
  size,
});

function contractDocs({ input, snapshot }: Source, warnings: string[]): Doc[] {
  if (!snapshot) return [];
  const folder = folderOf(input);
  const byName = new Map<string, SnapshotFile>();
  for (const file of snapshot.files) {
    const name = folder === "" ? file.path : isUnder(file.path, folder) ? file.path.slice(folder.length + 1) : "";
    if (/^[A-Za-z]{1,20}\.md$/i.test(name) && !byName.has(name.toUpperCase())) byName.set(name.toUpperCase(), file);
  }
  return CONTRACT.flatMap(([name, priority]) => {
    const file = byName.get(`${name}.MD`);
    if (file) return [{ ...fromFile(file), priority, isRead: true }];
    warnings.push(`missing_doc:${input.docsRoot === "/" ? "" : input.docsRoot}/${name}.md`);
    return [];
  });
}

function namedDocs({ input, snapshot }: Source, warnings: string[]): Doc[] {
  const files = new Map(snapshot?.files.map((file) => [file.path, file]));
  return (input.docs ?? []).flatMap((doc, i): Doc[] => {
    const { path, sha256, anchors, priority = "medium" } = doc;
    const file = files.get(path);
    if (file) return [{ ...fromFile(file), priority, anchors, isRead: true }];
    if (sha256 !== undefined) return [{ path, sha256, size: 0, priority, anchors, isRead: true }];
    if (isReference(path)) throw invalid(`docs.${i}.sha256`, "is missing. Give the digest of its text");
    warnings.push(`missing_doc:${docPath(path)}`);
    return [];
  });
}

/** Those that the search found come first and are read; the others are named. */
function otherDocs({ input, snapshot, redact }: Source, taken: ReadonlySet<string>, warnings: string[]): Doc[] {
  const folder = folderOf(input);
  const hits = new Set(input.hits.map(({ path }) => path));
  const all = (snapshot?.files ?? [])
    .filter(({ path }) => isDoc(path) && isUnder(path, folder) && !taken.has(path) && !redact.denied(path))
    .map((file): Doc => ({ ...fromFile(file), priority: "low", isRead: hits.has(file.path) }))
    .sort((a, b) => Number(b.isRead) - Number(a.isRead) || byBytes(a.path, b.path));
  if (all.length > OTHERS_MAX) warnings.push(`docs_left_out:${all.length - OTHERS_MAX}`);
  return all.slice(0, OTHERS_MAX);
}

function refer(doc: Doc, { input, blobs, redact }: Source, warnings: string[]): Entry<DocRef> {
  const path = docPath(doc.path);
  const origins = [{ kind: "doc" as const, ref: path, sha256: doc.sha256 }];
  const { priority } = doc;
  if (!doc.isRead || redact.denied(doc.path)) return { item: { path, priority }, origins };
  if (doc.size > EXCERPTED_BYTES_MAX) {
    warnings.push(`large_file:${path}`);
    return { item: { path, priority }, origins };
  }
  const text = blobs.text(doc.sha256);
  if (text === null) {
    warnings.push(`not_text:${path}`);
    return { item: { path, priority }, origins };
  }
  const sections = sectionsOf(redact.text(text).text);
  const chosen = chooseSections(doc, sections, input, warnings);
  const excerpt =
    isReference(doc.path) && doc.anchors === undefined && chosen.length === 0
      ? excerptOfFile(text, wordsOf(goalText(input)), redact)
      : excerptOfSections(chosen, redact);
  const anchors = chosen.map(({ slug }) => slug);
  return {
    item: { path, ...(anchors.length > 0 && { anchors }), ...(excerpt !== "" && { excerpt }), priority },
    origins,
  };
}

const goalText = ({ node }: Normal): string => [node.objective, ...node.definitionOfDone].join(" ");

function chooseSections({ path, anchors }: Doc, sections: Section[], input: Normal, warnings: string[]): Section[] {
  if (anchors === undefined) {
    return matchingSections(sections, wordsOf(goalText(input)), SECTIONS_MAX);
  }
  return anchors.flatMap((anchor) => {
    const slug = anchor.replace(/^#/, "");
    const section = sections.find((one) => one.slug === slug);
    if (!section) warnings.push(`unknown_anchor:${docPath(path)}#${slug}`);
    return section ? [section] : [];
  });
}

function definitionOfDone({ node, globalMode }: Normal, contract: Doc[], blobs: Blobs, warnings: string[]): string[] {
  if (node.definitionOfDone.length > 0) return node.definitionOfDone;
  const acceptance = contract.find(({ path }) => /(^|\/)acceptance\.md$/i.test(path));
  const readable = acceptance && acceptance.size <= EXCERPTED_BYTES_MAX ? blobs.text(acceptance.sha256) : null;
  const boxes = readable === null ? [] : uncheckedBoxes(readable);
  if (boxes.length > 0) return boxes;
  if (globalMode === "implementation")
    throw invalid(
      "definitionOfDone",
      "is empty. Enter at least one condition. Without any, those of a document named ACCEPTANCE are taken, and none was found",
    );
  warnings.push("empty_definition_of_done:node.definitionOfDone");
  return [];
}

function warnStale({ previousDocs = [] }: Normal, docs: Doc[], warnings: string[]): void {
  const before = new Map(previousDocs.map(({ path, sha256 }) => [path.replace(/^\//, ""), sha256]));
  for (const { path, sha256 } of docs)
    if ((before.get(path) ?? sha256) !== sha256) warnings.push(`stale_doc:${docPath(path)}`);
}

function classOf({ files }: Snapshot, contractCount: number, input: Normal): string {
  if (files.length === 0) return "empty";
  if (files.every(({ path }) => isDoc(path) || (folderOf(input) !== "" && isUnder(path, folderOf(input)))))
    return "docs-only";
  return contractCount === CONTRACT.length ? "healthy" : "code-with-weak-docs";
}
