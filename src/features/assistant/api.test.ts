import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openModelAssistant } from '#engines/assistant/model.ts';
import { writeSetting } from '#features/settings/store.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { openModelServer, type Reply } from '#tests/support/servers/model-server.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { describeSafety } from './answering/danger.ts';
import { usualFacts } from './facts.ts';

let app: TestApp;
let mara: Person;
let lena: Person;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  mara = await signUpCreator(app);
  lena = await signUpCreator(app);
});
afterAll(() => app.close());

const chat = (message: string, from: Browser = newBrowser(), isAuthenticated = false) =>
  app.call('assistant.chat', { message, isAuthenticated }, from);

describe('a question', () => {
  it('is answered behind both doors, behind the second under the name that it was promised', async () => {
    const asked = { message: 'Can I take a link back?', isAuthenticated: false };
    const { body } = await chat(asked.message);
    expect(body.response).toMatch(/^Yes, whenever you want: choose \*\*Revoke\*\*/);
    const { statusCode, json } = await app.fastify.inject({
      method: 'POST',
      url: '/api/v1/nuclear-ai-chat',
      payload: asked,
      remoteAddress: '10.77.0.1',
    });
    expect([statusCode, json()]).toEqual([200, { response: body.response }]);
  });

  it('is refused when it is blank or too long', async () => {
    expect((await chat('  \n ')).status).toBe(422);
    expect((await chat('a'.repeat(1001))).status).toBe(422);
    expect((await chat('a'.repeat(1000))).status).toBe(200);
  });

  it('of danger gets the safety card, with the settings in force', async () => {
    expect((await chat('he threatens to leak my pictures')).body.response).toBe(describeSafety(usualFacts));
    await app.engines.database.work({ kind: 'system' }, (tx) =>
      writeSetting(tx, { key: 'legal.hotlines', value: 'Call 116 006.', by: null, now: new Date() }),
    );
    await expect.poll(async () => (await chat('i am being blackmailed')).body.response).toContain('Call 116 006.');
  });
});

describe('the voice', () => {
  it('is decided by the session, never by what the page believes', async () => {
    const asked = 'When does a link expire?';
    expect((await chat(asked, newBrowser(), true)).body.response).toContain('Try it free for 7 days');
    expect((await chat(asked, mara.browser, false)).body.response).toContain(
      'None of your links expires today or tomorrow.',
    );
  });

  it('tells a creator how her own links stand, and nobody how somebody else’s do', async () => {
    await insertLinks(mara.userId, 'Pacific/Auckland');
    const asked = 'do any of my links end tomorrow?';
    // Noon in UTC is past midnight in Auckland: what ends in 12 hours ends today there, what ends in 30 tomorrow.
    expect((await chat(asked, mara.browser)).body.response).toContain(
      '**1 link** of yours expires today, and **2 links** of yours expire tomorrow.',
    );
    expect((await chat(asked, lena.browser)).body.response).toContain('None of your links expires today or tomorrow.');
    expect((await chat('how do i create a link', mara.browser)).body.response).toContain(
      'You have **4 active links** right now.',
    );
  });

  it('is a visitor’s for whoever has no access any more', async () => {
    const setStatus = (status: string) =>
      readRows(app, 'update users set subscription_status = $1 where id = $2', [status, lena.userId]);
    await setStatus('inactive');
    expect((await chat('When does a link expire?', lena.browser)).body.response).toContain('Try it free for 7 days');
    await setStatus('trialing');
  });
});

/** Links that end at different times, one of them revoked. */
async function insertLinks(userId: string, zone: string): Promise<void> {
  await app.engines.database.work({ kind: 'system' }, async (tx) => {
    await tx.db.updateTable('users').set({ time_zone: zone }).where('id', '=', userId).execute();
    const hours = [9, 30, 31, 200, 30];
    for (const [n, left] of hours.entries())
      await tx.db
        .insertInto('magic_links')
        .values({
          id: crypto.randomUUID(),
          user_id: userId,
          slug: `of-${userId}-${n}`.slice(0, 60),
          link_name: '',
          note: '',
          welcome_text: '',
          policy: '{}',
          password_version: 0,
          notify: 'none',
          created_at: new Date('2026-11-20T12:00:00Z'),
          expires_at: new Date(Date.parse('2026-11-21T12:00:00Z') + left * 3_600_000),
          is_revoked: n === hours.length - 1,
        })
        .execute();
  });
}

describe('the limit of an hour', () => {
  beforeAll(() => app.setNow('2026-11-21T14:00:00Z'));

  it('is twenty questions for a network, whatever browser asks, and says when to ask again', async () => {
    const from = newBrowser();
    for (let n = 0; n < 20; n++) expect((await chat('hi', from)).status).toBe(200);
    const { status, body } = await chat('hi', { ...newBrowser(), address: from.address ?? '' });
    expect(status).toBe(429);
    expect(body.message ?? body.json?.message).toContain('Please ask again in');
    expect((await chat('hi', newBrowser())).status).toBe(200);
  });

  it('is sixty for a creator, wherever she asks from', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 61; n++)
      statuses.push((await chat('hi', { ...newBrowser(), cookies: lena.browser.cookies })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('with a model', () => {
  beforeAll(() => app.setNow('2026-11-21T15:00:00Z'));

  /** Puts a model in the place of the help texts for a while. */
  async function withModel<T>(
    reply: () => Reply,
    run: (received: { body: { messages: { content: string }[] } }[]) => Promise<T>,
  ) {
    const { url, received, close } = await openModelServer(reply);
    const before = app.engines.assistant;
    app.engines.assistant = openModelAssistant({ url, key: 'k', model: 'm', log: app.engines.log });
    try {
      return await run(received);
    } finally {
      app.engines.assistant = before;
      await close();
    }
  }
  const asked = 'can i get a link back after sending it';

  it('its words are the answer, made plain; it is told the texts and her counts, and not who she is', async () => {
    await withModel(
      () => 'Yes: open <b>Magic links</b> or https://evil.example/x and **revoke** it in `/magic-links`.',
      async (received) => {
        expect((await chat(asked, mara.browser)).body.response).toBe(
          'Yes: open Magic links or and **revoke** it in `/magic-links`.',
        );
        const text = JSON.stringify(received);
        expect(text).toContain('no new keys are issued');
        expect(text).not.toContain(mara.email);
        expect(text).not.toContain(mara.userId);
      },
    );
  });

  it('that promises or fails, the help text is the answer', async () => {
    for (const reply of ['We guarantee that screenshots are blocked.', { status: 500 }] as const)
      await withModel(
        () => reply,
        async () => {
          app.engines.log.warn = () => undefined;
          expect((await chat(asked)).body.response).toContain('no new keys are issued');
        },
      );
  });

  it('it hears nothing of danger, of offered questions and of small talk', async () => {
    await withModel(
      () => 'Hm.',
      async (received) => {
        for (const message of ['i want to die', 'How much does it cost?', 'hello', 'asdf qwer']) await chat(message);
        expect(received).toEqual([]);
      },
    );
  });
});

it('the help page is told the settings in force and what this version has', async () => {
  const { body } = await app.call('assistant.facts');
  expect(body).toMatchObject({ trialDays: 7, priceCents: 399, operatorEmail: null, features: usualFacts.features });
});
