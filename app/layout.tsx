import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { faceMono, faceUi } from "./fonts";
import { Providers } from "./providers";
import "@fontsource-variable/archivo/wdth.css";
import "@fontsource-variable/jetbrains-mono";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Switchyard", template: "%s - Switchyard" },
  description: "Control plane and visual debugger for multi-agent context.",
  icons: { icon: "/icon.svg" },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: dark)", color: "#14191b" },
    { media: "(prefers-color-scheme: light)", color: "#faf9f5" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Asked for here, so that no page is made at build time: a page without this request's nonce would run no script.
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  // The theme is set on <html> by a script before React starts, so the server's markup differs there on purpose.
  return (
    <html lang="en" className={`${faceUi.variable} ${faceMono.variable}`} suppressHydrationWarning>
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}
