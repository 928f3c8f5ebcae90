// The possible next requests of a writer, with their expected effects.
import type { Change } from './accounts.ts'
import type { Request } from './ask.ts'
import { create } from './creating.ts'
import {
  deletion,
  domainOf,
  type Hand,
  nothing,
  ownRecord,
  type Plan,
  RECORDS,
  requireEqual,
  restoration,
  take,
  takeSome,
} from './hand.ts'
import { merge, undo, unmerge } from './undoing.ts'

/** The chance that a bulk request has a conflicting row, and so takes several statements. */
const IN_THE_WAY = 0.3

interface BulkAnswer {
  created: number
  results: { index: number; id: string | null }[]
}

/** The last row may have a unique value of another record: then the request takes more than one statement. */
function bulkCreate({ mark, records, random }: Hand): Plan {
  const markers = Array.from({ length: random.integer(2, 12) }, mark)
  const changes = markers.map((marker): Change => ({ type: 'record.created', marker }))
  const taken = records.find(({ domain }) => domain !== undefined)?.domain
  const refused = taken !== undefined && random.chance(IN_THE_WAY) ? [mark()] : []
  const rows = [
    ...markers.map((name) => ({ data: { name, domain: domainOf(name) } })),
    ...refused.map((name) => ({ data: { name, domain: taken } })),
  ]
  return {
    request: { method: 'POST', path: `${RECORDS}/bulk`, body: { records: rows } },
    status: 200,
    changes,
    refused: refused.map((marker) => ({ type: 'record.created', marker })),
    carriedOut(body) {
      const { created, results } = body as unknown as BulkAnswer
      requireEqual(created, changes.length, 'records created in bulk')
      for (const [index, change] of changes.entries()) {
        change.record = String(results[index]?.id)
        records.push(ownRecord(change.record, markers[index] ?? ''))
      }
    },
    doubted: nothing,
  }
}

function update({ mark, records, random }: Hand): Plan {
  const record = random.pick(records)
  const marker = mark()
  const employees = random.chance(0.5) && { employees: random.integer(1, 1_000_000) }
  return {
    request: {
      method: 'PATCH',
      path: `${RECORDS}/${record.id}`,
      body: { data: { name: marker, domain: domainOf(marker), ...employees } },
    },
    status: 200,
    changes: [{ type: 'record.updated', record: record.id, marker }],
    carriedOut({ version }) {
      record.last =
        record.domain === undefined ? undefined : { version: Number(version), domainBefore: record.domain }
      record.domain = domainOf(marker)
    },
    doubted: () => {
      record.domain = undefined
    },
  }
}

/** Moves a record to the trash. */
function remove({ records, deletedIds, trash, random }: Hand): Plan {
  const record = take(records, random)
  if (!record) throw new Error('There is no record to delete')
  return {
    request: { method: 'DELETE', path: `${RECORDS}/${record.id}` },
    status: 200,
    changes: [deletion(record)],
    carriedOut() {
      deletedIds.push(record.id)
      trash.push(record)
    },
    doubted: nothing,
  }
}

function removeForGood(hand: Hand): Plan {
  const plan = remove(hand)
  const { path } = plan.request
  const id = path.slice(RECORDS.length + 1)
  return {
    ...plan,
    ...{ request: { method: 'DELETE', path: `${path}?permanent=true` }, purged: [id] },
    carriedOut: () => void hand.deletedIds.push(id),
  }
}

function bulkRemove({ records, deletedIds, trash, random }: Hand): Plan {
  const some = takeSome(records, random, 8)
  const ids = some.map(({ id }) => id)
  return {
    request: { method: 'DELETE', path: `${RECORDS}/bulk`, body: { ids } },
    status: 200,
    changes: some.map(deletion),
    carriedOut({ deleted }) {
      requireEqual(deleted, ids.length, 'records deleted in bulk')
      deletedIds.push(...ids)
      trash.push(...some)
    },
    doubted: nothing,
  }
}

const TRASH = '/objects/companies/trash'

/** Restores one or several records. Without an answer the writer no longer uses them. */
function restore(hand: Hand): Plan {
  const { records, trash, deletedIds, random } = hand
  const some = takeSome(trash, random, 4).filter(({ domain }) => domain !== undefined)
  const [first] = some
  if (!first) return create(hand)
  const ids = some.map(({ id }) => id)
  for (const id of ids) deletedIds.splice(deletedIds.indexOf(id), 1)
  const request: Request =
    some.length === 1
      ? { method: 'POST', path: `${TRASH}/${first.id}/restore` }
      : { method: 'POST', path: `${TRASH}/bulk/restore`, body: { ids } }
  return {
    ...{ request, status: 200, changes: some.map(restoration) },
    carriedOut({ restored, lossCount }) {
      if (some.length > 1) requireEqual(restored, some.length, 'records restored in bulk')
      requireEqual(lossCount, 0, 'values lost by restoring')
      records.push(...some.map((record) => ({ ...record, restored: record.restored + 1, last: undefined })))
    },
    doubted: nothing,
  }
}

function purge(hand: Hand): Plan {
  const record = take(hand.trash, hand.random)
  if (!record) return create(hand)
  const request: Request = { method: 'DELETE', path: `${TRASH}/${record.id}` }
  return {
    ...{ request, status: 200, changes: [], purged: [record.id] },
    carriedOut: () => void hand.purged.push(record),
    doubted: nothing,
  }
}

/** The `nth` of a change that is never made. */
const REFUSED = 1_000_000

const refusedPlan = (request: Request, status: number, refused: Change): Plan => ({
  ...{ request, status, changes: [], refused: [refused], carriedOut: nothing, doubted: nothing },
})

function createTaken(hand: Hand): Plan {
  const marker = hand.mark()
  const taken = hand.records.find(({ domain }) => domain !== undefined)?.domain
  if (taken === undefined) return create(hand)
  const body = { data: { name: marker, domain: taken } }
  return refusedPlan({ method: 'POST', path: RECORDS, body }, 409, { type: 'record.created', marker })
}

function updateDeleted(hand: Hand): Plan {
  const marker = hand.mark()
  const record = hand.deletedIds.at(-1)
  if (record === undefined) return create(hand)
  const request: Request = { method: 'PATCH', path: `${RECORDS}/${record}`, body: { data: { name: marker } } }
  return refusedPlan(request, 404, { type: 'record.updated', record, marker })
}

function removeDeleted(hand: Hand): Plan {
  const record = hand.deletedIds.at(-1)
  if (record === undefined) return create(hand)
  const refused: Change = { type: 'record.deleted', record, nth: REFUSED }
  return refusedPlan({ method: 'DELETE', path: `${RECORDS}/${record}` }, 404, refused)
}

function restorePurged(hand: Hand): Plan {
  const record = hand.purged.at(-1)
  if (record === undefined) return create(hand)
  return refusedPlan({ method: 'POST', path: `${TRASH}/${record.id}/restore` }, 404, restoration(record))
}

/** So few that the writers of an organization often change the same record. */
const SHARED = 3

function createShared({ mark, shared }: Hand): Plan {
  const marker = mark()
  const change: Change = { type: 'record.created', marker, isShared: true }
  return {
    request: { method: 'POST', path: RECORDS, body: { data: { name: marker } } },
    status: 201,
    changes: [change],
    carriedOut({ id }) {
      change.record = String(id)
      shared.push(change.record)
    },
    doubted: nothing,
  }
}

const takenBy = (shared: string[], id: string) => {
  const place = shared.indexOf(id)
  if (place >= 0) shared.splice(place, 1)
}

/** Half of the updates set one of few unique values, which another shared record may have. */
function updateShared(hand: Hand): Plan {
  const { mark, shared, random } = hand
  if (shared.length < SHARED) return createShared(hand)
  const record = random.pick(shared)
  const marker = mark()
  const domain = random.chance(0.5) && { domain: `shared-${random.integer(1, SHARED)}.example` }
  return {
    request: { method: 'PATCH', path: `${RECORDS}/${record}`, body: { data: { name: marker, ...domain } } },
    status: 200,
    mayFailWith: [404, 409],
    changes: [{ type: 'record.updated', record, marker, isShared: true }],
    carriedOut: nothing,
    doubted: nothing,
  }
}

function removeShared(hand: Hand): Plan {
  const { shared, random } = hand
  if (shared.length < SHARED) return createShared(hand)
  const record = random.pick(shared)
  const forget = () => takenBy(shared, record)
  return {
    request: { method: 'DELETE', path: `${RECORDS}/${record}` },
    status: 200,
    mayFailWith: [404],
    changes: [{ type: 'record.deleted', record, isShared: true }],
    carriedOut: forget,
    doubted: forget,
  }
}

const FEW = 10
const GROWING = [create, create, bulkCreate]
const USUAL = [
  ...[create, create, create, create, bulkCreate],
  ...[update, update, update, update, update, update],
  ...[remove, remove, bulkRemove, removeForGood, createTaken, updateDeleted, removeDeleted],
  ...[restore, restore, restore, purge, restorePurged],
  ...[merge, merge, unmerge, unmerge, undo, undo],
  ...[updateShared, updateShared, updateShared, updateShared, updateShared, updateShared, removeShared],
]

export const nextPlan = (hand: Hand): Plan =>
  hand.random.pick(hand.records.length < FEW ? GROWING : USUAL)(hand)
