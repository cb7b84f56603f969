import type { Making } from './demo-making.ts';
import { ago, person } from './demo-people.ts';
import type { Visitors } from './demo-visitors.ts';
import { linkOnce } from './seeding.ts';

/**
 * Who asks to be let in, the newest last: one waits for an answer, the other one was turned down. Newcomers of one network come in one
 * after the other, by a clock that goes back here: nobody of these networks comes later who came before.
 */
export const askers = [
  { who: person('Asker 1', 'BR', 'windows'), agoMs: ago(1, 7), name: 'J', message: '', isDenied: true },
  {
    who: person('Asker 2', 'ES', 'safari'),
    agoMs: ago(0, 5),
    name: 'Lucia',
    message: 'We met at the workshop in Seville. May I see the pictures?',
    isDenied: false,
  },
];

/** Lets people ask for what a link shows only with its creator's yes. Who has asked before does not ask again. */
export async function letPeopleAsk({ creator, endMs }: Making, visitors: Visitors, albumIds: string[]): Promise<void> {
  const link = await linkOnce(creator, new Date(endMs - ago(2)), {
    albumIds,
    linkName: 'By request',
    rules: { offers: [{ id: 'ask', all: [{ kind: 'approval' }] }] },
  });
  const { requests } = await creator.caller.access.requests({ limit: 100 });
  const known = requests.filter((request) => request.link.id === link.id);
  for (const { who, agoMs, name, message, isDenied } of askers) {
    const at = new Date(endMs - agoMs);
    if (!known.some(({ requesterName }) => requesterName === name))
      await visitors.ask({ who, slug: link.slug, at, name, message });
    if (!isDenied) continue;
    const { requests: now } = await creator.caller.access.requests({ status: 'pending', limit: 100 });
    const asked = now.find((request) => request.link.id === link.id && request.requesterName === name);
    if (asked !== undefined) await creator.at(new Date(at.getTime() + 600_000)).access.deny({ requestId: asked.id });
  }
}
