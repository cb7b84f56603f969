import { afterEach, describe, expect, it } from 'vitest';
import { type MailSink, openMailSink } from '#tests/support/servers/mail-sink.ts';
import { type Email, EmailDeferred, EmailRefused } from './mail.ts';
import { openOutboxOnly } from './outbox-only.ts';
import { openSmtp } from './smtp.ts';

const sinks: MailSink[] = [];
afterEach(async () => {
  for (const sink of sinks.splice(0)) await sink.close();
});

/** Mail through a server of the test's own. */
async function openMail(answers?: Record<string, string>) {
  const sink = await openMailSink(answers);
  sinks.push(sink);
  return { ...sink, mail: openSmtp(sink.url, 'PrivateFans <hello@example.org>') };
}

const email: Email = { id: '0196f0c2-7b1c', to: 'anna@example.com', subject: 'Grüße', text: 'Hello\n.\nÄnna' };

describe('mail by SMTP', () => {
  it('sends plain text with a neutral sender and a name that stays the same', async () => {
    const { received, mail } = await openMail();
    await mail.send(email);
    const [{ from, to, data } = { from: '', to: [], data: '' }] = received;
    expect([from, to]).toEqual([
      expect.stringContaining('<hello@example.org>'),
      [expect.stringContaining('<anna@example.com>')],
    ]);
    expect(data).toContain('From: PrivateFans <hello@example.org>');
    expect(data).toContain('Message-ID: <0196f0c2-7b1c@example.org>');
    expect(data).toContain('Auto-Submitted: auto-generated');
    expect(data).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
    expect(data).not.toContain('text/html');
    const body = data.split('\n\n').slice(1).join('\n\n');
    expect(
      Buffer.from(
        body.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString(),
    ).toContain('Änna');
  });

  it('sends HTML beside the plain text, and the headers that an email brings', async () => {
    const { received, mail } = await openMail();
    const headers = { 'List-Unsubscribe': '<https://example.org/unsubscribe/a.b>' };
    await mail.send({ ...email, text: 'Hello', html: '<p>Hello</p>', headers });
    const { data = '' } = received[0] ?? {};
    expect(data).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(data.indexOf('text/plain')).toBeGreaterThan(0);
    expect(data.indexOf('text/html')).toBeGreaterThan(data.indexOf('text/plain'));
    expect(data).toContain('<p>Hello</p>');
    expect(data).toMatch(/^List-Unsubscribe: <https:\/\/example\.org\/unsubscribe\/a\.b>$/m);
    expect(data).toContain('Auto-Submitted: auto-generated');
  });

  it("never writes to a second recipient or a header of the sender's making", async () => {
    const { received, mail } = await openMail();
    await mail
      .send({ ...email, to: 'anna@example.com, eve@example.com', subject: 'x\r\nBcc: eve@example.com' })
      .catch(() => undefined);
    await mail.send({ ...email, to: 'anna@example.com\r\nRCPT TO:<eve@example.com>' }).catch(() => undefined);
    for (const { to, data } of received) {
      expect(to.length).toBeLessThanOrEqual(1);
      expect(to.join()).not.toMatch(/<eve@example\.com>/);
      expect(data).not.toMatch(/^Bcc:/m);
    }
  });

  it.each([
    ['is busy', { RCPT: '451 try again later' }, true],
    ['does not greet us', { EHLO: '421 no', HELO: '421 no' }, false],
    ['does not know us', { MAIL: '530 authentication required' }, false],
    ['takes nothing from us for others', { RCPT: '550 relay denied' }, true],
    ['does not like what it says', { '.': '554 this looks like spam' }, true],
  ])('may be tried again when the server %s, and says if the recipient can be why', async (_, answers, canBe) => {
    const { mail } = await openMail(answers);
    const failure = await mail.send(email).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(EmailRefused);
    expect(failure instanceof EmailDeferred).toBe(canBe);
    if (canBe) expect((failure as Error).message).toContain(Object.values(answers)[0]);
  });

  it('may be tried again when nobody answers', async () => {
    const { mail, close } = await openMail();
    await close();
    await expect(mail.send(email)).rejects.toThrow('ECONNREFUSED');
  });

  it('says where emails go without the password', () => {
    const { place } = openSmtp('smtp://user:secret@mail.example.org:587', 'hello@example.org');
    expect(place).toBe('mail server mail.example.org');
  });
});

describe('mail without a server', () => {
  it('keeps emails in the outbox', async () => {
    const mail = openOutboxOnly();
    await mail.send(email);
    expect(mail.place).toContain('/dev/outbox');
  });
});
