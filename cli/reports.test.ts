import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ReportFile, ReportResults } from '../contract/reports.ts'
import { temporaryFolder } from '../server/test/temporary-folder.ts'
import { json, openCli } from './cli.fixture.ts'

const { rapport } = await openCli()
const folder = await temporaryFolder('reports')

const reports = (name: string, ...args: string[]) => rapport(['reports', name, '--org', 'acme', ...args])

const definition = {
  name: 'Deals by stage',
  source: { objectId: 'deals', alias: 'deal' },
  groupBy: [{ key: 'stage', field: 'deal.stage' }],
  measures: [{ key: 'deals', op: 'count' }],
}

async function put(content: unknown) {
  const file = join(folder, 'report.json')
  await writeFile(file, JSON.stringify(content))
  return reports('put', '--file', file, '--json')
}

test('creates, lists, runs and deletes reports', async () => {
  const { id } = await json<{ id: string }>(put(definition))
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  // The same name updates the same report.
  expect(await json(put({ ...definition, limit: 5 }))).toEqual({ id })
  expect(await json(put({ id, ...definition, name: 'Stages' }))).toEqual({ id })
  expect(await json(reports('list', '--json'))).toMatchObject([{ id, name: 'Stages', lastRunAt: null }])
  const file = await json<ReportFile>(reports('get', '--report', 'Stages', '--json'))
  expect(file).toEqual({ id, ...definition, name: 'Stages' })
  expect((await reports('list')).stdout).toContain(`${id}  Stages  never`)

  expect(await reports('run', '--report', 'Stages')).toEqual({ code: 0, stdout: 'No rows.\n', stderr: '' })
  expect((await reports('run', '--report', id, '--format', 'csv')).stdout).toBe('Stage,Deals\n')
  const output = join(folder, 'results.json')
  expect((await reports('run', '--report', id, '--format', 'json', '-o', output)).stdout).toBe('')
  expect(JSON.parse(await readFile(output, 'utf8')) as ReportResults).toMatchObject({
    rows: [],
    truncated: false,
  })
  expect(await json(reports('runs', '--report', id, '--json'))).toMatchObject([
    { reportId: id, status: 'completed' },
    { status: 'completed' },
    { status: 'completed' },
  ])
  expect((await reports('runs', '--report', id)).stdout).toMatch(/^RUN +STATUS/)

  expect((await reports('delete', '--report', id)).stderr).toMatch(/permanently: confirm with --yes\n$/)
  expect(await json(reports('delete', '--report', id, '--yes', '--json'))).toEqual({ id, deleted: true })
  expect((await reports('list')).stdout).toMatch(/^No reports yet/)
})

test('reports an error in one line', async () => {
  expect((await put({ ...definition, colour: 'red' })).stderr).toMatch(
    /^rapport: colour: is not a known field: use .*\bname, .*\n$/,
  )
  expect((await put({ ...definition, groupBy: [{ key: 'x', field: 'deal.x' }] })).stderr).toMatch(
    /^rapport: definition\.groupBy\[0\]\.field: deals has no attribute "x": use name, .*\n$/,
  )
  expect(await reports('run', '--report', 'Nothing')).toMatchObject({
    code: 1,
    stderr: 'rapport: No report is called "Nothing": see rapport reports list\n',
  })
})
