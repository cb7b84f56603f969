import type { drawing } from '#tests/support/access/seeded-draw.ts';
import { must } from '#tests/support/people.ts';
import type { SharedAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, type TestApp } from '#tests/support/test-app.ts';
import { AccessModel, isSaid, type ModelDevice, type ModelLink, type ModelViewer } from './access-model.ts';

/** Where viewers come from: by the addresses of a university and of a telephone company, and by one of a home, which tells nobody. */
const places = [
  { country: 'JP', addressOf: (n: number) => `133.11.${n >> 8}.${n & 255}` },
  { country: 'DE', addressOf: (n: number) => `194.25.${n >> 8}.${n & 255}` },
  { country: undefined, addressOf: (n: number) => `10.9.${n >> 8}.${n & 255}` },
] as const;
type Place = (typeof places)[number];

/** Everybody has an address of their own, also in the next walk, whose clock begins again. */
let addresses = 0;

/** Who a stranger is, as far as links ask for it. */
export interface Traits {
  place: Place;
  isFriend: boolean;
}

/** What a walk is made of: its creators, viewers and links, the model, and what was done. */
export class WalkBase {
  protected readonly app: TestApp;
  protected readonly owners: ReadonlyMap<string, SharedAlbum>;
  protected readonly draw: ReturnType<typeof drawing>;
  protected readonly model = new AccessModel();
  protected readonly links: ModelLink[] = [];
  protected readonly viewers: ModelViewer[] = [];
  readonly #mark: string;
  /** What was done, newest last: printed where an answer is another one than the model's. */
  readonly did: string[] = [];
  /** How often each answer was given. */
  readonly answers = new Map<string, number>();

  /** @param mark makes its addresses others than those of another walk */
  constructor(app: TestApp, owners: readonly SharedAlbum[], draw: ReturnType<typeof drawing>, mark: string) {
    this.app = app;
    this.owners = new Map(owners.map((owner, n) => ['AB'.charAt(n), owner]));
    this.draw = draw;
    this.#mark = mark;
  }

  protected get now(): number {
    return this.app.engines.clock();
  }
  protected link = (): ModelLink => this.draw.pick(this.links.slice(-6));
  protected numberOf = (link: ModelLink): number => this.links.indexOf(link);
  protected hasEnded = ({ isRevoked, expiresAt }: ModelLink): boolean =>
    isRevoked || (expiresAt !== undefined && this.now >= expiresAt);
  protected note = (what: string) => void this.did.push(what);

  protected viewer(): ModelViewer {
    if (this.viewers.length < 4 || this.draw.chance(8)) return this.newViewer();
    return this.draw.pick(this.viewers.slice(-5));
  }
  protected traits = (): Traits => ({ place: this.draw.pick(places), isFriend: this.draw.pick([true, false]) });
  protected newViewer({ place, isFriend }: Traits = this.traits()): ModelViewer {
    const n = this.viewers.length;
    const email = `v${n}-${this.#mark}@${isFriend ? 'friends.example' : 'example.com'}`;
    const nothing = { isAdult: false, blockedBy: new Set<string>(), provenTo: new Set<string>() };
    const viewer: ModelViewer = { name: `viewer ${n}`, devices: [], country: place.country, email, ...nothing };
    const headers = { 'x-forwarded-for': place.addressOf(addresses++) };
    viewer.devices.push({ browser: { cookies: newBrowser().cookies, headers }, visits: new Map() });
    this.viewers.push(viewer);
    return viewer;
  }
  protected device = ({ devices }: ModelViewer): ModelDevice => this.draw.pick(devices);
  protected newDevice({ devices }: ModelViewer): ModelDevice {
    const { headers } = devices[0]?.browser ?? {};
    return { browser: { cookies: newBrowser().cookies, ...(headers && { headers }) }, visits: new Map() };
  }

  protected ownerOf({ creator }: { creator: string }): SharedAlbum {
    const owner = this.owners.get(creator);
    if (owner === undefined) throw new Error(`There is no creator ${creator}.`);
    return owner;
  }
  protected order = (link: ModelLink, procedure: string, input: object) =>
    must(this.app, procedure, input, this.ownerOf(link).creator.browser);

  /** @throws where an answer is not the model's */
  protected compare(what: string, link: ModelLink, expected: string, said: string): void {
    const where = `${what} at link ${this.numberOf(link)}`;
    this.note(`${where}: ${said}`);
    this.answers.set(said, (this.answers.get(said) ?? 0) + 1);
    if (!isSaid(expected, said)) throw new Error(`${where} was answered ${said}, and the model says ${expected}`);
  }
}
