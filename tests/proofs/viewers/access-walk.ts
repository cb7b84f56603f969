import { drawing } from '#tests/support/access/seeded-draw.ts';
import { pseudonymOf } from '#tests/support/database/viewer-rows.ts';
import { hour } from '#tests/support/decisions.ts';
import { must, pass, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import type { SharedAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, type TestApp } from '#tests/support/test-app.ts';
import { AccessModel, isSaid, type ModelLink, type ModelViewer } from './access-model.ts';
import { drawRules } from './draw-rules.ts';

/** One walk: creators, viewers and the clock do something at random, and each answer is compared with the model's. */
export class AccessWalk {
  readonly #app: TestApp;
  readonly #owners: Map<string, SharedAlbum>;
  readonly #draw: ReturnType<typeof drawing>;
  readonly #model = new AccessModel();
  readonly #links: ModelLink[] = [];
  readonly #viewers: ModelViewer[] = [];
  /** What was done, newest last: printed where an answer is another one than the model's. */
  readonly did: string[] = [];
  /** How often each answer was given. */
  readonly answers = new Map<string, number>();

  constructor(app: TestApp, owners: readonly SharedAlbum[], seed: number) {
    this.#app = app;
    this.#owners = new Map(owners.map((owner, n) => ['AB'.charAt(n), owner]));
    this.#draw = drawing(seed);
  }

  async step(): Promise<void> {
    if (this.#links.length < 2) return this.#makeLink();
    // What limits how often people may do something is tried elsewhere.
    await readRows(this.#app, 'delete from rate_limits');
    const act = this.#draw.pick([
      ...[this.#tap, this.#tap, this.#tap, this.#look, this.#look, this.#ask, this.#ask, this.#decide, this.#decide],
      ...[this.#withdraw, this.#takeBack, this.#revoke, this.#undo, this.#change, this.#change, this.#block],
      ...[this.#unblock, this.#wait, this.#race, this.#revokeAmidst, this.#makeLink],
    ]);
    await act.call(this);
  }

  get #now(): number {
    return this.#app.engines.clock();
  }
  #link = (): ModelLink => this.#draw.pick(this.#links.slice(-6));
  #hasEnded = ({ isRevoked, expiresAt }: ModelLink): boolean =>
    isRevoked || (expiresAt !== undefined && this.#now >= expiresAt);
  #note = (what: string) => void this.did.push(what);

  #viewer(): ModelViewer {
    if (this.#viewers.length < 4 || this.#draw.chance(8)) return this.#newViewer();
    return this.#draw.pick(this.#viewers.slice(-5));
  }
  #newViewer(): ModelViewer {
    const name = `viewer ${this.#viewers.length}`;
    const nothing = { isAdult: false, blockedBy: new Set<string>(), visits: new Map() };
    const viewer: ModelViewer = { name, browser: newBrowser(), ...nothing };
    this.#viewers.push(viewer);
    return viewer;
  }
  #ownerOf({ creator }: { creator: string }): SharedAlbum {
    const owner = this.#owners.get(creator);
    if (owner === undefined) throw new Error(`There is no creator ${creator}.`);
    return owner;
  }
  #order = (link: ModelLink, procedure: string, input: object) =>
    must(this.#app, procedure, input, this.#ownerOf(link).creator.browser);

  async #makeLink(): Promise<void> {
    const creator = this.#draw.pick([...this.#owners.keys()]);
    const rules = drawRules(this.#draw);
    const word = this.#draw.pick([undefined, undefined, 'open sesame']);
    const hours = this.#draw.pick([undefined, 1, 24]);
    const expiry = hours === undefined ? { kind: 'never' } : { kind: 'after', hours };
    const more = { expiry, ...(word !== undefined && { password: word }) };
    const { id, slug } = await this.#ownerOf({ creator }).makeLink(rules, more);
    this.#links.push({
      ...{ id, slug, creator, rules, isRevoked: false, versions: 1 },
      password: word === undefined ? undefined : { word, version: 1 },
      expiresAt: hours === undefined ? undefined : this.#now + hours * hour,
      ...{ admitted: new Map(), typed: new Map() },
    });
    this.#note(`${creator} makes link ${this.#links.length - 1}: ${JSON.stringify({ ...rules, word, hours })}`);
  }

  /** A tap, with what the door may ask for. @throws where the answer is not the model's */
  async #open(link: ModelLink, viewer: ModelViewer, more: object = {}): Promise<string> {
    const body = { isAdult: true, ...(link.password && { password: link.password.word }), firstScreen: 1, ...more };
    const { head, refusal, status } = await this.#ownerOf(link).viewerApi.tap(link.slug, body, viewer.browser);
    if (head !== undefined) this.#letIn(link, viewer, head.visitId);
    else if (link.rules.ageGate && this.#isPastGates(link, viewer)) viewer.isAdult = true;
    return head === undefined ? (refusal?.reason ?? `status ${status}`) : 'OK';
  }
  /** Whether somebody is kept out by what comes after the gates: what they said there is kept. */
  #isPastGates(link: ModelLink, viewer: ModelViewer): boolean {
    const reason = this.#model.expect(link, viewer, { now: this.#now, answers: true, isInside: false });
    return /^(VIEWERS_FULL|NEED_APPROVAL|APPROVAL_|TIMED_OUT)/.test(reason);
  }
  #letIn(link: ModelLink, viewer: ModelViewer, visitId: string): void {
    if (!link.admitted.has(viewer)) link.admitted.set(viewer, this.#now);
    if (link.password !== undefined) link.typed.set(viewer, link.password.version);
    // An age is kept where the link asked for it.
    if (link.rules.ageGate) viewer.isAdult = true;
    viewer.lastVisitId = visitId;
    viewer.visits.set(link.id, { visitId, beatAt: this.#now });
  }
  #compare(what: string, link: ModelLink, expected: string, said: string): void {
    const where = `${what} at link ${this.#links.indexOf(link)}`;
    this.#note(`${where}: ${said}`);
    this.answers.set(said, (this.answers.get(said) ?? 0) + 1);
    if (!isSaid(expected, said)) throw new Error(`${where} was answered ${said}, and the model says ${expected}`);
  }

  async #tap(): Promise<void> {
    const [link, viewer] = [this.#link(), this.#viewer()];
    const expected = this.#model.expect(link, viewer, { now: this.#now, answers: true, isInside: false });
    this.#compare(`a tap of ${viewer.name}`, link, expected, await this.#open(link, viewer));
  }

  /** Somebody who is inside asks for keys. */
  async #look(): Promise<void> {
    const inside = this.#links.flatMap((link) =>
      this.#viewers.flatMap((viewer) => (viewer.visits.has(link.id) ? [{ link, viewer }] : [])),
    );
    if (inside.length === 0) return;
    const { link, viewer } = this.#draw.pick(inside.slice(-12));
    const visit = viewer.visits.get(link.id);
    const isFresh = visit !== undefined && this.#now - visit.beatAt < 20_000;
    const expected = this.#model.expect(link, viewer, { now: this.#now, answers: false, isInside: true });
    const said = await this.#lease(link, viewer);
    // A screen that was silent for a while has ended by itself.
    if (expected === 'OK' && !isFresh && said !== 'OK') return void viewer.visits.delete(link.id);
    this.#compare(`${viewer.name} looks on`, link, expected === 'OK' ? 'OK' : said === 'OK' ? expected : said, said);
    if (said !== 'OK') viewer.visits.delete(link.id);
  }
  async #lease(link: ModelLink, { visits, browser }: ModelViewer): Promise<string> {
    const { viewerApi, photos } = this.#ownerOf(link);
    const items = [{ mediaId: photos[0]?.mediaId, rendition: 'thumb512' }];
    const { head, refusal, cut, status } = await viewerApi.lease(visits.get(link.id)?.visitId ?? '', items, browser);
    if (head?.leases?.length > 0 && cut === undefined) return 'OK';
    return refusal?.reason ?? cut?.reason ?? `status ${status}`;
  }

  async #ask(): Promise<void> {
    const [link, viewer] = [this.#link(), this.#viewer()];
    const before = this.#model.expect(link, viewer, { now: this.#now, answers: true, isInside: false });
    const accessRequest = { name: viewer.name, message: '' };
    if (before === 'NEED_APPROVAL')
      this.#model.keep(link.creator, viewer, { status: 'pending', grant: undefined, askedBy: link });
    const expected = before === 'NEED_APPROVAL' ? 'APPROVAL_PENDING' : before;
    if (before === 'NEED_APPROVAL') {
      if (link.rules.ageGate) viewer.isAdult = true;
      if (link.password !== undefined) link.typed.set(viewer, link.password.version);
    }
    this.#compare(`${viewer.name} asks`, link, expected, await this.#open(link, viewer, { accessRequest }));
  }
  async #withdraw(): Promise<void> {
    const [link, viewer] = [this.#link(), this.#viewer()];
    const before = this.#model.expect(link, viewer, { now: this.#now, answers: true, isInside: false });
    if (before === 'APPROVAL_PENDING') this.#model.keep(link.creator, viewer, undefined);
    const expected = before === 'APPROVAL_PENDING' ? 'NEED_APPROVAL' : before;
    this.#compare(
      `${viewer.name} withdraws`,
      link,
      expected,
      await this.#open(link, viewer, { withdrawsRequest: true }),
    );
  }

  /** A creator answers one of those who wait, twice at the same moment. */
  async #decide(): Promise<void> {
    const link = this.#link();
    const waiting = this.#viewers.filter((one) => this.#model.askedOf(link.creator, one)?.status === 'pending');
    if (waiting.length === 0) return;
    const viewer = this.#draw.pick(waiting);
    const askedBy = this.#model.askedOf(link.creator, viewer)?.askedBy ?? link;
    const { requests } = await this.#order(link, 'access.requests', { status: 'pending', limit: 100 });
    const requestId = requests.find(
      ({ requesterName }: { requesterName: string }) => requesterName === viewer.name,
    )?.id;
    const isYes = this.#draw.pick([true, true, false]);
    const procedure = isYes ? 'access.approve' : 'access.deny';
    const input = { requestId, ...(isYes && { span: 'day' }) };
    const { creator } = this.#ownerOf(link);
    const answers = await Promise.all([1, 2].map(() => this.#app.call(procedure, input, creator.browser)));
    const said = answers.map(({ status }) => status);
    this.#note(`${link.creator} answers ${viewer.name}: ${procedure} ${said}`);
    // A yes would open nothing where the link that was asked by has ended, or for whoever is blocked: it stays a question.
    const isShut = isYes && (this.#hasEnded(askedBy) || viewer.blockedBy.has(link.creator));
    if (!said.every((status) => status === (isShut ? 410 : 200))) throw new Error(`${procedure} was answered ${said}`);
    if (isShut) return;
    const grant: GrantOf = { albumIds: ['a'], source: 'approval', expiresAt: this.#now + 24 * hour };
    this.#model.keep(
      link.creator,
      viewer,
      isYes ? { status: 'approved', grant, askedBy } : { status: 'denied', grant: undefined, askedBy },
    );
  }
  async #takeBack(): Promise<void> {
    const link = this.#link();
    const { grants } = await this.#order(link, 'access.grants', { limit: 100 });
    const [grant] = grants;
    if (grant === undefined) return;
    await this.#order(link, 'access.revokeGrant', { grantId: grant.id });
    const viewer = this.#viewers.find(({ name }) => name === grant.viewerName);
    if (viewer === undefined) throw new Error(`A grant names ${grant.viewerName}.`);
    this.#model.keep(link.creator, viewer, { status: 'approved', grant: undefined, askedBy: link });
    this.#note(`${link.creator} takes back what ${viewer.name} was given`);
  }

  async #revoke(link = this.#link()): Promise<void> {
    await this.#order(link, 'links.revoke', { linkIds: [link.id] });
    link.isRevoked = true;
    this.#note(`link ${this.#links.indexOf(link)} is revoked`);
  }
  async #undo(): Promise<void> {
    const link = this.#links.find(({ isRevoked }) => isRevoked);
    if (link === undefined) return;
    const { status } = await this.#app.call(
      'links.undoRevoke',
      { linkIds: [link.id] },
      this.#ownerOf(link).creator.browser,
    );
    if (status === 200) link.isRevoked = false;
    this.#note(`link ${this.#links.indexOf(link)} is brought back: ${status}`);
  }
  /** Other rules, maybe another password, while somebody is inside. */
  async #change(): Promise<void> {
    const link = this.#link();
    if (this.#hasEnded(link)) return;
    const rules = drawRules(this.#draw);
    const word = this.#draw.pick(['same', 'same', null, `another word ${link.versions}`]);
    await this.#order(link, 'links.update', { linkId: link.id, rules, ...(word !== 'same' && { password: word }) });
    link.rules = rules;
    link.versions += 1;
    if (word === null) link.password = undefined;
    else if (word !== 'same') link.password = { word, version: link.versions };
    this.#note(`link ${this.#links.indexOf(link)} has other rules: ${JSON.stringify({ ...rules, word })}`);
  }

  async #block(): Promise<void> {
    const [link, viewer] = [this.#link(), this.#viewer()];
    if (!link.admitted.has(viewer)) return;
    await this.#order(link, 'tracing.blockViewer', { viewerId: await this.#knownAs(link, viewer) });
    viewer.blockedBy.add(link.creator);
    this.#note(`${link.creator} blocks ${viewer.name}`);
  }
  async #unblock(): Promise<void> {
    const link = this.#link();
    const viewer = this.#viewers.find(({ blockedBy }) => blockedBy.has(link.creator));
    if (viewer === undefined) return;
    await this.#order(link, 'access.unblock', { viewerId: await this.#knownAs(link, viewer) });
    viewer.blockedBy.delete(link.creator);
    this.#note(`${link.creator} lets ${viewer.name} in again`);
  }
  async #knownAs(link: ModelLink, viewer: ModelViewer): Promise<string> {
    const text = 'select viewer_id as id from viewer_sessions where id = $1';
    const row = await readRow<{ id: string }>(this.#app, text, [viewer.lastVisitId]);
    return pseudonymOf(this.#app, row.id, this.#ownerOf(link).creator.userId);
  }

  async #wait(): Promise<void> {
    const ms = this.#draw.pick([5_000, 60_000, hour - 1000, hour, 23 * hour]);
    pass(this.#app, ms);
    // Sessions of creators end after a while without a call.
    for (const { creator } of this.#owners.values()) creator.browser = await signInQuickly(this.#app, creator.userId);
    this.#note(`${ms / 1000} s pass`);
  }

  /** Strangers tap a link for few people at the same moment: as many get in as there are places. */
  async #race(): Promise<void> {
    const link = this.#link();
    const strangers = [1, 2, 3, 4].map(() => this.#newViewer());
    const places = Math.min(link.rules.maxViewers ?? 99, link.rules.bindFirstViewer === true ? 1 : 99);
    const left = Math.max(0, places - link.admitted.size);
    const first = strangers[0] as ModelViewer;
    const expected = this.#model.expect(link, first, { now: this.#now, answers: true, isInside: false });
    const said = await Promise.all(strangers.map((viewer) => this.#open(link, viewer)));
    const inside = said.filter((answer) => answer === 'OK').length;
    this.#note(`4 strangers tap link ${this.#links.indexOf(link)} at once: ${said}`);
    const wanted = expected === 'OK' ? Math.min(4, left) : 0;
    if (inside !== wanted) throw new Error(`${inside} of 4 strangers got in, and the model says ${wanted}`);
  }

  /** A link is revoked while its viewers ask for keys: whoever asks after the answer gets none. */
  async #revokeAmidst(): Promise<void> {
    const link = this.#link();
    const inside = this.#viewers.filter(({ visits }) => visits.has(link.id)).slice(-3);
    await Promise.all([this.#revoke(link), ...inside.map((viewer) => this.#lease(link, viewer))]);
    for (const viewer of inside) {
      const said = await this.#lease(link, viewer);
      if (said === 'OK') throw new Error(`${viewer.name} was lent keys of a link that was revoked`);
      viewer.visits.delete(link.id);
    }
  }
}

type GrantOf = NonNullable<NonNullable<ReturnType<AccessModel['askedOf']>>['grant']>;
