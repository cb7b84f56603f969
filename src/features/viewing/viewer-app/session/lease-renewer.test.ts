import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Refusal, Sample } from '../../contract.ts';
import { createLeaseRenewer } from './lease-renewer.ts';
import type { Renewal, Report } from './renewal.ts';

const visitId = '01900000-0000-7000-8000-000000000001';
const good: Renewal = { renewed: { expiresInMs: 30_000, renewAfterMs: 15_000 } };
const refusal: Refusal = { code: 'LINK', reason: 'REVOKED', title: 'Access ended', text: '' };

/** @param tookMs how long each answer is waited for */
function start(answers: Renewal[], tookMs = 0) {
  const sent: Report[] = [];
  const said: string[] = [];
  const lost: Sample[] = [];
  const renewer = createLeaseRenewer({
    visitId,
    renewAfterMs: 15_000,
    send: async (report) => {
      sent.push(report);
      if (tookMs > 0) await new Promise((done) => setTimeout(done, tookMs));
      return answers.shift() ?? good;
    },
    gather: () => ({ samples: [{ mediaId: visitId, visibleMs: 5 }], idleMs: 0 }),
    onLost: (samples) => lost.push(...samples),
    onRenewed: () => said.push('renewed'),
    onRefused: ({ reason }) => said.push(reason),
    onOffline: () => said.push('offline'),
  });
  return { renewer, sent, said, lost };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('keeping the right to look', () => {
  test('it is renewed every 15 s', async () => {
    const { sent } = start([]);
    await vi.advanceTimersByTimeAsync(14_999);
    expect(sent).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(30_001);
    expect(sent).toHaveLength(3);
  });

  test('a broken line is tried again after one second and then every 1.6, and nothing that was seen is lost', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { sent, said, lost } = start(['offline', 'offline', 'offline', 'offline', 'offline']);
    await vi.advanceTimersByTimeAsync(15_000 + 1000 + 4 * 1600 - 1);
    expect(sent).toHaveLength(5);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(6);
    expect(said.at(-1)).toBe('renewed');
    expect(lost).toHaveLength(5);
  });

  test('after an answer that did not come for two seconds it is tried again at once, and never without a pause', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { sent } = start(['offline', 'offline', 'offline'], 2000);
    await vi.advanceTimersByTimeAsync(15_000 + 2000 + 100 - 1);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1 + 2100);
    expect(sent).toHaveLength(3);
  });

  test('a refusal is the end', async () => {
    const { renewer, sent, said } = start([{ refusal }]);
    await vi.advanceTimersByTimeAsync(15_000);
    renewer.renewNow();
    renewer.rest();
    renewer.leave();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(said).toEqual(['REVOKED']);
    expect(sent).toHaveLength(1);
  });

  test('two wishes at the same time are one call and one more after it', async () => {
    const { renewer, sent } = start([]);
    renewer.renewNow();
    renewer.renewNow();
    renewer.renewNow();
    await vi.advanceTimersByTimeAsync(10);
    expect(sent).toHaveLength(2);
  });

  test('a yes that was asked for before an end shows nothing again: it is asked again, and that answer counts', async () => {
    const { renewer, sent, said } = start([good, good, { refusal }], 500);
    await vi.advanceTimersByTimeAsync(15_000);
    renewer.renewAfterEnd();
    await vi.advanceTimersByTimeAsync(501);
    expect([said, sent.length]).toEqual([[], 2]);
    await vi.advanceTimersByTimeAsync(500);
    expect(said).toEqual(['renewed']);
    renewer.renewAfterEnd();
    await vi.advanceTimersByTimeAsync(501);
    expect(said).toEqual(['renewed', 'REVOKED']);
  });

  test('after an end an answer that did not come is asked for again, and taken', async () => {
    const { renewer, said } = start(['offline'], 500);
    await vi.advanceTimersByTimeAsync(15_000);
    renewer.renewAfterEnd();
    await vi.advanceTimersByTimeAsync(5000);
    expect(said).toEqual(['offline', 'renewed']);
  });

  test('a page in the back tells what was seen and renews nothing more until it comes back', async () => {
    const { renewer, sent } = start([]);
    renewer.rest();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(sent).toHaveLength(1);
    renewer.renewNow();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(sent).toHaveLength(3);
  });

  test('a page that goes away says so', async () => {
    const { renewer, sent } = start([]);
    renewer.leave();
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([expect.objectContaining({ leaving: true, visitId })]);
  });

  test('a page that goes away and is called hidden then says nothing after its last words', async () => {
    const { renewer, sent } = start([]);
    renewer.leave();
    renewer.rest();
    renewer.leave();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(sent.map(({ leaving }) => leaving)).toEqual([true]);
  });

  test('a page that is called hidden and goes away then says again what was under way', async () => {
    const { renewer, sent, lost } = start([], 500);
    renewer.rest();
    await vi.advanceTimersByTimeAsync(1);
    renewer.leave();
    expect(lost).toEqual(sent[0]?.samples);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(sent.map(({ leaving }) => leaving)).toEqual([false, true]);
  });

  test('a page that comes back after it went away goes on', async () => {
    const { renewer, sent } = start([]);
    renewer.leave();
    renewer.renewNow();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(sent.map(({ leaving }) => leaving)).toEqual([true, false, false]);
  });
});
