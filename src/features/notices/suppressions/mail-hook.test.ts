import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { accountEmail, noticeEmail } from '../email-words.ts';
import { listEmails, queueEmail } from '../store.ts';
import { findSuppression } from './suppressions-store.ts';

const secret = 'a secret of the mail provider, 32 letters long';
const system = { kind: 'system' } as const;
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  app.engines.installation.mailHookSecret = secret;
});
afterAll(() => app.close());

const sign = (body: string, by = secret) => `sha256=${createHmac('sha256', by).update(body).digest('hex')}`;
async function post(body: string, signature: string | undefined = sign(body), headers: Record<string, string> = {}) {
  const { statusCode } = await app.fastify.inject({
    method: 'POST',
    url: '/api/hooks/mail',
    remoteAddress: newBrowser().address ?? '',
    headers: { 'content-type': 'application/json', ...headers, ...(signature && { 'pf-signature': signature }) },
    payload: body,
  });
  return statusCode;
}
const report = (messageId: string, event: string, more: object = {}) =>
  JSON.stringify({ events: [{ messageId, event, ...more }] });

let people = 0;
/** An email that has left. @returns its id and whose it is */
async function sendEmail(write = accountEmail): Promise<{ id: string; to: string }> {
  const to = `hook-${++people}@example.com`;
  const now = new Date(app.engines.clock());
  await app.engines.database.work(system, (tx) =>
    queueEmail(tx, app.engines.jobs, { to, now, ...write('test', 'A test', 'Words.') }),
  );
  await expect.poll(async () => (await emailTo(to))?.state).toBe('sent');
  return { id: (await emailTo(to))?.id ?? '', to };
}
const emailTo = async (to: string) => {
  const emails = await app.engines.database.work(system, (tx) => listEmails(tx, 1000));
  return emails.find((email) => email.to === to);
};
const stateOf = async (to: string) => (await emailTo(to))?.state;
const suppressionOf = (to: string) =>
  app.engines.database.work(system, (tx) => findSuppression(tx, app.engines.keys, to));

describe('what a mail provider reports', () => {
  it('is noted by the Message-ID of the email, in whatever order it comes, and however often', async () => {
    const { id, to } = await sendEmail();
    const name = `<${id}@example.org>`;
    expect(await post(report(name, 'delivered'))).toBe(200);
    expect(await stateOf(to)).toBe('delivered');
    for (const event of ['complained', 'delivered', 'bounced', 'complained']) {
      expect(await post(report(name, event))).toBe(200);
      expect([event, await stateOf(to)]).toEqual([event, 'complained']);
    }
  });

  it('ends the notices to who complained or has no mailbox, and no code', async () => {
    for (const [event, more, reason] of [
      ['complained', {}, 'complained'],
      ['bounced', {}, 'bounced'],
      ['bounced', { isPermanent: false }, undefined],
      ['delivered', {}, undefined],
    ] as const) {
      const { id, to } = await sendEmail();
      expect(await post(report(id, event, more))).toBe(200);
      expect([event, await suppressionOf(to)]).toEqual([event, reason]);
      const now = new Date(app.engines.clock());
      for (const write of [noticeEmail, accountEmail])
        await app.engines.database.work(system, (tx) =>
          queueEmail(tx, app.engines.jobs, {
            to,
            now,
            ...write(`after_${write === noticeEmail}`, 'Another test', 'Words.'),
          }),
        );
      const states = async () => {
        const emails = await app.engines.database.work(system, (tx) => listEmails(tx, 1000));
        const after = emails.filter((email) => email.to === to && email.template.startsWith('after_'));
        return Object.fromEntries(after.map(({ template, state }) => [template, state]));
      };
      await expect
        .poll(states)
        .toEqual({ after_true: reason === undefined ? 'sent' : 'suppressed', after_false: 'sent' });
    }
  });

  it('says nothing of emails that are not ours, and is none where it is malformed', async () => {
    expect(await post(report('0196f0c2-7b1c-7e2a-8f00-0123456789ab', 'complained'))).toBe(200);
    for (const body of [
      '',
      '{',
      '[]',
      '{"events":{}}',
      report('x', 'delivered'),
      report('0196f0c2-7b1c-7e2a-8f00-0123456789ab', 'opened'),
    ])
      expect([body, await post(body)]).toEqual([body, 422]);
    const many = JSON.stringify({
      events: Array.from({ length: 1001 }, () => ({ messageId: 'x', event: 'delivered' })),
    });
    expect(await post(many)).toBe(422);
    const long = report('x'.repeat(300_000), 'delivered');
    expect(await post(long)).toBe(413);
  });

  it('is believed only when the very bytes that came are signed with the secret', async () => {
    const { id, to } = await sendEmail();
    const body = report(id, 'complained');
    for (const signature of [
      undefined,
      '',
      'sha256=',
      sign(body, 'another secret'),
      sign(`${body} `),
      sign(body).slice(0, -1),
      sign(body).toUpperCase(),
      sign(body).replace('sha256=', 'sha1='),
    ])
      expect([signature, await post(body, signature ?? '')]).toEqual([signature, 401]);
    expect(await post(`${body}\n`, sign(body))).toBe(401);
    expect(await stateOf(to)).toBe('sent');
    expect(await post(body, sign(body), { 'content-type': 'text/plain' })).toBe(200);
  });

  it('is not there at all without a secret', async () => {
    const { id, to } = await sendEmail();
    const closed = await openTestApp({ workJobs: false });
    const asked = await closed.fastify.inject({
      method: 'POST',
      url: '/api/hooks/mail',
      headers: { 'pf-signature': sign(report(id, 'complained')) },
      payload: report(id, 'complained'),
    });
    const unknown = await closed.fastify.inject({ method: 'POST', url: '/api/hooks/nothing', payload: '{}' });
    await closed.close();
    expect([asked.statusCode, asked.json().message]).toEqual([404, unknown.json().message]);
    expect(await stateOf(to)).toBe('sent');
  });
});
