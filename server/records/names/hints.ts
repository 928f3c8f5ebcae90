// Distinguishes records of the same name in words: "Acme · rosa@acme.example", "Acme · Lead · €12,500".
import type { RecordRef } from '../../../contract/activities.ts'
import { dateFormat } from '../../../contract/language.ts'
import { formatMoney, formatNumber } from '../../../contract/number-values.ts'
import type { RecordName } from '../../../contract/record-names.ts'
import { ifNotFound } from '../../base/errors.ts'
import { idTime } from '../../base/id.ts'
import { type ModelContext, withModel } from '../../model/attributes/models.ts'
import { type HintValue, selectHintValues } from './hints-store.ts'
import { recordNames } from './names.ts'
import { selectLiveObjects } from './store.ts'

const BETWEEN = ' · '

const day = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' })

function moneyText(text: string): string {
  const [currency = '', amount = ''] = text.split(' ')
  return formatMoney({ currency, amount })
}

const targetOf = ({ attribute: { config } }: HintValue): string | undefined =>
  config && 'allowed_object_id' in config ? config.allowed_object_id : undefined

type Names = ReadonlyMap<string, string>

/** @returns undefined for a reference whose record no longer exists */
function textOf({ attribute: { type }, text }: HintValue, names: Names): string | undefined {
  if (type === 'reference') return names.get(text)
  if (type === 'currency') return moneyText(text)
  if (type === 'number') return formatNumber(text)
  return type === 'date' ? day.format(new Date(text)) : text
}

function hintOf(id: string, values: readonly HintValue[], names: Names): string {
  const texts = values.flatMap((value) => textOf(value, names) ?? [])
  return texts.length > 0 ? texts.join(BETWEEN) : `Created ${day.format(new Date(idTime(id)))}`
}

async function referenceNames(ctx: ModelContext, org: number, values: readonly HintValue[]): Promise<Names> {
  const refs = values.flatMap((value) => {
    const objectId = value.attribute.type === 'reference' ? targetOf(value) : undefined
    return objectId === undefined ? [] : [{ objectId, recordId: value.text }]
  })
  const names = refs.length > 0 ? await recordNames(ctx, org, refs) : []
  return new Map(names.map(({ recordId, name }) => [recordId, name]))
}

/** Hints by record id, for the records that exist: company, email address, stage, amount. */
export async function recordHints(
  ctx: ModelContext,
  org: number,
  refs: readonly RecordRef[],
): Promise<Map<string, string>> {
  const byObject = Map.groupBy(refs, ({ objectId }) => objectId.toLowerCase())
  const found = new Map<string, HintValue[]>()
  for (const objectId of await selectLiveObjects(ctx.db, org, [...byObject.keys()])) {
    const ids = (byObject.get(objectId) ?? []).map(({ recordId }) => recordId)
    const values = await withModel(ctx, org, objectId, (model) => selectHintValues(ctx.db, model, ids)).catch(
      ifNotFound(new Map<string, HintValue[]>()),
    )
    for (const [id, one] of values) found.set(id, one)
  }
  const names = await referenceNames(ctx, org, [...found.values()].flat())
  return new Map([...found].map(([id, values]) => [id, hintOf(id, values, names)]))
}

export async function namesWithHints(
  ctx: ModelContext,
  org: number,
  refs: readonly RecordRef[],
): Promise<(RecordName & { hint?: string })[]> {
  const names = await recordNames(ctx, org, refs)
  const hints = await recordHints(ctx, org, names)
  return names.map((one) => {
    const hint = hints.get(one.recordId)
    return hint === undefined ? one : { ...one, hint }
  })
}
