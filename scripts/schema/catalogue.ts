import type pg from 'pg';

export interface Column {
  name: string;
  /** As PostgreSQL writes it, with length and brackets: `text[]`, `timestamp with time zone`. */
  type: string;
  isRequired: boolean;
  /** The expression of the default, or of a generated column. */
  value: string | null;
  made: 'by hand' | 'by default' | 'always by identity' | 'by identity' | 'always by expression';
}

export interface Table {
  name: string;
  isUnlogged: boolean;
  /** `partition by …`, when it has partitions. */
  partitionedBy: string | null;
  columns: Column[];
  constraints: { name: string; definition: string }[];
  indexes: string[];
  triggers: string[];
  walls: { isEnabled: boolean; isForced: boolean; policies: Policy[] };
  grants: Grant[];
  comment: string | null;
}

export interface Policy {
  name: string;
  command: string;
  roles: string;
  using: string | null;
  check: string | null;
}

export interface Grant {
  role: string;
  rights: string;
  /** The columns that the right is for; null is the whole table. */
  columns: string | null;
}

/** The whole schema `public`, each list in an order that does not change. */
export interface Catalogue {
  extensions: string[];
  schemas: { name: string; owner: string }[];
  collations: string[];
  functions: string[];
  tables: Table[];
}

/**
 * Reads what the migrations made.
 * @throws when it holds a kind of thing that the picture could not show.
 */
export async function readCatalogue(client: pg.ClientBase): Promise<Catalogue> {
  await client.query("set search_path = public; set timezone = 'UTC'");
  await refuseUnknown(client);
  const list = async <T>(sql: string) => (await client.query<{ item: T }>(sql)).rows.map(({ item }) => item);
  return {
    extensions: await list<string>("select extname as item from pg_extension where extname <> 'plpgsql' order by 1"),
    schemas: await list(
      `select jsonb_build_object('name', nspname, 'owner', nspowner::regrole::text) as item from pg_namespace
       where nspname not in ('public', 'information_schema') and nspname not like 'pg\\_%' order by nspname`,
    ),
    collations: await list<string>(
      `select format('%I (provider = %s, locale = %L)', collname, case collprovider when 'i' then 'icu' when 'c' then 'libc' else 'builtin' end,
         coalesce(to_jsonb(c) ->> 'colllocale', collcollate)) as item
       from pg_collation c where collnamespace = 'public'::regnamespace order by collname`,
    ),
    functions: await list<string>(
      `select pg_get_functiondef(p.oid) as item from pg_proc p
       where pronamespace = 'public'::regnamespace and not exists (select 1 from pg_depend where objid = p.oid and deptype = 'e')
       order by proname, pg_get_function_identity_arguments(p.oid)`,
    ),
    tables: await list<Table>(tablesSql),
  };
}

/** Enumerations, domains, views and loose sequences are not used here; one that appears must not be left out unseen. */
async function refuseUnknown(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select typname as name from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
     union all
     select relname from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('v', 'm', 'f', 'S')
       and not exists (select 1 from pg_depend where objid = c.oid and deptype in ('i', 'a'))`,
  );
  if (rows.length > 0)
    throw new Error(`The picture cannot show ${rows.map(({ name }) => name).join(', ')}: teach scripts/schema first.`);
}

const columnsSql = `
  select jsonb_agg(jsonb_build_object(
    'name', attname,
    'type', format_type(atttypid, atttypmod),
    'isRequired', attnotnull,
    'value', pg_get_expr(adbin, adrelid),
    'made', case when attidentity = 'a' then 'always by identity' when attidentity = 'd' then 'by identity'
      when attgenerated <> '' then 'always by expression' when adbin is not null then 'by default' else 'by hand' end
  ) order by attnum)
  from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = c.oid and attnum > 0 and not attisdropped`;

/** Rights of the owner itself are left out: it has all of them. */
const grantsSql = `
  select jsonb_agg(jsonb_build_object('role', role, 'rights', rights, 'columns', columns) order by role, columns nulls first, rights)
  from (
    select grantee::regrole::text as role, string_agg(lower(privilege_type), ', ' order by privilege_type) as rights, null as columns
    from aclexplode(c.relacl) where grantee <> c.relowner group by grantee
    union all
    select grantee::regrole::text, lower(privilege_type), string_agg(attname, ', ' order by attnum)
    from pg_attribute, aclexplode(attacl) where attrelid = c.oid and attacl is not null and grantee <> c.relowner
    group by grantee, privilege_type
  ) as rights`;

const policiesSql = `
  select jsonb_agg(jsonb_build_object('name', policyname, 'command', lower(cmd), 'roles', array_to_string(roles, ', '),
    'using', qual, 'check', with_check) order by policyname)
  from pg_policies where schemaname = 'public' and tablename = c.relname`;

const tablesSql = `
  select jsonb_build_object(
    'name', relname,
    'isUnlogged', relpersistence = 'u',
    'partitionedBy', case when relkind = 'p' then pg_get_partkeydef(c.oid) end,
    'comment', obj_description(c.oid, 'pg_class'),
    'columns', coalesce((${columnsSql}), '[]'),
    'constraints', coalesce((
      select jsonb_agg(jsonb_build_object('name', conname, 'definition', pg_get_constraintdef(oid))
        order by array_position(array['p', 'u', 'x', 'f', 'c'], contype::text), conname)
      from pg_constraint where conrelid = c.oid and contype in ('p', 'u', 'x', 'f', 'c') and conparentid = 0), '[]'),
    'indexes', coalesce((
      select jsonb_agg(pg_get_indexdef(indexrelid) order by indexrelid::regclass::text)
      from pg_index where indrelid = c.oid and not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))), '[]'),
    'triggers', coalesce((
      select jsonb_agg(pg_get_triggerdef(oid) order by tgname) from pg_trigger where tgrelid = c.oid and not tgisinternal and tgparentid = 0), '[]'),
    'walls', jsonb_build_object('isEnabled', relrowsecurity, 'isForced', relforcerowsecurity, 'policies', coalesce((${policiesSql}), '[]')),
    'grants', coalesce((${grantsSql}), '[]')
  ) as item
  from pg_class c
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
  order by relname`;
