import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyRingOf, serverKey } from '#engines/keys/key-ring.ts';
import { must, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { noticeEmail } from './email-words.ts';
import { queueEmail } from './store.ts';
import { findSuppression } from './suppressions/suppressions-store.ts';
import { unsubscribeToken } from './unsubscribing.ts';

const system = { kind: 'system' } as const;
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const tokenFor = (to: string) => app.engines.database.work(system, (tx) => unsubscribeToken(tx, app.engines.keys, to));
let people = 0;
/** A notice in the outbox. @returns whose it is, and the token in its link */
async function queueNotice(to = `reader-${++people}@example.com`) {
  const now = new Date(app.engines.clock());
  await app.engines.database.work(system, (tx) =>
    queueEmail(tx, app.engines.jobs, { to, now, ...noticeEmail('test', 'A notice', 'Words.') }),
  );
  return { to, token: await tokenFor(to) };
}
const reasonOf = (to: string) => app.engines.database.work(system, (tx) => findSuppression(tx, app.engines.keys, to));

interface Asked {
  method?: 'GET' | 'POST' | 'HEAD';
  headers?: Record<string, string>;
  payload?: string;
}
const ask = (token: string, { method = 'GET', headers = {}, payload }: Asked = {}) =>
  app.fastify.inject({
    method,
    url: `/unsubscribe/${token}`,
    remoteAddress: newBrowser().address ?? '',
    headers: { host: 'localhost:3000', ...headers },
    ...(payload !== undefined && { payload }),
  });
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const oneClick = { method: 'POST', headers: form, payload: 'List-Unsubscribe=One-Click' } as const;

describe('one click in a mail program', () => {
  it('unsubscribes with what is in the address alone: no cookie, no origin, no redirect', async () => {
    const { to, token } = await queueNotice();
    const answer = await ask(token, oneClick);
    expect([answer.statusCode, answer.headers.location, answer.headers['set-cookie']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
    expect(await reasonOf(to)).toBe('unsubscribed');
    expect((await ask(token, oneClick)).statusCode).toBe(200);
  });

  it.each([
    [
      'in parts',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['with no type', {}, 'List-Unsubscribe=One-Click'],
    ['with no body', {}, undefined],
    [
      'from our own page, with the cookies of somebody else',
      { ...form, origin: 'http://localhost:3000', cookie: 'pf.session_token=x' },
      'List-Unsubscribe=One-Click',
    ],
  ])('works %s', async (_, headers, payload) => {
    const { to, token } = await queueNotice();
    const answer = await ask(token, { method: 'POST', headers, ...(payload !== undefined && { payload }) });
    expect(answer.statusCode).toBe(200);
    expect(await reasonOf(to)).toBe('unsubscribed');
  });

  it('ends nothing by GET or HEAD, which only ask, alike for every token', async () => {
    const { to, token } = await queueNotice();
    const [asked, madeUp] = [await ask(token), await ask('made-up')];
    await ask(token, { method: 'HEAD' });
    expect([asked.statusCode, asked.body]).toEqual([200, madeUp.body]);
    expect(asked.body).toContain('<form method="post">');
    expect(asked.body).not.toContain(to);
    expect(await reasonOf(to)).toBeUndefined();
  });

  it.each(['.', ',', ')', '>', '.)', '”', '%3E.'])(
    'forgives %s that a program took along behind the link',
    async (behind) => {
      const { to, token } = await queueNotice();
      expect((await ask(`${token}${behind}`, oneClick)).statusCode).toBe(200);
      expect(await reasonOf(to)).toBe('unsubscribed');
    },
  );

  it('takes no token that was changed, or is of another email', async () => {
    const [one, other] = [await queueNotice(), await queueNotice()];
    const [id = '', mac = ''] = one.token.split('.');
    const [otherId = ''] = other.token.split('.');
    const wrong = [id, mac, `${otherId}.${mac}`, `${id}.${mac.slice(1)}`, `${id.slice(1)}.${mac}`, `${id}.`, '.'];
    for (const token of wrong) expect([token, (await ask(token, oneClick)).statusCode]).toEqual([token, 404]);
    expect([await reasonOf(one.to), await reasonOf(other.to)]).toEqual([undefined, undefined]);
  });

  it('takes a token of earlier emails, which names the email', async () => {
    const { to } = await queueNotice();
    const [row] = await readRows(app, 'select id from mail_outbox where recipient = $1', [to]);
    const key = serverKey(app.engines.keys, 'pf1:unsubscribe');
    const mac = createHmac('sha256', key).update(String(row?.id)).digest().subarray(0, 16);
    expect((await ask(`${row?.id}.${mac.toString('base64url')}`, oneClick)).statusCode).toBe(200);
    expect(await reasonOf(to)).toBe('unsubscribed');
  });

  it('works when the email has been forgotten', async () => {
    const { to, token } = await queueNotice();
    await readRows(app, 'delete from mail_outbox where recipient = $1', [to]);
    expect((await ask(token, oneClick)).statusCode).toBe(200);
    expect(await reasonOf(to)).toBe('unsubscribed');
  });
});

it('a list whose master key is away is empty, and whole again when that is back', async () => {
  const { to, token } = await queueNotice();
  await ask(token, oneClick);
  const kept = app.engines.keys;
  const other = { id: 'b', key: Buffer.alloc(32, 2) };
  app.engines.keys = keyRingOf([other]);
  expect(await reasonOf(to)).toBeUndefined();
  app.engines.keys = keyRingOf([other, kept.current]);
  expect(await reasonOf(to)).toBe('unsubscribed');
  app.engines.keys = kept;
});

it('a creator sees that she unsubscribed, and turns her notices on again', async () => {
  const { userId, email } = await signUpCreator(app);
  const browser = await signInQuickly(app, userId);
  const { token } = await queueNotice(email);
  expect((await must(app, 'notices.settings', {}, browser)).mailStopped).toBeNull();
  await ask(token, oneClick);
  expect((await must(app, 'notices.settings', {}, browser)).mailStopped).toBe('unsubscribed');
  await must(app, 'notices.resumeMail', {}, browser);
  expect((await must(app, 'notices.settings', {}, browser)).mailStopped).toBeNull();
});
