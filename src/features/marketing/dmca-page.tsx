import { writeDmca } from './legal/dmca-words.ts';
import { LegalFrame } from './legal/legal-frame.tsx';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/dmca');

export default function DmcaPage() {
  return <LegalFrame write={writeDmca} />;
}
