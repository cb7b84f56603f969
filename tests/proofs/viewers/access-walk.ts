import { drawing } from '#tests/support/access/seeded-draw.ts';
import { pseudonymOf } from '#tests/support/database/viewer-rows.ts';
import { hour } from '#tests/support/decisions.ts';
import { advance, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import type { SharedAlbum } from '#tests/support/shared-link.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import type { AccessModel, ModelLink, ModelViewer } from './access-model.ts';
import { drawRules } from './draw-rules.ts';
import { ViewersWalk } from './walk-viewers.ts';

const minute = 60_000;
type GrantOf = NonNullable<NonNullable<ReturnType<AccessModel['askedOf']>>['grant']>;

/** One walk: creators, viewers and the clock do something at random, and each answer is compared with the model's. */
export class AccessWalk extends ViewersWalk {
  constructor(app: TestApp, owners: readonly SharedAlbum[], seed: number) {
    super(app, owners, drawing(seed), seed.toString(36));
  }

  /** One act; another one is drawn where there was nothing to do. */
  async step(): Promise<void> {
    const before = this.did.length;
    for (let tries = 0; tries < 4 && this.did.length === before; tries++) await this.#act();
  }
  async #act(): Promise<void> {
    if (this.links.length < 2) return this.#makeLink();
    // What limits how often people may do something is tried elsewhere.
    await readRows(this.app, 'delete from rate_limits');
    const act = this.draw.pick([
      ...[this.tap, this.tap, this.tap, this.look, this.look, this.watch, this.watch, this.join, this.pay],
      ...[this.ask, this.ask, this.#decide, this.#decide, this.withdraw, this.#takeBack, this.#revoke, this.#undo],
      ...[this.#change, this.#change, this.#block, this.#unblock, this.#wait, this.race, this.#revokeAmidst],
      this.#makeLink,
    ]);
    await act.call(this);
  }

  async #makeLink(): Promise<void> {
    const creator = this.draw.pick([...this.owners.keys()]);
    const rules = drawRules(this.draw);
    const word = this.draw.pick([undefined, undefined, 'open sesame']);
    const hours = this.draw.pick([undefined, 1, 24]);
    const expiry = hours === undefined ? { kind: 'never' } : { kind: 'after', hours };
    const more = { expiry, ...(word !== undefined && { password: word }) };
    const { id, slug } = await this.ownerOf({ creator }).makeLink(rules, more);
    this.links.push({
      id,
      slug,
      creator,
      rules,
      isRevoked: false,
      versions: 1,
      password: word === undefined ? undefined : { word, version: 1 },
      expiresAt: hours === undefined ? undefined : this.now + hours * hour,
      admitted: new Map(),
      bought: new Map(),
      typed: new Map(),
    });
    this.note(`${creator} makes link ${this.links.length - 1}: ${JSON.stringify({ ...rules, word, hours })}`);
  }

  /** A creator answers one of those who wait, twice at the same moment. */
  async #decide(): Promise<void> {
    const link = this.link();
    const waiting = this.viewers.filter((one) => this.model.askedOf(link.creator, one)?.status === 'pending');
    if (waiting.length === 0) return;
    const viewer = this.draw.pick(waiting);
    const askedBy = this.model.askedOf(link.creator, viewer)?.askedBy ?? link;
    const { requests } = await this.order(link, 'access.requests', { status: 'pending', limit: 100 });
    const requestId = requests.find(
      ({ requesterName }: { requesterName: string }) => requesterName === viewer.name,
    )?.id;
    const isYes = this.draw.pick([true, true, false]);
    const procedure = isYes ? 'access.approve' : 'access.deny';
    const input = { requestId, ...(isYes && { span: 'day' }) };
    const { creator } = this.ownerOf(link);
    const answers = await Promise.all([1, 2].map(() => this.app.call(procedure, input, creator.browser)));
    const said = answers.map(({ status }) => status);
    this.note(`${link.creator} answers ${viewer.name}: ${procedure} ${said}`);
    // A yes would open nothing where the link that was asked by has ended, or for whoever is blocked: it stays a question.
    const isShut = isYes && (this.hasEnded(askedBy) || viewer.blockedBy.has(link.creator));
    if (!said.every((status) => status === (isShut ? 410 : 200))) throw new Error(`${procedure} was answered ${said}`);
    if (isShut) return;
    const grant: GrantOf = { albumIds: ['a'], source: 'approval', expiresAt: this.now + 24 * hour };
    this.model.keep(
      link.creator,
      viewer,
      isYes ? { status: 'approved', grant, askedBy } : { status: 'denied', grant: undefined, askedBy },
    );
  }
  async #takeBack(): Promise<void> {
    const link = this.link();
    const { grants } = await this.order(link, 'access.grants', { limit: 100 });
    const [grant] = grants;
    if (grant === undefined) return;
    await this.order(link, 'access.revokeGrant', { grantId: grant.id });
    const viewer = this.viewers.find(({ name }) => name === grant.viewerName);
    if (viewer === undefined) throw new Error(`A grant names ${grant.viewerName}.`);
    this.model.keep(link.creator, viewer, { status: 'approved', grant: undefined, askedBy: link });
    this.note(`${link.creator} takes back what ${viewer.name} was given`);
  }

  async #revoke(link = this.link()): Promise<void> {
    await this.order(link, 'links.revoke', { linkIds: [link.id] });
    link.isRevoked = true;
    this.note(`link ${this.numberOf(link)} is revoked`);
  }
  async #undo(): Promise<void> {
    const link = this.links.find(({ isRevoked }) => isRevoked);
    if (link === undefined) return;
    const { creator } = this.ownerOf(link);
    const { status } = await this.app.call('links.undoRevoke', { linkIds: [link.id] }, creator.browser);
    if (status === 200) link.isRevoked = false;
    this.note(`link ${this.numberOf(link)} is brought back: ${status}`);
  }
  /** Other rules, maybe another password, while somebody is inside. */
  async #change(): Promise<void> {
    const link = this.link();
    if (this.hasEnded(link)) return;
    const rules = drawRules(this.draw);
    const word = this.draw.pick(['same', 'same', null, `another word ${link.versions}`]);
    await this.order(link, 'links.update', { linkId: link.id, rules, ...(word !== 'same' && { password: word }) });
    link.rules = rules;
    link.versions += 1;
    if (word === null) link.password = undefined;
    else if (word !== 'same') link.password = { word, version: link.versions };
    this.note(`link ${this.numberOf(link)} has other rules: ${JSON.stringify({ ...rules, word })}`);
  }

  async #block(): Promise<void> {
    const [link, viewer] = [this.link(), this.viewer()];
    if (!link.admitted.has(viewer)) return;
    await this.order(link, 'tracing.blockViewer', { viewerId: await this.#knownAs(link, viewer) });
    viewer.blockedBy.add(link.creator);
    this.note(`${link.creator} blocks ${viewer.name}`);
  }
  async #unblock(): Promise<void> {
    const link = this.link();
    const viewer = this.viewers.find(({ blockedBy }) => blockedBy.has(link.creator));
    if (viewer === undefined) return;
    await this.order(link, 'access.unblock', { viewerId: await this.#knownAs(link, viewer) });
    viewer.blockedBy.delete(link.creator);
    this.note(`${link.creator} lets ${viewer.name} in again`);
  }
  async #knownAs(link: ModelLink, viewer: ModelViewer): Promise<string> {
    const text = 'select viewer_id as id from viewer_sessions where id = $1';
    const row = await readRow<{ id: string }>(this.app, text, [viewer.lastVisitId]);
    return pseudonymOf(this.app, row.id, this.ownerOf(link).creator.userId);
  }

  async #wait(): Promise<void> {
    const ms = this.draw.pick([5_000, 11 * minute, 11 * minute, hour - 1000, hour, 23 * hour]);
    advance(this.app, ms);
    // Sessions of creators end after a while without a call.
    for (const { creator } of this.owners.values()) creator.browser = await signInQuickly(this.app, creator.userId);
    this.note(`${ms / 1000} s pass`);
  }

  /** A link is revoked while its viewers ask for keys: whoever asks after the answer gets none. */
  async #revokeAmidst(): Promise<void> {
    const link = this.link();
    const inside = this.screensAt(link).slice(-3);
    await Promise.all([this.#revoke(link), ...inside.map((at) => this.lease(at))]);
    for (const at of inside)
      if ((await this.lease(at)) === 'OK')
        throw new Error(`${at.viewer.name} was lent keys of a link that was revoked`);
  }
}
