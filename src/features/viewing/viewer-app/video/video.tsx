export { VideoControls } from './video-controls.tsx';
export { openVideo } from './video-player.ts';
