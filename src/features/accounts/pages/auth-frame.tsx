import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Elements } from '#kit/elements.ts';
import { Brand } from '#ui/brand.tsx';

/** The frame of the ways in: the name, one large title, one thing to do. Beside it on a computer stands what this place is for. */
export function AuthFrame({ title, text, children }: { title: string; text?: ReactNode; children: Elements }) {
  return (
    <div className="grid min-h-dvh md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <aside className="dark hidden content-end gap-4 bg-paper bg-radial-[at_40%_70%] from-plum-wash to-paper to-70% p-12 text-ink md:grid">
        <p className="max-w-110 font-display text-38 font-title tracking-tight text-balance">
          Only the people you choose. For as long as you choose.
        </p>
        <p className="max-w-96 text-quiet">
          Private albums shared through personal links. You see who looked, and you can end access whenever you like.
        </p>
      </aside>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto grid w-full max-w-120 content-start gap-6 px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-[calc(7rem+env(safe-area-inset-bottom))] outline-none md:pb-16 md:content-center md:px-10"
      >
        <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center justify-self-start">
          <Brand />
        </Link>
        <header className="grid gap-2 pt-6 md:pt-0">
          <h1 className="text-28 md:text-38">{title}</h1>
          {text && <p className="text-quiet">{text}</p>}
        </header>
        {children}
      </main>
    </div>
  );
}

/** What is wrong with a form as a whole; read out when it appears, unless a notice has told it already. */
export function FormFault({ isAnnounced = false, children }: { isAnnounced?: boolean; children: string | undefined }) {
  return (
    <p role={isAnnounced ? undefined : 'alert'} className="font-medium text-rust empty:hidden">
      {children}
    </p>
  );
}
