import type { Chaos, Delivery, Sandbox } from '#engines/payments/sandbox-parts.ts';
import { escapeHtml } from '#kit/text.ts';
import { momentOf } from './dev-clock.ts';

const switches: readonly (readonly [name: keyof Chaos, label: string, words: string])[] = [
  ['duplicates', 'Duplicate', 'Every event is sent twice.'],
  ['reorders', 'Reorder', 'The newest event is sent first.'],
  ['delays', 'Delay', 'Every event is sent a minute late.'],
  ['drops', 'Drop', 'Every event is lost unless you send it again.'],
  ['answers500', 'Answer 500', 'The webhook answers 500, and the event is sent again later.'],
];

const stateWords = { taken: 'taken', waiting: 'waiting', given_up: 'not sent again by itself' } as const;

/** Returns what the form sends: the name of a switch that is on, or nothing of it. */
const chaosOf = (params: Readonly<Record<string, string>>): Chaos => ({
  duplicates: params.duplicates === 'on',
  reorders: params.reorders === 'on',
  delays: params.delays === 'on',
  drops: params.drops === 'on',
  answers500: params.answers500 === 'on',
});

function writeAttempt({ at, status, error }: Delivery['attempts'][number]): string {
  const words = error === null ? '' : ` · ${escapeHtml(error)}`;
  return `<li><span>${momentOf(at)} · ${status === 0 ? 'no answer' : status}${words}</span></li>`;
}

function writeDelivery({ id, hook, type, objectId, state, nextAt, attempts }: Delivery): string {
  const next = state === 'waiting' ? ` · sent next at ${momentOf(nextAt)}` : '';
  const list = attempts.length === 0 ? '<p>No attempts yet.</p>' : `<ol>${attempts.map(writeAttempt).join('')}</ol>`;
  return `<article><strong>${escapeHtml(type)}</strong><br><small>${escapeHtml(objectId)} · ${escapeHtml(hook)} · ${stateWords[state]}${next}</small>${list}
<form method="post"><input type="hidden" name="event" value="${escapeHtml(id)}"><button>Send again</button></form></article>`;
}

/** The switches and the newest events, each with its attempts. */
export async function showDevWebhooks(sandbox: Sandbox | undefined, isUntaken: boolean): Promise<string> {
  if (sandbox === undefined) return '<p>The built-in payment provider is not in use.</p>';
  const [state, next, verb] = sandbox.isTelling() ? ['on', 'off', 'Turn off'] : ['off', 'on', 'Turn on'];
  const chaos = await sandbox.chaos();
  const boxes = switches.map(
    ([name, label, words]) =>
      `<p><label><input type="checkbox" name="${name}" value="on"${chaos[name] ? ' checked' : ''}><span>${label}<br><small>${words}</small></span></label></p>`,
  );
  const shown = (await sandbox.deliveries(isUntaken)).map(writeDelivery).join('') || '<p>No events yet.</p>';
  const other = isUntaken
    ? '<a href="/dev/webhooks">All events</a>'
    : '<a href="/dev/webhooks?only=untaken">Only what was not taken</a>';
  return `<p><strong>Test payments, no real money</strong></p>
<p>Webhooks are <strong>${state}</strong> in this process. While they are off, events are kept and sent later.</p>
<form method="post"><input type="hidden" name="telling" value="${next}"><button>${verb}</button></form>
<h2>Faults on purpose</h2><p>These apply to every process and survive a restart.</p>
<form method="post"><input type="hidden" name="chaos" value="set">${boxes.join('')}<button>Save</button></form>
<h2>Events</h2><nav>${other}</nav>${shown}`;
}

/** Does what a form of the page asks for. @returns false when there is no such event */
export async function changeWebhooks(
  sandbox: Sandbox | undefined,
  params: Readonly<Record<string, string>>,
): Promise<boolean> {
  if (params.event !== undefined) return (await sandbox?.sendAgain(params.event)) === true;
  if (params.chaos === 'set') await sandbox?.setChaos(chaosOf(params));
  if (params.telling !== undefined) sandbox?.setTelling(params.telling === 'on');
  return true;
}
