/** Opens an app and waits for the first text that it shows. */

import type { Browser } from "playwright";

interface Watched {
  firstTextMs?: number;
}

/**
 * Milliseconds from the navigation to the first visible text of an app whose page is empty until the model's first
 * token.
 *
 * @throws if there is an error, a request to another origin, or no text
 */
export async function firstToken(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    let fail!: (fault: string) => void;
    const fault = new Promise<never>((_, reject) => {
      fail = (message) => reject(new Error(`${address}: ${message}`));
    });
    page.on("pageerror", (error) => fail(error.message));
    page.on("response", (response) => {
      if (response.status() >= 400) fail(`${response.status()} for ${response.url()}`);
    });
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (!/^(data|blob):$/.test(protocol) && origin !== new URL(address).origin) fail(request.url());
    });
    await page.addInitScript(() => {
      const watched = globalThis as Watched;
      new MutationObserver(() => {
        // Unlike `textContent`, without scripts.
        if (document.body?.innerText.trim()) watched.firstTextMs ??= performance.now();
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });
    fault.catch(() => {});
    await page.goto(address);
    const first = page.waitForFunction(() => (globalThis as Watched).firstTextMs, undefined, {
      timeout: 120_000,
    });
    const handle = await Promise.race([first, fault]);
    return (await handle.jsonValue())!;
  } finally {
    await context.close();
  }
}
