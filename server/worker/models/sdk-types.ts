// The SDK's own types under the names used here. They belong to a package that comes with the providers' clients and is
// not a direct dependency.
import type { createOpenAI } from "@ai-sdk/openai";

export type SdkModel = ReturnType<ReturnType<typeof createOpenAI>>;
export type SdkCall = Parameters<SdkModel["doStream"]>[0];
export type SdkMessage = SdkCall["prompt"][number];
export type SdkAssistantPart = Extract<SdkMessage, { role: "assistant" }>["content"][number];
export type SdkMetadata = NonNullable<SdkCall["providerOptions"]>;
type SdkStream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];
export type SdkPart = SdkStream extends ReadableStream<infer Part> ? Part : never;
export type SdkFinish = Extract<SdkPart, { type: "finish" }>;
export type SdkWhole = Awaited<ReturnType<SdkModel["doGenerate"]>>;
