import { expect, test } from 'vitest'
import { json, openCli, SLOW } from './cli.fixture.ts'

const { rapport } = await openCli()

test('rows are printed as a table or as JSON, with values as PostgreSQL writes them', SLOW, async () => {
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

test('data are changed with --write alone', SLOW, async () => {
  const change = "update organizations set name = 'Changed' where slug = 'acme'"
  const refused = await rapport(['sql', change])
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({
    code: 1,
    stderr: 'rapport: cannot execute UPDATE in a read-only transaction\n',
  })
  expect((await rapport(['sql', '--write', change])).stdout).toBe('1 rows changed.\n')
  const read = 'select 1 as first; select name from organizations'
  expect(await json(rapport(['sql', '--json', read]))).toEqual([{ name: 'Changed' }])
})
