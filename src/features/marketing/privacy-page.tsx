import { LegalFrame } from './legal-frame.tsx';
import { writePrivacy } from './legal-words.ts';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/privacy-policy');

export default function PrivacyPage() {
  return <LegalFrame write={writePrivacy} />;
}
