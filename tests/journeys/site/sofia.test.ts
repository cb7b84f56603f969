import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { show, visit } from '../support/showing.ts';
import { becomeDemo } from '../support/steps.ts';

/** Sofia, as visitors and creators meet her, and the help page with the texts that she answers from. */
test.setTimeout(300_000);

const opener = (page: Page) => page.getByRole('button', { name: 'Ask Sofia' });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Sofia' });
const field = (page: Page) => panel(page).getByLabel('Your question');
const log = (page: Page) => panel(page).getByRole('log');
const offered = (page: Page) => panel(page).getByRole('list', { name: 'Questions to begin with' }).getByRole('button');

/** Answers the next question in the server's place. */
const answerWith = (page: Page, status: number, body: unknown) =>
  page.route(
    '**/rpc/assistant/chat',
    (route) => route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }),
    { times: 1 },
  );

test('a visitor asks on the landing page, by hand and by keyboard', { tag: '@main' }, async ({ page, app }) => {
  const parts: string[] = [];
  page.on('request', (request) => request.url().includes('chat-panel') && parts.push(request.url()));
  await visit(page, app, '/', /./);
  await expect(opener(page)).toBeVisible();
  await page.waitForLoadState('load');
  expect(parts, 'nothing of the chat comes before it is asked for').toEqual([]);

  await opener(page).click();
  await expect(panel(page)).toBeVisible();
  expect(parts).not.toEqual([]);
  await expect(field(page)).toBeFocused();
  await expect(offered(page)).toHaveText([
    'What is PrivateFans?',
    'How much does it cost?',
    'What are your pricing plans?',
    'How do I get started?',
    'What features do you offer?',
  ]);
  await show(page, 'chat');

  await field(page).fill('   ');
  await page.keyboard.press('Enter');
  await expect(panel(page).getByRole('button', { name: 'Send' })).toBeDisabled();
  await expect(offered(page), 'a blank message is not sent').toHaveCount(5);

  await page.route('**/rpc/assistant/chat', async (route) => {
    await expect(field(page)).toBeDisabled();
    await expect(log(page)).toContainText('Sofia is thinking...');
    await expect(offered(page)).toHaveCount(0);
    await route.fallback();
  });
  await offered(page).filter({ hasText: 'How much does it cost?' }).click();
  await expect(log(page)).toContainText('7 days free, then $3.99 a month. No card needed.');
  await expect(log(page)).not.toContainText('Sofia is thinking...');
  await expect(offered(page)).toHaveCount(0);
  await expect(field(page), 'the field has the focus again').toBeFocused();
  await expect(log(page).getByRole('link', { name: 'Pricing' })).toHaveAttribute('href', '/pricing');
  await show(page, 'chat-answer');

  // Round and round by keyboard: the focus stays inside.
  for (let n = 0; n < 8; n++) {
    await page.keyboard.press('Tab');
    expect(await panel(page).evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(opener(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(log(page), 'the conversation lives as long as the page').toContainText('No card needed.');
});

test('what goes wrong is told, and nothing that is said becomes a part of the page', async ({ page, app }) => {
  await visit(page, app, '/', /./);
  await opener(page).click();
  const ask = async (text: string) => {
    await field(page).fill(text);
    await page.keyboard.press('Enter');
  };
  await page.route('**/rpc/assistant/chat', (route) => route.abort(), { times: 1 });
  await ask('hello?');
  await expect(log(page)).toContainText(
    "I'm sorry, I'm having trouble connecting right now. Please try again in a moment! ❤️",
  );
  await answerWith(page, 200, { json: { response: '' } });
  await ask('and now');
  await expect(log(page)).toContainText("I'm here to help! Could you rephrase your question?");
  const hostile =
    '<img src=x onerror="document.title=1"> [x](https://evil.example) `https://evil.example` **bold** __line__ *lean*';
  await answerWith(page, 200, { json: { response: hostile } });
  await ask('<script>document.title=2</script>');
  await expect(log(page)).toContainText('<img src=x onerror="document.title=1">');
  await expect(log(page)).toContainText('<script>document.title=2</script>');
  await expect(log(page).locator('img, script, a')).toHaveCount(0);
  await expect(log(page).locator('strong', { hasText: 'bold' })).toHaveCount(1);
  await expect(log(page).locator('u')).toHaveText('line');
  await expect(log(page).locator('em')).toHaveText('lean');
  await expect(page).toHaveTitle(/PrivateFans/);
  await ask('someone blackmails me');
  await expect(log(page)).toContainText('call your local emergency number');
});

test('a creator has her own questions, on her home page and nowhere else', async ({ page, app }) => {
  await becomeDemo(page, app);
  await visit(page, app, '/', /, Ana$/);
  await opener(page).click();
  await expect(offered(page)).toHaveText([
    'How do I upload an album?',
    'How do I create magic links?',
    'How do I check my earnings?',
    'How do I manage access requests?',
    'How do custom requests work?',
  ]);
  await show(page, 'chat-creator');
  await offered(page).filter({ hasText: 'How do I create magic links?' }).click();
  await expect(log(page)).toContainText(/You have \d+ active links? right now/);
  await log(page).getByRole('link', { name: 'Magic links' }).click();
  await expect(page).toHaveURL(/\/magic-links$/);
  for (const elsewhere of ['/albums', '/profile', '/pricing', '/help']) {
    await visit(page, app, elsewhere, /./);
    await expect(opener(page)).toHaveCount(0);
  }
  await page.context().clearCookies();
  await visit(page, app, '/auth', 'Welcome Back');
  await expect(opener(page)).toHaveCount(0);
});

test('the help page is searched, and leads to what an address names', async ({ page, app, browser }) => {
  await visit(page, app, '/help', 'Help');
  await show(page, 'help');
  await page.getByLabel('Search the help').fill('how do i revok acess');
  await expect(page.getByRole('status').filter({ hasText: 'found' })).toBeVisible();
  const first = page.getByRole('region', { name: 'What fits' }).locator('details').first();
  await expect(first).toContainText('Can I take a link back?');
  await first.locator('summary').click();
  await expect(first).toContainText('open screens close within 30 seconds');
  await show(page, 'help-found');
  await page.getByLabel('Search the help').fill('qwertzuiop');
  await expect(page.getByText('Nothing fits that. Try other words.')).toBeVisible();
  await page.goto(`${app.url}/help#link-password`);
  await expect(page.locator('#link-password')).toHaveAttribute('open', '');
  await expect(page.locator('#link-password')).toContainText('send it separately');

  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${app.url}/help`);
  await expect(plain.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible();
  expect(await plain.locator('details').count()).toBeGreaterThanOrEqual(60);
  await plain.locator('#take-back summary').click();
  await expect(plain.locator('#take-back')).toContainText('choose Revoke');
  await context.close();
});
