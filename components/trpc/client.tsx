"use client";
// The browser's line to the server: batches for reads and writes, server-sent events for what is live.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  retryLink,
  splitLink,
  type TRPCLink,
} from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import type { AppRouter } from "@/server/api/root";
import { batchMax } from "@/server/contract/batch-max";
import { createGestureKeys, isWorthAskingAgain, keyHeader } from "./gesture-keys";
import { leadIfSignedOut, leadToSignIn } from "./session";
import { snapshotPath } from "./snapshot-address";

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export { useTRPC, useTRPCClient };

let browserClient: QueryClient | undefined;

function getQueryClient(): QueryClient {
  if (typeof window === "undefined") return makeQueryClient();
  browserClient ??= makeQueryClient();
  return browserClient;
}

/** Components are also rendered on the server, where they never fetch: the address is only a form. */
const url = () => `${typeof window === "undefined" ? "http://127.0.0.1" : ""}/api/trpc`;

export function TrpcProvider({ children }: { children: ReactNode }) {
  const queryClient = getQueryClient();
  const [trpcClient] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        signInLink,
        createGestureKeys(),
        // It may have been done: asked again with the same key it is done once, and answered.
        retryLink({
          retry: ({ op, error, attempts }) => op.type === "mutation" && attempts < 3 && isWorthAskingAgain(error),
          retryDelayMs: (attempt) => attempt * 1_000,
        }),
        splitLink({
          condition: (op) => op.type === "subscription",
          true: httpSubscriptionLink({ url: url() }),
          false: splitLink({
            // A key of its own for each: they share no request.
            condition: (op) => op.type === "mutation",
            true: httpLink({ url: url(), headers: ({ op }) => keyHeader(op.context) }),
            false: splitLink({
              condition: (op) => op.path === snapshotPath,
              // Alone: small answers beside it waited for it, and its address is known before the page's code is (yard-snapshot.ts).
              true: httpLink({ url: url() }),
              false: httpBatchLink({ url: url(), maxURLLength: 4000, maxItems: batchMax }),
            }),
          }),
        }),
      ],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

/** Whatever the page was about: when the server asks for its token, the form comes first. */
const signInLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error: (error) => {
          if (error.data?.httpStatus === 401) leadToSignIn();
          else if (op.type === "subscription") void leadIfSignedOut();
          observer.error(error);
        },
      }),
    );

const makeQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: 1, refetchOnWindowFocus: false },
    },
  });
