import { refundPromise } from '#features/notices/refund-promise.ts';
import { galleryId } from '#features/viewing/rules.ts';
import { payAt, sessionOf } from '#tests/support/money/selling.ts';
import { advance, readRows } from '#tests/support/people.ts';
import {
  goesOn,
  type ModelDevice,
  type ModelLink,
  type ModelViewer,
  type ModelVisit,
  othersOf,
  policyOfLink,
} from './access-model.ts';
import { tipCents } from './draw-rules.ts';
import { WalkBase } from './walk-base.ts';

/** Somebody at a link, in one of their browsers. */
interface At {
  link: ModelLink;
  viewer: ModelViewer;
  device: ModelDevice;
}

/** Ends of an open screen that it does not come back from. */
const cutting = /^(REVOKED|EXPIRED|TIMED_OUT|TIME_USED|VIEWER_BLOCKED)$/;
/** Whoever is refused for one of these has passed the gates, and what they said there is kept. */
const behindGates =
  /^(EMAIL_NOT_ALLOWED|VIEWERS_FULL|NEED_APPROVAL|APPROVAL_|NEED_OFFER|VISITS_USED|TIMED_OUT|TIME_USED|CONCURRENT)/;

/** What viewers do in a walk. */
export class ViewersWalk extends WalkBase {
  protected at(): At {
    const link = this.link();
    // Whom a link knows comes back more often than a stranger comes.
    const known = [...link.admitted.keys()].slice(-3);
    const viewer = known.length > 0 && this.draw.pick([true, false]) ? this.draw.pick(known) : this.viewer();
    return { link, viewer, device: this.device(viewer) };
  }
  /** What the door has to answer. */
  protected atDoor({ link, viewer, device }: At, takesOver = false): string {
    return this.model.expect(link, viewer, { now: this.now, answers: true, isInside: false, device, takesOver });
  }
  #inside = ({ link, viewer }: At): string =>
    this.model.expect(link, viewer, { now: this.now, answers: false, isInside: true });

  /** A tap, with what the door may ask for. */
  protected async open(at: At, more: object = {}): Promise<string> {
    const { link, viewer, device } = at;
    const expected = this.atDoor(at);
    const { viewerApi } = this.ownerOf(link);
    const body = { isAdult: true, ...(link.password && { password: link.password.word }), firstScreen: 1 };
    let { head, refusal, status } = await viewerApi.tap(link.slug, { ...body, ...more }, device.browser);
    if (refusal?.reason === 'NEED_EMAIL') {
      await viewerApi.tap(link.slug, { ...body, email: viewer.email }, device.browser);
      const { resumeCode: _, ...rest } = more as { resumeCode?: string };
      const proof = { ...body, ...rest, emailCode: await this.#codeTo(viewer.email) };
      ({ head, refusal, status } = await viewerApi.tap(link.slug, proof, device.browser));
      viewer.provenTo.add(link.creator);
    }
    if (head !== undefined) this.#letIn(at, head);
    else if (link.rules.ageGate && behindGates.test(expected)) viewer.isAdult = true;
    if (head === undefined && link.password !== undefined && behindGates.test(expected))
      link.typed.set(viewer, link.password.version);
    return head === undefined ? (refusal?.reason ?? `status ${status}`) : 'OK';
  }
  async #codeTo(address: string): Promise<string | undefined> {
    // The newest one: those before were read.
    const sql = `delete from mail_outbox where recipient = $1 and template = 'proof_code' returning body_text as text`;
    const [{ text } = { text: '' }] = await readRows<{ text: string }>(this.app, sql, [address]);
    return /\d{6}/.exec(text)?.[0];
  }
  #letIn({ link, viewer, device }: At, { visitId, resumeCode }: { visitId: string; resumeCode?: string }): void {
    const { now } = this;
    const known = link.admitted.get(viewer);
    const before = { visits: known?.visits ?? 0, watchedMs: known?.watchedMs ?? 0 };
    const isNew = !goesOn(device.visits.get(link.id), now);
    if (known === undefined) link.admitted.set(viewer, { firstAt: now, visits: 1, watchedMs: 0, resumeCode });
    else if (isNew) known.visits += 1;
    const bought = link.bought.get(viewer);
    if (bought !== undefined && bought.openedAt === undefined) Object.assign(bought, { openedAt: now, before });
    if (link.password !== undefined) link.typed.set(viewer, link.password.version);
    // An age is kept where the link asked for it.
    if (link.rules.ageGate) viewer.isAdult = true;
    viewer.lastVisitId = visitId;
    device.visits.set(link.id, { visitId, heartbeatAt: now, state: 'open' });
  }

  protected async tap(): Promise<void> {
    const at = this.at();
    const takesOver = this.draw.chance(3);
    const isTaken = takesOver && this.atDoor(at) === 'CONCURRENT';
    const expected = this.atDoor(at, isTaken);
    const said = await this.open(at, takesOver ? { takeOver: true } : {});
    if (isTaken && said === 'OK')
      for (const other of othersOf(at.link, at.viewer, at.device)) if (other.state === 'open') other.state = 'cut';
    this.compare(`a tap of ${this.#nameOf(at)}`, at.link, expected, said);
  }
  #nameOf = ({ viewer, device }: At) => `${viewer.name} (${viewer.devices.indexOf(device)})`;

  /** Another browser of somebody whom a link has let in, by the code that they have saved. */
  protected async join(): Promise<void> {
    const { link, viewer } = this.at();
    const resumeCode = link.admitted.get(viewer)?.resumeCode;
    if (resumeCode === undefined || viewer.devices.length > 2) return;
    const device = this.newDevice(viewer);
    const at = { link, viewer, device };
    const expected = this.atDoor(at);
    const said = await this.open(at, { resumeCode });
    viewer.devices.push(device);
    this.compare(`${viewer.name} comes in another browser`, link, expected, said);
  }

  /** Those who have a screen open. */
  #screens(): (At & { visit: ModelVisit })[] {
    return this.links.flatMap((link) =>
      this.viewers.flatMap((viewer) =>
        viewer.devices.flatMap((device) => {
          const visit = device.visits.get(link.id);
          return visit?.state === 'open' ? [{ link, viewer, device, visit }] : [];
        }),
      ),
    );
  }
  /** Somebody who is inside asks for keys. */
  protected async look(): Promise<void> {
    const screens = this.#screens();
    if (screens.length === 0) return;
    const at = this.draw.pick(screens.slice(-12));
    const expected = this.#inside(at);
    const said = await this.lease(at);
    // A screen that was silent for long has ended by itself.
    if (expected === 'OK' && said !== 'OK' && !goesOn(at.visit, this.now)) return;
    this.compare(`${this.#nameOf(at)} looks on`, at.link, ...this.#bothOf(expected, said));
  }
  /** Inside, it is only told whether it goes on: the words are those of an end. */
  #bothOf = (expected: string, said: string): [string, string] => [
    expected === 'OK' || said === 'OK' ? expected : said,
    said,
  ];
  protected async lease({ link, device }: At): Promise<string> {
    const { viewerApi, photos } = this.ownerOf(link);
    const items = [{ mediaId: photos[0]?.mediaId, rendition: 'thumb512' }];
    const { visitId = '' } = device.visits.get(link.id) ?? {};
    const { head, refusal, cut, status } = await viewerApi.lease(visitId, items, device.browser);
    if (head?.leases?.length > 0 && cut === undefined) return 'OK';
    return refusal?.reason ?? cut?.reason ?? `status ${status}`;
  }
  protected screensAt = (link: ModelLink): At[] => this.#screens().filter((at) => at.link === link);

  /** Somebody who is inside has watched for a while, and says so. */
  protected async watch(): Promise<void> {
    const screens = this.#screens().slice(-12);
    if (screens.length === 0) return;
    const at = this.draw.pick(screens);
    const visibleMs = this.draw.pick([10_000, 35_000]);
    advance(this.app, visibleMs);
    const { link, viewer, visit, device } = at;
    const isGoingOn = goesOn(visit, this.now);
    const admission = link.admitted.get(viewer);
    if (isGoingOn && admission !== undefined) admission.watchedMs += Math.min(visibleMs, this.now - visit.heartbeatAt);
    const expected = this.#inside(at);
    const samples = [{ mediaId: galleryId, visibleMs }];
    const input = { visitId: visit.visitId, samples, idleMs: 0 };
    const { status, body } = await this.app.call('viewing.renew', input, device.browser);
    const said = status === 200 ? 'OK' : (body?.data?.reason ?? `status ${status}`);
    if (isGoingOn) {
      visit.heartbeatAt = this.now;
      if (expected !== 'OK') visit.state = cutting.test(expected) ? 'cut' : 'closed';
    } else if (expected === 'OK' && said !== 'OK') return;
    this.compare(`${this.#nameOf(at)} has watched ${visibleMs / 1000} s`, link, ...this.#bothOf(expected, said));
  }

  /** Returns whether the creator's yes is what somebody can ask for, or take back, where the door says this. */
  #canAsk({ link, viewer }: At, said: string): boolean {
    const asked = this.model.askedOf(link.creator, viewer);
    // What waits at a link that has ended waits no more: it is asked again at one that is open.
    const isWaiting = asked?.status === 'pending' && !this.hasEnded(asked.askedBy);
    return !isWaiting && asked?.status !== 'denied' && this.#isAtRequest(link, viewer, said);
  }
  #isAtRequest(link: ModelLink, viewer: ModelViewer, said: string): boolean {
    if (said === 'NEED_APPROVAL' || said === 'APPROVAL_PENDING') return true;
    const asksIt = link.rules.offers?.some(({ all }) => all.some(({ kind }) => kind === 'approval')) === true;
    const grant = this.model.askedOf(link.creator, viewer)?.grant;
    return said === 'NEED_OFFER' && asksIt && !(grant !== undefined && this.now < (grant.expiresAt ?? Infinity));
  }
  protected async ask(): Promise<void> {
    const at = this.at();
    const { link, viewer } = at;
    const before = this.atDoor(at);
    const accessRequest = { name: viewer.name, message: '' };
    if (this.#canAsk(at, before))
      this.model.keep(link.creator, viewer, { status: 'pending', grant: undefined, askedBy: link });
    const expected = before === 'NEED_APPROVAL' ? 'APPROVAL_PENDING' : before;
    this.compare(`${viewer.name} asks`, link, expected, await this.open(at, { accessRequest }));
  }
  protected async withdraw(): Promise<void> {
    const at = this.at();
    const { link, viewer } = at;
    const before = this.atDoor(at);
    const isPending = this.model.askedOf(link.creator, viewer)?.status === 'pending';
    if (isPending && this.#isAtRequest(link, viewer, before)) this.model.keep(link.creator, viewer, undefined);
    const expected = before === 'APPROVAL_PENDING' ? 'NEED_APPROVAL' : before;
    this.compare(`${viewer.name} withdraws`, link, expected, await this.open(at, { withdrawsRequest: true }));
  }

  /** Somebody pays the tip that is all that is missing. */
  protected async pay(): Promise<void> {
    const at = this.at();
    const { link, viewer, device } = at;
    if (this.atDoor(at) !== 'NEED_OFFER') return;
    const isApproved = !this.#isAtRequest(link, viewer, 'NEED_OFFER');
    const offer = link.rules.offers?.find(
      ({ all }) => all.some(({ kind }) => kind === 'tip') && (all.length === 1 || isApproved),
    );
    this.compare(`${viewer.name} comes to pay`, link, 'NEED_OFFER', await this.open(at));
    if (offer === undefined) return;
    const body = JSON.stringify({ offerId: offer.id, amountCents: tipCents, shownTerms: refundPromise });
    const init = { method: 'POST', headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc' }, body };
    const answer = await this.ownerOf(link).viewerApi.fetch(`/api/view/${link.slug}/checkout`, init, device.browser);
    const { url } = (await answer.json()) as { url?: string };
    if (url === undefined) throw new Error(`${viewer.name} could not pay at link ${this.numberOf(link)}`);
    await payAt(this.app, sessionOf(url), { email: viewer.email });
    const before = { visits: 0, watchedMs: 0 };
    link.bought.set(viewer, { policy: policyOfLink(link), cents: tipCents, openedAt: undefined, before });
    this.compare(`${viewer.name} has paid`, link, this.atDoor(at), await this.open(at));
  }

  /** Strangers tap a link for few people at the same moment: as many get in as there are places. */
  protected async race(): Promise<void> {
    const link = this.link();
    if (link.rules.email !== undefined) return;
    const traits = this.traits();
    const strangers = [1, 2, 3, 4].map(() => this.newViewer(traits));
    const places = Math.min(link.rules.maxViewers ?? 99, link.rules.bindFirstViewer === true ? 1 : 99);
    const left = Math.max(0, places - link.admitted.size);
    const taps = strangers.flatMap((viewer) => viewer.devices.map((device) => ({ link, viewer, device })));
    const expected = taps[0] && this.atDoor(taps[0]);
    const said = await Promise.all(taps.map((at) => this.open(at)));
    const inside = said.filter((answer) => answer === 'OK').length;
    this.note(`4 strangers tap link ${this.numberOf(link)} at once: ${said}`);
    const wanted = expected === 'OK' ? Math.min(4, left) : 0;
    if (inside !== wanted) throw new Error(`${inside} of 4 strangers got in, and the model says ${wanted}`);
  }
}
