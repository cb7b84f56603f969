/**
 * Draws the countries of the map of places: `node scripts/draw-map.mjs`, when the data of the world has changed. Each country is one
 * path under its two letters, in a picture of 1000 by 480; Antarctica is left out. What is drawn is by Natural Earth, public domain.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { geoNaturalEarth1, geoPath } from 'd3-geo';
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import { feature } from 'topojson-client';
import world from 'world-atlas/countries-110m.json' with { type: 'json' };

const lettersOf = new Map(codes.map(([two, , number]) => [number, two]));

const { features } = feature(world, world.objects.countries);
const shown = features.filter(({ id }) => lettersOf.has(id) && lettersOf.get(id) !== 'AQ');
const projection = geoNaturalEarth1().fitSize([1000, 480], { type: 'FeatureCollection', features: shown });
const draw = geoPath(projection).digits(0);
const countries = shown.map((country) => [lettersOf.get(country.id), draw(country)]);
const sorted = countries.toSorted(([a], [b]) => a.localeCompare(b, 'en'));
const file = path.join(import.meta.dirname, '../src/features/insights/pages/world-map.json');
writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
