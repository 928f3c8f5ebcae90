// Duplicate rules, matches for new data, and the groups that a search found.
import { isUuid } from '../../contract/common.ts'
import type { DuplicateGroupQuery, DuplicateQuestion, DuplicateRule } from '../../contract/duplicates.ts'
import { type Caller, shownUser } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { sealOf } from '../http/cursor.ts'
import { askedPage, pageOf } from '../http/paging.ts'
import { type ModelContext, type ObjectModel, requireCurrent, withModel } from '../model/attributes/models.ts'
import { lockObject } from '../model/objects/store.ts'
import { shownRecord } from '../records/read/shown-record.ts'
import { recordJson, type StoredRecord } from '../records/rows/stored-record.ts'
import { checkData } from '../records/validation/values.ts'
import { draftOf, requireValid } from '../records/write/drafts.ts'
import { referring, withReferences } from '../records/write/references.ts'
import { findMatches } from './matches.ts'
import { type Rule, rulesOf, shownRule } from './rules.ts'
import {
  countGroups,
  dismissGroup,
  findGroupRecords,
  type GroupRow,
  selectDuplicateGroups,
  selectFitting,
  selectRecords,
  selectSwitches,
  switchRule,
} from './store.ts'

/** The active rules of the object. */
export const activeRules = async (db: Db, model: ObjectModel): Promise<Rule[]> =>
  rulesOf(model, await selectSwitches(db, model)).filter(({ isActive }) => isActive)

/** @throws 404 not_found */
export const listRules = (ctx: ModelContext, org: number, objectRef: string): Promise<DuplicateRule[]> =>
  withModel(ctx, org, objectRef, async (model) => {
    const rules = rulesOf(model, await selectSwitches(ctx.db, model))
    await requireCurrent(ctx.db, model)
    return rules.map(shownRule)
  })

/** @throws 404 not_found */
export const setRuleActive = (
  ctx: ModelContext,
  org: number,
  { objectId, ruleId, isActive }: { objectId: string; ruleId: string; isActive: boolean },
): Promise<DuplicateRule> =>
  withModel(ctx, org, objectId, (model) =>
    ctx.db.transaction(async (tx) => {
      await lockObject(tx, org, model.id)
      await requireCurrent(tx, model)
      const rule = rulesOf(model, new Map()).find(({ id }) => id === ruleId.toLowerCase())
      if (!rule) throw notFound('duplicate rule')
      await switchRule(tx, model, rule.id, isActive)
      return { ...shownRule(rule), isActive }
    }),
  )

/** A JSON object of the fields and one more member, whose value is already JSON text. */
const withJson = (fields: object, name: string, json: string): string => {
  const text = JSON.stringify(fields)
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"${name}":${json}}`
}

const jsonOf = (model: ObjectModel, records: readonly StoredRecord[]) =>
  `[${records.map((record) => recordJson(model, record)).join(',')}]`

/** @returns JSON text shaped as DuplicateMatches @throws 400 validation_error, 404 not_found */
export const findDuplicates = (
  ctx: ModelContext,
  caller: Caller,
  objectRef: string,
  { data }: DuplicateQuestion,
): Promise<string> =>
  withModel(ctx, caller.org, objectRef, async (model) => {
    const { locale } = await referring(ctx, model, [data], (within) =>
      withReferences(within, caller, { model, createMissing: null }, [data]),
    )
    const checked = requireValid(checkData('patch', withoutEmpty(data), model.attributes, locale))
    const draft = draftOf(model, '', checked)
    const values = {
      data: JSON.parse(draft.data),
      comparable: draft.comparable && JSON.parse(draft.comparable),
    }
    const [matches = []] = await findMatches(ctx.db, { model }, await activeRules(ctx.db, model), [values])
    return ctx.db.snapshot(async (tx) => {
      await requireCurrent(tx, model)
      const found = await selectRecords(
        tx,
        model,
        matches.map(({ id }) => id),
      )
      const shown = matches.flatMap(({ id, reasons }) => {
        const record = found.get(id)
        return record ? [withJson({ reasons }, 'record', recordJson(model, record))] : []
      })
      return `{"matches":[${shown.join(',')}]}`
    })
  })

/** Removes empty values: required values may be missing while a record is being entered. */
const withoutEmpty = (data: object) =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== ''))

function groupJson(
  model: ObjectModel,
  caller: Caller,
  { group: { records: ids, ...group }, found }: { group: GroupRow; found: Map<string, StoredRecord> },
) {
  const records = ids.flatMap((id) => found.get(id) ?? [])
  const dismissedBy = shownUser(caller, group.dismissedBy)
  const shown = records.map((record) => shownRecord(caller, record))
  return withJson({ ...group, dismissedBy }, 'records', jsonOf(model, shown))
}

const isCount = (key: unknown): key is string => typeof key === 'string' && /^\d{1,4}$/.test(key)

const positionOf = ({ reasons, id }: GroupRow) => ({ key: String(reasons.length), id })

/** @returns JSON text shaped as DuplicateGroupList @throws 400 invalid_parameter, 404 not_found */
export const listGroups = (
  ctx: ModelContext,
  caller: Caller,
  objectRef: string,
  { dismissed = false, isDismissed = dismissed, ...params }: DuplicateGroupQuery,
): Promise<string> =>
  withModel(ctx, caller.org, objectRef, (model) =>
    ctx.db.snapshot(async (tx) => {
      await requireCurrent(tx, model)
      const seal = sealOf(['duplicates', caller.org, model.obj, isDismissed])
      const asked = askedPage(params, { seal, isKey: isCount })
      const found = await selectDuplicateGroups(tx, model, isDismissed, asked)
      const total = asked.count ? await countGroups(tx, model, isDismissed) : undefined
      const wanted = found.slice(0, asked.limit)
      const { groups, records } = await selectFitting(tx, model, wanted)
      const isCut = groups.length < wanted.length
      const page = pageOf(asked, { found: isCut ? groups : found, total, isCut, positionOf })
      const shown = page.rows.map((group) => groupJson(model, caller, { group, found: records })).join(',')
      return withJson({ pagination: page.pagination }, 'groups', `[${shown}]`)
    }),
  )

/** The remaining records of a group, the oldest first. @throws 404 not_found */
export const groupRecords = (
  ctx: ModelContext,
  { org }: Pick<Caller, 'org'>,
  { objectId, groupId }: { objectId: string; groupId: string },
): Promise<string[]> =>
  withModel(ctx, org, objectId, async (model) => {
    const ids = isUuid(groupId) ? await findGroupRecords(ctx.db, model, groupId.toLowerCase()) : undefined
    await requireCurrent(ctx.db, model)
    if (!ids) throw notFound('group of duplicates')
    return ids
  })

interface Dismissal {
  objectId: string
  groupId: string
  isDismissed: boolean
}

/** @returns JSON text shaped as DuplicateGroup @throws 404 not_found */
export const setDismissed = (
  ctx: ModelContext,
  caller: Caller,
  { objectId, groupId, isDismissed }: Dismissal,
): Promise<string> =>
  withModel(ctx, caller.org, objectId, (model) =>
    ctx.db.transaction(async (tx) => {
      await requireCurrent(tx, model)
      const change = { id: groupId.toLowerCase(), isDismissed, userId: caller.userId }
      const group = isUuid(groupId) ? await dismissGroup(tx, model, change) : undefined
      if (!group) throw notFound('group of duplicates')
      const found = await selectRecords(tx, model, group.records)
      return groupJson(model, caller, { group, found })
    }),
  )
