import type { Question } from '#features/access/store.ts';
import type { Lease, Opened } from './contract.ts';
import type { Terms } from './leases/lending.ts';
import type { Admitted } from './opening/admit.ts';
import { markCodeOf } from './rules.ts';

/** What is shown of a link that opens. */
export interface Opening {
  question: Question;
  admitted: Admitted;
  leases: Lease[];
  terms: Terms;
  endsInMs: number | undefined;
  openedAt: Date;
}

/** The first frame of `open`: everything a viewer may know, and nothing else. */
export function showOpened({ question, admitted, leases, terms, endsInMs, openedAt }: Opening): Opened {
  const { items, visitId, resumeCode } = admitted;
  const { policy } = question.link;
  const isPhoto = ({ kind }: { kind: string }) => kind === 'photo';
  return {
    visitId,
    albumNames: [...new Set(items.map(({ albumName }) => albumName))],
    host: question.host,
    ...(question.takesRequests && { takesRequests: true }),
    counts: { photos: items.filter(isPhoto).length, videos: items.filter((item) => !isPhoto(item)).length },
    ...(endsInMs !== undefined && { endsInMs }),
    mark: markOf(question, admitted, openedAt),
    blurWhenUnfocused: policy.blurWhenUnfocused,
    holdToView: policy.holdToView,
    warnsOnCopying: policy.autoResponse.do !== 'none',
    items: items.map(({ mediaId, kind, width, height, thumbhash, caption, durationMs, cellSeconds }, n) => ({
      n,
      mediaId,
      kind,
      width,
      height,
      thumbhash: thumbhash.toString('base64'),
      caption,
      ...(durationMs !== null && { durationMs }),
      ...(cellSeconds !== null && { cellSeconds }),
    })),
    leases,
    renewAfterMs: terms.renewMs,
    expiresInMs: terms.leaseMs,
    idleAfterMs: terms.idleMs,
    ...(resumeCode !== undefined && { resumeCode }),
  };
}

/** Letters of a name or an address that stand in the mark: a longer one would hide its code. */
const mostNameLetters = 40;

/** "2026-11-29 07:50 UTC": the same for every reader of a copy. */
const minuteOf = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/**
 * The visible mark: the link's look, else the album's. Its text names whose it is, for whom (the address that was proven, else the
 * name that the link was made for, where its creator shows it) and when it was opened, and ends in a code that names the grant to its creator.
 */
function markOf({ link, host, facts, recipientName }: Question, { items, grant }: Admitted, at: Date): Opened['mark'] {
  const [first] = items;
  const look = link.policy.mark === 'album' ? (first?.markLook ?? 'tiled') : link.policy.mark;
  const named = link.policy.recipientInMark ? recipientName : undefined;
  const forWhom = [...(facts.passed.email ?? named ?? '')].slice(0, mostNameLetters).join('');
  const parts = [first?.markText || host.name, forWhom, minuteOf(at), markCodeOf(grant.grantId)];
  return { look, text: parts.filter((part) => part !== '').join(' · ') };
}
