import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { previewAgents } from '#tests/support/media/preview-agents.ts';
import { callerKindOf, deviceOf } from '../user-agent.ts';
import { countryOfZone } from './timezone-country.ts';

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const android =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36';

describe('a device', () => {
  it.each([
    [`${iPhone} Version/18.1 Mobile/15E148 Safari/604.1`, 'Safari', 'iPhone', undefined],
    [`${iPhone} CriOS/131.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iPhone', undefined],
    [`${iPhone} Mobile/15E148 Instagram 357.0.0.0 (iPhone16,2; iOS 18_1)`, 'Safari', 'iPhone', 'instagram'],
    [`${iPhone} Mobile/15E148 [FBAN/FBIOS;FBAV/489.0.0;FBDV/iPhone16,2]`, 'Safari', 'iPhone', 'facebook'],
    [`${iPhone} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/489.0.0]`, 'Safari', 'iPhone', 'messenger'],
    [`${android} [FB_IAB/FB4A;FBAV/489.0.0.0;]`, 'Chrome', 'Android', 'facebook'],
    [`${android} [FB_IAB/Orca-Android;FBAV/489.0.0.0;]`, 'Chrome', 'Android', 'messenger'],
    [`${android} musical_ly_2023 JsSdk/1.0 BytedanceWebview/d8a21c6`, 'Chrome', 'Android', 'tiktok'],
    [`${iPhone} Mobile/15E148 Snapchat/13.12.0.41`, 'Safari', 'iPhone', 'snapchat'],
    [`${android} WhatsApp/2.24.1`, 'Chrome', 'Android', 'whatsapp'],
    [`${android} Telegram-Android/11.4`, 'Chrome', 'Android', 'telegram'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36 Edg/131.0',
      'Edge',
      'Windows',
      undefined,
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0',
      'Firefox',
      'Mac',
      undefined,
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36',
      'Chrome',
      'Linux',
      undefined,
    ],
    [android.replace('Pixel 9', 'CUBOT X30'), 'Chrome', 'Android', undefined],
    [`${iPhone} Mobile/15E148 [Pinterest/iOS]`, 'Safari', 'iPhone', undefined],
    ['anything', undefined, undefined, undefined],
  ])('%s', (userAgent, browser, system, inApp) => {
    expect(deviceOf(userAgent)).toEqual({ browser, system, inApp });
    expect(callerKindOf({ 'user-agent': userAgent })).toBe('person');
  });
});

it.each([...previewAgents, 'Pinterest/0.2 (+https://www.pinterest.com/bot.html)', 'facebookexternalhit/1.1', ''])(
  'is no person: %s',
  (userAgent) => {
    expect(callerKindOf({ 'user-agent': userAgent })).toBe('robot');
  },
);

const [, people = '', programs = ''] = readFileSync('tests/fixtures/user-agents.txt', 'utf8').split(
  /^# (?:people|programs)$/m,
);
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
const findOthers = (text: string, kind: 'person' | 'robot') =>
  linesOf(text).filter((userAgent) => callerKindOf({ 'user-agent': userAgent }) !== kind);

describe('of several hundred callers as they were seen on the web', () => {
  it('no person is taken for a program', () => {
    expect(linesOf(people).length).toBeGreaterThan(300);
    expect(findOthers(people, 'person')).toEqual([]);
  });

  it('no program that says who it is is taken for a person', () => {
    expect(linesOf(programs).length).toBeGreaterThan(300);
    expect(findOthers(programs, 'robot')).toEqual([]);
  });
});

describe('a country', () => {
  it('follows from every time zone that a browser can say', () => {
    expect([countryOfZone('Europe/Berlin'), countryOfZone('Asia/Calcutta'), countryOfZone('America/New_York')]).toEqual(
      ['DE', 'IN', 'US'],
    );
    expect(Intl.supportedValuesOf('timeZone').filter((zone) => countryOfZone(zone) === undefined)).toEqual([]);
    expect([countryOfZone('UTC'), countryOfZone('constructor'), countryOfZone(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
