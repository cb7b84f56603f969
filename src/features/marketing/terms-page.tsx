import { LegalFrame } from './legal/legal-frame.tsx';
import { writeTerms } from './legal/terms-words.ts';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/terms-of-use');

export default function TermsPage() {
  return <LegalFrame write={writeTerms} />;
}
