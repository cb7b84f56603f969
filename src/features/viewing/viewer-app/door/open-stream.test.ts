import { afterEach, describe, expect, test, vi } from 'vitest';
import { askToOpen, readHead } from './open-stream.ts';

const head = { visitId: 'v', items: [] };

/** One frame of kind 0 and some bytes of the next. */
function answerBytes(): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(head));
  const bytes = new Uint8Array(5 + body.length + 3);
  new DataView(bytes.buffer).setUint32(0, body.length);
  bytes.set(body, 5);
  bytes.set([7, 8, 9], 5 + body.length);
  return bytes;
}

function listen() {
  const received: unknown[] = [];
  return {
    heard: received,
    onOpened: (opened: unknown) => received.push(opened),
    onBytes: (bytes: Uint8Array) => received.push([...bytes]),
    onEnd: (isBroken: boolean) => received.push(isBroken),
    until: new AbortController().signal,
  };
}

const json = (status: number, value: unknown) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });

const answerWith = (answer: Response | Error) =>
  vi.stubGlobal('fetch', async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  });

afterEach(() => vi.unstubAllGlobals());

describe('the answer to a tap', () => {
  test('its list is there as soon as its last byte is, and not before', () => {
    const bytes = answerBytes();
    for (let length = 0; length < bytes.length - 3; length++)
      expect(readHead(bytes.subarray(0, length))).toBeUndefined();
    expect(readHead(bytes.subarray(0, bytes.length - 3))).toEqual(head);
    expect(readHead(bytes)).toEqual(head);
  });

  test('every byte goes on to the drawer, the list is told first', async () => {
    const bytes = answerBytes();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const [from, to] of [
          [0, 3],
          [3, 20],
          [20, bytes.length - 1],
          [bytes.length - 1, bytes.length],
        ])
          controller.enqueue(bytes.slice(from, to));
        controller.close();
      },
    });
    answerWith(new Response(body, { headers: { 'content-type': 'application/octet-stream' } }));
    const stream = listen();
    await expect(askToOpen('slug', {}, stream)).resolves.toEqual({ opened: head });
    await vi.waitFor(() => expect(stream.heard.at(-1)).toBe(false));
    expect(stream.heard[0]).toEqual(head);
    expect(stream.heard.slice(1, -1).flat()).toEqual([...bytes]);
  });

  test('it is not read on when something else comes first', async () => {
    const over = new AbortController();
    vi.stubGlobal('fetch', async (_address: string, { signal }: RequestInit) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(answerBytes());
          signal?.addEventListener('abort', () => controller.error(signal.reason));
        },
      });
      return new Response(body, { headers: { 'content-type': 'application/octet-stream' } });
    });
    const stream = { ...listen(), until: over.signal };
    await expect(askToOpen('slug', {}, stream)).resolves.toEqual({ opened: head });
    expect(stream.heard).toHaveLength(2);
    over.abort();
    await vi.waitFor(() => expect(stream.heard.at(-1)).toBe(true));
  });

  test('a gate or an end is handed on as it is', async () => {
    const refusal = { code: 'LINK', reason: 'NEED_AGE', title: 'Are you 18 or older?', text: '' };
    answerWith(json(200, refusal));
    await expect(askToOpen('slug', {}, listen())).resolves.toEqual({ refusal });
  });

  test('too many tries and a busy server say so themselves; what is broken says nothing of its insides', async () => {
    answerWith(
      json(429, {
        code: 'RATE_LIMITED',
        message: 'Too many attempts. Please wait 5 seconds.',
        data: { retryAfter: 5 },
      }),
    );
    await expect(askToOpen('slug', {}, listen())).resolves.toEqual({
      failure: 'Too many attempts. Please wait 5 seconds.',
    });
    answerWith(json(500, { code: 'INTERNAL', message: 'Something went wrong' }));
    await expect(askToOpen('slug', {}, listen())).resolves.toEqual({ failure: expect.stringContaining('try again') });
  });

  test('a crowd at the door is waited for, four times at most', async () => {
    const busy = () =>
      new Response('{"code":"UNAVAILABLE","message":"We\'re very busy right now. Please try again."}', {
        status: 503,
        headers: { 'content-type': 'application/json', 'retry-after': '0.01' },
      });
    let knocks = 0;
    const answerBy = (answer: (knock: number) => Response) => {
      knocks = 0;
      vi.stubGlobal('fetch', async () => answer(++knocks));
    };
    answerBy((knock) => (knock < 4 ? busy() : json(200, { code: 'LINK' })));
    await expect(askToOpen('slug', {}, listen())).resolves.toEqual({ refusal: { code: 'LINK' } });
    expect(knocks).toBe(4);
    answerBy(busy);
    await expect(askToOpen('slug', {}, listen())).resolves.toEqual({
      failure: "We're very busy right now. Please try again.",
    });
    expect(knocks).toBe(4);
  });

  test('two tabs that open at once ask one after the other, and one that has ended lets the next one ask', async () => {
    const wanted = { code: 'LINK', reason: 'NEED_COOKIE', title: 'Cookies are blocked', text: '' };
    const age = { code: 'LINK', reason: 'NEED_AGE', title: 'Are you 18 or older?', text: '' };
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (address: string) => {
      asked.push(address);
      await new Promise((next) => setTimeout(next, 1));
      if (asked.length === 5) throw new TypeError('the line is gone');
      return json(200, asked.length % 2 === 1 ? wanted : age);
    });
    await Promise.all(['one', 'two', 'three', 'four'].map((slug) => askToOpen(slug, {}, listen())));
    expect(asked.map((address) => address.split('/')[3])).toEqual(['one', 'one', 'two', 'two', 'three', 'four']);
  });

  test('without locks it opens all the same', async () => {
    vi.stubGlobal('navigator', { onLine: true });
    answerWith(json(200, { code: 'LINK', reason: 'NEED_AGE' }));
    await expect(askToOpen('slug', {}, listen())).resolves.toMatchObject({ refusal: { reason: 'NEED_AGE' } });
  });

  test('a cookie that is wanted first is brought at once, and once: a browser that keeps none is told', async () => {
    const wanted = { code: 'LINK', reason: 'NEED_COOKIE', title: 'Cookies are blocked', text: '' };
    const age = { code: 'LINK', reason: 'NEED_AGE', title: 'Are you 18 or older?', text: '' };
    const bodies: unknown[] = [];
    const answerBy = (answers: object[]) =>
      vi.stubGlobal('fetch', async (_address: string, { body }: RequestInit) => {
        bodies.push(body);
        return json(200, answers[bodies.length - 1] ?? {});
      });
    answerBy([wanted, age]);
    await expect(askToOpen('slug', { isAdult: true }, listen())).resolves.toEqual({ refusal: age });
    expect(bodies).toEqual(['{"isAdult":true}', '{"isAdult":true}']);
    bodies.length = 0;
    answerBy([wanted, wanted, age]);
    await expect(askToOpen('slug', {}, listen())).resolves.toEqual({ refusal: wanted });
    expect(bodies).toHaveLength(2);
  });

  test('without a line the visitor is told, not left with a white page', async () => {
    vi.stubGlobal('navigator', { onLine: false });
    answerWith(new TypeError('Failed to fetch'));
    await expect(askToOpen('slug', {}, listen())).resolves.toEqual({ failure: 'No connection. Please try again.' });
  });
});
