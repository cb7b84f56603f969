import { TriangleAlert } from 'lucide-react';
import { HardlyTraceable } from '#features/media/hardly-traceable.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Card } from '#ui/layout/card.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { ShownTo, TraceDetail } from '../contract.ts';
import { describeName } from '../page-texts.ts';
import { disclosedWords, otherGoneWords } from '../verdict-texts.ts';
import { CompareEverywhere } from './compare-everywhere.tsx';
import { CopyUpload } from './copy-upload.tsx';
import { Evidence } from './evidence.tsx';
import { NamedLinks } from './named-links.tsx';
import { SideBySide } from './side-by-side.tsx';
import { Takedown } from './takedown.tsx';
import { leaksOf } from './trace-calls.tsx';

/** The sentence in which a trace ends, what it names, and what can be done. */
export function Answer({ trace, albumId }: { trace: TraceDetail; albumId: string }) {
  const isNamed = trace.outcome === 'traced' || trace.outcome === 'probable';
  return (
    <div className="grid gap-5">
      <Sentence trace={trace} />
      {trace.wasDisclosed && <Disclosed />}
      {trace.isOtherGone && <p className="max-w-160 text-quiet">{otherGoneWords}</p>}
      <SideBySide trace={trace} />
      {trace.outcome === 'inconclusive' && <WeakItems items={trace.items} />}
      {isNamed && <NamedLinks trace={trace} />}
      {isNamed && <Evidence trace={trace} />}
      {trace.outcome !== 'no_match' && <Takedown traceId={trace.id} />}
      {trace.outcome === 'inconclusive' && <ShownList people={trace.shownTo} more={trace.moreShown} />}
      {(trace.outcome === 'inconclusive' || trace.outcome === 'probable') && (
        <CopyUpload albumId={albumId} withId={trace.id} title="Did more of this album leak?">
          Evidence adds up: submit another leaked picture or clip from this album and we'll weigh both together.
        </CopyUpload>
      )}
      {trace.outcome === 'no_match' && <NoMatch trace={trace} albumId={albumId} />}
    </div>
  );
}

/** Items that may have named nobody because they have room for too little of the mark. */
function WeakItems({ items }: Pick<TraceDetail, 'items'>) {
  const count = items.filter(({ isHardlyTraceable }) => isHardlyTraceable).length;
  if (count === 0) return null;
  const several = count === 1 ? 'One of these photos is' : `${count} of these photos are`;
  return <HardlyTraceable which={items.length === 1 ? 'This photo is' : several} className="max-w-160" />;
}

function Sentence({ trace: { outcome, sentence } }: { trace: TraceDetail }) {
  if (outcome !== 'probable') return <h2 className="max-w-180 text-28 text-balance">{sentence}</h2>;
  return (
    <Card tone="rust" className="flex gap-3.5">
      <TriangleAlert className="mt-1 flex-none text-rust" aria-hidden="true" />
      <div className="grid gap-1">
        <h2 className="text-21">{sentence}</h2>
        <p className="text-quiet">More leaked pictures or clips from the same album can make it more certain.</p>
      </div>
    </Card>
  );
}

function Disclosed() {
  return (
    <Card tone="rust" className="flex gap-3.5">
      <TriangleAlert className="mt-1 flex-none text-rust" aria-hidden="true" />
      <p>{disclosedWords}</p>
    </Card>
  );
}

/** Everybody who was shown what was found; nobody stands out, so they stand in the order in which they were shown it. */
function ShownList({ people, more }: { people: readonly ShownTo[]; more: number }) {
  if (people.length === 0) return <p className="text-quiet">Nobody has seen it through a link.</p>;
  return (
    <section>
      <SectionHeader title="Who has seen it" />
      <p className="mb-3 max-w-160 text-quiet">
        In the order they were first shown it. Not enough could be read to say which of them it was, if any. A larger or
        cleaner copy may tell more.
      </p>
      <List label="Who has seen it">
        {people.map(({ linkId, linkName, firstShownAt, ...person }) => (
          <li key={`${linkId} ${person.viewerId}`}>
            <Row
              title={describeName(person)}
              to={`/magic-links/${linkId}`}
              quiet={linkName || 'Untitled Link'}
              end={
                <span className="text-13 text-quiet">
                  <RelativeTime at={firstShownAt} />
                </span>
              }
            />
          </li>
        ))}
      </List>
      {more > 0 && <p className="mt-3 text-quiet">{`and ${more.toLocaleString('en')} more`}</p>}
    </section>
  );
}

function NoMatch({ trace, albumId }: { trace: TraceDetail; albumId: string }) {
  if (!trace.isEverywhere) return <CompareEverywhere albumId={albumId} traceId={trace.id} />;
  return (
    <div className="grid justify-items-start gap-3">
      <p className="max-w-160 text-quiet">
        It was compared with every photo and video you have here. A copy that was cropped to a corner of the picture, or
        redrawn, can't be recognized.
      </p>
      <ButtonLink to={leaksOf(albumId)} variant="outline">
        Try another copy
      </ButtonLink>
    </div>
  );
}
