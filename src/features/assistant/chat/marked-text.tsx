import { Link } from 'react-router';
import { nameOwnPage } from '../topics/own-pages.ts';
import { readMarkers, type Span } from './markers.ts';

type MarkedTextProps = {
  children: string;
  /** Somebody follows a link in it. */
  onLeave?: () => void;
};

/** A text with its markers drawn; whatever else stands in it is shown as the letters that it is. */
export function MarkedText({ children, onLeave }: MarkedTextProps) {
  return readMarkers(children).map((span) => <Stretch key={span.at} span={span} onLeave={onLeave} />);
}

function Stretch({ span: { kind, text }, onLeave }: { span: Span; onLeave: (() => void) | undefined }) {
  if (kind === 'break') return <br />;
  if (kind === 'bold') return <strong>{text}</strong>;
  if (kind === 'italic') return <em>{text}</em>;
  if (kind === 'underline') return <u>{text}</u>;
  if (kind === 'plain') return text;
  const name = nameOwnPage(text);
  if (name === undefined) return <code className="wrap-anywhere">{text}</code>;
  return (
    <Link to={text} onClick={onLeave} className="font-strong text-plum underline underline-offset-4">
      {name}
    </Link>
  );
}
