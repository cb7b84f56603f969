import { describe, expect, it } from 'vitest';
import type { Sheddable } from '#wire/context.ts';
import { isDecider, isUrgent, kindAtDoor, openShedding } from './shedding.ts';

const kinds: readonly Sheddable[] = ['insights', 'metrics', 'opens', 'renewals', 'rest', 'assets'];
const shedAt = ({ loop = 0, pool = 0, queue = 0 }, loopMs = 1000) => {
  const signals = { loopDelayMs: () => loop, poolWaitMs: () => pool, queueAgeSeconds: () => queue };
  const { isShedding } = openShedding(signals, { loopMs, poolMs: loopMs });
  return kinds.filter((kind) => isShedding(kind));
};

describe('under load', () => {
  it('what can wait longest is refused first, by the lateness of the loop as by the wait for a connection', () => {
    for (const signal of ['loop', 'pool'] as const) {
      expect(shedAt({ [signal]: 99 })).toEqual([]);
      expect(shedAt({ [signal]: 100 })).toEqual(['insights']);
      expect(shedAt({ [signal]: 200 })).toEqual(['insights', 'metrics']);
      expect(shedAt({ [signal]: 400 })).toEqual(['insights', 'metrics', 'opens']);
      expect(shedAt({ [signal]: 700 })).toEqual(['insights', 'metrics', 'opens', 'renewals']);
      expect(shedAt({ [signal]: 1000 })).toEqual(kinds.filter((kind) => kind !== 'assets'));
      expect(shedAt({ [signal]: 2000 })).toEqual(kinds);
    }
  });

  it('an old queue alone refuses nobody; with a late loop the insights go at half the lateness', () => {
    expect(shedAt({ queue: 86_400 })).toEqual([]);
    expect(shedAt({ loop: 50, queue: 60 })).toEqual(['insights']);
    expect(shedAt({ loop: 50, queue: 59 })).toEqual([]);
  });

  it('nothing is refused where there is no patience to lose', () => {
    expect(shedAt({ loop: 1e9, pool: 1e9 }, 0)).toEqual([]);
  });
});

describe('at the door', () => {
  it.each([
    '/rpc/links/revoke',
    '/rpc/links/revokeAll',
    '/rpc/links/lockEverything',
    '/api/v1/links/revoke',
    '/api/v1/links/revoke-all?x=1',
    '/rpc/accounts/signOut',
    '/rpc/accounts/signOutEverywhere',
    '/rpc/accounts/endSession',
    '/api/v1/sessions/0196f0c2-7b1c-7e2a-8f00-0123456789ab',
    '/rpc/viewing/closeScreen',
    '/api/health',
    '/api/hooks/stripe',
  ])('%s is never refused and has connections of its own', (url) => {
    expect([kindAtDoor(url), isUrgent(url)]).toEqual([undefined, true]);
  });

  it('the sign of life is never refused', () => {
    expect([kindAtDoor('/healthz'), isUrgent('/healthz')]).toEqual([undefined, false]);
  });

  it.each([
    '/api/view/some-slug/open',
    '/api/view/some-slug/checkout',
    '/api/view/leases',
    '/rpc/viewing/renew',
    '/api/v1/view/renew',
  ])('%s is let in: the rules decide before the load does', (url) => {
    expect([kindAtDoor(url), isUrgent(url), isDecider(url)]).toEqual([undefined, false, true]);
  });

  it.each([
    ['/rpc/insights/overview', 'insights'],
    ['/api/insights/visits.csv', 'insights'],
    ['/api/v1/insights/viewers', 'insights'],
    ['/rpc/assistant/chat', 'insights'],
    ['/api/v1/nuclear-ai-chat', 'insights'],
    ['/api/v1/help-facts', 'metrics'],
    ['/rpc/accounts/captureLead', 'metrics'],
    ['/rpc/marketing/facts', 'metrics'],
    ['/rpc/links/revokeMore', 'rest'],
    ['/rpc/links/undoRevoke', 'rest'],
    ['/rpc/albums/list', 'rest'],
    ['/assets/app-1a2b.js', 'assets'],
    ['/viewer/worker.js', 'assets'],
    ['/rpc/links/create?next=/rpc/links/revoke', 'rest'],
  ] as const)('%s counts as %s', (url, kind) => {
    expect([kindAtDoor(url), isUrgent(url)]).toEqual([kind, false]);
  });
});
