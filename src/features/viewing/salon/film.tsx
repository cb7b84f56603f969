export { FilmControls } from './film-controls.tsx';
export { openFilm } from './film-player.ts';
