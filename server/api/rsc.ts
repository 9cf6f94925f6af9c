// What pages may import from the server: prefetch a query and pass its answer to the browser.
import "server-only";
import {
  dehydrate,
  type FetchInfiniteQueryOptions,
  type FetchQueryOptions,
  HydrationBoundary,
  QueryClient,
} from "@tanstack/react-query";
import { TRPCError } from "@trpc/server";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { cache, createElement, type ReactNode } from "react";
import { hasSession } from "@/server/access/refuse";
import { env } from "@/server/env";
import { webKernel } from "@/server/wire";
import { appRouter, createCaller } from "./root";

const getQueryClient = cache(() => new QueryClient());
const createContext = cache(async () => {
  // proxy.ts has already redirected strangers; a request that gets past it anyway sees nothing.
  if (!(await hasSession(await headers()))) throw new TRPCError({ code: "UNAUTHORIZED" });
  return { kernel: webKernel(), user: "local" };
});

export const trpc = createTRPCOptionsProxy({ ctx: createContext, router: appRouter, queryClient: getQueryClient });
export const caller = createCaller(createContext);

/** Whether sign-in is needed, and whether this browser is signed in. */
export const access = cache(async () => ({
  isTokenAsked: env().SWITCHYARD_TOKEN !== undefined,
  isSignedIn: await hasSession(await headers()),
}));

export function HydrateClient({ children }: { children: ReactNode }) {
  return createElement(HydrationBoundary, { state: dehydrate(getQueryClient()) }, children);
}

// biome-ignore lint/suspicious/noExplicitAny: the options of any query
export const prefetch = (options: FetchQueryOptions<any, any, any, any>): Promise<void> =>
  getQueryClient().prefetchQuery(options);

/** The first page of a paged list. */
// biome-ignore lint/suspicious/noExplicitAny: the options of any list
export const prefetchPages = (options: FetchInfiniteQueryOptions<any, any, any, any, any>): Promise<void> =>
  getQueryClient().prefetchInfiniteQuery(options);
