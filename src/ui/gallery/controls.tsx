import { Copy, Ellipsis, Plus, QrCode, Send, Share, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { Field } from '#ui/forms/field.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { SearchField } from '#ui/forms/search-field.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { GallerySection } from '#ui/gallery/gallery-section.tsx';

/** What is pressed and written into. */
export function Controls() {
  return (
    <>
      <Buttons />
      <Fields />
    </>
  );
}

function Buttons() {
  const [busy, setBusy] = useState(false);
  return (
    <GallerySection title="Buttons">
      <div className="flex flex-wrap gap-2">
        <Button icon={Plus}>New link</Button>
        <Button variant="outline">Close their screen</Button>
        <Button variant="bare">All links</Button>
        <Button variant="danger" icon={Trash2}>
          Delete album
        </Button>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy>Saving</Button>
        <Button variant="outline" busy={busy} onClick={() => setBusy(true)}>
          Press to wait
        </Button>
        <Button disabled>Not yet</Button>
        <ButtonLink to="/dev/ui" icon={Send} variant="outline">
          A link
        </ButtonLink>
      </div>
      <div className="flex gap-2.5">
        <Button size="large" icon={Copy} className="flex-1">
          Copy link
        </Button>
        <IconButton icon={Share} label="Share" variant="outline" shape="square" />
        <IconButton icon={QrCode} label="QR code" variant="outline" shape="square" />
      </div>
      <div className="flex gap-2.5">
        <IconButton icon={Plus} label="Upload" variant="primary" />
        <IconButton icon={Share} label="Share" variant="outline" />
        <IconButton icon={Ellipsis} label="More" />
        <IconButton icon={Ellipsis} label="More, later" disabled />
      </div>
    </GallerySection>
  );
}

function Searching() {
  const [words, setWords] = useState('');
  return <SearchField label="Search links" placeholder="Search" value={words} onSearch={setWords} />;
}

function Fields() {
  return (
    <GallerySection title="Fields">
      <Field
        label="Email"
        type="email"
        placeholder="you@example.com"
        hint="Used only for signing in. Viewers never see it."
      />
      <Field label="Link name" defaultValue="Bob" error="You already have a link with this name. Choose another." />
      <Field label="Ends after" inputMode="numeric" defaultValue="24" end={<span className="pr-3">hours</span>} />
      <Field label="Handle" defaultValue="ana" disabled />
      <Searching />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint="At least 12 characters; four random words are good."
      />
      <Textarea label="Welcome text" placeholder="Shown on the album's welcome page" hint="Up to 280 characters." />
      <Textarea
        label="Description"
        defaultValue="Evening light, September."
        error="Please keep it under 20 characters."
      />
    </GallerySection>
  );
}
