import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type {
  NewReportDashboard,
  ReportDashboard,
  ReportDashboardItem,
  ReportTile,
} from '../../../contract/report-dashboards.ts'
import { REPORT_DASHBOARDS_MAX, TILES_MAX } from '../../../contract/report-layout.ts'
import { newId } from '../../base/id.ts'
import { bodyOf, expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { makeReport, run, untilAwaited } from '../reports.fixture.ts'

const service = await sharedTestService()
const org = await service.org()
const [owner, admin, member] = await org.members('owner', 'admin', 'member')
const elsewhere = await service.org()
const stranger = await elsewhere.member('owner')
const foreign = await makeReport(elsewhere)

type Reply = Record<string, unknown>

let named = 0
const draft = (more: Partial<NewReportDashboard> = {}): NewReportDashboard => ({
  name: `Dashboard ${++named}`,
  ...more,
})

const tileOf = (reportId: string, more: Partial<ReportTile> = {}): ReportTile => ({
  ...{ id: 'a', reportId, x: 0, y: 0, w: 6, h: 4 },
  ...more,
})

const make = async (more: Partial<NewReportDashboard> = {}): Promise<ReportDashboard> =>
  bodyOf(await member.post<ReportDashboard>('/report-dashboards', draft(more)), 201)

const pathOf = ({ id }: Pick<ReportDashboard, 'id'>) => `/report-dashboards/${id}`
const errorsOf = ({ body }: { body: Reply }) =>
  (body['details'] as { errors: { path: string; code: string }[] }).errors.map(
    ({ path, code }) => `${path} ${code}`,
  )

describe('POST /report-dashboards', () => {
  test('creates a dashboard of the caller, with its tiles and their newest runs', async () => {
    const [report, other] = [await makeReport(org), await makeReport(org)]
    const runs = [await run(org, report.id), await run(org, report.id)]
    const tiles = [tileOf(report.id, { title: 'Deals' }), tileOf(other.id, { id: 'b', x: 6 })]
    const made = await make({ description: 'For Mondays', tiles })
    expect(made).toMatchObject({
      description: 'For Mondays',
      version: 1,
      creator: { id: member.userId },
      tiles,
    })
    expect(made.reports).toHaveLength(2)
    expect(made.reports).toEqual(
      expect.arrayContaining([
        { id: report.id, name: report.name, lastRun: runs[1], lastCompleted: runs[1] },
        { id: other.id, name: other.name, lastRun: null, lastCompleted: null },
      ]),
    )
    expect((await admin.get(pathOf(made))).body).toEqual(made)
  })

  test('rejects invalid shapes, names and tiles, and names each problem', async () => {
    const { id } = await makeReport(org)
    const many = Array.from({ length: TILES_MAX + 1 }, (_, index) =>
      tileOf(id, { id: `t${index}`, y: index * 4 }),
    )
    const refused: [unknown, string][] = [
      [{}, 'name required'],
      [draft({ name: '' }), 'name minLength'],
      [draft({ name: '  ' }), 'name minLength'],
      [draft({ name: 'a\u0000b' }), 'name invalid_text'],
      [{ ...draft(), colour: 'red' }, 'colour unknown_field'],
      [draft({ tiles: many }), 'tiles maxItems'],
      [draft({ tiles: [tileOf(id, { title: '  ' })] }), 'tiles[0].title minLength'],
      [draft({ tiles: [tileOf(id, { w: 13 })] }), 'tiles[0].w maximum'],
      [draft({ tiles: [tileOf(id, { x: 8 })] }), 'tiles[0].w off_grid'],
      [draft({ tiles: [tileOf(id), tileOf(id, { id: 'b', x: 3 })] }), 'tiles[1] overlap'],
      [draft({ tiles: [tileOf(newId())] }), 'tiles[0].reportId unknown_report'],
      [draft({ tiles: [tileOf(foreign.id)] }), 'tiles[0].reportId unknown_report'],
    ]
    for (const [body, error] of refused) {
      const reply = await member.post<Reply>('/report-dashboards', body)
      expectError(reply, 'validation_error')
      expect(errorsOf(reply)).toContain(error)
    }
  })

  test('accepts the id of a report in upper case', async () => {
    const report = await makeReport(org)
    const { id, tiles, reports } = await make({ tiles: [tileOf(report.id.toUpperCase())] })
    expect(tiles).toEqual([tileOf(report.id)])
    expect(reports).toMatchObject([{ id: report.id }])
    const moved = [tileOf(report.id.toUpperCase(), { x: 6 })]
    const body = bodyOf(await member.patch<ReportDashboard>(pathOf({ id }), { tiles: moved }))
    expect(body.tiles).toEqual([tileOf(report.id, { x: 6 })])
  })

  test('rejects a name that is taken', async () => {
    const { name } = await make()
    expectError(await admin.post('/report-dashboards', draft({ name })), 'name_taken')
    expect((await stranger.post('/report-dashboards', draft({ name }))).status).toBe(201)
  })

  test('rejects a dashboard over the limit of the organization', async () => {
    const full = await service.org()
    const who = await full.member('member')
    await service.ctx.db.run(sql`
      insert into report_dashboards (org, id, name, description, layout, created_by)
      select ${full.org}, gen_random_uuid(), 'Dashboard ' || n, '', '[]', ${who.userId}
      from generate_series(1, ${REPORT_DASHBOARDS_MAX}::int) as n`)
    expectError(await who.post('/report-dashboards', draft()), 'limit_reached')
  })
})

describe('GET /report-dashboards', () => {
  test('lists the dashboards of the organization by name, and counts tiles of existing reports', async () => {
    const place = await service.org()
    const who = await place.member('member')
    const [kept, removed] = [await makeReport(place), await makeReport(place)]
    const tiles = [tileOf(kept.id), tileOf(removed.id, { id: 'b', x: 6 })]
    await who.post('/report-dashboards', { name: 'sales', tiles })
    await who.post('/report-dashboards', { name: 'Marketing' })
    await (await place.member('owner')).delete(`/reports/${removed.id}`)
    const { body } = await who.get<{ dashboards: ReportDashboardItem[] }>('/report-dashboards')
    expect(body.dashboards.map(({ name, tileCount }) => [name, tileCount])).toEqual([
      ['Marketing', 0],
      ['sales', 1],
    ])
  })
})

describe('GET /report-dashboards?reportId=', () => {
  test('lists the dashboards that have a tile of the report', async () => {
    const [report, other] = [await makeReport(org), await makeReport(org)]
    const made = await make({ tiles: [tileOf(report.id), tileOf(other.id, { id: 'b', x: 6 })] })
    const holding = async (id: string, who = member) => {
      const reply = await who.get<{ dashboards: ReportDashboardItem[] }>(`/report-dashboards?reportId=${id}`)
      expect(reply.status, JSON.stringify(reply.body)).toBe(200)
      return reply.body.dashboards.map((one) => [one.id, one.tileCount])
    }
    expect(await holding(report.id)).toEqual([[made.id, 2]])
    expect(await holding(report.id.toUpperCase())).toEqual([[made.id, 2]])
    expect(await holding(newId())).toEqual([])
    expect(await holding(report.id, stranger)).toEqual([])
  })

  test('rejects an invalid id', async () => {
    const reply = await member.get<Reply>('/report-dashboards?reportId=x')
    expectError(reply, 'invalid_parameter')
    expect(errorsOf(reply)).toEqual(['reportId pattern'])
  })
})

describe('GET /report-dashboards/:dashboardId', () => {
  test('returns the newest run and the newest completed run', async () => {
    const report = await makeReport(org)
    const completed = await run(org, report.id)
    await service.ctx.db.run(sql`
      insert into report_runs (org, id, report, definition, status, error, completed_at)
      values (${org.org}, ${newId()}, ${report.id}, '{}', 'failed', 'It took too long', now())`)
    const { reports } = await make({ tiles: [tileOf(report.id)] })
    expect(reports[0]).toMatchObject({ lastRun: { status: 'failed' }, lastCompleted: { id: completed.id } })
  })

  test('leaves out tiles of deleted reports', async () => {
    const [kept, removed] = [await makeReport(org), await makeReport(org)]
    const made = await make({ tiles: [tileOf(kept.id), tileOf(removed.id, { id: 'b', x: 6 })] })
    await owner.delete(`/reports/${removed.id}`)
    const { body } = await member.get<ReportDashboard>(pathOf(made))
    expect(body.tiles.map(({ id }) => id)).toEqual(['a'])
    expect(body.reports.map(({ id }) => id)).toEqual([kept.id])
  })

  test('returns 404 for a dashboard of another organization and for an invalid id', async () => {
    expectError(await stranger.get(pathOf(await make())), 'not_found')
    expectError(await member.get('/report-dashboards/nothing'), 'not_found')
  })
})

describe('PATCH /report-dashboards/:dashboardId', () => {
  test('changes only the fields of the request, and increases the version', async () => {
    const report = await makeReport(org)
    const made = await make({ description: 'Before' })
    const tiles = [tileOf(report.id, { w: 12 })]
    const body = bodyOf(await member.patch<ReportDashboard>(pathOf(made), { tiles, basedOn: 1 }))
    expect(body).toMatchObject({ name: made.name, description: 'Before', version: 2, tiles })
    const renamed = await member.patch<ReportDashboard>(pathOf(made), { name: `New ${made.name}` })
    expect(renamed.body).toMatchObject({ name: `New ${made.name}`, version: 3, tiles })
    expect((await member.get(pathOf(made))).body).toEqual(renamed.body)
  })

  test('rejects concurrent saves, names that are taken, and invalid layouts', async () => {
    const [made, other] = [await make(), await make()]
    const patch = (body: unknown) => member.patch<Reply>(pathOf(made), body)
    await patch({ description: 'Later' })
    const stale = await patch({ description: 'Earlier', basedOn: 1 })
    expectError(stale, 'wrong_state')
    expect(stale.body['details']).toEqual({ version: 2 })
    expectError(await patch({ name: other.name }), 'name_taken')
    const unknown = await patch({ tiles: [tileOf(newId())] })
    expectError(unknown, 'validation_error')
    expect(errorsOf(unknown)).toEqual(['tiles[0].reportId unknown_report'])
  })

  test('rejects a name that another dashboard gets at the same time', async () => {
    const { name } = draft()
    const [made, other] = [await make(), await make()]
    const reply = await service.ctx.db.transaction(async (tx) => {
      await tx.run(
        sql`update report_dashboards set name = ${name} where org = ${org.org} and id = ${other.id}`,
      )
      const patched = member.patch(pathOf(made), { name })
      await untilAwaited(tx)
      return { patched }
    })
    expectError(await reply.patched, 'name_taken')
    expect((await member.get(pathOf(made))).body).toEqual(made)
  })

  test('removes the tile of a deleted report without an error', async () => {
    const [kept, removed] = [await makeReport(org), await makeReport(org)]
    const tiles = [tileOf(kept.id), tileOf(removed.id, { id: 'b', x: 6 })]
    const made = await make({ tiles })
    await owner.delete(`/reports/${removed.id}`)
    const body = bodyOf(await member.patch<ReportDashboard>(pathOf(made), { tiles }))
    expect(body.tiles).toEqual([tileOf(kept.id)])
  })

  test('is allowed for the creator and for admins only', async () => {
    const { body: made } = await owner.post<ReportDashboard>('/report-dashboards', draft())
    const change = (who: typeof member) => who.patch<Reply>(pathOf(made), { description: 'x' })
    expectError(await change(member), 'insufficient_role')
    expect((await change(admin)).status).toBe(200)
    expectError(await change(stranger), 'not_found')
    expectError(await member.patch(`/report-dashboards/${newId()}`, {}), 'not_found')
  })
})

describe('DELETE /report-dashboards/:dashboardId', () => {
  test('deletes the dashboard but no report, for its creator and admins only', async () => {
    const report = await makeReport(org)
    const { body: made } = await owner.post<ReportDashboard>(
      '/report-dashboards',
      draft({ tiles: [tileOf(report.id)] }),
    )
    expectError(await member.delete(pathOf(made)), 'insufficient_role')
    expectError(await stranger.delete(pathOf(made)), 'not_found')
    expect(await admin.delete(pathOf(made))).toMatchObject({
      status: 200,
      body: { id: made.id, deleted: true },
    })
    expectError(await admin.get(pathOf(made)), 'not_found')
    expect((await org.get(`/reports/${report.id}`)).status).toBe(200)
  })
})
