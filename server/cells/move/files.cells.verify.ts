// Jobs on files do not touch the files of organizations in another cell.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { DASHBOARD_BUCKET } from '../../../contract/buckets.ts'
import { sweepUnused } from '../../attachments/jobs.ts'
import { sweepFiles } from '../../files/jobs.ts'
import { buildTestService } from '../../test/build-app.ts'
import { createTestCells } from '../../test/cells.ts'

const databases = await createTestCells()
const service = await buildTestService({}, undefined, databases)
const one = service.ctx.cells.of(1)

const { signal } = new AbortController()

/** Files for the jobs: an upload that never came, a file marked as unused two days ago, an unused file without mark. */
const insertFiles = (org: number) =>
  one.db.run(sql`
    insert into files (org, id, bucket, path, key, token, state, size, content_type, stored_at, expires_at, unused_since)
    select ${org}::int, gen_random_uuid(), ${DASHBOARD_BUCKET}, path, ${org}::int || '/' || path, ${org}::int || path, state,
      5, 'text/plain', now(), now() - interval '2 days', unused_since
    from (values ('never came', 'waiting', null), ('unused', 'stored', now() - interval '2 days'),
      ('detached', 'stored', null)) as f(path, state, unused_since)`)

const filesOf = (org: number) =>
  one.db.many<{ path: string }>(sql`
    select path, unused_since is not null as "isMarked" from files where org = ${org} order by path`)

async function sweep() {
  await sweepFiles(one, signal, new Date())
  await sweepUnused(one, signal, new Date())
}

test.each(['hidden', 'closed', 'left'])(
  'files of an organization are kept while its guard is %s',
  async (state) => {
    const { org } = await service.org({ ctx: one })
    await insertFiles(org)
    await one.db.run(sql`insert into organization_moves (org, state) values (${org}, ${state})`)
    const before = await filesOf(org)
    await sweep()
    expect(await filesOf(org)).toEqual(before)
    expect(before).toHaveLength(3)
    await one.db.run(sql`delete from organization_moves where org = ${org}`)
    await sweep()
    expect(await filesOf(org)).toEqual([{ path: 'detached', isMarked: true }])
  },
)
