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
}

/** The first frame of `open`: everything a viewer may know, and nothing else. */
export function showOpened({ question, admitted, leases, terms, endsInMs }: Opening): Opened {
  const { items, visitId, resumeCode } = admitted;
  const { policy } = question.link;
  const isPhoto = ({ kind }: { kind: string }) => kind === 'photo';
  return {
    visitId,
    linkName: question.linkName,
    albumNames: [...new Set(items.map(({ albumName }) => albumName))],
    host: question.host,
    ...(question.takesRequests && { takesRequests: true }),
    counts: { photos: items.filter(isPhoto).length, videos: items.filter((item) => !isPhoto(item)).length },
    ...(endsInMs !== undefined && { endsInMs }),
    mark: markOf(question, admitted),
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

/** The visible mark: the link's wish, else the album's; its text ends in a code that names the grant to its creator. */
function markOf({ link, host }: Question, { items, grant }: Admitted): Opened['mark'] {
  const [first] = items;
  const look = link.policy.mark === 'album' ? (first?.markLook ?? 'tiled') : link.policy.mark;
  const code = markCodeOf(grant.grantId);
  return { look, text: [first?.markText || host.name, code].filter((part) => part !== '').join(' · ') };
}
