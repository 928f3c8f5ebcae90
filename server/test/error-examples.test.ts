// Compares the examples of errors in the API document with the errors that the service returns.
import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { API_ERROR_STATUS, type ApiErrorCode, ERROR_EXAMPLES, type ErrorBody } from '../../contract/errors.ts'
import { type AppError, unavailable } from '../base/errors.ts'
import { newId, newIdAt } from '../base/id.ts'
import { tooExpensive } from '../http/read-limit.ts'
import { toAppError } from '../http/render-errors.ts'
import { createKey } from '../identity/api-keys/service.ts'
import { requireNoChange } from '../model/attributes/service.ts'
import type { AttributeRow } from '../model/attributes/store.ts'
import { reportBusy } from '../reports/report-queue.ts'
import { createWorkflow } from '../workflows/service.ts'
import { buildTestService } from './build-app.ts'
import type { Reply } from './dashboard-client.ts'
import type { Org } from './factories.ts'

const service = await buildTestService({ filesBytesPerOrganization: 1_000_000 })
const managed = await buildTestService({ svix: { token: 'testsk_unused', url: 'http://127.0.0.1:9' } })
const { ctx } = service
const PEOPLE = '/objects/people/records'
const NO_SUCH = newId()

type Said = Pick<ErrorBody, 'error' | 'message' | 'details'>
type Ask = (org: Org) => Promise<Said>

const said = ({ body }: Reply<object>): Said => body as Said

async function make(org: Org, path: string, body: object): Promise<string> {
  const reply = await org.post(path, body)
  if (reply.status >= 400) throw new Error(JSON.stringify(reply.body))
  return String(reply.body['id'] ?? reply.body['mergeId'])
}

/** For errors that a test cannot cause reliably: calls the function that makes the error. */
const made =
  (make: () => unknown): Ask =>
  async () => {
    const { code: error, message, details } = make() as AppError
    return { error, message, ...(details && { details }) }
  }

const caught = (throwing: () => void): unknown => {
  try {
    return throwing()
  } catch (error) {
    return error
  }
}

async function withKey(key: string, url = '/api/v1/members'): Promise<Said> {
  const { payload } = await service.inject({ url, headers: { authorization: `Bearer ${key}` } })
  return JSON.parse(payload) as Said
}

async function expired({ org, userId }: Org): Promise<Said> {
  const { id, key } = await createKey(ctx, org, { name: 'old', scopes: null, createdBy: userId })
  await ctx.cells.copy()
  await ctx.directory.run(sql`update api_keys set expires_at = now() - interval '1 second' where id = ${id}`)
  return withKey(key)
}

async function overRate({ org, userId }: Org): Promise<Said> {
  const options = { name: 'slow', scopes: null, createdBy: userId, rateLimit: 1 }
  const { key } = await createKey(ctx, org, options)
  await ctx.cells.copy()
  await withKey(key)
  return withKey(key)
}

async function withoutScope(org: Org): Promise<Said> {
  const key = await org.keyWith(['records:read'])
  return said(await org.post(PEOPLE, { data: { name: 'Ada' } }, { authorization: `Bearer ${key}` }))
}

async function notAuthor(org: Org): Promise<Said> {
  const id = await make(org, PEOPLE, { data: { name: 'Ada' } })
  const mia = await org.member('member')
  const { body } = await mia.post<{ id: string }>(`${PEOPLE}/${id}/comments`, { text: 'Hello' })
  return said(await org.patch(`/comments/${body.id}`, { text: 'Changed' }))
}

const inviting = async (org: Org, email: string): Promise<Said> =>
  said(await org.post('/invitations', { email, role: 'member' }))

async function removedOwner(org: Org): Promise<Said> {
  const { memberId } = await org.member('owner')
  return said(await org.delete(`/members/${memberId}`))
}

async function unconfirmed(org: Org): Promise<Said> {
  await ctx.directory.run(sql`update users set email_verified = false where id = ${org.userId}`)
  return inviting(org, 'ada@example.com')
}

async function invitedMember(org: Org): Promise<Said> {
  const { email } = await org.member('member')
  const { message, ...others } = await inviting(org, email)
  return { ...others, message: message.replace(email, 'ada@example.com') }
}

async function invitedTwice(org: Org): Promise<Said> {
  await inviting(org, 'ada@example.com')
  return inviting(org, 'ada@example.com')
}

async function otherMethod({ key }: Org): Promise<Said> {
  const { payload } = await service.inject({
    method: 'PUT',
    url: `/api/v1${PEOPLE}/${NO_SUCH}`,
    headers: { authorization: `Bearer ${key}` },
  })
  return JSON.parse(payload) as Said
}

async function otherType({ key }: Org): Promise<Said> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/plain' }
  const { payload } = await service.inject({
    method: 'POST',
    url: `/api/v1${PEOPLE}`,
    headers,
    payload: 'Ada',
  })
  return JSON.parse(payload) as Said
}

const makeProjects = (org: Org) =>
  make(org, '/objects', { pluralName: 'Projects', singularName: 'Project', slug: 'projects' })

async function sameSlug(org: Org): Promise<Said> {
  await makeProjects(org)
  return said(await org.post('/objects', { pluralName: 'P', singularName: 'P', slug: 'projects' }))
}

async function inactive(org: Org): Promise<Said> {
  const id = await makeProjects(org)
  await org.patch(`/objects/${id}`, { isActive: false })
  return said(await org.post('/objects/projects/records', { data: {} }))
}

async function referenced(org: Org): Promise<Said> {
  const config = { allowed_object_id: await makeProjects(org) }
  await make(org, '/objects/deals/attributes', {
    name: 'Project',
    slug: 'project',
    type: 'reference',
    config,
  })
  return said(await org.delete('/objects/projects'))
}

async function optionInUse(org: Org): Promise<Said> {
  const records = Array.from({ length: 12 }, (_, nr) => ({ data: { name: `Deal ${nr}`, stage: 'Lost' } }))
  await make(org, '/objects/deals/records/bulk', { records })
  const { body } = await org.get<{ attributes: { id: string; slug: string }[] }>('/objects/deals/attributes')
  const stage = body.attributes.find(({ slug }) => slug === 'stage')
  const options = ['Lead', 'Qualified', 'Proposal', 'Won'].map((value) => ({ value }))
  return said(await org.patch(`/objects/deals/select-attributes/${stage?.id}`, { options }))
}

async function sameEmail(org: Org): Promise<Said> {
  const person = { data: { name: 'Ada', email: 'ada@example.com' } }
  await make(org, PEOPLE, person)
  return said(await org.post(PEOPLE, person))
}

async function makeWorkflow({ org, userId }: Org, name: string): Promise<string> {
  const definition = { trigger: 'manual' as const, steps: [] }
  const input = { name, definition, enabled: false, description: '' }
  const { id } = await createWorkflow(ctx, { org, userId }, input)
  return id
}

async function disabledWorkflow(org: Org): Promise<Said> {
  const id = await makeWorkflow(org, 'Welcome new people')
  return said(await org.post(`/workflows/${id}/run`))
}

async function sameName(org: Org): Promise<Said> {
  await makeWorkflow(org, 'Welcome new people')
  const id = await makeWorkflow(org, 'Another')
  return said(await org.patch(`/workflows/${id}`, { name: 'Welcome new people' }))
}

async function laterMerge(org: Org): Promise<Said> {
  const records = ['W', '1', '2'].map((name) => make(org, '/objects/companies/records', { data: { name } }))
  const [winnerId, ...losers] = await Promise.all(records)
  const merges: string[] = []
  for (const loser of losers)
    merges.push(await make(org, '/objects/companies/records/merge', { winnerId, loserIds: [loser] }))
  return said(await org.post(`/objects/companies/merges/${merges[0]}/undo`))
}

async function tooLate(org: Org): Promise<Said> {
  const id = await make(org, PEOPLE, { data: { name: 'Ada' } })
  await org.patch(`${PEOPLE}/${id}`, { data: { job_title: 'Countess' } })
  const old = newIdAt(new Date(Date.now() - 25 * 3_600_000))
  await ctx.db.run(
    sql`update events set id = ${old} where org = ${org.org} and subject = ${id} and version = 2`,
  )
  return said(await org.post(`${PEOPLE}/${id}/undo`, { version: 2 }))
}

const makeEndpoint = (org: Org, nr = 0) =>
  make(org, '/webhooks/endpoints', { url: `https://127.0.0.1:9/${nr}` })

async function secondTest(org: Org): Promise<Said> {
  const endpoint = await makeEndpoint(org)
  const sent = await make(org, `/webhooks/endpoints/${endpoint}/test`, { type: 'record.created' })
  return said(await org.post(`/webhooks/deliveries/${sent}/replay`))
}

async function disabledEndpoint(org: Org): Promise<Said> {
  const path = `/webhooks/endpoints/${await makeEndpoint(org)}`
  await org.patch(path, { isEnabled: false })
  return said(await org.post(`${path}/replays`, { kind: 'failed', since: '2026-01-01T00:00:00Z' }))
}

async function manyEndpoints(org: Org): Promise<Said> {
  for (let nr = 0; nr < 100; nr++) await makeEndpoint(org, nr)
  return said(await org.post('/webhooks/endpoints', { url: 'https://127.0.0.1:9/100' }))
}

async function lostSecret(org: Org): Promise<Said> {
  const id = await makeEndpoint(org)
  await ctx.db.run(
    sql`update webhook_endpoints set secret = decode(repeat('01', 80), 'hex') where org = ${org.org} and id = ${id}`,
  )
  return said(await org.get(`/webhooks/endpoints/${id}/secret`))
}

async function otherOffset(org: Org): Promise<Said> {
  const id = await make(org, '/jobs', { type: 'import', objectId: 'people' })
  await ctx.db.run(sql`update record_jobs set bytes = 1048576 where org = ${org.org} and id = ${id}`)
  const headers = {
    'content-type': 'application/x-ndjson',
    'upload-offset': '0',
    'upload-complete': '?1',
  }
  return said(await org.patch(`/jobs/${id}/content`, '{"data":{}}', headers))
}

const UPLOAD = { bucket: 'avatars', path: 'people/ada.png' }

async function sameFile(org: Org): Promise<Said> {
  await ctx.db.run(sql`
    insert into files (org, id, bucket, path, key, token, state, size, content_type, expires_at, stored_at)
    values (${org.org}, ${newId()}, ${UPLOAD.bucket}, ${UPLOAD.path}, ${newId()}, ${newId()}, 'stored', 1, 'image/png', now(), now())`)
  return said(await org.post('/files/upload-url', UPLOAD))
}

const full: Ask = async (org) => said(await org.post('/files/upload-url', { ...UPLOAD, size: 2_000_000 }))

async function changedBody(org: Org): Promise<Said> {
  const headers = { 'idempotency-key': 'one' }
  await org.post(PEOPLE, { data: { name: 'Ada' } }, headers)
  return said(await org.post(PEOPLE, { data: { name: 'Grace' } }, headers))
}

/** Sends the request while another transaction holds the lock of the key. */
function stillRunning(org: Org): Promise<Said> {
  const lock = createHash('sha256').update(`${org.keyId} one`).digest().readBigInt64BE().toString()
  return ctx.db.transaction(async (tx) => {
    await tx.one(sql`select pg_advisory_xact_lock(${lock}::bigint)`)
    return said(await org.post(PEOPLE, { data: { name: 'Ada' } }, { 'idempotency-key': 'one' }))
  })
}

async function changedSince(org: Org): Promise<Said> {
  const id = await make(org, PEOPLE, { data: { name: 'Ada' } })
  return said(
    await org.patch(`${PEOPLE}/${id}`, { data: { job_title: 'Countess' } }, { 'if-match': '"old"' }),
  )
}

async function sameCode(org: Org): Promise<Said> {
  const path = '/objects/people/attributes'
  const attribute = await make(org, path, { name: 'Code', type: 'text' })
  for (const name of ['Ada', 'Grace']) await make(org, PEOPLE, { data: { name, code: 'AB-1' } })
  return said(await org.patch(`${path}/${attribute}`, { isUnique: true }))
}

async function differentCase(org: Org): Promise<Said> {
  const path = '/objects/people/attributes'
  const attribute = await make(org, path, { name: 'Code', type: 'text', isUnique: true })
  for (const code of ['AB-1', 'ab-1']) await make(org, PEOPLE, { data: { name: 'Ada', code } })
  return said(await org.patch(`${path}/${attribute}`, { config: { caseSensitive: false } }))
}

const ASKED: Readonly<Record<ApiErrorCode, Ask>> = {
  validation_error: async (org) =>
    said(await org.post(PEOPLE, { data: { name: 'Ada', email: 'ada(at)example.com' } })),
  invalid_parameter: async (org) => said(await org.get(`${PEOPLE}?limit=101`)),
  invalid_filter: async (org) => said(await org.get(`${PEOPLE}?filter[email][greaterThan]=a`)),
  unauthorized: async () => JSON.parse((await service.inject({ url: '/api/v1/members' })).payload),
  expired,
  insufficient_scope: withoutScope,
  insufficient_role: removedOwner,
  email_unverified: unconfirmed,
  standard_object: async (org) => said(await org.delete('/objects/people')),
  not_author: notAuthor,
  not_found: async (org) => said(await org.get(`${PEOPLE}/${NO_SUCH}`)),
  method_not_allowed: otherMethod,
  slug_conflict: sameSlug,
  option_in_use: optionInUse,
  options_changing: made(() =>
    caught(() => requireNoChange({ isChanging: true, slug: 'stage' } as AttributeRow)),
  ),
  unique_violation: sameEmail,
  case_conflict: differentCase,
  duplicate_values: sameCode,
  workflow_disabled: disabledWorkflow,
  name_taken: sameName,
  already_member: invitedMember,
  already_invited: invitedTwice,
  object_inactive: inactive,
  object_referenced: referenced,
  merged_since: laterMerge,
  wrong_state: secondTest,
  wrong_offset: otherOffset,
  limit_reached: manyEndpoints,
  endpoint_disabled: disabledEndpoint,
  unreadable_secret: lostSecret,
  managed_by_svix: async () => said(await (await managed.org()).get('/webhooks/endpoints')),
  undo_expired: tooLate,
  file_exists: sameFile,
  storage_full: full,
  idempotency_conflict: changedBody,
  idempotency_in_progress: stillRunning,
  precondition_failed: changedSince,
  payload_too_large: async (org) => said(await org.post(PEOPLE, { data: { name: 'x'.repeat(1024 ** 2) } })),
  query_too_expensive: made(() => tooExpensive(5)),
  unsupported_media_type: otherType,
  rate_limit_exceeded: overRate,
  report_busy: made(reportBusy),
  internal_error: made(() => toAppError(new Error('unexpected'))),
  unavailable: made(unavailable),
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Replaces parts that differ between responses: ids, numbers, ETags. */
function worded({ message, details }: Pick<Said, 'message' | 'details'>): string {
  const etag = details && 'etag' in details ? { ...details, etag: '…' } : details
  return JSON.stringify({ message, details: etag }).replaceAll(UUID, '<id>').replaceAll(/\d+/g, '0')
}

test.each(Object.keys(API_ERROR_STATUS) as ApiErrorCode[])('the example of %s is right', async (code) => {
  const told = await ASKED[code](await service.org())
  expect(told.error).toBe(code)
  expect(worded(told)).toBe(worded(ERROR_EXAMPLES[code]))
})
