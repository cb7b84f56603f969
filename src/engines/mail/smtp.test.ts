import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { type Letter, LetterRefused } from './mail.ts';
import { openOutboxOnly } from './outbox-only.ts';
import { openSmtp } from './smtp.ts';

/** What a mail server was told in one conversation. */
interface Conversation {
  from: string;
  to: string[];
  data: string;
}

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server?.close();
  if (server?.listening) await once(server, 'close');
  server = undefined;
});

/** A mail server that keeps what it is told; `answers` replaces its answer to a command. */
async function openSink(answers: Record<string, string> = {}) {
  const heard: Conversation[] = [];
  server = createServer((socket) => {
    sockets.add(socket);
    const say = (line: string) => socket.write(`${line}\r\n`);
    let talk: Conversation = { from: '', to: [], data: '' };
    let isData = false;
    const hearData = (line: string) => {
      if (line !== '.') {
        talk.data += `${line}\n`;
        return;
      }
      isData = false;
      if (answers['.'] === undefined) heard.push(talk);
      talk = { from: '', to: [], data: '' };
      say(answers['.'] ?? '250 ok');
    };
    const hearCommand = (line: string) => {
      const command = (line.split(/[ :]/)[0] ?? '').toUpperCase();
      if (command === 'MAIL') talk.from = line;
      if (command === 'RCPT') talk.to.push(line);
      isData = command === 'DATA';
      say(answers[command] ?? (isData ? '354 go on' : '250 ok'));
    };
    say('220 sink');
    createInterface({ input: socket }).on('line', (line) => (isData ? hearData(line) : hearCommand(line)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { heard, mail: openSmtp(`smtp://127.0.0.1:${port}?ignoreTLS=true`, 'PrivateFans <hello@example.org>') };
}

const letter: Letter = { id: '0196f0c2-7b1c', to: 'anna@example.com', subject: 'Grüße', text: 'Hello\n.\nÄnna' };

describe('mail by SMTP', () => {
  it('sends plain text with a neutral sender and a name that stays the same', async () => {
    const { heard, mail } = await openSink();
    await mail.send(letter);
    const [{ from, to, data } = { from: '', to: [], data: '' }] = heard;
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

  it('never writes to a second recipient or a header of the sender’s making', async () => {
    const { heard, mail } = await openSink();
    await mail
      .send({ ...letter, to: 'anna@example.com, eve@example.com', subject: 'x\r\nBcc: eve@example.com' })
      .catch(() => undefined);
    await mail.send({ ...letter, to: 'anna@example.com\r\nRCPT TO:<eve@example.com>' }).catch(() => undefined);
    for (const { to, data } of heard) {
      expect(to.length).toBeLessThanOrEqual(1);
      expect(to.join()).not.toMatch(/<eve@example\.com>/);
      expect(data).not.toMatch(/^Bcc:/m);
    }
  });

  it.each([
    ['the recipient', { RCPT: '550 no such user' }],
    ['the letter', { '.': '554 this looks like spam' }],
  ])('knows that %s was refused for good', async (_, answers) => {
    const { mail } = await openSink(answers);
    await expect(mail.send(letter)).rejects.toBeInstanceOf(LetterRefused);
  });

  it.each([
    ['is busy', { RCPT: '451 try again later' }],
    ['does not know us', { MAIL: '530 authentication required' }],
  ])('may be tried again when the server %s', async (_, answers) => {
    const { mail } = await openSink(answers);
    const failure = await mail.send(letter).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(LetterRefused);
  });

  it('may be tried again when nobody answers', async () => {
    const { mail } = await openSink();
    server?.close();
    await expect(mail.send(letter)).rejects.toThrow('ECONNREFUSED');
  });

  it('says where letters go without the password', () => {
    const { place } = openSmtp('smtp://user:secret@mail.example.org:587', 'hello@example.org');
    expect(place).toBe('mail server mail.example.org');
  });
});

describe('mail without a server', () => {
  it('keeps letters in the outbox', async () => {
    const mail = openOutboxOnly();
    await mail.send(letter);
    expect(mail.place).toContain('/dev/outbox');
  });
});
