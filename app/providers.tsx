"use client";

import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { TrpcProvider } from "@/components/trpc/client";
import { CommandsProvider } from "@/components/ui/commands";
import { ShortcutsProvider } from "@/components/ui/shortcuts";
import { Toaster } from "@/components/ui/toaster";
import { TooltipProvider } from "@/components/ui/tooltip";

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider
      attribute="data-theme"
      defaultTheme="dark"
      enableSystem
      disableTransitionOnChange
      storageKey="switchyard-theme"
      nonce={nonce}
    >
      <NuqsAdapter>
        <TrpcProvider>
          <ShortcutsProvider>
            <CommandsProvider>
              <TooltipProvider delayDuration={400}>
                {children}
                <Toaster />
              </TooltipProvider>
            </CommandsProvider>
          </ShortcutsProvider>
        </TrpcProvider>
      </NuqsAdapter>
    </ThemeProvider>
  );
}
