import type { ConsoleMessage, Page } from '@playwright/test';

/** What the browser complains about while a page is open; a page that is not the one it came as says so here. */
export async function collectComplaints(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  // What the policy of a page refuses is no error where the page's own code catches it.
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`${violatedDirective} refused ${blockedURI}`),
    ),
  );
  // On a busy machine the app puts figures off, and nothing else; it says so, and the page asks again.
  const isPutOff = (line: ConsoleMessage) =>
    line.text().includes('a status of 503') && line.location().url.includes('/rpc/insights/');
  page.on('console', (line) => line.type() === 'error' && !isPutOff(line) && complaints.push(line.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  return complaints;
}
