// The look of a report: the colours of the product in both themes, as far as a page without fonts of its own can have it.
export const STYLE = `
:root { color-scheme: light dark; --yard: oklch(0.948 0.007 93); --panel: oklch(0.982 0.004 93); --well: oklch(0.962 0.006 93);
  --line: oklch(0.892 0.008 93); --ink: oklch(0.235 0.016 230); --ink-2: oklch(0.405 0.016 230); --ink-3: oklch(0.505 0.014 225);
  --ok: oklch(0.5 0.105 160); --fail: oklch(0.535 0.19 29); --warn: oklch(0.535 0.118 62); --lamp: oklch(0.88 0.178 97 / 0.26) }
@media (prefers-color-scheme: dark) { :root { --yard: oklch(0.182 0.008 205); --panel: oklch(0.208 0.008 205);
  --well: oklch(0.163 0.008 205); --line: oklch(0.29 0.01 205); --ink: oklch(0.955 0.006 95); --ink-2: oklch(0.805 0.008 150);
  --ink-3: oklch(0.675 0.01 190); --ok: oklch(0.785 0.132 163); --fail: oklch(0.705 0.182 30); --warn: oklch(0.8 0.13 68);
  --lamp: oklch(0.885 0.178 98 / 0.11) } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1080px; padding: 24px 20px 80px; background: var(--yard); color: var(--ink);
  font: 14px/1.5 Archivo, system-ui, sans-serif }
h1 { font-size: 22px; margin: 0 0 4px; overflow-wrap: anywhere } h2 { font-size: 15px; margin: 28px 0 8px }
a { color: inherit } p { margin: 6px 0 } .dim { color: var(--ink-3) } .note { background: var(--lamp); padding: 8px 12px; border-radius: 4px }
.tools { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 8px; padding: 10px 0; background: var(--yard) }
.tools[hidden] { display: none }
input, button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: 5px 10px }
input { flex: 1; min-width: 180px } :focus-visible { outline: 2px solid var(--ink); outline-offset: 1px }
ol.tree { list-style: none; margin: 0; padding: 0 } ol.tree li { padding: 2px 0; overflow-wrap: anywhere }
details { border: 1px solid var(--line); border-radius: 4px; background: var(--panel); margin: 6px 0 }
summary { padding: 8px 12px; cursor: pointer; overflow-wrap: anywhere } details > div { padding: 0 12px 12px }
details details { background: var(--well) } .code { font-weight: 600 } .status { font-weight: 600 }
.success { color: var(--ok) } .failed, .timeout { color: var(--fail) } .partial, .canceled { color: var(--warn) }
pre { margin: 4px 0 10px; padding: 8px 10px; background: var(--well); border: 1px solid var(--line); border-radius: 4px;
  white-space: pre-wrap; overflow-wrap: anywhere; font: 12.5px/1.5 "JetBrains Mono", ui-monospace, monospace }
.card { margin: 0 0 2px; color: var(--ink-2) } .d1 { margin-left: 18px } .d2 { margin-left: 36px } .d3 { margin-left: 54px }
.d4 { margin-left: 72px } .d5 { margin-left: 90px } .d6 { margin-left: 108px }
@media (max-width: 640px) { .d1, .d2, .d3, .d4, .d5, .d6 { margin-left: 8px } }
@media print { body { max-width: none; background: none } .tools { display: none } details { break-inside: auto }
  details::details-content { content-visibility: visible; block-size: auto } }
`;
