import { connect } from 'node:net';
import { vi } from 'vitest';
import { usualSlowLimits } from '#app/slow-clients.ts';
import { type Browser, headersOf, newBrowser, type TestApp } from '#tests/support/test-app.ts';
import { whileBroken } from './break-installation.ts';
import { type Heard, Listener, openLiveApp } from './header-answers.ts';
import { call, get, nobodys, post } from './header-asks.ts';

/** One head as it came over the bare line. */
function headOf(what: string, text: string): Heard {
  const [first = '', ...lines] = text.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim());
  return { what, kind: 'private', route: undefined, status: Number(first.split(' ')[1]), headers };
}

/** Writes bytes to the app and waits until it cuts the line. */
const shout = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let said = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
    });
    socket.on('error', () => undefined); // its end is told by `close`
    socket.on('close', () => resolve(said));
  });

/** What an installation says that has too much to do: at its door, and after it has decided. */
export async function hearCrowd(from: TestApp, slug: string, heard: Listener): Promise<void> {
  const live = await openLiveApp(from, { patience: { loopMs: 0.001, poolMs: 1 } });
  const { app } = live;
  const listener = new Listener(live, heard);
  // Late it is always by some microseconds, once it was looked at.
  await vi.waitUntil(() => app.memoryUsage().eventLoopDelay > 0.001, { timeout: 20_000 });
  await listener.ask(call('what can wait in a crowd', 'insights.overview', { days: 30 }, 503), newBrowser());
  await listener.ask(post('the tap in a crowd', `/api/view/${slug}/open`, {}, 503), newBrowser());
  await app.close();
}

/** What is said of a bug, behind both kinds of doors. */
export async function hearBugs(app: TestApp, listener: Listener, creator: Browser): Promise<void> {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const renamed = { plant: 'alter table traces rename to planted', mend: 'alter table planted rename to traces' };
  await whileBroken(app, renamed, async () => {
    await listener.ask(call('a bug', 'tracing.list', {}, 500), creator);
    await listener.ask(get('a bug of a raw route', `/api/traces/${nobodys}/original`, 500), creator);
  });
  said.mockRestore();
}

/** What is said over the bare line: to who is too slow, and to what is no request. */
export async function hearSlow(from: TestApp, location: string, creator: Browser, heard: Listener): Promise<void> {
  const slow = { ...usualSlowLimits, headersMs: 300, bodyMs: 300, uploadMs: 300, checkMs: 100 };
  const { app, url } = await openLiveApp(from, { slow });
  const host = 'Host: fans.example\r\n';
  const { cookie } = headersOf(creator);
  const tus = 'Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n';
  const own = `${host}Cookie: ${cookie}\r\nOrigin: https://fans.example\r\n`;
  const shouts: Record<string, readonly [status: number, bytes: string]> = {
    'a head that is too slow': [408, `GET / HTTP/1.1\r\n${host}X-Slow: `],
    'an upload that is too slow': [408, `PATCH ${location} HTTP/1.1\r\n${own}${tus}Content-Length: 4\r\n\r\na`],
    'a head that is too long': [431, `GET / HTTP/1.1\r\n${host}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    'no HTTP at all': [400, 'GARBAGE\r\n\r\n'],
  };
  for (const [what, [status, bytes]] of Object.entries(shouts))
    heard.hear(headOf(what, await shout(url, bytes)), status);
  await app.close();
}
