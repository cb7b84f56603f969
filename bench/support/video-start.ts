import { say } from './options.ts';
import { openPhone, type Phone } from './phone.ts';

/** Visits: a median of as many first frames. */
const visits = 7;

/** Notes the tap on "play", and when the video's first frame stood on the screen. */
const note = `
  addEventListener('click', ({ target }) => { if (target.closest?.('.video-start')) performance.mark('video-tap'); }, true);
  addEventListener('loadstart', ({ target }) => target.requestVideoFrameCallback?.((now) =>
    performance.mark('video-frame', { startTime: now })), true);`;

/** From the tap on "play" to the first frame of a link's first video, of as many fresh phones; milliseconds. */
export async function readFirstFrames(url: string): Promise<{ times: number[] } | { why: string }> {
  let phone: Phone;
  try {
    phone = await openPhone();
  } catch (error) {
    return { why: (error as Error).message };
  }
  try {
    if (!(await playsVideos(phone))) return { why: 'this browser plays no H.264' };
    const times: number[] = [];
    for (let visit = 0; visit < visits; visit++) times.push(await readFirstFrame(phone, url));
    say(`first frames ${times.map((time) => Math.round(time)).join(', ')} ms after the tap`);
    return { times };
  } finally {
    await phone.close();
  }
}

async function playsVideos(phone: Phone): Promise<boolean> {
  const { page, close } = await phone.openPage('loopback');
  const answer = await page.evaluate<boolean>(
    `'MediaSource' in globalThis && MediaSource.isTypeSupported('video/mp4; codecs="avc1.64001f,mp4a.40.2"')`,
  );
  await close();
  return answer;
}

async function readFirstFrame(phone: Phone, url: string): Promise<number> {
  const visit = await phone.openPage('loopback');
  const { page } = visit;
  try {
    await page.addInitScript(note);
    await page.goto(url, { waitUntil: 'commit' });
    await visit.mark('ready');
    await page.locator('#open').tap();
    await visit.until(`document.querySelector('#tools')?.childElementCount > 0`);
    await page.locator('.cell').first().tap();
    // As somebody does who looks at the poster first: it stands, and so does what plays the video.
    await visit.until(`document.querySelector('.slide[data-current] canvas.full[data-painted]') !== null`);
    await visit.until(`document.querySelector('.video-bar') !== null`);
    await page.locator('.video-start').tap();
    return (await visit.mark('video-frame')) - (await visit.mark('video-tap'));
  } finally {
    await visit.close();
  }
}
