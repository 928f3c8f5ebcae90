import { expect, test } from 'vitest'
import { json, openCli } from './cli.fixture.ts'

const { rapport } = await openCli()

test('prints rows as a table or as JSON, with the texts of values from PostgreSQL', async () => {
  const statement = "select slug, null as nothing, 1.50 as amount from organizations where slug = 'acme'"
  const { code, stdout } = await rapport(['sql', statement])
  expect({ code, lines: stdout.split('\n') }).toEqual({
    code: 0,
    lines: ['slug  nothing  amount', 'acme           1.50', ''],
  })
  expect(await json(rapport(['sql', '--json', statement]))).toEqual([
    { slug: 'acme', nothing: null, amount: '1.50' },
  ])
})

test('changes data only with --write', async () => {
  const change = "update organizations set name = 'Changed' where slug = 'acme'"
  const refused = await rapport(['sql', change])
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({
    code: 1,
    stderr: 'rapport: cannot execute UPDATE in a read-only transaction\n',
  })
  expect((await rapport(['sql', '--write', change])).stdout).toBe('1 row changed.\n')
  const both = 'select 1 as first; select name from organizations'
  expect(await json(rapport(['sql', '--json', '--write', both]))).toEqual([{ name: 'Changed' }])
})

test.each([
  ['commit; create table written ()', 'This is several statements: send one at a time, or use --write'],
  [
    'set transaction read write; create table written ()',
    'This is several statements: send one at a time, or use --write',
  ],
  ['do $$ begin commit; create table written (); end $$', 'invalid transaction termination'],
  [
    'do $$ begin set transaction read write; create table written (); end $$',
    'transaction read-write mode must be set before any query',
  ],
])('without --write, nothing is written by %s', async (statements, why) => {
  const { code, stderr } = await rapport(['sql', statements])
  expect({ code, stderr }).toEqual({ code: 1, stderr: `rapport: ${why}\n` })
  const left = "select count(*) as tables from pg_class where relname = 'written'"
  expect(await json(rapport(['sql', '--json', left]))).toEqual([{ tables: '0' }])
})
