import type { Frame, Page } from '@playwright/test';
import type { Payments } from '#engines/payments/payments.ts';
import type { Fact } from '#tests/proofs/stripe/side.ts';
import { beginTrial, openChromium, openPayingApp } from '#tests/support/stripe-frame/paying-app.ts';
import { openTestApp } from '#tests/support/test-app.ts';
import { eventually, type Side } from './side.ts';

/** How a browser comes to the frame. */
export interface FrameReach {
  publishableKey: string;
  /** More words for Chromium: where the provider's names lead to; none for Stripe itself. */
  flags: readonly string[];
}

const isStripes = (frame: Frame) => /^https:\/\/([\w-]+\.)*stripe\.com\//.test(frame.url());

/** The frame of a checkout that is seen, once it is there. */
const findShown = (page: Page) => async (): Promise<Frame | undefined> => {
  for (const frame of page.frames().filter((one) => one.parentFrame() === page.mainFrame() && isStripes(one))) {
    const box = await (await frame.frameElement()).boundingBox();
    if (box !== null && box.height > 50) return frame;
  }
  return undefined;
};

/** Begins a trial on a page of the product, under its own headers, and tells what the browser makes of the provider's frame there. */
export async function showFrame(
  side: Pick<Side, 'patience' | 'run'> & { payments: Payments },
  { flags }: FrameReach,
): Promise<{ [name: string]: Fact }> {
  const app = await openTestApp({ now: new Date().toISOString(), workJobs: false });
  const paying = await openPayingApp(app, side.payments);
  const browser = await openChromium(flags);
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: flags.length > 0 });
    const refused: string[] = [];
    await page.exposeFunction('tellRefused', (what: string) => void refused.push(what));
    await page.addInitScript(`if (window === top) addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      tellRefused(effectiveDirective + ' ' + blockedURI))`);
    await page.goto(`${paying.url}/auth?action=signup`);
    await beginTrial(page, `${side.run}@example.com`);
    // A browser takes its time, whoever answers it.
    const patience = { tries: 120, pauseMs: 500 };
    const frame = await eventually({ ...side, patience } as Side, 'the frame', findShown(page));
    await frame.waitForLoadState();
    return {
      mayPay: await frame.evaluate<boolean>("document.featurePolicy.allowsFeature('payment')"),
      opensWindows: await frame.evaluate<boolean>("window.open('about:blank', 'wallet', 'popup') !== null"),
      refused: refused.toSorted(),
    };
  } finally {
    await browser.close();
    await paying.close();
    await app.close();
  }
}
