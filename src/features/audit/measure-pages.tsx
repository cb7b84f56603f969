import { useEffect } from 'react';

/** From this width on; a phone is not measured. */
const wideScreen = '(min-width: 768px)';

/** Measures how fast pages are, for administrators on a computer; what measures is loaded for nobody else. */
export function MeasurePages() {
  useEffect(() => {
    if (!window.matchMedia(wideScreen).matches) return;
    // Nothing depends on it: a page that cannot measure is the same page.
    import('./browser/web-vitals.ts').then(({ measureOnce }) => measureOnce()).catch(() => undefined);
  }, []);
  return null;
}
