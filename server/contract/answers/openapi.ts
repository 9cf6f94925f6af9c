// The OpenAPI document itself.
import * as z from "zod";

export const OpenApiDocument = z
  .looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) })
  .meta({ id: "OpenApiDocument" });
