/** Browsers inside other apps, which may forget a visitor between two taps. */
const inApp =
  /Instagram|FBAN|FBAV|FB_IAB|musical_ly|BytedanceWebview|TikTok|Snapchat|WhatsApp|Messenger|Telegram|Line\/|; wv\)/;

/** Where the page is shown, as far as the browser says so. */
export interface Surroundings {
  isInApp: boolean;
  system: 'android' | 'ios' | 'other';
}

export function surroundingsOf(userAgent: string): Surroundings {
  const isApple = /iPhone|iPad|iPod/.test(userAgent);
  return {
    isInApp: inApp.test(userAgent),
    system: /Android/.test(userAgent) ? 'android' : isApple ? 'ios' : 'other',
  };
}

/** An address that Android opens in Chrome, from inside any app. */
export function chromeAddress(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `intent://${host}${pathname}#Intent;scheme=${protocol.slice(0, -1)};package=com.android.chrome;end`;
}

/** A code as it is read aloud: "ABCDE FGHIJ". */
export const spelled = (code: string): string => code.replace(/(.{5})(?=.)/g, '$1 ');
