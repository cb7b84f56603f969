import type { Target } from '#tests/proofs/asking/target.ts';
import { readRows } from '#tests/support/people.ts';
import type { Actor } from '../asking/actors.ts';
import type { Question } from '../asking/driver.ts';
import { isAllowed, thingsOf } from '../asking/whose.ts';
import type { World } from '../asking/world.ts';

/** Calls that end sessions of the asker: which of hers. */
const ends: Readonly<Record<string, 'this one' | 'all'>> = {
  'accounts.signOut': 'this one',
  'accounts.signOutEverywhere': 'all',
};
export const endsSessions = ({ name }: Target): boolean => name in ends;

interface Session {
  id: string;
  user_id: string;
}
const listSessions = async ({ app }: World): Promise<Session[]> =>
  (await readRows(app, 'select to_jsonb(t) as session from auth_sessions t')).map(({ session }) => session as Session);

/** Whoever notes what came of a question. */
interface Judging {
  allow(question: Question): Promise<unknown>;
  leak(question: Question, what: string): void;
}

/**
 * Asks what ends sessions, each time in a browser that has just been signed in: what it must end is over then, and nothing else.
 * A stranger ends nothing, whatever cookie is forged. Afterwards everybody is signed in as before.
 */
export async function askToEndSessions(judge: Judging, world: World, target: Target, actor: Actor): Promise<void> {
  if (!isAllowed(target, actor, 'A')) return;
  for (const door of target.doors) {
    const earlier = new Set((await listSessions(world)).map(({ id }) => id));
    const browser = (await actor.signIn?.()) ?? actor.browser;
    const before = await listSessions(world);
    const question: Question = {
      target,
      actor: { ...actor, browser },
      whose: 'A',
      door,
      things: thingsOf(world, 'A', actor),
    };
    await judge.allow(question);
    const after = new Set((await listSessions(world)).map(({ id }) => id));
    const own = before.find(({ id }) => !earlier.has(id));
    const mustEnd = ({ id, user_id }: Session) =>
      own !== undefined && (ends[target.name] === 'all' ? user_id === own.user_id : id === own.id);
    for (const session of before) {
      if (!after.has(session.id) && !mustEnd(session)) judge.leak(question, 'a session that it is not about');
      if (after.has(session.id) && mustEnd(session)) judge.leak(question, 'a session goes on');
    }
    const ended = before.filter(({ id }) => earlier.has(id) && !after.has(id));
    const restore = 'insert into auth_sessions select * from jsonb_populate_recordset(null::auth_sessions, $1)';
    await readRows(world.app, restore, [JSON.stringify(ended)]);
  }
}
