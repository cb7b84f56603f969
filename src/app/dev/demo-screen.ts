import { frameKind, readFrames, readPicture } from '#features/media/frames.ts';
import type { Opened, ViewItem } from '#features/viewing/contract.ts';
import { galleryId } from '#features/viewing/rules.ts';
import { secondMs } from '#kit/time.ts';
import type { Look, Noticed, Person } from './demo-people.ts';

/** One visit, from the tap on. */
export interface Visit {
  who: Person;
  slug: string;
  at: Date;
  looks: readonly Look[];
  noticed?: readonly Noticed[] | undefined;
  /** Happens while the screen is open, which is not left: it hears what became of it. */
  meanwhile?: ((now: Date) => Promise<unknown>) | undefined;
}

/** A rendition as it came onto a screen: the pack that was composed for it, and its keys. */
export type Shown = ReturnType<typeof readPicture>;

/** What a screen stands on. */
interface Ground {
  /** Its own clock. */
  time: { now: number };
  ask(url: string, payload: object): Promise<{ status: number; bytes: Buffer }>;
}

/** How often an open screen renews. */
const heartbeatMs = 15 * secondMs;
/** How long somebody looks at the gallery first, and who then looks at nothing. */
const [galleryMs, glanceMs] = [3 * secondMs, secondMs];
/** So many seconds of a video are asked for at once. */
const keySeconds = 10;
/** Since the last touch. */
const idleMs = 700;

/** What was to be seen since the last renewal. */
interface Seen {
  visibleMs: number;
  played: [number, number][];
}

type Answer = Awaited<ReturnType<Ground['ask']>>;

/** A screen that has been let in. */
interface Screen {
  visitId: string;
  items: readonly ViewItem[];
  ask: Ground['ask'];
  /** The same, where only yes will do. */
  must(url: string, payload: object): Promise<Buffer>;
}

/** Looks through a link as a screen does: opens it, leases what comes onto it, renews as long as it is open, and leaves. */
export async function lookThrough(visit: Visit, { time, ask }: Ground): Promise<Shown[]> {
  time.now = visit.at.getTime();
  const screen = await openScreen(visit, ask);
  const watch = openWatch(screen, time);
  await watch.spend(galleryId, visit.looks.length > 0 ? galleryMs : glanceMs);
  const shown: Shown[] = [];
  for (const { item, seconds, from } of visit.looks) {
    const one = screen.items[item];
    if (one === undefined) throw new Error(`The link shows no item ${item}.`);
    shown.push(await lease(screen, one));
    if (from === undefined) await watch.spend(one.mediaId, seconds * secondMs);
    else await play(screen, watch, { mediaId: one.mediaId, from, seconds });
  }
  if (visit.noticed !== undefined) {
    const report = { visitId: screen.visitId, events: visit.noticed, screen: visit.who.device.screen };
    await screen.must('/rpc/viewing/reportEvents', { json: report });
  }
  await watch.renew({ leaving: visit.meanwhile === undefined });
  if (visit.meanwhile === undefined) return shown;
  await visit.meanwhile(new Date(time.now));
  // What it hears now is that it is over.
  await ask('/rpc/viewing/renew', { json: { visitId: screen.visitId, samples: [], idleMs } });
  return shown;
}

async function openScreen({ slug, who: { device } }: Visit, ask: Ground['ask']): Promise<Screen> {
  const { timeZone, screen } = device;
  const open = async (): Promise<Opened> => {
    const bytes = yes(await ask(`/api/view/${slug}/open`, { isAdult: true, timeZone, screen }), 'open');
    return JSON.parse(String(readFrames(bytes).find(({ kind }) => kind === frameKind.head)?.body));
  };
  const { visitId, items } = await open();
  return {
    visitId,
    items,
    ask,
    async must(url, payload) {
      const answer = await ask(url, payload);
      if (answer.status !== 410) return yes(answer, url);
      // The job that ends what nobody renews goes by the real clock, by which this visit was long ago: it goes on.
      await open();
      return yes(await ask(url, payload), url);
    },
  };
}

/** How time goes by in front of a screen. */
interface Watch {
  /** In front of one picture; of a video it is played on from a second. */
  spend(mediaId: string, ms: number, from?: number): Promise<void>;
  /** Tells what was to be seen since the last time. */
  renew(more?: { lookingAt?: string; leaving?: boolean }): Promise<void>;
}

function openWatch({ visitId, must }: Screen, time: Ground['time']): Watch {
  const seen = new Map<string, Seen>();
  let heartbeatAt = time.now;
  const renew: Watch['renew'] = async (more = {}) => {
    const samples = [...seen].map(([mediaId, one]) => ({ mediaId, ...one }));
    await must('/rpc/viewing/renew', { json: { visitId, samples, idleMs, ...more } });
    heartbeatAt = time.now;
    seen.clear();
  };
  const see = (mediaId: string, ms: number, position: number | undefined) => {
    const { visibleMs, played } = seen.get(mediaId) ?? { visibleMs: 0, played: [] };
    if (position !== undefined) played.push([position, position + ms / secondMs]);
    seen.set(mediaId, { visibleMs: visibleMs + ms, played });
  };
  return {
    renew,
    async spend(mediaId, ms, from) {
      for (let left = ms; left > 0; ) {
        const stepMs = Math.min(left, heartbeatAt + heartbeatMs - time.now);
        see(mediaId, stepMs, from === undefined ? undefined : from + (ms - left) / secondMs);
        time.now += stepMs;
        left -= stepMs;
        if (time.now === heartbeatAt + heartbeatMs) await renew(mediaId === galleryId ? {} : { lookingAt: mediaId });
      }
    },
  };
}

async function lease({ visitId, must }: Screen, { mediaId, kind }: ViewItem): Promise<Shown> {
  const items = [{ mediaId, rendition: kind === 'photo' ? 'p2048' : 'poster' }];
  const frames = readFrames(await must('/api/view/leases', { visitId, items }));
  const picture = frames.find((frame) => frame.kind === frameKind.picture);
  if (picture === undefined) throw new Error('A lease came without its picture.');
  return readPicture(picture.body);
}

/** Plays a stretch of a video, whose keys come some seconds at a time. */
async function play(
  { visitId, must }: Screen,
  { spend }: Watch,
  { mediaId, from, seconds }: { mediaId: string; from: number; seconds: number },
): Promise<void> {
  for (let done = 0; done < seconds; done += keySeconds) {
    const count = Math.min(keySeconds, seconds - done);
    const tracks = [{ track: 'v720', from: from + done, count }];
    await must('/rpc/viewing/videoKeys', { json: { visitId, mediaId, tracks } });
    await spend(mediaId, count * secondMs, from + done);
  }
}

function yes({ status, bytes }: Answer, what: string): Buffer {
  if (status !== 200) throw new Error(`${what}: ${status} ${bytes.toString().slice(0, 200)}`);
  return bytes;
}
