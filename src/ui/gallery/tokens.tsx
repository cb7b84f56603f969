import { GallerySection } from '#ui/gallery/gallery-section.tsx';

const colours = [
  ['paper', 'bg-paper'],
  ['raised', 'bg-raised'],
  ['ink', 'bg-ink'],
  ['quiet', 'bg-quiet'],
  ['line', 'bg-line'],
  ['edge', 'bg-edge'],
  ['plum', 'bg-plum'],
  ['plum-wash', 'bg-plum-wash'],
  ['ember', 'bg-ember'],
  ['ember-ink', 'bg-ember-ink'],
  ['ember-wash', 'bg-ember-wash'],
  ['moss', 'bg-moss'],
  ['moss-wash', 'bg-moss-wash'],
  ['rust', 'bg-rust'],
  ['rust-wash', 'bg-rust-wash'],
];

/** Colour and type. */
export function Tokens() {
  return (
    <GallerySection title="Colour and type">
      <ul className="grid grid-cols-3 gap-2 md:grid-cols-5">
        {colours.map(([name, swatch]) => (
          <li key={name} className="grid gap-1 text-13 text-quiet">
            <span className={`h-12 rounded-control border border-line ${swatch}`} />
            <span>{name}</span>
          </li>
        ))}
      </ul>
      <div className="grid gap-1">
        <p className="font-display text-56 font-title tabular-nums">$412.50</p>
        <p className="font-display text-38 font-title">Good evening, Ana</p>
        <p className="font-display text-28 font-title">Magic links</p>
        <p className="font-display text-21 font-title">Marta would like to see Golden hour</p>
        <p className="text-17">Share photos and videos through a link that knows who it's for.</p>
        <p>See who looked. Take it back whenever you want.</p>
        <p className="text-13 text-quiet">7 days free, then $3.99 a month. No card needed.</p>
      </div>
    </GallerySection>
  );
}
