// Once per run of a project with a database: a server, and in it a migrated template that every test file copies.
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "@/server/embedded/start";
import { migrate } from "@/server/migrate";
import { makeScratch, removeAbandonedScratch, removeScratch } from "./scratch";

declare module "vitest" {
  export interface ProvidedContext {
    admin_url: string;
    template: string;
  }
}

// The data is thrown away after the run, so no write waits for a disk.
const unsafe = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: 200 };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandonedScratch();
  const given = process.env.TEST_DATABASE_URL;
  const scratch = given ? null : makeScratch();
  const adminUrl = given ?? (await startEmbedded({ dataDir: scratch ?? "", settings: unsafe })).admin_url;
  const template = `switchyard_template_${process.pid}_${project.name.replace(/\W/g, "_")}`;
  await inDatabase(adminUrl, `CREATE DATABASE ${template}`);
  await migrate(urlOf(adminUrl, template));
  project.provide("admin_url", adminUrl);
  project.provide("template", template);
  return async () => {
    if (scratch) await removeScratch(scratch);
    else await inDatabase(adminUrl, `DROP DATABASE ${template} WITH (FORCE)`);
  };
}

async function inDatabase(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}
