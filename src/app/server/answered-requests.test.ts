import { expect, it } from 'vitest';
import { openAnsweredRequests } from './answered-requests.ts';

const noteTo = (requests: ReturnType<typeof openAnsweredRequests>) => (userId: string, n: number) =>
  requests.note({ userId, requestId: `req-${n}`, atMs: n, what: 'albums.list', status: 200, ms: 5 });

it('what one person asked is found, the newest first', () => {
  const requests = openAnsweredRequests();
  const note = noteTo(requests);
  for (let n = 1; n <= 4; n++) note(n % 2 === 0 ? 'mia' : 'ben', n);
  expect(requests.of('mia')).toEqual([
    { requestId: 'req-4', at: new Date(4), what: 'albums.list', status: 200, ms: 5 },
    { requestId: 'req-2', at: new Date(2), what: 'albums.list', status: 200, ms: 5 },
  ]);
  expect(requests.of('nobody')).toEqual([]);
});

it('the oldest are forgotten, whoever’s they are', () => {
  const requests = openAnsweredRequests(3);
  const note = noteTo(requests);
  note('mia', 1);
  for (let n = 2; n <= 4; n++) note('ben', n);
  expect(requests.of('mia')).toEqual([]);
  expect(requests.of('ben').map(({ requestId }) => requestId)).toEqual(['req-4', 'req-3', 'req-2']);
});

it('of one person no more are shown than fit a page', () => {
  const requests = openAnsweredRequests();
  const note = noteTo(requests);
  for (let n = 1; n <= 300; n++) note('mia', n);
  expect(requests.of('mia')).toHaveLength(100);
  expect(requests.of('mia')[0]?.requestId).toBe('req-300');
});
