// Selects words of a text as the mouse does: what the keys B and W of a card take.
import type { Locator } from "@playwright/test";

export async function selectWords(text: Locator, words: string): Promise<void> {
  await text.evaluate((element, sought) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const at = node.textContent?.indexOf(sought) ?? -1;
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + sought.length);
      window.getSelection()?.removeAllRanges();
      window.getSelection()?.addRange(range);
      return;
    }
    throw new Error(`no text node has: ${sought}`);
  }, words);
}
