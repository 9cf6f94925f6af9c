"use client";

import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { TrpcProvider } from "@/components/trpc/client";
import { CommandsProvider } from "@/components/ui/commands";
import { ShortcutsProvider } from "@/components/ui/shortcuts";
import { Toaster } from "@/components/ui/toaster";

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider
      attribute="data-theme"
      // A first visit uses the system's theme; a chosen theme is kept in this browser.
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      storageKey="switchyard-theme"
      nonce={nonce}
    >
      <NuqsAdapter>
        <TrpcProvider>
          <ShortcutsProvider>
            <CommandsProvider>
              {children}
              <Toaster />
            </CommandsProvider>
          </ShortcutsProvider>
        </TrpcProvider>
      </NuqsAdapter>
    </ThemeProvider>
  );
}
