import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LiveEvent } from '#engines/database/work.ts';
import { beginSession } from '#features/accounts/browser-session.ts';
import { findUserIdByEmail } from '#features/accounts/store.ts';
import { htmlOf } from '#features/notices/email-html.ts';
import { sampleEmails } from '#features/notices/sample-emails.ts';
import { listEmails } from '#features/notices/store.ts';
import { noticeFooter } from '#features/notices/unsubscribing.ts';
import { escapeHtml } from '#kit/text.ts';
import type { Mounting } from '#wire/raw.ts';
import { momentOf, moveClock, resumeClock, showDevClock } from './dev-clock.ts';
import { disputeInSandbox, showDevDisputes } from './dev-disputes.ts';
import { guardDev } from './dev-token.ts';
import { changeWebhooks, showDevWebhooks } from './dev-webhooks.ts';
import { turnClock } from './turned-clock.ts';

const linked = (text: string) =>
  escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, (address) => `<a href="${address}">${address}</a>`);

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;background:Canvas}body{max-width:46rem;margin:0 auto;padding:1.5rem}
article{border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-radius:12px;padding:1rem 1.25rem;margin:1rem 0}
pre{white-space:pre-wrap;font:inherit;margin:.5rem 0 0;overflow-wrap:anywhere}strong{overflow-wrap:anywhere}nav{display:flex;flex-wrap:wrap;gap:0 1rem}nav a{padding:.625rem 0;min-width:44px}small{opacity:.75}
iframe{width:100%;height:34rem;border:0;border-radius:8px;margin:.5rem 0 0;background:Canvas}
input,button{box-sizing:border-box;font:inherit;padding:.5rem .75rem;min-height:44px}label:has([type=checkbox]){display:flex;align-items:center;gap:.75rem;min-height:44px}[type=checkbox]{width:1.25rem;min-height:1.25rem;margin:0;flex:none}form button{margin:0 0 .25rem}ol{padding-left:1.5rem}p:has(label){margin:.25rem 0}
table{border-collapse:collapse}td,th{padding:.25rem .75rem .25rem 0;text-align:left;overflow-wrap:anywhere}`;

/** What there is, and the sentence that says it on the first page. */
const pages = [
  ['/dev/outbox', 'Outbox', 'every email that was sent, with its codes and links'],
  ['/dev/mails', 'Emails', 'every email that there is, as HTML and as plain text'],
  ['/dev/clock', 'Clock', 'moves the clock for links, visits and test payments'],
  ['/dev/webhooks', 'Webhooks', 'what the test payments tell, each attempt, and faults on purpose'],
  ['/dev/become', 'Become', 'signs in as anyone here, without a password'],
  ['/dev/disputes', 'Disputes', 'what buyers dispute with their bank, and what it decides'],
  ['/dev/queue', 'Queue', 'jobs that are waiting or done'],
  ['/dev/ui', 'Components', 'every shared component in every state'],
] as const;

function page(reply: FastifyReply, title: string, body: string): FastifyReply {
  const links = pages.map(([to, name]) => `<a href="${to}">${name}</a>`).join('');
  return reply
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    .header('x-robots-tag', 'noindex')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${style}</style><nav>${links}</nav><h1>${title}</h1>${body}</html>`,
    );
}

/** The same for whoever does not hold the token, right or wrong: nothing of it is told, only where it is. */
const sayHow = (reply: FastifyReply): FastifyReply =>
  page(
    reply,
    'Not open in this browser',
    '<p>Open the address that PrivateFans printed when it started: it ends in <code>/dev?token=…</code>. The token is also in the file <code>dev-token</code> of the data folder.</p>',
  );

const clockTurned = 'clock.turned';

/** A visit that one process let in is closed by the clock of another. */
function followClock({ kind, turnedMs: turned }: LiveEvent): void {
  if (kind === clockTurned && turned !== undefined) turnClock(turned);
}

/** Every email as HTML, in a frame in which nothing runs and nothing is fetched, and as plain text. */
async function showSamples({ installation }: Mounting['engines']): Promise<string> {
  const { publicUrl } = installation;
  const shown = sampleEmails(publicUrl).map(async (sample) => {
    const { template, kind, subject, text } = sample;
    const footer = kind === 'notice' ? noticeFooter(publicUrl, `${publicUrl}/unsubscribe/sample`) : [];
    const html = Buffer.from(await htmlOf(sample, footer)).toString('base64');
    const frame = `<iframe sandbox title="${escapeHtml(subject)}" src="data:text/html;charset=utf-8;base64,${html}"></iframe>`;
    return `<article><strong>${escapeHtml(subject)}</strong><br><small>${template} · ${kind}</small>${frame}<pre>${linked(text)}</pre></article>`;
  });
  return (await Promise.all(shown)).join('');
}

type Route = (
  method: 'GET' | 'POST',
  url: string,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
) => unknown;

/** A payment must come to the same without webhooks. */
function addWebhooks(route: Route, { sandbox }: Mounting['engines']): void {
  route('GET', '/dev/webhooks', async ({ query }, reply) => {
    const isUntaken = (query as { only?: unknown }).only === 'untaken';
    return page(reply, 'Webhooks', await showDevWebhooks(sandbox, isUntaken));
  });
  route('POST', '/dev/webhooks', async (request, reply) =>
    (await changeWebhooks(sandbox, (request.body as Record<string, string> | undefined) ?? {}))
      ? reply.redirect('/dev/webhooks', 303)
      : page(reply.code(404), 'Webhooks', '<p>There is no such event.</p>'),
  );
}

/** What the page of the clock is told of the moment before it was moved; nothing of one that no date can hold. */
const describeWas = (was: Date): string =>
  Number.isNaN(was.getTime()) ? '' : `?was=${encodeURIComponent(momentOf(was))}`;

/** A word of the address; empty where it is not there. */
const paramOf = ({ query }: FastifyRequest, name: string): string => {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
};

/** What time it is, and the buttons that move it. */
function addClock(route: Route, engines: Mounting['engines']): void {
  route('GET', '/dev/clock', async (request, reply) =>
    page(reply, 'Clock', await showDevClock(engines, paramOf(request, 'was'))),
  );
  route('POST', '/dev/clock', async (request, reply) => {
    const was = new Date(engines.linkClock());
    const turned = await moveClock(engines, (request.body as Record<string, string> | undefined) ?? {});
    await engines.database.work({ kind: 'system' }, (tx) => tx.publish({ kind: clockTurned, turnedMs: turned }));
    return reply.redirect(`/dev/clock${describeWas(was)}`, 303);
  });
}

/** What banks do for those who have paid. */
function addDisputes(route: Route, engines: Mounting['engines']): void {
  route('GET', '/dev/disputes', async (request, reply) =>
    page(reply, 'Disputes', await showDevDisputes(engines, paramOf(request, 'done'))),
  );
  route('POST', '/dev/disputes', async (request, reply) => {
    const done = await disputeInSandbox(engines, (request.body as object | undefined) ?? {});
    return done === undefined
      ? page(reply.code(404), 'Disputes', '<p>That cannot be disputed or decided.</p>')
      : reply.redirect(`/dev/disputes?done=${done}`, 303);
  });
}

/** What a developer looks into while building: mails, clock, other people's eyes, the queue. Only in a sandbox, only from this machine, only with the token. */
export async function mountDev(app: FastifyInstance, { engines, live, contextOf }: Mounting): Promise<void> {
  const { database, jobs } = engines;
  await resumeClock(engines);
  live.watch(followClock, () => undefined);
  await app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    guardDev(scope, engines, sayHow);
    const route: Route = (method, url, handler) =>
      scope.route({ method, url, config: { who: ['developer'] }, handler });

    route('GET', '/dev', async (_request, reply) => {
      const shown = pages.map(([to, name, words]) => `<li><a href="${to}">${name}</a> – ${words}</li>`);
      return page(reply, 'Developer pages', `<ul>${shown.join('')}</ul>`);
    });
    route('GET', '/dev/', async (_request, reply) => reply.redirect('/dev', 303));
    route('GET', '/dev/outbox', async (_request, reply) => {
      const emails = await database.work({ kind: 'system' }, (tx) => listEmails(tx, 100));
      const shown = emails.map(
        ({ to, subject, text, state, createdAt }) =>
          `<article><strong>${escapeHtml(subject)}</strong><br><small>to ${escapeHtml(to)} · ${state} · ${createdAt.toISOString()}</small><pre>${linked(text)}</pre></article>`,
      );
      return page(reply, 'Outbox', shown.join('') || '<p>No emails yet.</p>');
    });
    route('GET', '/dev/outbox.json', async (_request, reply) =>
      reply.send(await database.work({ kind: 'system' }, (tx) => listEmails(tx, 100))),
    );
    route('GET', '/dev/mails', async (_request, reply) => page(reply, 'Emails', await showSamples(engines)));
    addClock(route, engines);
    addWebhooks(route, engines);
    addDisputes(route, engines);
    route('GET', '/dev/become', async (_request, reply) =>
      page(
        reply,
        'Become',
        '<form method="post"><label>Email <input name="email" type="email" required></label> <button>Sign in as this person</button></form>',
      ),
    );
    route('POST', '/dev/become', async (request, reply) => {
      const email = String((request.body as { email?: string } | undefined)?.email ?? '').toLowerCase();
      const userId = await database.work({ kind: 'system' }, (tx) => findUserIdByEmail(tx, email));
      if (userId === undefined) return page(reply.code(404), 'Become', '<p>No account has this address.</p>');
      await beginSession(contextOf(request, reply), userId);
      return reply.redirect('/', 303);
    });
    route('GET', '/dev/queue', async (_request, reply) => {
      const rows = (await jobs.counts()).map(
        ({ queue, state, count }) =>
          `<tr><td>${escapeHtml(queue)}</td><td>${escapeHtml(state)}</td><td>${count}</td></tr>`,
      );
      return page(reply, 'Queue', `<table><tr><th>Queue</th><th>State</th><th>Jobs</th></tr>${rows.join('')}</table>`);
    });
  });
}
