// Which route a request means. HEAD is GET without the body, as a reader of files, a proxy and a link checker ask, so it needs
// no route of its own.
import { KernelError } from "@/server/contract/errors";
import type { Route } from "./route";
import { routes } from "./routes";

const compiled = routes.map((route) => ({ route, ...compile(route) }));

export function match(method: string, path: string): { route: Route; params: Record<string, string> } {
  const found = at(path);
  const one = found.find(({ route }) => route.method === method) ?? found.find(({ route }) => answers(route, method));
  if (one === undefined) {
    const allow = allowedAt(path);
    throw new KernelError("method_not_allowed", `${method} is not served at this path; it takes ${allow.join(", ")}`, {
      allow,
    });
  }
  const { route, names, parts } = one;
  return { route, params: Object.fromEntries(names.map((name, i) => [name, decodePart(parts[i + 1] ?? "")])) };
}

/** What `Allow` lists; not_found where no route is. */
export function allowedAt(path: string): string[] {
  const own = new Set<string>(at(path).map(({ route }) => route.method));
  if (own.size === 0)
    throw new KernelError("not_found", `no route ${path}; the interface is described at /api/v1/openapi.json`);
  if (own.has("GET")) own.add("HEAD");
  return [...own, "OPTIONS"];
}

export const isOpen = (method: string, path: string): boolean =>
  at(path).some(({ route }) => route.isOpen && (answers(route, method) || method === "OPTIONS"));

const answers = (route: Route, method: string): boolean =>
  route.method === method || (route.method === "GET" && method === "HEAD");

const at = (path: string) =>
  compiled.flatMap(({ route, pattern, names }) => {
    const parts = pattern.exec(path);
    return parts ? [{ route, names, parts }] : [];
  });

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new KernelError("bad_request", "the path holds a malformed % escape");
  }
}

/** A part followed by a verb stops at the colon; any other extends to the slash. */
function compile({ path, deep }: Route): { pattern: RegExp; names: string[] } {
  const names: string[] = [];
  const source = path.replace(/[.]/g, "\\.").replace(/\{(\w+)\}(:?)/g, (_all, name: string, colon: string) => {
    names.push(name);
    if (name === deep) return "(.+)";
    return colon ? "([^/:]+):" : "([^/]+)";
  });
  return { pattern: new RegExp(`^${source}$`), names };
}
