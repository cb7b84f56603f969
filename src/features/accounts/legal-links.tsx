import { Fragment } from 'react';

const texts = [
  { to: '/terms-of-use', label: 'Terms of use' },
  { to: '/acceptable-use', label: 'Content policy' },
  { to: '/privacy-policy', label: 'Privacy policy' },
] as const;

/** What is agreed to, in a tab of its own: a form that is being filled in stays as it is. */
export function LegalLinks() {
  return (
    <p className="text-13 text-quiet">
      To read:{' '}
      {texts.map(({ to, label }, at) => (
        <Fragment key={to}>
          {at > 0 && ' · '}
          <a
            href={to}
            target="_blank"
            rel="noreferrer"
            className="inline-block py-1.5 font-strong text-plum hover:underline"
          >
            {label}
          </a>
        </Fragment>
      ))}
    </p>
  );
}
