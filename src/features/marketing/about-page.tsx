import type { Facts } from './contract.ts';
import { useFacts } from './facts-context.tsx';
import { Closing } from './site/closing.tsx';
import { SiteFrame, SiteTitle } from './site/site-frame.tsx';
import { SitePart } from './site/site-part.tsx';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/about');

const rules = [
  {
    title: 'You decide, and you can change your mind',
    text: 'Every picture stays yours. Who may look, for how long and until when is your decision, today and next year.',
  },
  {
    title: 'Nothing happens behind your back',
    text: 'You see each visit as it happens. Viewers read what is recorded before they open a link.',
  },
  {
    title: 'No promise that cannot be kept',
    text: 'A website cannot stop a camera. We say so on the first page, and put our work into what can be done: making copies hard, and traceable.',
  },
  {
    title: 'As little data as the product needs',
    text: 'No advertising, no profiles, nothing sold. What is no longer needed is deleted, and the privacy policy says when.',
  },
];

/** Why this exists, and who runs it. */
export default function AboutPage() {
  const { operator, isSandbox } = useFacts();
  return (
    <SiteFrame>
      <SiteTitle
        title="Private by design, honest by habit"
        lead="PrivateFans is for women who share pictures of themselves and want to stay in charge of them."
      />
      <SitePart title="Why it exists">
        <div className="grid max-w-180 gap-5 text-17">
          <p>
            Most places that pay creators ask for a public profile first: a name to search for, a feed to fill, a number
            of followers to worry about. Once a picture is out, nobody can say who has it.
          </p>
          <p>
            We began with the opposite. An album is private, and there is no page to find it on. You give a link to one
            person. You see when it is opened and what is looked at. And when you want it back, you take it back.
          </p>
        </div>
      </SitePart>
      <SitePart title="What it is built on" band="wash">
        <ul className="grid gap-x-12 gap-y-8 md:grid-cols-2">
          {rules.map(({ title, text }) => (
            <li key={title} className="border-t border-edge/40 pt-5">
              <h3 className="text-21">{title}</h3>
              <p className="mt-2 text-quiet">{text}</p>
            </li>
          ))}
        </ul>
      </SitePart>
      <SitePart title="Who runs this place">
        <div className="grid max-w-180 gap-4 text-17">
          <Operator operator={operator} />
          {isSandbox && (
            <p className="rounded-card bg-plum-wash p-4 text-15">
              This installation is a sandbox. It's for trying things out, with play money, on someone's own computer.
            </p>
          )}
          <p>
            It comes under the GNU Affero General Public License: whoever uses an installation may have its source code
            from the operator, and check what it does.
          </p>
        </div>
      </SitePart>
      <Closing />
    </SiteFrame>
  );
}

function Operator({ operator }: { operator: Facts['operator'] }) {
  return (
    <p>
      <span>
        {operator.name === null
          ? 'PrivateFans is free software that anyone may run. Who runs this installation has not been entered yet.'
          : `PrivateFans is free software that anyone may run. This installation is run by ${operator.name}.`}
      </span>
      {operator.email !== null && (
        <span>
          {' '}
          You can write to{' '}
          <a href={`mailto:${operator.email}`} className="text-plum underline underline-offset-4">
            {operator.email}
          </a>
          .
        </span>
      )}
    </p>
  );
}
