import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyRingOf } from '#engines/keys/key-ring.ts';
import { EmailRefused } from '#engines/mail/mail.ts';
import { confirm, now, type Outbox, openOutbox, poll, system, to } from '#tests/support/outbox.ts';
import { emailsOfNotices } from '../notice-words.ts';
import { liftSuppression, suppressAddress } from './suppressions-store.ts';

let box: Outbox;
beforeEach(async () => {
  box = await openOutbox();
});
afterEach(() => box.close());

describe('an address that gets no notices', () => {
  const place = { publicUrl: 'https://x.test', timeZone: 'Europe/Berlin' };
  const [notice = confirm] = emailsOfNotices([{ event: 'storage', percent: 80 }], place);
  const stop = (reason: 'bounced' | 'complained' | 'unsubscribed') =>
    box.database.work(system, (tx) =>
      suppressAddress(tx, box.engines.keys, { address: 'Bob@example.org', reason, now }),
    );

  it.each(['bounced', 'complained', 'unsubscribed'] as const)('because it %s still gets codes', async (reason) => {
    await stop(reason);
    await box.queue(system, notice);
    await poll(box.stateOf).toBe('suppressed');
    expect((await box.list())[0]).toMatchObject({ template: 'storage', text: '', tries: 0 });
    await box.queue();
    await poll(() => box.sent.map(({ subject }) => subject)).toEqual([confirm.subject]);
  });

  it.each([true, false])('is one whose mail server says that there is no such mailbox: %s', async (hasNoMailbox) => {
    box.refusal = new EmailRefused(new Error('550 5.1.1 no such user'), { hasNoMailbox });
    await box.queue();
    await poll(box.stateOf).toBe('bounced');
    box.refusal = undefined;
    await box.queue(system, notice);
    const state = async () => (await box.list()).find(({ template }) => template === 'storage')?.state;
    await poll(state).toBe(hasNoMailbox ? 'suppressed' : 'sent');
  });

  it('gets them again when that is lifted, also with other master keys', async () => {
    await stop('unsubscribed');
    box.engines.keys = keyRingOf([
      { id: 'b', key: Buffer.alloc(32, 2) },
      { id: 'a', key: Buffer.alloc(32, 1) },
    ]);
    await box.queue(system, notice);
    await poll(box.stateOf).toBe('suppressed');
    await box.database.work(system, (tx) => liftSuppression(tx, box.engines.keys, to));
    await box.queue(system, notice);
    await poll(() => box.sent.map(({ subject }) => subject)).toEqual([notice.subject]);
  });

  it('is told in each notice how to get there, and a mail program by headers that it knows', async () => {
    await box.queue(system, notice);
    await box.queue();
    await poll(() => box.sent.length).toBe(2);
    const [about, code] = ['Your storage is filling up', confirm.subject].map((subject) =>
      box.sent.find((email) => email.subject === subject),
    );
    const [, address = ''] =
      /^<(https:\/\/x\.test\/unsubscribe\/[\w.-]+)>$/.exec(about?.headers?.['List-Unsubscribe'] ?? '') ?? [];
    expect(about?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    for (const body of [about?.text, about?.html]) expect(body).toContain(address);
    expect(about?.text).toContain('https://x.test/profile/notifications');
    expect(JSON.stringify(code)).not.toMatch(/unsubscribe/i);
  });

  it('is told nothing by headers where there is no https', async () => {
    box.engines.installation.publicUrl = 'http://localhost:3000';
    await box.queue(system, notice);
    await poll(() => box.sent[0]?.headers).toEqual({});
    expect(box.sent[0]?.text).toContain('http://localhost:3000/unsubscribe/');
  });
});
