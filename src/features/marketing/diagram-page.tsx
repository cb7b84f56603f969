import { Check, X } from 'lucide-react';
import { Outlet, useOutlet } from 'react-router';
import { useMe } from '#features/accounts/guard.tsx';
import { Tabs } from '#ui/layout/tabs.tsx';
import { abilities, listStages, type Stage } from './diagram/diagram-words.ts';
import { StagePicture } from './diagram/stage-picture.tsx';
import { useFacts } from './facts-context.tsx';
import { Closing } from './site/closing.tsx';
import { SiteFrame, SiteTitle } from './site/site-frame.tsx';
import { SitePart } from './site/site-part.tsx';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/diagram');

/** How it works; to an administrator also how this installation does. For everybody else the page inside it stands alone. */
export default function DiagramPage() {
  const { me } = useMe();
  const isInside = useOutlet() !== null;
  const isAdmin = me?.isAdmin === true;
  if (isInside && !isAdmin) return <Outlet />;
  return (
    <SiteFrame>
      {isAdmin && (
        <div className="mx-auto max-w-290 px-5 pt-2">
          <Tabs label="Diagram" tabs={tabs} />
        </div>
      )}
      {isInside ? <Outlet /> : <PhotoWay />}
    </SiteFrame>
  );
}

const tabs = [
  { to: '/diagram', label: 'How it works', end: true },
  { to: '/diagram/installation', label: 'This installation' },
];

/** One photo's way. It needs no script: choosing a stage is choosing one of several. */
function PhotoWay() {
  const { limits } = useFacts();
  const stages = listStages(limits);
  return (
    <>
      <SiteTitle
        title="Follow one photo from you to a viewer"
        lead="Seven places on the way. Choose one to see what happens there, and what stops there."
      />
      <section aria-label="The way of a photo" className="mx-auto max-w-290 px-5 py-8">
        <fieldset className="grid gap-5">
          <legend className="sr-only">Stage</legend>
          <StageChoices stages={stages} />
          {stages.map((stage) => (
            <StagePanel key={stage.id} stage={stage} />
          ))}
        </fieldset>
      </section>
      <SitePart title="What it does, and what it can't">
        <AbilityTable />
      </SitePart>
      <Closing />
    </>
  );
}

function StageChoices({ stages }: { stages: readonly Stage[] }) {
  return (
    <div className="stage-choices scroll-quiet flex gap-2 py-1 max-md:scroll-fade-sideways max-md:-mx-5 max-md:overflow-x-auto max-md:px-5 md:grid md:grid-cols-7">
      {stages.map(({ id, name }, at) => (
        <label
          key={id}
          className="relative grid min-h-19 min-w-24 cursor-pointer content-center justify-items-center gap-0.5 rounded-card border border-line bg-raised px-2 text-center text-13 font-medium transition hover:border-edge has-checked:border-plum has-checked:bg-plum has-checked:text-on-plum has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-plum"
        >
          <input
            type="radio"
            name="stage"
            value={id}
            defaultChecked={at === 0}
            id={`stage-${id}`}
            className="sr-only"
          />
          <span aria-hidden="true" className="font-display text-21 font-title">
            {at + 1}
          </span>
          <span>{name}</span>
        </label>
      ))}
    </div>
  );
}

/** Which panel is shown belongs to the choice above it; the names of these classes must stand here whole. */
const shownBy: Readonly<Record<string, string>> = {
  phone: '[fieldset:has(#stage-phone:checked)>&]:grid',
  pieces: '[fieldset:has(#stage-pieces:checked)>&]:grid',
  rules: '[fieldset:has(#stage-rules:checked)>&]:grid',
  keys: '[fieldset:has(#stage-keys:checked)>&]:grid',
  picture: '[fieldset:has(#stage-picture:checked)>&]:grid',
  revoke: '[fieldset:has(#stage-revoke:checked)>&]:grid',
  trace: '[fieldset:has(#stage-trace:checked)>&]:grid',
};

function StagePanel({ stage: { id, title, text, stops } }: { stage: Stage }) {
  return (
    <div
      className={`stage-panel hidden grid-cols-1 overflow-hidden rounded-sheet border border-line bg-raised shadow-soft md:grid-cols-[1.15fr_1fr] ${shownBy[id]}`}
    >
      <div
        aria-hidden="true"
        className="dark grid min-h-72 place-items-center bg-paper px-4 py-6 text-ink md:min-h-100 md:px-6"
      >
        <StagePicture id={id} />
      </div>
      <div className="grid content-center gap-4 p-6 md:min-h-100 md:p-10">
        <h2 className="text-28">{title}</h2>
        <p className="text-17">{text}</p>
        <p className="border-t border-line pt-4">
          <strong>What stops here: </strong>
          <span className="text-quiet">{stops}</span>
        </p>
      </div>
    </div>
  );
}

function AbilityTable() {
  return (
    <div className="overflow-hidden rounded-card border border-line bg-raised">
      <table className="w-full table-fixed text-left">
        <caption className="sr-only">What PrivateFans does, and what it cannot do</caption>
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className="p-4 font-display text-21 font-title md:p-5">
              It does
            </th>
            <th scope="col" className="p-4 font-display text-21 font-title md:p-5">
              It can't
            </th>
          </tr>
        </thead>
        <tbody>
          {abilities.map(({ does, cannot }) => (
            <tr key={does} className="border-b border-line align-top last:border-0">
              <td className="p-4 md:p-5">
                <span className="flex gap-2.5 max-sm:flex-col max-sm:gap-1">
                  <Check className="mt-0.5 text-moss" />
                  <span>{does}</span>
                </span>
              </td>
              <td className="p-4 md:p-5">
                <span className="flex gap-2.5 max-sm:flex-col max-sm:gap-1">
                  <X className="mt-0.5 text-rust" />
                  <span>{cannot}</span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
