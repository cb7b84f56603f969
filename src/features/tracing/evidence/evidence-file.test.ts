import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyRingOf } from '#engines/keys/key-ring.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { describeCopy, openToldWork } from '#tests/support/tracing/described-copies.ts';
import { type Guest, type LeakWorld, openLeakWorld, upload } from '#tests/support/tracing/leaks.ts';
import { readPdf } from '#tests/support/tracing/read-pdf.ts';
import { verifyEvidenceFile } from '../commands.ts';
import { sealCodewords } from '../jobs.ts';
import { describePlace } from '../page-texts.ts';
import { evidencePublicKey, signJson } from '../signature.ts';
import type { TraceWork } from '../work/trace-work.ts';
import type { WrittenEvidence } from './evidence-file.ts';
import { verifyEvidence } from './verify-evidence.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pf-evidence-'));
let app: TestApp;
let world: LeakWorld;
let work: TraceWork;
let bob: Guest;
let copy: Buffer;
let traceId = '';

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openLeakWorld(app, { isTold: true });
  work = openToldWork(app.engines);
  bob = await world.invite('Bob');
  await sealCodewords(app.engines);
  await world.invite('Zoë 🌙');
  advance(app, 60_000);
  await sealCodewords(app.engines);
  advance(app, 1000);
  copy = describeCopy(world, bob);
  traceId = (await hand(copy)).id;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await work.close();
  await app.close();
});

async function hand(bytes: Buffer) {
  const { browser } = world.creator;
  const { traceId: handed } = (await upload(world, bytes, browser, `?albumId=${world.albumId}`)).body;
  await work.run(handed, new AbortController().signal);
  return (await app.call('tracing.one', { traceId: handed }, browser)).body;
}

async function fetchEvidence(kind: 'json' | 'pdf', id = traceId): Promise<Buffer> {
  const answer = await world.viewerApi.fetch(
    `/api/traces/${id}/evidence.${kind}`,
    { method: 'POST' },
    world.creator.browser,
  );
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return Buffer.from(await answer.arrayBuffer());
}

/** What an evidence file says when one thing in it was changed. */
// biome-ignore lint/suspicious/noExplicitAny: a forger keeps to no type
function wrongWhen(text: string, change: (file: any) => void): string[] {
  const file = JSON.parse(text);
  change(file);
  const checks = verifyEvidence(JSON.stringify(file), { leaks: [copy], key: evidencePublicKey(app.engines.keys) });
  return checks.filter(({ is }) => is === 'wrong').map(({ what }) => what);
}

/** Every place of a file where a value stands. */
function leavesOf(value: unknown, place: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return [place];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...place, name]));
}

/** Returns whether a change of one value is found, or makes it no evidence file at all. */
function isFound(text: string, place: readonly string[]): boolean {
  const change = (value: unknown) => {
    if (typeof value === 'string')
      return value === '' ? 'x' : `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`;
    if (typeof value === 'number') return value + 1;
    return typeof value === 'boolean' ? !value : 'x';
  };
  try {
    const wrong = wrongWhen(text, (file) => {
      const last = place.at(-1) ?? '';
      const parent = place.slice(0, -1).reduce((inner, name) => inner[name], file);
      parent[last] = change(parent[last]);
    });
    return wrong.length > 0;
  } catch {
    return true;
  }
}

describe('an evidence file', () => {
  it('as a PDF says what was found, in which words, and holds no codeword', async () => {
    const { words } = await readPdf(await fetchEvidence('pdf'));
    expect(words).toContain('This copy was made from what Bob was shown through the link “Bob”.');
    for (const part of [
      'Chain of custody',
      'Method',
      'What this cannot tell you',
      'row 1 of the log',
      bob.linkId,
      bob.viewerId,
    ])
      expect(words).toContain(part);
    expect(words).toMatch(/Earlier traces of the same items that count: 0\./);
    expect(words).not.toMatch(/guilty|culprit|proven|100 %|unremovable/i);
    expect(await readRows(app, `select 1 from trace_log where kind = 'disclosed'`)).toEqual([]);
  });

  it('as a PDF tells the same as the JSON of the same trace, but for the codewords', async () => {
    const { words } = await readPdf(await fetchEvidence('pdf'));
    const file: WrittenEvidence = JSON.parse((await fetchEvidence('json')).toString());
    const time = (at: string) => at.slice(0, 19).replace('T', ' ');
    const [link] = file.links;
    const [viewer] = link?.viewers ?? [];
    const [visit] = viewer?.visits ?? [];
    if (visit === undefined) throw new Error('no visit');
    expect(link?.policies).toHaveLength(1);
    expect(file.commitments).toHaveLength(2);
    for (const part of [
      file.statement,
      ` ${createHash('sha256').update(copy).digest('hex')} `,
      ` ${file.leak.sha256} `,
      ...file.items.map(({ sha256 }) => `SHA-256 ${sha256} `),
      ...file.items.flatMap(({ packs }) => packs.map(({ sha256 }) => ` ${sha256} `)),
      `N = ${file.decision.issued} codewords`,
      `H = ${file.decision.hypotheses}: ${file.decision.compared} photos or videos`,
      ...file.links.flatMap(({ policies }) =>
        policies.map(({ version, at }) => `version ${version}, from ${time(at)}`),
      ),
      `${time(visit.startedAt)} open ${describePlace(visit)} ${visit.policyVersion} `,
      ...file.commitments.map(
        ({ commitment, seq, at, sealN }) =>
          `${commitment} row ${seq} of the log, ${time(at)} UTC Seal ${file.seals.find(({ n }) => n === sealN)?.hash} `,
      ),
      ...file.method,
      ...file.limits,
      file.signature.publicKey,
    ])
      expect(words).toContain(part);
    for (const { seed } of file.commitments) expect(words).not.toContain(seed);
  });

  it('as JSON is right in all that a program can check', async () => {
    const text = (await fetchEvidence('json')).toString();
    const checks = verifyEvidence(text, { leaks: [copy], key: evidencePublicKey(app.engines.keys) });
    expect(checks.filter(({ is }) => is !== 'right')).toEqual([]);
    expect(checks.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^A copy has the SHA-256/),
        expect.stringMatching(`^The codeword of link ${bob.linkId} matches its commitment`),
        expect.stringMatching(/^Seals \d+ to \d+ match their rows and each other/),
        expect.stringMatching(`names link ${bob.linkId} with a chance of coincidence below 10`),
      ]),
    );
    const file = JSON.parse(text);
    expect(file.links[0].viewers[0]).toMatchObject({ name: 'Bob', visits: [{ device: 'iPhone', policyVersion: 1 }] });
    // Photos have no seconds.
    expect(text).not.toMatch(/"lent"|"secondsRead"/);
    expect(JSON.stringify(file)).not.toMatch(/guilty|Zoë/);
  });

  it('cannot be changed anywhere without the change being found', async () => {
    const text = (await fetchEvidence('json')).toString();
    expect(wrongWhen(text, () => undefined)).toEqual([]);
    const places = leavesOf(JSON.parse(text)).filter(([first]) => first !== 'readings');
    expect(places.length).toBeGreaterThan(80);
    for (const place of places) expect([place.join('.'), isFound(text, place)]).toEqual([place.join('.'), true]);
  });

  it('says what is wrong even when whoever changed it can sign', async () => {
    const text = (await fetchEvidence('json')).toString();
    const flip = (hex: string) => `${hex.startsWith('0') ? '1' : '0'}${hex.slice(1)}`;
    // biome-ignore lint/suspicious/noExplicitAny: a forger keeps to no type
    const signedWhen = (change: (file: any) => void) =>
      wrongWhen(text, (file) => {
        change(file);
        const { signature: _, ...rest } = file;
        file.signature = signJson(app.engines.keys, rest);
      }).join('; ');
    expect(signedWhen(() => undefined)).toBe('');
    expect(signedWhen(({ leak }) => Object.assign(leak, { sha256: flip(leak.sha256) }))).toMatch(/is about the copy/);
    expect(signedWhen(({ commitments: [first] }) => Object.assign(first, { seed: flip(first.seed) }))).toMatch(
      /matches its commitment/,
    );
    expect(signedWhen(({ seals: [first] }) => first.rows.pop())).toMatch(/Seals \d+ to \d+/);
    expect(signedWhen(({ seals: [, second] }) => Object.assign(second, { hash: flip(second.hash) }))).toMatch(/Seals/);
    expect(signedWhen(({ leak }) => Object.assign(leak, { uploadedAt: '2026-11-21T12:00:00.000Z' }))).toMatch(
      /before the copy was submitted/,
    );
    expect(signedWhen(({ decision }) => Object.assign(decision, { hypotheses: 1 }))).toMatch(/hypotheses/);
    expect(signedWhen(({ decision }) => Object.assign(decision, { outcome: 'probable' }))).toMatch(/outcome/);
    expect(signedWhen(({ decision }) => Object.assign(decision, { issued: 1 }))).toMatch(/was a candidate/);
    expect(signedWhen(({ decision }) => Object.assign(decision, { rule: 'by eye' }))).toMatch(/rule/);
    // Files made before there were videos say the same rule in other words.
    const older = (rule: string) => rule.replace('photos or videos', 'photos');
    expect(signedWhen(({ decision }) => Object.assign(decision, { rule: older(decision.rule) }))).toBe('');
    // A link that is named after its viewer was once told like any other.
    const plain = (words: string) => words.replace('the link “Bob”', 'Bob');
    expect(signedWhen((file) => Object.assign(file, { statement: plain(file.statement) }))).toBe('');
    expect(signedWhen(({ links: [link] }) => Object.assign(link.viewers[0], { name: 'Eve' }))).toMatch(/statement/);
    expect(signedWhen(({ links: [link] }) => Object.assign(link, { timesNamed: 40 }))).toMatch(/names link/);
    expect(signedWhen((file) => Object.assign(file, { commitments: file.commitments.slice(1) }))).toMatch(
      /A codeword was fixed/,
    );
    expect(
      signedWhen((file) => {
        file.madeAt = new Date(Date.parse(file.madeAt) + 3_600_000).toISOString();
        Object.assign(file.commitments[0], { sealN: null });
      }),
    ).toMatch(/A seal holds/);
    const reversed = signedWhen(({ readings }) => {
      for (const reading of readings) reading.z.reverse();
    });
    expect(reversed).toMatch(/names link/);
    const stranger = keyRingOf([{ id: 'other', key: Buffer.alloc(32, 1) }]);
    expect(
      wrongWhen(text, (file) => {
        const { signature: _, ...rest } = file;
        file.signature = signJson(stranger, rest);
      }),
    ).toEqual(['That key is the one you gave']);
  });

  it('that disclosed codewords is named by every later trace of them', async () => {
    await fetchEvidence('json');
    expect(await readRows(app, `select count(*)::int as n from trace_log where kind = 'disclosed'`)).toEqual([
      { n: 1 },
    ]);
    advance(app, 1000);
    const later = await hand(copy);
    expect(later).toMatchObject({ outcome: 'traced', wasDisclosed: true });
    expect((await readPdf(await fetchEvidence('pdf', later.id))).words).toContain(
      'had been disclosed in an earlier evidence file',
    );
  });

  it('tells what was played at each look, in numbers and in words', async () => {
    await readRows(
      app,
      `insert into view_events (kind, creator_id, link_id, visit_id, viewer_id, media_id, at, ms_visible, played, film_seconds)
       select 'look', v.creator_id, v.link_id, v.id, v.viewer_id, d.media_id, v.started_at, 43000, '{[0,41),[70,72)}', 125
       from viewer_sessions v join deliveries d on d.grant_id = v.admission_id
       join viewer_pseudonyms p on p.creator_id = v.creator_id and p.viewer_id = v.viewer_id where p.id = $1 limit 1`,
      [bob.viewerId],
    );
    const text = (await fetchEvidence('json')).toString();
    const looks = JSON.parse(text).links[0].viewers[0].visits.flatMap((visit: { looks: object[] }) => visit.looks);
    const stretches = [
      [0, 41],
      [70, 72],
    ];
    expect(looks).toContainEqual(
      expect.objectContaining({ msVisible: 43_000, played: { stretches, more: 0, seconds: 43, filmSeconds: 125 } }),
    );
    const reported = 'The seconds played are in order within their video and add up';
    expect(verifyEvidence(text).find(({ what }) => what === reported)?.is).toBe('right');
    expect(wrongWhen(text, () => undefined)).toEqual([]);
    const { words } = await readPdf(await fetchEvidence('pdf'));
    expect(words).toContain(', 43 s, played 0:00–0:41 and 1:10–1:12');
  });

  it('is checked at the command line, and refused there when something is wrong', async () => {
    const text = (await fetchEvidence('json')).toString();
    const [good, bad, leak] = ['good.json', 'bad.json', 'copy.jpg'].map((name) => path.join(folder, name));
    writeFileSync(good ?? '', text);
    writeFileSync(bad ?? '', text.replace(/"hypotheses": \d+/, '"hypotheses": 1'));
    writeFileSync(leak ?? '', copy);
    const run = (...args: (string | undefined)[]) =>
      promisify(execFile)(process.execPath, ['src/app/pf.ts', 'verify-evidence', ...args.map(String)]);
    expect((await run(good, '--leak', leak)).stdout).toMatch(/✓ A copy has the SHA-256[\s\S]*No check failed\.\n$/);
    expect(await verifyEvidenceFile(good ?? '', { leaks: [], key: undefined })).toContain('? A copy has the SHA-256');
    await expect(run(bad)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('checks FAILED') });
  });
});
