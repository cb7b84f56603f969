import { describe, expect, it } from 'vitest';
import type { PreviewId, PreviewState, ViewerPreview } from '../../preview/preview-contract.ts';
import { readHead } from '../door/open-stream.ts';
import { createStandIn } from './stand-in.ts';

const refusal = (title: string) => ({ code: 'LINK' as const, reason: 'NEED_AGE' as const, title, text: '' });
const state = (id: PreviewId, next: PreviewState['next'] = {}): PreviewState => ({
  id,
  label: id,
  group: 'way',
  next,
  ...(id !== 'OPEN' && { refusal: refusal(id) }),
});
const opened = { visitId: 'v', renewAfterMs: 15_000, expiresInMs: 30_000, endsInMs: 60_000, items: [] };
const preview = {
  now: 'OPEN',
  first: 'NEED_AGE',
  states: [
    state('NEED_AGE', { isAdult: 'NEED_OFFER' }),
    state('NEED_OFFER', { pays: 'OPEN' }),
    state('OPEN'),
    state('TIMED_OUT'),
  ],
  opened,
} as unknown as ViewerPreview;

function begin(wanted: PreviewId = 'NEED_AGE') {
  const shown: PreviewId[] = [];
  const clock = { now: 0 };
  const server = createStandIn({ preview, wanted, now: () => clock.now, onShown: (id) => shown.push(id) });
  const post = (path: string, body: object = {}) => server.answer(path, JSON.stringify(body)) as Response;
  return { server, shown, clock, post, open: (body: object = {}) => post('/api/view/abc/open', body) };
}
const titleOf = async (answer: Response) => (await answer.json()).title;

describe('what stands in for the server in a preview', () => {
  it('leads from the door to the gallery by what is said, and stays where nothing is', async () => {
    const { open, post, shown } = begin();
    expect(await titleOf(open())).toBe('NEED_AGE');
    expect(await titleOf(open())).toBe('NEED_AGE');
    expect(await titleOf(open({ isAdult: true }))).toBe('NEED_OFFER');
    expect(await titleOf(open({ isAdult: true }))).toBe('NEED_OFFER');
    expect(await post('/api/view/abc/checkout', { offerId: 'pay' }).json()).toEqual({ code: 'LINK' });
    const answer = open({ isAdult: true });
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(readHead(new Uint8Array(await answer.arrayBuffer()))).toEqual(opened);
    expect(shown).toEqual(['NEED_AGE', 'NEED_AGE', 'NEED_OFFER', 'NEED_OFFER', 'OPEN']);
  });

  it('begins with the screen that was picked', async () => {
    expect(await titleOf(begin('TIMED_OUT').open())).toBe('TIMED_OUT');
  });

  it('renews while the time lasts, and ends with its own words', async () => {
    const { open, post, clock } = begin('OPEN');
    open();
    clock.now = 59_999;
    expect(await post('/api/v1/view/renew').json()).toMatchObject({ endsInMs: 1, renewAfterMs: 15_000 });
    clock.now = 60_000;
    const over = post('/api/v1/view/renew');
    expect([over.status, (await over.json()).data.title]).toEqual([410, 'TIMED_OUT']);
  });

  it('lets no call of a viewer out, and every other one', () => {
    const { server } = begin();
    for (const path of [
      ...['/api/view/leases', '/api/view/abc/else', '/api/v1/view/video-keys', '/api/v1/view/checkout-status'],
      ...['/api/live/view', '/api/live/waiting'],
    ])
      expect(server.answer(path, '{}'), path).toBeDefined();
    for (const path of ['/api/media/leases', '/api/v1/media/1/video-keys', '/api/v1/error-logs', '/m/c/1/2'])
      expect(server.answer(path, '{}'), path).toBeUndefined();
  });
});
