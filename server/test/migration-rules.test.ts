import { describe, expect, test } from 'vitest'
import { readMigrations } from '../db/migration-files.ts'
import { NEXT_WRITER, REFUSE_THIS_VERSION } from '../db/next-version.fixture.ts'
import { WRITER } from '../db/writer.ts'
import { FIRST_RULED, faultsOf, orderFaults } from './migration-rules.ts'

test('no migration stops processes of the previous version', async () => {
  const all = await readMigrations()
  const ruled = all.filter(({ version }) => version >= FIRST_RULED)
  const before = ({ version }: { version: number }) =>
    all.filter((one) => one.version < version).map(({ text }) => text)
  expect(
    ruled.flatMap((one) => faultsOf(one, WRITER, before(one)).map((fault) => `${one.name}: ${fault}`)),
  ).toEqual([])
  expect(orderFaults(ruled)).toEqual([])
})

const VERSION = 80
const BEFORE = (await readMigrations()).map(({ text }) => text)
const faults = (text: string, writer = WRITER) => faultsOf({ version: VERSION, text }, writer, BEFORE)
const refusing = (text: string) => `-- writer: ${NEXT_WRITER}\n${REFUSE_THIS_VERSION}\n${text}`

describe('migrations that older versions can work with', () => {
  test.each([
    'alter table records add column color text;',
    "alter table records add column color text not null default 'red', add column size int default 0 not null;",
    '-- Later: drop column color, and set not null.\nalter table records add column color text;',
    'create table colors (org int not null, name text not null, primary key (org, name));\ncreate unique index colors_name on colors (name);',
    'create index records_color on records (org, color);\ndrop index records_size;',
    'create or replace function current_color() returns text language sql as $$ select 1 $$;',
    '-- reads-from: 0079\nalter table records drop column color;\nalter table objects rename column a to b;',
    refusing('alter table records alter column color set not null;'),
    refusing(`create trigger older_writers before insert or update on views
  for each statement execute function refuse_older_writers();
alter table views alter column name set not null;`),
    'alter table users add column phone text;',
    '-- reads-from: 0079\nalter table views drop constraint views_name;\ndrop index reports_name;',
  ])('are accepted: %s', (text) => expect(faults(text, NEXT_WRITER)).toEqual([]))
})

describe('migrations that stop older versions', () => {
  test.each([
    ['alter table records drop column color;', /^"drop column": do it a version later/],
    ['drop table colors;', /^"drop table"/],
    ['alter table records rename to things;', /^"rename"/],
    ['alter table records alter column color type int using 1;', /^"alter column color type"/],
    ['-- reads-from: 0080\ndrop table colors;', /^reads-from: 80 stops the version before/],
    [
      'alter table records alter column color set not null;',
      /^"set not null": turn away those who write less/,
    ],
    ['alter table records add column color text not null;', /^"add column color text not null"/],
    [
      'alter table records add column size int default 0, add column color text not null;',
      /^"add column color/,
    ],
    ['alter table records add constraint red check (color = 1);', /^"add constraint red check"/],
    [
      'create unique index records_color on records (org, color);',
      /^"create unique index records_color on records"/,
    ],
    ['alter table views drop constraint views_name;', /^"drop constraint": turn away/],
    ['drop index reports_name;', /^"drop index reports_name": turn away/],
    [
      refusing('alter table views alter column name set not null;'),
      /^"set not null": views has no trigger older_writers before insert or update$/,
    ],
    [
      refusing('alter table webhook_lanes alter column name set not null;'),
      /^"set not null": webhook_lanes has no trigger/,
    ],
    [
      refusing('create unique index views_slug on views (slug);'),
      /^"create unique index views_slug on views": views has no trigger/,
    ],
    [`-- writer: ${NEXT_WRITER}\nselect 1;`, /refuses those below 0$/],
    [REFUSE_THIS_VERSION, /^writer: 0 is declared, and refuse_older_writers refuses those below/],
  ])('are refused: %s', (text, fault) =>
    expect(faults(text, NEXT_WRITER)).toEqual([expect.stringMatching(fault)]),
  )

  test('are refused if they raise WRITER above that of this version', () => {
    const text = `-- writer: ${NEXT_WRITER}\n${REFUSE_THIS_VERSION}`
    expect(faults(text)).toEqual([expect.stringMatching(/refuses this version too: raise WRITER$/)])
  })
})

test('a migration that raises WRITER must be the last of its version', () => {
  const raising = { version: 80, text: refusing('') }
  const next = (text: string) => ({ version: 81, text })
  expect(orderFaults([{ version: 79, text: '' }, raising])).toEqual([])
  expect(orderFaults([raising, next('-- Adds.')])).toEqual([
    expect.stringMatching(/^81 comes after 80, .*"-- after-release: 0080" if/),
  ])
  expect(orderFaults([raising, next('-- after-release: 0080'), { version: 82, text: '' }])).toEqual([])
})
