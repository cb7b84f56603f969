import { expect, type Page } from '@playwright/test';

/** Taps what pays, and expects that the terms that stand on the page go with it: only then does an order keep them. */
export async function expectTermsSent(page: Page, terms: string, tap: () => Promise<void>): Promise<void> {
  await expect(page.getByText(terms)).toBeVisible();
  const asked = page.waitForRequest(
    (request) =>
      request.postData()?.includes('"amountCents"') === true || request.postData()?.includes('"priceCents"') === true,
  );
  await tap();
  expect((await asked).postData()).toContain(`"shownTerms":${JSON.stringify(terms)}`);
}
