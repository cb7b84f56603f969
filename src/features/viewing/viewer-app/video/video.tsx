export { FilmControls } from './video-controls.tsx';
export { openFilm } from './video-player.ts';
