// What pages may import of the server: prefetch a query, hand it to the browser already answered.
import "server-only";
import {
  dehydrate,
  type FetchInfiniteQueryOptions,
  type FetchQueryOptions,
  HydrationBoundary,
  QueryClient,
} from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { cache, createElement, type ReactNode } from "react";
import { webKernel } from "@/server/wire";
import { appRouter, createCaller } from "./root";

const getQueryClient = cache(() => new QueryClient());
const createContext = cache(async () => ({ kernel: webKernel(), user: "local" }));

export const trpc = createTRPCOptionsProxy({ ctx: createContext, router: appRouter, queryClient: getQueryClient });
export const caller = createCaller(createContext);

export function HydrateClient({ children }: { children: ReactNode }) {
  return createElement(HydrationBoundary, { state: dehydrate(getQueryClient()) }, children);
}

// biome-ignore lint/suspicious/noExplicitAny: the options of any query
export const prefetch = (options: FetchQueryOptions<any, any, any, any>): Promise<void> =>
  getQueryClient().prefetchQuery(options);

/** The first page of a list that comes by pages. */
// biome-ignore lint/suspicious/noExplicitAny: the options of any list
export const prefetchPages = (options: FetchInfiniteQueryOptions<any, any, any, any, any>): Promise<void> =>
  getQueryClient().prefetchInfiniteQuery(options);
