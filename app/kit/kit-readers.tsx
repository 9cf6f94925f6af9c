"use client";

import { useState } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { JsonView } from "@/components/ui/json-view";
import { MarkdownView } from "@/components/ui/markdown-view";
import { Segmented } from "@/components/ui/segmented";
import { TextView } from "@/components/ui/text-view";
import { Block } from "./block";

const small = {
  query: "LCOS 10h 2030 capex",
  index: "internal-archive",
  request: { endpoint: "/v2/search", nothing: null, is_live: true, empty: [], none: {} },
  hits: [
    {
      rank: 1,
      doc: "LDES cost survey 2025",
      page: 41,
      score: 0.913,
      snippet:
        "At ten hours, capital cost per kWh sets the ranking; round-trip efficiency decides only above 250 cycles a year.",
    },
    {
      rank: 2,
      doc: "Utility procurement log, H1",
      page: 7,
      score: 0.887,
      snippet: "Four bids under 120 per kWh installed, all non-lithium.",
    },
  ],
};
const big = {
  rows: Array.from({ length: 20000 }, (_, i) => ({ id: i, name: `row ${i}`, tags: ["a", "b"] })),
  text: "word ".repeat(200_000),
};
const md = `# Thermal storage

Carbon blocks **undercut** lithium at *ten hours*, see [the survey](https://example.org/survey) and \`cost_table\`. ~~Not at four.~~

- [x] capex
- [ ] opex
1. first
2. second

| chemistry | LCOS | hours |
|---|---:|---|
| iron-air | 0.08 | 100 |
| flow | 0.14 | 10 |

> A quote.

\`\`\`json
{ "a": 1 }
\`\`\`

![a chart](https://example.org/chart.png) <script>alert(1)</script> <b>raw html</b> [bad](javascript:alert(1))
`;
const yaml = `# the searcher
name: Associate_Search
tags: [search, cheap]
llm_config:
  provider: script
  max_steps: 12
allowed_tools:
  - fetch_url
delegation_policy: null
`;

export function KitReaders() {
  const [view, setView] = useState<"json" | "text" | "raw">("json");
  return (
    <>
      <Block title="JSON">
        <div className="waybill p-4 pt-2">
          <JsonView
            value={small}
            note="est. 2,131, reported 2,118"
            lead={
              <Segmented
                label="View"
                value={view}
                onChange={setView}
                choices={[
                  { value: "json", label: "JSON" },
                  { value: "text", label: "Text" },
                  { value: "raw", label: "Raw" },
                ]}
              />
            }
          />
        </div>
      </Block>
      <Block title="JSON, 20,000 rows and a megabyte of text">
        <JsonView value={big} label="Big JSON" maxHeight="320px" />
      </Block>
      <Block title="Markdown">
        <MarkdownView text={md} />
      </Block>
      <Block title="YAML and commands">
        <TextView text={yaml} language="yaml" />
        <CodeBlock isCommand code="npm run worker" />
      </Block>
    </>
  );
}
