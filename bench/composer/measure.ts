// Main-thread CPU of one step at a time, and the longest frame. A machine without a graphics card draws slowly anyway, so it is not
// frames per second that is measured.
import type { CDPSession, Page } from "@playwright/test";

export type Figures = { p50: number; p95: number; longest: number };

export class Meter {
  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  static async of(page: Page): Promise<Meter> {
    const session = await page.context().newCDPSession(page);
    // Else time counts in which another process had the processor.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.evaluate(`(() => {
      window.longest = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration);
      }).observe({ type: "longtask" });
    })()`);
    return new Meter(page, session);
  }

  private async busy(): Promise<number> {
    const { metrics } = await this.session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
  }

  /** Each step is done, drawn, and weighed by itself, less what asking costs. */
  async steps(count: number, step: (i: number) => Promise<void>): Promise<Figures> {
    await this.page.evaluate("window.longest = 0");
    const idle = await this.weigh(async () => undefined);
    const taken: number[] = [];
    for (let i = 0; i < count; i++) taken.push(Math.max(0, (await this.weigh(() => step(i))) - idle));
    taken.sort((a, b) => a - b);
    const at = (share: number) => taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? 0;
    return { p50: at(0.5), p95: at(0.95), longest: Number(await this.page.evaluate("window.longest")) };
  }

  private async weigh(step: () => Promise<void>): Promise<number> {
    const before = await this.busy();
    await step();
    await this.page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))",
    );
    return (await this.busy()) - before;
  }
}
