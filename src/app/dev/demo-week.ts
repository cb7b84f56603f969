import type { Engines } from '#engines/engines.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { letPeopleAsk } from './demo-asking.ts';
import { letFansPay } from './demo-earnings.ts';
import { isTraced, submitCopy, untilTraced } from './demo-leak.ts';
import type { Making } from './demo-making.ts';
import { openPast } from './demo-past.ts';
import { leaking, type PlannedVisit, revoked, visitsOfPhotos, visitsOfVideo } from './demo-people.ts';
import type { Shown, Visit } from './demo-screen.ts';
import { makeVideo } from './demo-video.ts';
import { openVisitors, type Visitors } from './demo-visitors.ts';
import { linkOnce, listByName, signInAs } from './seeding.ts';

/** How long before the end of the week the albums were made, and the links that come with them. */
export const agoMs = { albums: 9 * dayMs, demo: 8 * dayMs, bob: 6 * dayMs, lena: 3 * hourMs } as const;

/**
 * Lets a week go by over the demo's albums: people come by its links and look, one link is revoked, one copy leaks and is traced.
 * It is all done by the calls that people make, at the moments at which they would have made them; nothing is written by hand.
 * What is there already is not done again.
 * @param email the creator's
 * @throws when it was broken off
 */
export async function makeWeek(
  engines: Engines,
  email: string,
  where: Pick<Making, 'root' | 'folder' | 'signal'>,
): Promise<void> {
  const creator = await signInAs(engines, email);
  const known = await listByName(creator);
  const demo = known.get('Demo');
  if (demo === undefined) return; // its owner has begun to tidy up
  const making = { ...where, engines, creator, endMs: demo.createdAt.getTime() + agoMs.demo };
  const past = openPast(engines);
  const visitors = await openVisitors(past);
  const recording = makeVideo(making);
  recording.catch(() => undefined); // it may fail while nobody waits for it yet
  try {
    await letPhotosBeSeen(making, visitors, known);
    const rare = known.get('Lena') ?? demo;
    await letPeopleAsk(
      making,
      visitors,
      rare.albums.map(({ id }) => id),
    );
    const albumId = await recording;
    if (albumId !== undefined) await letVideoBeSeen(making, visitors, albumId);
    if (engines.sandbox !== undefined) await letFansPay(making, past);
    await untilTraced(making);
    await creator.caller.accounts.signOut({});
  } finally {
    // Nothing is left running, also where something else has failed.
    await Promise.allSettled([recording]);
    await visitors.close();
    await past.close();
  }
}

type Known = Awaited<ReturnType<typeof listByName>>;

async function letPhotosBeSeen(making: Making, visitors: Visitors, known: Known): Promise<void> {
  const { creator, endMs } = making;
  const albumsOf = (name: string) => known.get(name)?.albums.map(({ id }) => id) ?? [];
  const toOne = (name: string, days: number, as: string) =>
    linkOnce(creator, new Date(endMs - days * dayMs), {
      albumIds: albumsOf(as),
      linkName: name,
      recipientName: name,
      recipientChannel: 'whatsapp',
    });
  const [theo, jules] = [await toOne('Theo', 5, 'Bob'), await toOne('Jules', 4, 'Lena')];
  const links = new Map([...known, ['Theo', theo], ['Jules', jules]]);
  const come = openComing(making, visitors, links);
  const { robots } = await creator.caller.insights.notCounted({ days: 30 });
  if (robots.length === 0) await visitors.preview(theo.slug, new Date(endMs - 5 * dayMs));
  for (const visit of visitsOfPhotos) {
    const isLeak = visit.who === leaking && !(await isTraced(creator));
    const shown = await come(visit, { isAgain: isLeak });
    const screenshot = isLeak ? shown?.[1] : undefined;
    if (screenshot !== undefined) await submitCopy(making, jules, screenshot);
  }
  const revoke = (now: Date) => creator.at(now).links.revoke({ linkIds: [theo.id] });
  if (!theo.isRevoked) await come(revoked, { isAgain: true, meanwhile: revoke });
}

async function letVideoBeSeen(making: Making, visitors: Visitors, albumId: string): Promise<void> {
  const at = new Date(making.endMs - 4 * dayMs);
  const newsletter = { linkName: 'Newsletter', recipientChannel: 'email' } as const;
  const link = await linkOnce(making.creator, at, { ...newsletter, albumIds: [albumId] });
  const come = openComing(making, visitors, new Map([['Newsletter', link]]));
  for (const visit of visitsOfVideo) await come(visit);
}

type Come = (
  visit: PlannedVisit,
  how?: Pick<Visit, 'meanwhile'> & { isAgain?: boolean },
) => Promise<Shown[] | undefined>;

/** Lets people come; a visit that has been made before is made no second time, unless it is said. */
function openComing({ creator, endMs, signal }: Making, visitors: Visitors, links: Known): Come {
  return async ({ who, link: name, agoMs: ago, looks, noticed }, { isAgain = false, meanwhile } = {}) => {
    signal?.throwIfAborted();
    const link = links.get(name);
    if (link === undefined) return undefined;
    const at = new Date(endMs - ago);
    const { visits } = await creator.caller.insights.visitsOfLink({ linkId: link.id, limit: 100 });
    const isThere = visits.some(({ startedAt }) => startedAt.getTime() === at.getTime());
    return isThere && !isAgain ? undefined : visitors.visit({ who, slug: link.slug, at, looks, noticed, meanwhile });
  };
}
