import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { readOutbox } from './support/developer.ts';
import { openMailSink } from './support/servers/mail-sink.ts';
import { findFreePort, makeDataDir, type ServerProcess, spawnServer } from './support/servers/server-process.ts';
import { visit } from './support/servers/visitor.ts';

const dataDir = makeDataDir('pf-mail-');
let server: ServerProcess | undefined;
afterAll(async () => {
  await server?.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

test('emails stay in the outbox, and leave by SMTP once SMTP_URL names a mail server', async () => {
  const sink = await openMailSink();
  const port = await findFreePort();
  const start = async (environment: Record<string, string>) => {
    server = spawnServer({ port, dataDir, environment });
    await server.untilUp();
    return server;
  };
  const emailsTo = async (to: string) =>
    (await readOutbox({ url: `http://localhost:${port}`, dataDir })).filter((email) => email.to === to);

  // Without a mail server: the code from the outbox is the way in.
  await visit(await start({})).signUp('mia@example.com');
  expect(await emailsTo('mia@example.com')).toHaveLength(1);
  await server?.end('SIGTERM');

  await start({ SMTP_URL: sink.url, MAIL_FROM: 'Studio <studio@example.com>' });
  const asked = await fetch(`http://localhost:${port}/rpc/accounts/signUp`, {
    method: 'POST',
    headers: { 'x-csrf-token': 'orpc', 'content-type': 'application/json' },
    body: JSON.stringify({ json: { email: 'lena@example.com', isAdult: true } }),
  });
  expect(asked.status).toBe(200);
  await expect.poll(() => sink.received.length).toBe(1);
  const [email] = sink.received;
  expect(email?.from).toContain('<studio@example.com>');
  expect(email?.to).toEqual([expect.stringContaining('<lena@example.com>')]);
  const [kept] = await emailsTo('lena@example.com');
  const [code = 'no code'] = /^\s*\d{6}$/m.exec(kept?.text ?? '') ?? [];
  expect(email?.data).toContain(code.trim());
  expect(sink.received.map(({ to }) => to.join()).join(), 'what was sent before is not sent again').not.toContain(
    'mia@',
  );
  await server?.end('SIGTERM');
  await sink.close();
});
