import { Fragment } from 'react';

const texts = {
  terms: { to: '/terms-of-use', label: 'Terms of use' },
  content: { to: '/acceptable-use', label: 'Content policy' },
  privacy: { to: '/privacy-policy', label: 'Privacy policy' },
} as const;

type Text = keyof typeof texts;

/** One of the texts by its name, or by the words of a sentence. */
export function LegalLink({ text, children }: { text: Text; children?: string }) {
  const { to, label } = texts[text];
  return (
    <a
      href={to}
      target="_blank"
      rel="noreferrer"
      className={
        children === undefined
          ? 'inline-flex min-h-11 items-center font-strong text-plum hover:underline'
          : 'touch-44 whitespace-nowrap font-strong text-plum underline underline-offset-2'
      }
    >
      {children ?? label}
    </a>
  );
}

/** What is agreed to, in a tab of its own: a form that is being filled in stays as it is. */
export function LegalLinks({ texts: shown }: { texts: readonly Text[] }) {
  return (
    <p className="text-13 text-quiet">
      <span>{'Please read: '}</span>
      {shown.map((text, at) => (
        <Fragment key={text}>
          {at > 0 && <span>{' · '}</span>}
          <LegalLink text={text} />
        </Fragment>
      ))}
    </p>
  );
}
