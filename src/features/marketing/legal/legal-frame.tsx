import type { Elements } from '#kit/elements.ts';
import { useFacts } from '../facts-context.tsx';
import { type Operator, operatorOf } from '../operator-words.ts';
import { SiteFrame } from '../site/site-frame.tsx';
import { type LegalText, legalVersion } from './legal-words.ts';

interface LegalFrameProps {
  write: (operator: Operator) => LegalText;
  /** What can be done at its end. */
  children?: Elements;
}

/** A page to be read, with who runs the place in it. */
export function LegalFrame({ write, children }: LegalFrameProps) {
  const facts = useFacts();
  const { title, summary, chapters } = write(operatorOf(facts));
  return (
    <SiteFrame>
      <div className="mx-auto max-w-190 px-5 pt-9 pb-16 md:pt-14">
        <h1 className="text-38">{title}</h1>
        <p className="mt-2 text-13 text-quiet">{legalVersion}</p>
        <p className="mt-6 text-17 text-balance">{summary}</p>
        {facts.isSandbox && (
          <p className="mt-6 rounded-card bg-plum-wash p-4">
            This installation is a sandbox. It's for trying things out, with play money, on someone's own computer.
          </p>
        )}
        {chapters.map((chapter) => (
          <section key={chapter.title} className="mt-9">
            <h2 className="text-21">{chapter.title}</h2>
            {chapter.paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-3 break-words">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
        {children}
      </div>
    </SiteFrame>
  );
}
