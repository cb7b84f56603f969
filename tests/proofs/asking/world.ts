import { paintJpeg } from '#tests/support/media/paint.ts';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { newBrowser } from '#tests/support/test-app.ts';
import { openViewerApi } from '#tests/support/viewer-api.ts';
import { type Actor, makeActors } from './actors.ts';
import { makeLook } from './make-looks.ts';
import type { Letter, Owner } from './owners.ts';
import { beginUpload, type Ids, type Lent, lend, lendOwn, makeThings, type Stage, type Things } from './things.ts';

/** One of the two creators, what is hers, and what is lent of it: to her viewer, and to herself of her video. */
export interface Side extends Owner {
  things: Things;
  lent: Lent;
  ownVideoToken: string;
}

/** Everything that a proof needs that asks everything of everybody; made once in a file. */
export interface World extends Stage {
  a: Side;
  b: Side;
  sideOf(whose: Letter): Side;
  /** Who asks. */
  actors: Actor[];
  actorOf(name: string): Actor;
  /** Things of a creator for a call that spends them: those of these nouns are new. */
  fresh(whose: Letter, nouns: ReadonlySet<string>): Promise<Ids>;
  /** Another upload that is begun. */
  begin(whose: Letter): Promise<string>;
}

/**
 * Makes it.
 * @param hasActors also everybody else who might ask, beside the two creators and their viewers
 * @param isOneViewer the same browser has come to both
 */
export async function openWorld(app: TestApp, { hasActors = true, isOneViewer = false } = {}): Promise<World> {
  const stage: Stage = { app, viewerApi: await openViewerApi(app) };
  const picture = await paintJpeg(1, 96, 72);
  const oneViewer = newBrowser();
  const open = async (whose: Letter): Promise<Side> => {
    const owner = { whose, person: await signUpCreator(app), viewer: isOneViewer ? oneViewer : newBrowser() };
    const ids = await makeThings(stage, owner);
    const lent = await lend(stage, ids, owner.viewer);
    const things = { ...ids, ...lent, picture, email: owner.person.email };
    return { ...owner, things, lent, ownVideoToken: await lendOwn(stage, ids, owner.person.browser) };
  };
  const first = open('A');
  // Two first calls with the same cookie at the same moment would be two viewers.
  if (isOneViewer) await first;
  const [a, b] = await Promise.all([first, open('B')]);
  const sideOf = (whose: Letter) => (whose === 'A' ? a : b);
  const actors = hasActors ? await makeActors(stage, a, b) : [];
  if (hasActors) for (const side of [a, b]) side.things.glass = await makeLook(app, side, side.things);
  return {
    ...stage,
    a,
    b,
    sideOf,
    actors,
    actorOf(name) {
      const actor = actors.find((one) => one.name === name);
      if (actor === undefined) throw new Error(`There is no ${name}.`);
      return actor;
    },
    async fresh(whose, nouns) {
      const side = sideOf(whose);
      // The call before may have blocked this viewer, as it was allowed to.
      await readRows(app, 'delete from viewer_blocks where viewer_id = $1', [side.things.viewerRow]);
      return makeThings(stage, side, { ids: side.things, nouns });
    },
    begin: (whose) => beginUpload(stage, sideOf(whose), sideOf(whose).things.album),
  };
}
