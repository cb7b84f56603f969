import { describe, expect, it } from 'vitest';
import { findWayHome, listWizardSteps } from './way-home.ts';

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const safari = `${iphone} Version/19.1 Mobile/15E148 Safari/604.1`;
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15';
const android =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36';
const desk = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';

describe('the way to the home screen', () => {
  it.each([
    ['Safari on an iPhone', safari, 5, 'safari'],
    ['Safari on an iPad', mac, 5, 'safari'],
    ['Instagram on an iPhone', `${iphone} Mobile/15E148 Instagram 350.0.0.0`, 5, 'ios-other'],
    ['Snapchat on an iPhone', `${safari} Snapchat/13.20 (like Safari/8619.1, panda)`, 5, 'ios-other'],
    ['a bare view on an iPhone', `${iphone} Mobile/15E148`, 5, 'ios-other'],
    ['an Android phone', android, 5, 'android'],
    ['a Mac', mac, 0, undefined],
    ['a computer', desk, 0, undefined],
  ] as const)('from %s', (_what, userAgent, touchPoints, way) => {
    expect(findWayHome(userAgent, touchPoints)).toBe(way);
  });
  it('has four steps, and begins outside Safari by going there', () => {
    for (const way of ['safari', 'ios-other', 'android'] as const) expect(listWizardSteps(way)).toHaveLength(4);
    expect(listWizardSteps('ios-other')[1]?.title).toBe('Open in Safari first');
  });
});
