import type { Engines } from '#engines/engines.ts';
import type { Decision } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import type { ServerEventType } from '#features/security/contract.ts';
import { recordSeen, type Seen } from '#features/security/recording.ts';
import type { Context } from '#wire/context.ts';
import type { Admitted, Opener } from './admit.ts';
import { noteWrongAddress } from './email-gate.ts';
import { ownLook } from './own-look.ts';

/** Events at the door that are not written down yet: gone when the process is killed. */
export interface DoorEvents {
  note(seen: Seen): void;
  /** Writes down what there is. */
  write(): Promise<void>;
}

const writeAfterMs = 500;
/** Whoever tries without end fills no memory: what comes beyond is not written down. */
const mostKinds = 1000;

/**
 * Writes events down after the answer, and the same ones at once: an address that leads somewhere takes no longer than one that does not.
 */
export function openDoorEvents({ database, log }: Pick<Engines, 'database' | 'log'>): DoorEvents {
  let noted = new Map<string, Seen>();
  let waiting: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const record = (seen: Seen) =>
    database.work({ kind: 'system' }, async (tx) => void (await recordSeen(tx, seen)), { repeatable: true });
  const write = () => {
    clearTimeout(waiting);
    waiting = undefined;
    const all = [...noted.values()];
    noted = new Map();
    for (const seen of all)
      writing = writing
        .then(() => record(seen))
        .catch((err: unknown) => log.warn({ err }, 'a security event was not written down'));
    return writing;
  };
  return {
    note(seen) {
      const key = `${seen.linkId} ${seen.type} ${seen.viewerId ?? ''}`;
      const known = noted.get(key);
      if (known === undefined && noted.size >= mostKinds) return;
      noted.set(key, { ...seen, count: (known?.count ?? 0) + 1 });
      waiting ??= setTimeout(() => void write(), writeAfterMs).unref();
    },
    write,
  };
}

/** A call that opens a link, as far as its events need it. */
interface Opening {
  engines: Engines;
  context: Context;
  door: DoorEvents;
  opener: Opener;
  asker: { now: Date };
  /** An address was proven with this call. */
  hasProven: boolean;
}

const types: Readonly<Record<string, ServerEventType>> = {
  GEO_BLOCKED: 'denied_geo',
  CONCURRENT: 'concurrent_screens',
  REVOKED: 'revoked_link_opened',
  VIEWERS_FULL: 'link_forwarded',
  EMAIL_NOT_ALLOWED: 'email_not_allowed',
};

/** Notes that a link did not open, where its creator may want to know of it; nobody waits for it. */
export async function noteRefusal(opening: Opening, question: Question, decision: Decision): Promise<void> {
  if (decision.ok) return;
  const type = types[decision.reason];
  if (type === undefined) return;
  const { engines, hasProven, asker } = opening;
  // A list of addresses is missed with the address that was just proven, and by nobody who only comes by.
  if (type === 'email_not_allowed' && !hasProven) return;
  if (type === 'email_not_allowed') await noteWrongAddress(engines, question, asker.now);
  const { bindFirstViewer, maxViewers } = question.link.policy;
  if (type === 'link_forwarded' && !bindFirstViewer && maxViewers !== 1) return;
  note(opening, question, type, undefined);
}

/** Notes that a program was let in, as a browser says of itself. */
export function noteAutomation(opening: Opening, question: Question, admitted: Admitted | undefined): void {
  if (opening.opener.suspect === 'automation' && admitted !== undefined)
    note(opening, question, 'automation_suspected', admitted);
}

/** A creator's own look is no news to them; who asks is looked up behind the answer. */
function note(
  { engines, context, door, opener, asker }: Opening,
  question: Question,
  type: ServerEventType,
  admitted: Admitted | undefined,
): void {
  const { creatorId, linkId, grantId, viewer } = question;
  const viewerId = admitted?.viewerId ?? (grantId === undefined ? undefined : viewer?.viewerId);
  const device = { platform: opener.device.system };
  const seen: Seen = {
    creatorId,
    linkId,
    type,
    viewerId,
    visitId: admitted?.visitId,
    device,
    now: asker.now,
    reportedAt: new Date(engines.clock()),
  };
  ownLook(context, question).then(
    (own) => (own === undefined ? door.note(seen) : undefined),
    (err: unknown) => engines.log.warn({ err }, 'a security event was not noted'),
  );
}
