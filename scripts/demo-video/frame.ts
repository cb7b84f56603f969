import type { Browser } from '@playwright/test';

/** The video's own size, and where the two screens lie in it. */
export const videoSize = { width: 854, height: 480 } as const;
export const studio = { x: 12, y: 12, width: 560, height: 392 } as const;
export const phone = { x: 584, y: 12, width: 258, height: 392 } as const;
/** The screens are recorded larger than they are shown, so that a whole page has room. */
export const recordedAt = 1.4;

const hole = ({ x, y, width, height }: typeof studio | typeof phone, r: number) =>
  `M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1 -${r} ${r}h-${width - 2 * r}a${r} ${r} 0 0 1 -${r} -${r}v-${height - 2 * r}a${r} ${r} 0 0 1 ${r} -${r}z`;

/** The picture that lies over both screens: a dark ground with two windows in it, and the caption under them. */
const drawOverlay = (caption: string) => `<!doctype html><style>
  html, body { margin: 0; background: transparent; }
  p { position: fixed; inset: ${studio.y + studio.height}px 0 0; margin: 0; display: grid; place-items: center; color: #f6efe8;
    font: 480 26px/1.2 'Fraunces Variable', Fraunces, Georgia, serif; letter-spacing: -0.01em; }
</style><svg width="${videoSize.width}" height="${videoSize.height}"><path fill-rule="evenodd" fill="#150c14" d="M0 0h${videoSize.width}v${videoSize.height}H0z ${hole(studio, 12)} ${hole(phone, 22)}"/></svg><p>${caption}</p>`;

/** Draws captions as pictures. @param url of the product, whose type they are set in; its policy admits no page that is written here */
export async function drawCaptions(
  browser: Browser,
  url: string,
  captions: readonly { text: string; file: string }[],
): Promise<void> {
  const page = await browser.newPage({ viewport: videoSize, bypassCSP: true });
  // The page's own script would put back what it has drawn.
  await page.goto(url, { waitUntil: 'networkidle' });
  for (const { text, file } of captions) {
    await page.evaluate(
      `document.documentElement.style.background = document.body.style.background = 'transparent';
      document.body.replaceChildren(...new DOMParser().parseFromString(${JSON.stringify(drawOverlay(text))}, 'text/html').querySelectorAll('style, svg, p'));`,
    );
    await page.waitForTimeout(150);
    await page.screenshot({ path: file, omitBackground: true });
  }
  await page.close();
}
