import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushService, type PushService, readVapid } from '#tests/support/servers/push-service.ts';
import { openWebPush } from './web-push.ts';

let service: PushService;
beforeAll(async () => {
  service = await openPushService();
});
afterAll(() => service.close());

const {
  x = '',
  y = '',
  d: privateKey = '',
} = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  format: 'jwk',
});
const publicKey = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
  'base64url',
);
const vapid = { publicKey, privateKey, subject: 'mailto:hello@example.org' };
const payload = JSON.stringify({ title: 'A link was opened', body: 'Grüße', path: '/' });
const messageTo = (subscription: { endpoint: string; p256dh: string; auth: string }) => ({
  ...subscription,
  payload,
  vapid,
  ttlSeconds: 3600,
});
const open = () => openWebPush({ hosts: [service.host], agent: service.agent });

describe('a push', () => {
  it('reaches its browser alone, signed by our key for its push service', async () => {
    const [mine, others] = [service.subscribe(), service.subscribe()];
    expect(await open().send(messageTo(mine.subscription))).toBe('taken');
    const received = service.received.at(-1);
    expect(`${service.origin}${received?.path}`).toBe(mine.subscription.endpoint);
    expect(received?.headers).toMatchObject({ ttl: '3600', 'content-encoding': 'aes128gcm', urgency: 'normal' });
    const { key, aud, sub, exp } = readVapid(received?.headers.authorization);
    expect([key, aud, sub]).toEqual([publicKey, service.origin, 'mailto:hello@example.org']);
    expect(exp - Date.now() / 1000).toBeGreaterThan(0);
    expect(exp - Date.now() / 1000).toBeLessThanOrEqual(24 * 3600);
    expect(received?.body.toString('latin1')).not.toContain('A link');
    expect(mine.decrypt(received?.body ?? Buffer.alloc(0))).toBe(payload);
    expect(() => others.decrypt(received?.body ?? Buffer.alloc(0))).toThrow();
  });

  it.each([404, 410])('to a browser that takes no more is over: %s', async (status) => {
    service.answer(status);
    expect(await open().send(messageTo(service.subscribe().subscription))).toBe('gone');
    service.answer(201);
  });

  it.each([400, 401, 403, 408, 413, 429, 500, 503])(
    'may be tried again after %s, and the reason does not name its address',
    async (status) => {
      service.answer(status);
      const { subscription } = service.subscribe();
      const failure = await open().send(messageTo(subscription)).catch(String);
      service.answer(201);
      expect(failure).toContain(String(status));
      expect(failure).not.toContain(subscription.endpoint);
    },
  );

  it('goes nowhere else: a redirect is not followed', async () => {
    service.answer(307, { location: `${service.origin}/elsewhere` });
    await expect(open().send(messageTo(service.subscribe().subscription))).rejects.toThrow('307');
    service.answer(201);
    expect(service.received.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  it('is sent to nobody whose certificate is not trusted, and to no host that is no push service', async () => {
    const sent = service.received.length;
    const { subscription } = service.subscribe();
    await expect(openWebPush({ hosts: [service.host] }).send(messageTo(subscription))).rejects.toThrow();
    expect(await openWebPush({ agent: service.agent }).send(messageTo(subscription))).toBe('gone');
    expect(service.received).toHaveLength(sent);
  });
});

describe('the hosts of push services', () => {
  const { isKnown } = openWebPush();

  it.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
    'https://web.push.apple.com/abc',
  ])('are known: %s', (endpoint) => expect(isKnown(endpoint)).toBe(true));

  it.each([
    '',
    'x',
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/abc',
    'https://fcm.googleapis.com.evil.test/abc',
    'https://evil.test/?fcm.googleapis.com',
    'https://evilnotify.windows.com.evil.test/',
    'https://evilfcm.googleapis.com/abc',
    'https://evilpush.services.mozilla.com/',
    'https://user:word@fcm.googleapis.com/abc',
    'https://fcm.googleapis.com@evil.test/abc',
    'https://evil.test\\@fcm.googleapis.com/abc',
    'https://127.0.0.1/abc',
    'https://[::1]/abc',
    'https://localhost/abc',
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'https://fcm.googleapis.com./abc',
  ])('are no others: %s', (endpoint) => expect(isKnown(endpoint)).toBe(false));
});
