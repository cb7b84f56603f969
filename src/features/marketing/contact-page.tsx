import { useState } from 'react';
import { ContactDialog } from '#features/support/contact-dialog.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { useFacts } from './facts-context.tsx';
import { useIsAwake } from './site/is-awake.tsx';
import { SiteFrame } from './site/site-frame.tsx';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/contact');

const link = 'font-medium text-plum underline underline-offset-4';

/** How to reach whoever runs the place: the form, which opens by itself, and what to do without it. */
export default function ContactPage() {
  const { operator } = useFacts();
  return (
    <SiteFrame>
      <div className="mx-auto max-w-190 px-5 pt-9 pb-16 md:pt-14">
        <h1 className="text-38 md:text-56">Contact</h1>
        <p className="mt-3 text-17 text-quiet">
          Ask anything, or tell us what went wrong. You get a number at once, and an answer by email.
        </p>
        <div className="mt-7 min-h-11" data-contact="">
          <ContactOpener />
        </div>
        <noscript>
          <p className="mt-5">
            {operator.email === null
              ? 'The form needs JavaScript, and no email address has been set up here yet.'
              : `The form needs JavaScript. Without it, write to ${operator.email}.`}
          </p>
        </noscript>
        <h2 className="mt-11 text-21">Before you write</h2>
        <ul className="mt-3 grid list-disc gap-2 pl-5">
          <li>
            Most questions are answered on the{' '}
            <a href="/help" className={link}>
              help page
            </a>
            .
          </li>
          <li>
            To have a picture removed, use the{' '}
            <a href="/report" className={link}>
              report page
            </a>
            : it is faster, and needs no account.
          </li>
          <li>If you are in danger, call your local emergency number. Nobody here can react within minutes.</li>
        </ul>
      </div>
    </SiteFrame>
  );
}

/** The button and its dialog, which stands open once the page can be used. */
export function ContactOpener() {
  const isAwake = useIsAwake();
  const [isClosed, setClosed] = useState(false);
  if (!isAwake) return null;
  return (
    <>
      <Button onClick={() => setClosed(false)}>Write to us</Button>
      <ContactDialog open={!isClosed} onClose={() => setClosed(true)} />
    </>
  );
}
