import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServer, openModelServer, type Reply } from '#tests/support/servers/model-server.ts';
import type { AssistantQuestion } from './assistant.ts';
import { openLocalAssistant } from './local.ts';
import { type ModelSettings, openModelAssistant } from './model.ts';

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const question: AssistantQuestion = {
  message: 'Can I take a link back?',
  rules: 'Answer from the texts.',
  texts: ['Revoke it.', 'Extend it.'],
  draft: 'Yes.',
};

/** A model behind a server of the test's own, with what it warned of. */
async function openModel(reply: () => Reply, settings: Partial<ModelSettings> = {}) {
  const server = await openModelServer(reply);
  servers.push(server);
  const warned: string[] = [];
  const log = {
    info: () => undefined,
    error: () => undefined,
    warn: (about: object) => void warned.push(JSON.stringify(about)),
  };
  const assistant = openModelAssistant({ url: server.url, key: 'secret', model: 'small-1', log, ...settings });
  return { ...server, assistant, warned };
}

describe('every assistant', () => {
  it.each(['local', 'model'])('answers with the draft or better, and never fails: %s', async (kind) => {
    const { assistant } = await openModel(() => ({ status: 500 }));
    const answer = await (kind === 'local' ? openLocalAssistant() : assistant).write(question);
    expect(answer).toEqual({ by: 'draft', text: 'Yes.' });
  });

  it('says where questions go', async () => {
    const { assistant, url } = await openModel(() => '');
    expect(openLocalAssistant().host).toBeNull();
    expect(assistant.host).toBe(new URL(url).host);
  });
});

describe('a model', () => {
  it('is given the rules, the texts and the question apart, with a limit of its words', async () => {
    const { assistant, received } = await openModel(() => ' Yes, with one tap. ', { mostTokens: 123 });
    expect(await assistant.write(question)).toEqual({ by: 'model', text: 'Yes, with one tap.' });
    expect(received).toHaveLength(1);
    const [{ path, authorization, body }] = received as [(typeof received)[number]];
    expect([path, authorization]).toEqual(['/v1/chat/completions', 'Bearer secret']);
    expect(body).toMatchObject({ model: 'small-1', max_completion_tokens: 123 });
    expect(body.messages).toEqual([
      { role: 'system', content: 'Answer from the texts.\n\nHelp texts:\n\nRevoke it.\n\nExtend it.' },
      { role: 'user', content: 'Can I take a link back?' },
    ]);
  });

  it.each<[string, Reply]>([
    ['refuses', { status: 401 }],
    ['is busy', { status: 429 }],
    ['answers nonsense', { raw: '<html>' }],
    ['answers another shape', { raw: '{}' }],
    ['says nothing', ''],
  ])('that %s leaves the draft', async (_, reply) => {
    const { assistant } = await openModel(() => reply);
    expect(await assistant.write(question)).toEqual({ by: 'draft', text: 'Yes.' });
  });

  it('that keeps silent is given up, and left alone for a while', async () => {
    const { assistant, received, warned } = await openModel(() => 'silence', { timeoutMs: 500 });
    for (let n = 0; n < 3; n++) expect(await assistant.write(question)).toEqual({ by: 'draft', text: 'Yes.' });
    expect(received).toHaveLength(1);
    expect(warned).toHaveLength(1);
    expect(warned.join()).not.toMatch(/secret|link back/);
  });

  it('is asked again after the pause', async () => {
    const replies: Reply[] = [{ status: 500 }, 'Here again.'];
    const { assistant } = await openModel(() => replies.shift() ?? '', { pauseMs: 0 });
    expect((await assistant.write(question)).by).toBe('draft');
    expect(await assistant.write(question)).toEqual({ by: 'model', text: 'Here again.' });
  });

  it('that cannot be reached leaves the draft', async () => {
    const { assistant, close } = await openModel(() => '');
    await close();
    expect((await assistant.write(question)).by).toBe('draft');
  });
});
