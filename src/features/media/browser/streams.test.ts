import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Pictures } from './pictures.ts';
import { createStreams, type StreamReport } from './streams.ts';

/** [u32 length][u8 kind][body] */
function frame(kind: number, body: readonly number[]): number[] {
  return [0, 0, body.length >> 8, body.length & 255, kind, ...body];
}
const names = ['a', 'b', 'c'];
const leases = names.map((mediaId) => ({ mediaId, rendition: 'thumb512', packId: mediaId }));
const head = frame(0, [...new TextEncoder().encode(JSON.stringify({ leases, expiresInMs: 30_000 }))]);
/** One tile, its key, a pack of eight bytes. */
const picture = (n: number) => frame(1, [0, n, 0, 1, ...new Array(32).fill(7), ...new Array(8).fill(n)]);

/** What the drawer keeps of pictures. @param kept of which it says that their ciphertext is here; it is not */
function start(kept: readonly string[] = []) {
  const begun: string[] = [];
  const reports: StreamReport[] = [];
  const pictures = {
    begin: (name: string) => begun.push(name),
    grow: () => undefined,
    renew: () => false,
    isKept: (name: string) => kept.includes(name),
  };
  const streams = createStreams(pictures as unknown as Pictures, (report) => reports.push(report));
  const said = () => reports.map((report) => (report.did === 'halted' ? [report.did, report.owed] : report.did));
  return { streams, begun, said };
}

/** A line on which bytes come one after another. */
function openLine() {
  let give: (bytes: readonly number[]) => void = () => undefined;
  const asked: { mediaId: string; with: string }[][] = [];
  vi.stubGlobal('fetch', async (_url: string, { signal, body }: RequestInit) => {
    asked.push(JSON.parse(String(body)).items);
    const coming = new ReadableStream<Uint8Array>({
      start(controller) {
        give = (bytes) => controller.enqueue(Uint8Array.from(bytes));
        signal?.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(coming, { headers: { 'content-type': 'application/octet-stream' } });
  });
  return { asked, give: (bytes: readonly number[]) => give(bytes) };
}
const request = { stream: 5, url: '/', body: {}, items: leases };

afterEach(() => vi.unstubAllGlobals());

describe('a stream that gives way', () => {
  test('owes what had not come whole: the picture that was coming and all after it', () => {
    const { streams, begun, said } = start();
    streams.take({ stream: 0, bytes: Uint8Array.from([...head, ...picture(0), ...picture(1).slice(0, 43)]) });
    expect(begun).toEqual(['a/thumb512', 'b/thumb512']);
    streams.halt({ stream: 0 });
    expect(said()).toEqual(['head', ['halted', ['b/thumb512', 'c/thumb512']]]);
  });

  test('owes all that follows a picture that is just whole', () => {
    const { streams, said } = start();
    streams.take({ stream: 0, bytes: Uint8Array.from([...head, ...picture(0)]) });
    streams.halt({ stream: 0 });
    expect(said()).toEqual(['head', ['halted', ['b/thumb512', 'c/thumb512']]]);
  });

  test('owes everything before its list is there', () => {
    const { streams, said } = start();
    streams.take({ stream: 0, bytes: Uint8Array.from(head.slice(0, 9)) });
    streams.halt({ stream: 0 });
    expect(said()).toEqual([['halted', undefined]]);
  });

  test('takes nothing more, and one that is over says nothing', () => {
    const { streams, begun, said } = start();
    streams.take({ stream: 0, bytes: Uint8Array.from(head) });
    streams.halt({ stream: 0 });
    streams.take({ stream: 0, bytes: Uint8Array.from(picture(0)) });
    expect(begun).toEqual([]);
    streams.end({ stream: 0, isBroken: true });
    streams.halt({ stream: 0 });
    expect(said()).toEqual(['head', ['halted', ['a/thumb512', 'b/thumb512', 'c/thumb512']], 'broken']);
  });

  test('is not fetched to its end when it was asked for here', async () => {
    const { give } = openLine();
    const { streams, begun, said } = start();
    const looking = streams.look(request);
    give([...head, ...picture(0), ...picture(1).slice(0, 43)]);
    await vi.waitFor(() => expect(begun).toEqual(['a/thumb512', 'b/thumb512']));
    streams.halt({ stream: 5 });
    await looking;
    expect(said()).toEqual(['head', ['halted', ['b/thumb512', 'c/thumb512']], 'broken']);
  });

  test('owes too what came as keys only and had lost its ciphertext', async () => {
    const { asked, give } = openLine();
    const { streams, said } = start(['a/thumb512']);
    void streams.look(request);
    give([...head, ...frame(1, [0, 0, 0, 1, ...new Array(32).fill(7)])]);
    await vi.waitFor(() => expect(said()).toEqual(['head']));
    streams.halt({ stream: 5 });
    expect(said()[1]).toEqual(['halted', ['b/thumb512', 'c/thumb512', 'a/thumb512']]);
    expect(asked[0]?.map((item) => item.with)).toEqual(['keys', 'pack', 'pack']);
  });
});
