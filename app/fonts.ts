// Both faces are served by this server: no request leaves for a font, and the fallback has their metrics, so nothing shifts.
import localFont from "next/font/local";

export const faceUi = localFont({
  src: "../node_modules/@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2",
  variable: "--face-ui",
  weight: "100 900",
  declarations: [{ prop: "font-stretch", value: "62% 125%" }],
});

export const faceMono = localFont({
  src: "../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  variable: "--face-mono",
  weight: "100 800",
  adjustFontFallback: false,
});
