import { frameKind, readFrames, readPicture } from '#features/media/frames.ts';
import type { Lease, Opened, Refusal } from '#features/viewing/contract.ts';
import { describeAnswer, type SyntheticBrowser } from './browser.ts';

/** What Open answers: the link, or what stands before it. */
export type Tapped = { opened: Opened; refusal?: undefined } | { opened?: undefined; refusal: Refusal };

/** Taps Open at a link as the viewer app does, once more where the browser was given its cookie first. */
export async function tap(browser: SyntheticBrowser, slug: string, said: object = {}): Promise<Tapped> {
  const body = { firstScreen: 4, timeZone: 'Europe/Berlin', screen: '393x852', isAdult: true, ...said };
  const tapped = await tapOnce(browser, slug, body);
  return tapped.refusal?.reason === 'NEED_COOKIE' ? tapOnce(browser, slug, body) : tapped;
}

async function tapOnce(browser: SyntheticBrowser, slug: string, payload: object): Promise<Tapped> {
  const answer = await browser.ask('POST', `/api/view/${slug}/open`, { payload });
  if (answer.headers['content-type'] === 'application/octet-stream') {
    const head = readFrames(answer.bytes).find(({ kind }) => kind === frameKind.head);
    return { opened: JSON.parse(String(head?.body)) as Opened };
  }
  const said = JSON.parse(String(answer.bytes)) as Refusal | { code: string };
  if (said.code !== 'LINK') throw new Error(`Open was answered with ${describeAnswer(answer)}`);
  return { refusal: said as Refusal };
}

/** Opens a link that stands open for this viewer. @throws with what stands before it */
export async function open(browser: SyntheticBrowser, slug: string, said: object = {}): Promise<Opened> {
  const { opened, refusal } = await tap(browser, slug, said);
  if (opened === undefined) throw new Error(`The link does not open: ${refusal.reason}, “${refusal.title}”.`);
  return opened;
}

/** Taps Open at a link that is not to open yet. @throws where it opens, or for another reason than this one */
export async function expectRefusal(
  browser: SyntheticBrowser,
  slug: string,
  reason: Refusal['reason'],
  said: object = {},
): Promise<Refusal> {
  const { opened, refusal } = await tap(browser, slug, said);
  if (opened !== undefined) throw new Error(`The link opened; it was to say ${reason}.`);
  if (refusal.reason !== reason) throw new Error(`The link said ${refusal.reason}; it was to say ${reason}.`);
  return refusal;
}

/** Asks for one rendition as a screen does. @returns its keys and the pack that was composed for this viewer */
export async function lease(
  browser: SyntheticBrowser,
  visitId: string,
  item: { mediaId: string; rendition: Lease['rendition'] },
): Promise<{ keys: Buffer; pack: Buffer }> {
  const { bytes } = await browser.must('POST', '/api/view/leases', { payload: { visitId, items: [item] } });
  const picture = readFrames(bytes).find(({ kind }) => kind === frameKind.picture);
  if (picture === undefined) throw new Error('A lease came without its picture.');
  return readPicture(picture.body);
}
