// Expands the references of a page: reads their records and members by id.
import { EXPANDED_MAX } from '../../../contract/limits.ts'
import { type Caller, mayRead } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { recordJson, type StoredRecord } from '../rows/stored-record.ts'
import { selectUsers } from '../validation/member-values.ts'
import type { Expansion, ShownAs } from './paths.ts'
import { referredIds } from './referred-ids.ts'
import { type ShownFields, selectTargets, type Target, type TargetRecord } from './store.ts'

type Level = readonly { data: string; expansions: readonly Expansion[] }[]

/** The records and members that a level refers to. */
interface Referred {
  targets: (Target & { next: readonly Expansion[] })[]
  userIds: string[]
}

function referredBy(level: Level): Referred {
  const referred: Referred = { targets: [], userIds: [] }
  for (const { data, expansions } of level) {
    for (const { attribute, next } of expansions) {
      const ids = referredIds(data, attribute.slug)
      const obj = attribute.targetObj
      if (obj === null) referred.userIds.push(...ids)
      else referred.targets.push(...ids.map((id) => ({ obj, id, next })))
    }
  }
  return referred
}

/** A record that several paths lead to shows the fields of all of them. */
function shownFields(expansions: readonly Expansion[]): ShownFields {
  const shown = new Map<number, Set<string> | undefined>()
  const visit = ({ attribute: { targetObj }, fields, next }: Expansion) => {
    for (const one of next) visit(one)
    if (targetObj === null) return
    const earlier = shown.has(targetObj) ? shown.get(targetObj) : new Set<string>()
    shown.set(targetObj, fields && earlier && new Set([...earlier, ...fields]))
  }
  for (const one of expansions) visit(one)
  return new Map([...shown].flatMap(([obj, fields]) => (fields ? [[obj, fields] as const] : [])))
}

class Expanded {
  readonly #fields: ShownFields
  readonly records = new Map<string, TargetRecord>()
  readonly userIds = new Set<string>()
  isComplete = true

  constructor(expansions: readonly Expansion[]) {
    this.#fields = shownFields(expansions)
  }

  /** Reads the records of a level by one statement. @returns the next level */
  async follow(db: Db, org: number, level: Level): Promise<Level> {
    const { targets, userIds } = referredBy(level)
    for (const id of userIds) this.userIds.add(id)
    const missing = new Map(targets.filter(({ id }) => !this.records.has(id)).map((one) => [one.id, one]))
    const wanted = [...missing.values()].slice(0, EXPANDED_MAX - this.records.size)
    const { records, isComplete } = await selectTargets(db, org, wanted, this.#fields)
    for (const record of records) this.records.set(record.id, record)
    this.isComplete &&= isComplete && wanted.length === missing.size
    return targets.flatMap(({ id, next }) => {
      const record = this.records.get(id)
      return record && next.length > 0 ? [{ data: record.data, expansions: next }] : []
    })
  }

  async json(db: Db, caller: Caller): Promise<string> {
    const ids = [...this.userIds].slice(0, EXPANDED_MAX)
    const isNamed = mayRead(caller, 'members:read')
    const users =
      ids.length > 0 && isNamed ? await selectUsers(db, caller.org, ids) : ids.map((id) => ({ id }))
    const records = [...this.records.values()].map(
      (record) => `"${record.id}":${recordJson({ id: record.objectId }, record)}`,
    )
    const members = JSON.stringify(Object.fromEntries(users.map((user) => [user.id, user])))
    const isComplete = this.isComplete && ids.length === this.userIds.size
    return `{"records":{${records.join(',')}},"members":${members},"isComplete":${isComplete}}`
  }
}

/** @returns JSON text shaped as contract/record.ts Expanded; undefined when nothing is to be expanded */
export async function expandedJson(
  db: Db,
  caller: Caller,
  { records, expansions }: { records: readonly StoredRecord[]; expansions: readonly Expansion[] },
): Promise<string | undefined> {
  if (expansions.length === 0) return undefined
  const expanded = new Expanded(expansions)
  let level: Level = records.map(({ data }) => ({ data, expansions }))
  while (level.length > 0) level = await expanded.follow(db, caller.org, level)
  return expanded.json(db, caller)
}

/** A record to show, with the records and members that it refers to. */
export const expandedRecord = async (
  db: Db,
  caller: Caller,
  { model, expansions }: ShownAs,
  record: StoredRecord,
) => ({
  model,
  record,
  expanded: await expandedJson(db, caller, { records: [record], expansions }),
})
