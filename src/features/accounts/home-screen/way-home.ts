/** How a site comes onto a phone's home screen depends on what it is open in. */
export type WayHome = 'safari' | 'ios-other' | 'android';

const inApp = /Instagram|FBAN|FBAV|FB_IAB|TikTok|musical_ly|Snapchat|WhatsApp|Messenger|Telegram|Line\//i;

/**
 * The way from this browser; nothing on a computer.
 * @param touchPoints an iPad calls itself a Mac, but no Mac has a touch screen
 */
export function findWayHome(userAgent: string, touchPoints: number): WayHome | undefined {
  const isApple = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);
  if (isApple) return inApp.test(userAgent) || !/Safari\//.test(userAgent) ? 'ios-other' : 'safari';
  return /Android/.test(userAgent) ? 'android' : undefined;
}

export interface WizardStep {
  title: string;
  text: string;
}

const first: WizardStep = {
  title: 'Keep PrivateFans one tap away',
  text: 'On your home screen it opens like an app: full screen, without an address bar, with its own icon.',
};
const last: WizardStep = {
  title: 'Open it from there',
  text: 'The icon is on your home screen now. Open PrivateFans from it and sign in once.',
};

const between: Record<WayHome, readonly [WizardStep, WizardStep]> = {
  safari: [
    {
      title: 'Tap Share',
      text: "It's the square with an arrow in Safari's bar. You may find it behind the three dots.",
    },
    { title: 'Choose “Add to Home Screen”', text: "Scroll down the list if you don't see it. Then tap Add." },
  ],
  'ios-other': [
    {
      title: 'Open in Safari first',
      text: "This app's browser can't add anything. Copy the address and open it in Safari.",
    },
    {
      title: 'Choose Share, then “Add to Home Screen”',
      text: "Share is the square with an arrow in Safari's bar. Then tap Add.",
    },
  ],
  android: [
    { title: "Open the browser's menu", text: "It's the three dots beside the address." },
    { title: 'Choose “Add to Home screen”', text: 'Some browsers call it “Install app”. Confirm with Install or Add.' },
  ],
};

/** The four steps of the way. */
export const listWizardSteps = (way: WayHome): readonly WizardStep[] => [first, ...between[way], last];
