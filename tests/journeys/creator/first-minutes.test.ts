import type { Locator } from '@playwright/test';
import { expect, openPhone, test } from '../support/app.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { photosOf, readClipboard } from '../support/steps.ts';

/*
 * Somebody new, on a phone, who knows only the address: every control is found on the screen by its words, and what a
 * person needs for it is added up as the Keystroke-Level Model does (Card, Moran and Newell 1980): seconds to decide, to
 * tap, to type a key, to scroll. So "under three minutes" is a sum of steps, never the haste of a machine; half a minute
 * is left for what the app and the line need.
 */
const seconds = { decide: 1.35, tap: 1.1, key: 0.28, scroll: 1.5 };
/** To the app with the emails and back; through the phone's own gallery. */
const elsewhere = { emails: 8, gallery: 6 };

test('somebody new shares a photo and takes it back in under three minutes on a phone', { tag: '@main' }, async ({
  app,
  browser,
}) => {
  test.setTimeout(240_000);
  const phone = await openPhone(browser);
  await phone.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await phone.newPage();
  const hand = openHand();
  const email = `new-${process.pid}@example.com`;

  await page.goto(app.url);
  await hand.tap(page.getByRole('link', { name: 'Start Free Trial' }).first());
  await hand.type(page.getByLabel('Email'), email);
  await hand.tap(page.getByRole('checkbox', { name: /18 years or older/ }));
  await hand.tap(page.getByRole('button', { name: 'Start Free Trial' }));
  const checkout = page.frameLocator('iframe[title="Secure checkout"]');
  await hand.tap(checkout.getByRole('button', { name: 'Start Free Trial' }));
  await expect(page.getByLabel('6-digit code')).toBeVisible();
  hand.spend(elsewhere.emails);
  await hand.type(page.getByLabel('6-digit code'), (await app.readEmail(email)).code);
  const next = page.getByRole('button', { name: 'Next', exact: true });
  await hand.type(page.getByLabel('Password', { exact: true }), 'three calm rivers');
  await hand.tap(next);
  await hand.type(page.getByLabel('Display name'), 'Mia');
  await hand.type(page.getByLabel('Handle'), `mia${process.pid}`);
  await hand.tap(next);
  await hand.type(page.getByLabel('Date of birth'), '1994-05-01');
  await hand.tap(page.getByRole('checkbox', { name: /only person shown/ }));
  await hand.tap(next);

  await hand.tap(page.getByRole('button', { name: /Upload photos/ }));
  await hand.type(page.getByLabel('Name'), 'Lake');
  await hand.tap(page.getByRole('button', { name: 'Create album' }));
  await expect(page.getByRole('heading', { name: 'Lake', level: 1 })).toBeVisible();
  const [picker] = await Promise.all([
    page.waitForEvent('filechooser'),
    hand.tap(page.getByRole('button', { name: 'Add photos or videos' })),
  ]);
  hand.spend(elsewhere.gallery);
  await picker.setFiles(pictureFiles('evening'));
  await expect(photosOf(page)).toHaveCount(1, { timeout: 60_000 });
  await hand.tap(page.getByRole('link', { name: 'Share' }));
  await hand.tap(page.getByRole('button', { name: 'Only me' }));
  await expect(page.getByRole('region', { name: 'Who is shown?' })).toBeHidden();
  await hand.tap(page.getByRole('button', { name: 'Copy link' }));
  await hand.tap(page.getByRole('button', { name: 'Skip' }));
  // The clipboard may still hold what another story has copied.
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const address = await readClipboard(page);

  const other = await openPhone(browser);
  const viewer = await other.newPage();
  await viewer.goto(address);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.locator('#grid canvas[data-painted]')).toHaveCount(1, { timeout: 30_000 });
  // A photo alone is no tile of a grid.
  const share = await viewer.locator('#grid > *').evaluate((tile) => tile.getBoundingClientRect().width / innerWidth);
  expect(share).toBeGreaterThan(0.8);

  await hand.tap(page.getByRole('button', { name: 'Close' }));
  await hand.tap(page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' }));
  await hand.tap(page.getByRole('menuitem', { name: 'Links' }));
  await hand.tap(page.getByRole('button', { name: /^Actions for/ }));
  await hand.tap(page.getByRole('menuitem', { name: /Revoke/ }));
  await hand.tap(page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }));
  await expect(viewer.getByRole('heading', { name: 'Access ended' })).toBeVisible({ timeout: 30_000 });
  process.stdout.write(`    ${hand.reported()}\n`);
  expect(hand.spent(), 'seconds of a person').toBeLessThan(150);
  await Promise.all([phone.close(), other.close()]);
});

interface Hand {
  /** Taps what can be seen; scrolls to it when it is further down. */
  tap(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** Seconds in another app. */
  spend(more: number): void;
  /** Seconds so far. */
  spent(): number;
  reported(): string;
}

/** A hand on a phone, that does one thing after the other and counts what each takes. */
function openHand(): Hand {
  const count = { taps: 0, keys: 0, scrolls: 0, elsewhere: 0 };
  const reach = async (target: Locator) => {
    await expect(target).toBeVisible({ timeout: 30_000 });
    const isOnScreen = () =>
      target.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    if (await isOnScreen()) return;
    count.scrolls++;
    await target.scrollIntoViewIfNeeded();
  };
  const spent = () =>
    count.taps * (seconds.decide + seconds.tap) +
    count.keys * seconds.key +
    count.scrolls * seconds.scroll +
    count.elsewhere;
  return {
    async tap(target) {
      await reach(target);
      count.taps++;
      await target.tap();
    },
    async type(target, text) {
      await reach(target);
      const hasFocus = await target.evaluate((element) => element === document.activeElement);
      if (!hasFocus) count.taps++;
      count.keys += text.length;
      await target.fill(text);
    },
    spend: (more) => {
      count.elsewhere += more;
    },
    spent,
    reported: () =>
      `${count.taps} taps, ${count.keys} keys, ${count.scrolls} scrolls: ${Math.round(spent())} s of a person`,
  };
}
