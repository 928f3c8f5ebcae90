// Random changes of an organization: all kinds that affect the shown values of a record.
import { expect } from 'vitest'
import { newId } from '../../base/id.ts'
import { workOnUndo } from '../../change-sets/jobs.ts'
import { imported, mapping } from '../../imports/imports.fixture.ts'
import { workOnErasure } from '../../privacy/jobs.ts'
import { insertWorkflow, step } from '../../workflows/workflow.fixture.ts'
import type { TestService } from '../build-app.ts'
import type { Reply, SignedInMember } from '../dashboard-client.ts'
import type { Org } from '../factories.ts'

interface Attribute {
  id: string
  slug: string
  type: string
  isList: boolean
  isActive: boolean
  config: { options?: string[] } | null
}

export interface MirrorWorld {
  service: TestService
  org: Org
  admin: SignedInMember
  companiesId: string
  merges: string[]
  /** The change set of `changeInSet`, which `undoJob` undoes. */
  set: string
}

const THINGS = '/objects/things'
const COMPANIES = '/objects/companies'

async function addThings(org: Org, companiesId: string): Promise<void> {
  await org.post('/objects', { slug: 'things', singularName: 'Thing', pluralName: 'Things' })
  for (const attribute of [
    { name: 'Name', type: 'text' },
    { name: 'Code', type: 'text', isUnique: true },
    { name: 'Amount', type: 'number' },
    { name: 'Stage', type: 'select', config: { options: ['Lead', 'Won', 'Lost'] } },
    { name: 'Labels', type: 'text', isList: true },
    { name: 'Company', type: 'reference', config: { allowed_object_id: companiesId } },
    { name: 'Companies', type: 'reference', isList: true, config: { allowed_object_id: companiesId } },
  ])
    expect((await org.post(`${THINGS}/attributes`, attribute)).status).toBe(201)
}

/** Creates an object for every kind of change, and a workflow that changes new companies. */
export async function buildMirrorWorld(service: TestService): Promise<MirrorWorld> {
  const org = await service.org()
  const { id: companiesId } = (await org.get<{ id: string }>(COMPANIES)).body
  await addThings(org, companiesId)
  await insertWorkflow(service.ctx, org, {
    trigger: 'record/created',
    triggerConfig: { objectId: 'companies' },
    steps: [
      step('update_record', {
        ...{ object: 'companies', recordId: '{{trigger.record.id}}' },
        data: { employees: 7 },
      }),
    ],
  })
  return { service, org, admin: await org.member('admin'), companiesId, merges: [], set: newId() }
}

const pick = <Item>(items: readonly Item[], n: number): Item | undefined => items[n % items.length]

const some = <Item>(items: readonly Item[], n: number): Item[] =>
  items.filter((_, index) => (index + n) % 3 === 0)

const attributesOf = async ({ org }: MirrorWorld): Promise<Attribute[]> =>
  (await org.get<{ attributes?: Attribute[] }>(`${THINGS}/attributes?includeInactive=true`)).body
    .attributes ?? []

const idsIn = async ({ org }: MirrorWorld, path: string): Promise<string[]> => {
  const { body } = await org.get<{ records?: { id: string }[] }>(`${path}?limit=100&order=asc`)
  return (body.records ?? []).map(({ id }) => id)
}

/** A value of an attribute; undefined: no value is available. */
function exampleOf({ type, isList, config }: Attribute, n: number, companies: readonly string[]): unknown {
  if (type === 'number') return n
  if (type === 'select') return pick(config?.options ?? [], n)
  if (type === 'reference') return isList ? some(companies, n) : pick(companies, n)
  return isList ? [`a ${n % 3}`, `b ${n % 2}`] : `t ${n % 11}`
}

/** Values of about two thirds of the active attributes; null where no value is available. */
async function dataOf(world: MirrorWorld, n: number): Promise<Record<string, unknown>> {
  const companies = await idsIn(world, `${COMPANIES}/records`)
  const active = (await attributesOf(world)).filter(({ isActive }) => isActive)
  const chosen = active.filter((_, index) => (index * 7 + n) % 3 > 0)
  return Object.fromEntries(
    chosen.map((one, index) => [one.slug, exampleOf(one, n + index, companies) ?? null]),
  )
}

type Change = (world: MirrorWorld, n: number) => Promise<Reply<object> | undefined>

const objectOf = (n: number) => (n % 3 === 0 ? COMPANIES : THINGS)

const create: Change = async (world, n) => {
  const isCompany = objectOf(n) === COMPANIES
  const data = isCompany ? { name: `C ${n}` } : await dataOf(world, n)
  const filled = Object.entries(data).filter(([, value]) => value !== null)
  return world.org.post(`${objectOf(n)}/records`, { data: Object.fromEntries(filled) })
}

const patch: Change = async (world, n) => {
  const id = pick(await idsIn(world, `${THINGS}/records`), n)
  return id === undefined
    ? undefined
    : world.org.patch(`${THINGS}/records/${id}`, { data: await dataOf(world, n) })
}

const bulk: Change = async (world, n) => {
  const ids = some(await idsIn(world, `${THINGS}/records`), n)
  const records = [
    ...(await Promise.all(ids.map(async (id, index) => ({ id, data: await dataOf(world, n + index) })))),
    { data: { name: `B ${n}` } },
  ]
  return world.org.post(`${THINGS}/records/bulk`, { mode: 'upsert', records })
}

const remove: Change = async (world, n) => {
  const id = pick(await idsIn(world, `${objectOf(n)}/records`), n)
  const query = n % 5 === 0 ? '?permanent=true' : ''
  return id === undefined ? undefined : world.org.delete(`${objectOf(n)}/records/${id}${query}`)
}

const removeMany: Change = async (world, n) => {
  const ids = some(await idsIn(world, `${objectOf(n)}/records`), n)
  return ids.length === 0 ? undefined : world.org.delete(`${objectOf(n)}/records/bulk`, { ids })
}

const restore: Change = async (world, n) => {
  const id = pick(await idsIn(world, `${objectOf(n)}/trash`), n)
  return id === undefined ? undefined : world.org.post(`${objectOf(n)}/trash/${id}/restore`)
}

const restoreMany: Change = async (world, n) => {
  const ids = await idsIn(world, `${objectOf(n)}/trash`)
  return ids.length === 0 ? undefined : world.org.post(`${objectOf(n)}/trash/bulk/restore`, { ids })
}

const purge: Change = async (world, n) => {
  const id = pick(await idsIn(world, `${objectOf(n)}/trash`), n)
  return id === undefined ? undefined : world.org.delete(`${objectOf(n)}/trash/${id}`)
}

const merge: Change = async (world, n) => {
  const [winnerId, ...rest] = await idsIn(world, `${objectOf(n)}/records`)
  const loserIds = some(rest, n).slice(0, 3)
  if (winnerId === undefined || loserIds.length === 0) return undefined
  const reply = await world.org.post<{ mergeId?: string }>(`${objectOf(n)}/records/merge`, {
    winnerId,
    loserIds,
  })
  if (reply.body.mergeId !== undefined) world.merges.push(`${objectOf(n)}/merges/${reply.body.mergeId}`)
  return reply
}

const undoMerge: Change = async ({ org, merges }) => {
  const last = merges.pop()
  return last === undefined ? undefined : org.post(`${last}/undo`)
}

const undo: Change = async (world, n) => {
  const id = pick(await idsIn(world, `${THINGS}/records`), n)
  if (id === undefined) return undefined
  const path = `${THINGS}/records/${id}`
  const { body } = await world.org.get<{ version?: number }>(path)
  return body.version === undefined ? undefined : world.org.post(`${path}/undo`, { version: body.version })
}

const never = new AbortController().signal

const changeInSet: Change = async (world, n) => {
  const headers = { 'rapport-change-set': world.set }
  const path = `${objectOf(n)}/records`
  const [first, second] = (await idsIn(world, path)).slice(n % 3)
  if (first === undefined || second === undefined) return undefined
  if (n % 2 === 0) return world.org.post(`${path}/merge`, { winnerId: first, loserIds: [second] }, headers)
  if (n % 5 === 0) return world.org.delete(`${path}/${first}`, undefined, headers)
  return world.org.patch(`${path}/${first}`, { data: { name: `S ${n}` } }, headers)
}

const undoJob: Change = async (world) => {
  const { org, service, set } = world
  const reply = await org.post<{ id?: string }>('/undo-jobs', { kind: 'changeSet', id: set })
  if (reply.status !== 201 || reply.body.id === undefined) return reply
  await workOnUndo(service.ctx, { org: org.org, id: reply.body.id }, never)
  // The changes of the job are a set: undoing them is the next change of this kind.
  world.set = reply.body.id
  return reply
}

/** Deliveries come first: an erasure removes those that are not sent. */
const erase: Change = async (world, n) => {
  const { org, service } = world
  const id = pick(await idsIn(world, `${objectOf(n)}/records`), n)
  if (id === undefined) return undefined
  await service.deliver()
  const path = `${objectOf(n)}/records/${id}/erasure`
  const reply = await org.post<{ id: string }>(path, { confirm: id })
  await workOnErasure(service.ctx, { org: org.org, id: reply.body.id }, never)
  return reply
}

const isRemovable = ({ slug }: Attribute) => slug !== 'name'

const removeAttribute: Change = async (world, n) => {
  const one = pick((await attributesOf(world)).filter(isRemovable), n)
  const query = n % 5 === 0 ? '?permanent=true' : ''
  return one && world.org.delete(`${THINGS}/attributes/${one.id}${query}`)
}

const restoreAttribute: Change = async (world, n) => {
  const path = `${THINGS}/attributes/trash`
  const { body } = await world.org.get<{ attributes?: { id: string }[] }>(path)
  const one = pick(body.attributes ?? [], n)
  return one && world.org.post(`${path}/${one.id}/restore`)
}

const switchAttribute: Change = async (world, n) => {
  const one = pick((await attributesOf(world)).filter(isRemovable), n)
  return one && world.admin.patch(`${THINGS}/attributes/${one.id}/active`, { isActive: !one.isActive })
}

const renameOption: Change = async (world, n) => {
  const one = (await attributesOf(world)).find(({ type }) => type === 'select')
  const [first, ...others] = one?.config?.options ?? []
  if (!one || first === undefined) return undefined
  const options = [...others.map((value) => ({ value })), { value: `Option ${n}`, from: [first] }]
  return world.org.patch(`${THINGS}/select-attributes/${one.id}`, { options })
}

/** Rare, because all other changes of the object's records are refused until it is restored. */
const removeObject: Change = async ({ org }, n) => (n % 4 === 0 ? org.delete(THINGS) : undefined)

const restoreObject: Change = async ({ org }) => {
  const { body } = await org.get<{ objects: { id: string }[] }>('/trashed-objects')
  const [one] = body.objects
  return one && org.post(`/trashed-objects/${one.id}/restore`)
}

const importRows: Change = async (world, n) => {
  const text = `Name\nI ${n}\nJ ${n}\n`
  const path = `${COMPANIES}/imports?fileName=companies.csv`
  await imported(world.service, world.admin, { text, path, mapping: mapping('name') })
  return undefined
}

const runWorkflows: Change = async ({ service }) => {
  await service.runWorkflows()
  return undefined
}

export const CHANGES = {
  ...{ create, patch, bulk, remove, removeMany, restore, restoreMany, purge, merge, undoMerge, undo },
  ...{ removeAttribute, restoreAttribute, switchAttribute, renameOption, removeObject, restoreObject },
  ...{ importRows, runWorkflows, changeInSet, undoJob, erase },
} as const
export type ChangeName = keyof typeof CHANGES

/** The most frequent changes. */
export const OFTEN: readonly ChangeName[] = [
  'create',
  'create',
  'create',
  'patch',
  'patch',
  'bulk',
  'restore',
  'changeInSet',
  'changeInSet',
  'undoJob',
]

/** Makes a change, which may be refused. Expects no status of 500 or above. */
export async function change(world: MirrorWorld, name: ChangeName, n: number): Promise<void> {
  const reply = await CHANGES[name](world, n)
  expect(reply?.status ?? 200, `${name} ${n}: ${JSON.stringify(reply?.body)}`).toBeLessThan(500)
}
