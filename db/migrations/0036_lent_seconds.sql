-- Of a film, the seconds whose keys were lent: the house's own note, whatever a browser tells of playing. Null for pictures, and for
-- good where some were lent before they were noted: half a list would say that somebody never had the other half.
alter table deliveries add column lent_seconds int4multirange;
