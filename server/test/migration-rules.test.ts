import { describe, expect, test } from 'vitest'
import { readMigrations } from '../db/migration-files.ts'
import { NEXT_WRITER, REFUSE_THIS_VERSION } from '../db/next-version.fixture.ts'
import { WRITER } from '../db/writer.ts'
import { FIRST_RULED, faultsOf } from './migration-rules.ts'

test('no migration stops processes of the version before', async () => {
  const ruled = (await readMigrations()).filter(({ version }) => version >= FIRST_RULED)
  expect(ruled.flatMap((one) => faultsOf(one, WRITER).map((fault) => `${one.name}: ${fault}`))).toEqual([])
})

const VERSION = 80
const faults = (text: string, writer = WRITER) => faultsOf({ version: VERSION, text }, writer)

describe('what older versions can work with', () => {
  test.each([
    'alter table records add column color text;',
    "alter table records add column color text not null default 'red', add column size int default 0 not null;",
    '-- Later: drop column color, and set not null.\nalter table records add column color text;',
    'create table colors (org int not null, name text not null, primary key (org, name));\ncreate unique index colors_name on colors (name);',
    'create index records_color on records (org, color);\ndrop index records_size;',
    'create or replace function current_color() returns text language sql as $$ select 1 $$;',
    '-- reads-from: 0079\nalter table records drop column color;\nalter table objects rename column a to b;',
    `-- writer: ${NEXT_WRITER}\n${REFUSE_THIS_VERSION}\nalter table records alter column color set not null;`,
  ])('%s', (text) => expect(faults(text, NEXT_WRITER)).toEqual([]))
})

describe('what stops them', () => {
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
    [`-- writer: ${NEXT_WRITER}\nselect 1;`, /refuses those below 0$/],
    [REFUSE_THIS_VERSION, /^writer: 0 is declared, and refuse_older_writers refuses those below/],
  ])('%s', (text, fault) => expect(faults(text, NEXT_WRITER)).toEqual([expect.stringMatching(fault)]))

  test('a number of writing that this version is not of', () => {
    const text = `-- writer: ${NEXT_WRITER}\n${REFUSE_THIS_VERSION}`
    expect(faults(text)).toEqual([expect.stringMatching(/refuses this version too: raise WRITER$/)])
  })
})
