import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { json, openCli } from './cli.fixture.ts'

const { rapport, pool, org } = await openCli()

const index = (...args: string[]) => rapport(['index', ...args])

test('lists indexes with their progress, and rebuilds an index', async () => {
  expect((await index('list')).stdout).toBe('No object is large enough for an index.\n')
  expect(await json(index('list', '--json'))).toEqual([])

  await pool.run(sql`
    update objects set index_state = 'building', index_since = now(), index_seen = 1
    where org = ${org} and slug = 'people'`)
  await pool.run(sql`
    insert into records (org, obj, id, updated_at, data)
    select org, obj, uuidv7(), now(), '{}' from objects, generate_series(1, 4) where org = ${org} and slug = 'people'`)
  const line = { organization: 'acme', object: 'people', state: 'building', records: 4, filled: 1 }
  const counts = { counted: 0, searched: 0, unfolded: 0 }
  expect(await json(index('list', '--org', 'acme', '--json'))).toEqual([{ ...line, ...counts }])
  expect(await json(index('list', '--rows', '--json'))).toEqual([
    { ...line, ...counts, rows: { text: 0, number: 0, missing: 0, search: 0 } },
  ])
  expect((await index('list')).stdout).toMatch(/\nacme +people +building, 25 % +4 +0 +0 +0\n$/)

  expect(await json(index('rebuild', '--org', 'acme', '--object', 'people', '--json'))).toEqual({
    object: 'people',
    state: 'clearing',
  })
  expect(await json(index('list', '--json'))).toMatchObject([
    { object: 'people', state: 'clearing', filled: null },
  ])
  expect((await index('rebuild', '--org', 'acme', '--object', 'people')).stdout).toMatch(
    /^The index of people is deleted and built again/,
  )
})

test('compacts indexes of the database above a size', async () => {
  expect((await index('compact')).stdout).toBe('No index is that large.\n')
  const done = await json<{ index: string; cell: number }[]>(index('compact', '--min-mb', '0.001', '--json'))
  expect(done).toContainEqual({ cell: 0, index: 'records_pkey', bytesBefore: 16384, bytesAfter: 16384 })
  expect((await index('compact', '--min-mb', '0.001')).stdout).toMatch(/\n0 +records_pkey +0\.0 +0\.0\n/)
  expect((await index('compact', '--min-mb', 'few')).stderr).toBe(
    'rapport: --min-mb: send a number of megabytes\n',
  )
})

test('reports a missing object or organization in one line', async () => {
  expect((await index('rebuild', '--org', 'acme', '--object', 'nothing')).stderr).toBe(
    'rapport: No such object: check its id or slug\n',
  )
  expect((await index('list', '--org', 'missing')).stderr).toContain(
    'No organization has the id or slug "missing"',
  )
})
