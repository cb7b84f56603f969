import { engineAsked } from '#tests/support/media/video-engines.ts';
import { guards } from '../counts.ts';

guards('src/engines/video/**');

// `npm test` asks the engine that an installation would take; this asks the other one the same questions.
engineAsked.isSecond = true;
await import('#engines/video/video.test.ts');
await import('#engines/video/shape.test.ts');
await import('#engines/video/light.test.ts');
await import('#engines/video/frames.test.ts');
await import('#engines/video/ends.test.ts');
await import('#engines/video/program-limits.test.ts');
