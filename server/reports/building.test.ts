import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { BYTE_ORDER_MARK } from '../../contract/csv-text.ts'
import type { ReportPreview } from '../../contract/report-administration.ts'
import type { ReportDefinition, ReportDetail } from '../../contract/reports.ts'
import { newId } from '../base/id.ts'
import { bodyOf, expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { createRecords, makeReport, run, untilAwaited } from './reports.fixture.ts'

const service = await sharedTestService()
const org = await service.org()
const [owner, admin, member] = await org.members('owner', 'admin', 'member')
const stranger = await (await service.org()).member('owner')
const [acme = ''] = await createRecords(org, 'companies', [{ name: 'Acme, "Ltd"' }])
await createRecords(org, 'deals', [
  { name: 'One', amount: '12.50', company: acme },
  { name: 'Two', amount: { amount: '12345678901234567890.5', currency: 'EUR' }, company: acme },
])

let named = 0
const definition = (more: Partial<ReportDefinition> = {}): ReportDefinition => ({
  name: `Named ${++named}`,
  source: { objectId: 'deals', alias: 'deal' },
  measures: [{ key: 'deals', op: 'count' }],
  ...more,
})
const unknownField = { measures: [{ key: 'x', op: 'sum' as const, field: 'deal.nope' }] }

const create = (body: ReportDefinition) => member.post<ReportDetail>('/reports', { definition: body })

describe('POST /reports', () => {
  test('creates a report with the caller as its creator', async () => {
    const wanted = definition({ description: 'What for' })
    const body = bodyOf(await create(wanted), 201)
    expect(body).toMatchObject({
      name: wanted.name,
      description: 'What for',
      version: 1,
      lastRunAt: null,
      creator: { id: member.userId },
      definition: wanted,
    })
  })

  test('rejects an invalid shape, definition or text', async () => {
    const refused: [unknown, string, string][] = [
      [{ ...definition(), limit: 10_001 }, 'definition.limit', 'maximum'],
      [{ ...definition(), colour: 'red' }, 'definition.colour', 'unknown_field'],
      [definition(unknownField), 'definition.measures[0].field', 'unknown_attribute'],
      [definition({ name: 'a\u0000b' }), 'definition.name', 'invalid_text'],
    ]
    for (const [body, path, code] of refused) {
      const reply = await member.post<Record<string, unknown>>('/reports', { definition: body })
      expectError(reply, 'validation_error')
      expect(reply.body['details']).toMatchObject({
        errors: expect.arrayContaining([expect.objectContaining({ path, code })]),
      })
    }
  })

  test('rejects a name that is taken', async () => {
    const taken = definition()
    await create(taken)
    expectError(await create(taken), 'name_taken')
  })
})

describe('PATCH /reports/:reportId', () => {
  test('replaces the definition', async () => {
    const { body: made } = await create(definition())
    const next = definition({ limit: 5 })
    const { status, body } = await member.patch<ReportDetail>(`/reports/${made.id}`, {
      definition: next,
      basedOn: 1,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: made.id, name: next.name, version: 2, definition: next })
    expect((await org.get<ReportDetail>(`/reports/${made.id}`)).body).toEqual(body)
  })

  test('changes nothing when the body is empty', async () => {
    const { body: made } = await create(definition())
    expect(await member.patch(`/reports/${made.id}`, {})).toMatchObject({ status: 200, body: made })
  })

  test('rejects concurrent saves, invalid definitions, and names that are taken', async () => {
    const [{ body: made }, { body: second }] = [await create(definition()), await create(definition())]
    const patch = (body: unknown) => member.patch<Record<string, unknown>>(`/reports/${made.id}`, body)
    await patch({ definition: made.definition })
    expectError(await patch({ definition: made.definition, basedOn: 1 }), 'wrong_state')
    expectError(await patch({ definition: definition(unknownField) }), 'validation_error')
    expectError(await patch({ definition: { ...made.definition, name: second.name } }), 'name_taken')
  })

  test('rejects a name that another report gets at the same time', async () => {
    const { name } = definition()
    const [made, other] = [await makeReport(org), await makeReport(org)]
    const reply = await service.ctx.db.transaction(async (tx) => {
      await tx.run(sql`update reports set name = ${name} where org = ${org.org} and id = ${other.id}`)
      const patched = owner.patch(`/reports/${made.id}`, { definition: { ...made.definition, name } })
      await untilAwaited(tx)
      return { patched }
    })
    expectError(await reply.patched, 'name_taken')
    expect((await org.get<ReportDetail>(`/reports/${made.id}`)).body).toEqual(made)
  })

  test('is allowed for the creator and for admins only', async () => {
    const made = await makeReport(org)
    const change = (who: typeof member) =>
      who.patch<Record<string, unknown>>(`/reports/${made.id}`, { definition: made.definition })
    expectError(await change(member), 'insufficient_role')
    expect((await change(admin)).status).toBe(200)
    expect((await change(owner)).status).toBe(200)
    expectError(await change(stranger), 'not_found')
    expectError(await member.patch(`/reports/${newId()}`, { definition: definition() }), 'not_found')
  })
})

describe('DELETE /reports/:reportId', () => {
  test('deletes the report with its runs, for its creator and admins', async () => {
    const { id } = await makeReport(org)
    const { id: runId } = await run(org, id)
    expectError(await member.delete(`/reports/${id}`), 'insufficient_role')
    expectError(await stranger.delete(`/reports/${id}`), 'not_found')
    expect(await admin.delete(`/reports/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } })
    expectError(await org.get(`/reports/${id}`), 'not_found')
    expectError(await org.get(`/reports/${id}/runs/${runId}`), 'not_found')
    expectError(await admin.delete(`/reports/${id}`), 'not_found')
  })
})

describe('while a report is being built', () => {
  test('POST /reports/check returns columns or problems', async () => {
    const check = async (body: unknown) => (await member.post('/reports/check', { definition: body })).body
    expect(await check(definition())).toMatchObject({
      problems: [],
      columns: [{ key: 'deals', label: 'Deals' }],
    })
    expect(await check(definition(unknownField))).toMatchObject({
      problems: [{ path: 'measures[0].field', code: 'unknown_attribute' }],
      columns: [],
    })
    expect(await check('nothing yet')).toMatchObject({ problems: [{ path: '' }], columns: [] })
  })

  test('POST /reports/preview returns results without storing them', async () => {
    const preview = async (body: unknown) =>
      bodyOf(await member.post<ReportPreview>('/reports/preview', { definition: body }))
    const before = (await org.get('/reports')).body
    expect(await preview(definition())).toMatchObject({
      problems: [],
      error: null,
      results: { rows: [{ deals: 2 }] },
    })
    expect(await preview(definition({ limit: 10_000 }))).toMatchObject({ results: { truncated: false } })
    expect(await preview(definition(unknownField))).toMatchObject({
      problems: [{ path: 'measures[0].field' }],
      results: null,
      error: null,
    })
    expect(await preview({})).toMatchObject({
      problems: expect.arrayContaining([
        { path: 'name', code: 'required', message: 'is required: send text' },
      ]),
    })
    expect((await org.get('/reports')).body).toEqual(before)
  })

  test('GET /reports/ready returns ten templates', async () => {
    const { body } = await member.get<{ reports: { key: string }[] }>('/reports/ready')
    expect(new Set(body.reports.map(({ key }) => key)).size).toBe(10)
  })
})

describe('GET /reports/:reportId/runs/:runId/file', () => {
  const columns = [
    { key: 'name', field: 'deal.name' },
    { key: 'amount', field: 'deal.amount' },
    { key: 'company', field: 'deal.company' },
    { key: 'stage', field: 'deal.stage' },
  ]

  async function download(format: string) {
    const { definition: whole, ...made } = await makeReport(org, {
      columns,
      measures: [],
      sort: [{ key: 'name' }],
    })
    const { id } = await run(org, made.id)
    const url = `/dashboard/api/organizations/org-${org.id}/reports/${made.id}/runs/${id}/file?format=${format}`
    const response = await service.inject({ url, headers: { cookie: member.cookie } })
    expect(response.headers['content-disposition']).toContain(`filename="${whole.name}.${format}"`)
    return { response, path: `/reports/${made.id}/runs/${id}/file` }
  }

  test('returns CSV with all digits of a number', async () => {
    const { response } = await download('csv')
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(response.payload[0]).toBe(BYTE_ORDER_MARK)
    expect(parse(response.payload, { bom: true })).toEqual([
      ['Name', 'Amount', 'Amount (currency)', 'Company', 'Stage'],
      ['One', '12.5', 'USD', 'Acme, "Ltd"', ''],
      ['Two', '12345678901234567890.5', 'EUR', 'Acme, "Ltd"', ''],
    ])
  })

  test('returns CSV in which no cell is a formula', async () => {
    const { id } = await makeReport(org, {
      columns: [{ key: 'name', label: '=A1', field: 'deal.name' }],
      measures: [],
    })
    await createRecords(org, 'deals', [{ name: '=HYPERLINK("http://a.example")' }])
    const done = await run(org, id)
    const url = `/dashboard/api/organizations/org-${org.id}/reports/${id}/runs/${done.id}/file?format=csv`
    const { payload } = await service.inject({ url, headers: { cookie: member.cookie } })
    const [head, ...rows] = parse(payload, { bom: true }).flat()
    expect(head).toBe("'=A1")
    expect(rows).toContain('\'=HYPERLINK("http://a.example")')
  })

  test('returns XLSX with numbers as numbers, and as text when they have too many digits', async () => {
    const { response } = await download('xlsx')
    expect(response.statusCode).toBe(200)
    const files = unzipSync(response.rawPayload)
    const text = (name: string) => new TextDecoder().decode(files[name])
    expect(text('xl/worksheets/sheet1.xml')).toMatch(/<v>12\.5<\/v>/)
    const all = Object.keys(files).map(text).join('')
    expect(all).toContain('12345678901234567890.5')
    expect(all).toMatch(/Acme, (?:&quot;|")Ltd/)
  })

  test('rejects runs without results, other formats, and other organizations', async () => {
    const { path } = await download('csv')
    expectError(await member.get(`${path}?format=pdf`), 'invalid_parameter')
    expectError(await stranger.get(`${path}?format=csv`), 'not_found')
    const attribute = await org.post<{ id: string }>('/objects/deals/attributes', {
      name: 'Removed',
      type: 'number',
    })
    const { id } = await makeReport(org, { measures: [{ key: 'removed', op: 'sum', field: 'deal.removed' }] })
    await org.delete(`/objects/deals/attributes/${attribute.body.id}`)
    const failed = await run(org, id)
    expectError(await member.get(`/reports/${id}/runs/${failed.id}/file?format=csv`), 'wrong_state')
  })
})
