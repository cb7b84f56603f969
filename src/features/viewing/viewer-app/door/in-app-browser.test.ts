import { describe, expect, test } from 'vitest';
import { chromeAddress, spelled, surroundingsOf } from './in-app-browser.ts';

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('where the page is shown', () => {
  test('browsers inside other apps are known by what they say of themselves', () => {
    expect(surroundingsOf(`${iphone} Mobile/15E148 Instagram 350.0.0`)).toEqual({ isInApp: true, system: 'ios' });
    expect(surroundingsOf(`${iphone} Version/18.1 Mobile/15E148 Safari/604.1`)).toEqual({
      isInApp: false,
      system: 'ios',
    });
    const webview = 'Mozilla/5.0 (Linux; Android 14; Pixel 7; wv) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36';
    expect(surroundingsOf(webview)).toEqual({ isInApp: true, system: 'android' });
    expect(surroundingsOf('Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0')).toEqual({ isInApp: false, system: 'other' });
  });

  test('Android is given an address that opens in Chrome', () => {
    expect(chromeAddress('https://fans.example/view/abc?x=1')).toBe(
      'intent://fans.example/view/abc#Intent;scheme=https;package=com.android.chrome;end',
    );
  });

  test('a code is shown in two halves', () => {
    expect(spelled('K7QM2XW9PA')).toBe('K7QM2 XW9PA');
  });
});
