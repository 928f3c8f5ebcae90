// Decides which values of a deleted record can be restored, given the current attributes and records. Pure.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { AttributeConfig } from '../../../contract/attributes.ts'
import { CASED } from '../../../contract/cased-types.ts'
import type { LossCode } from '../../../contract/trash.ts'
import { parseJson } from '../../base/json.ts'
import { optionNamed } from '../types/select.ts'
import { allKeysOfStored } from '../values/unique-keys.ts'
import type { UniqueValue } from '../write/store.ts'
import { keysOfStored } from '../write/stored-keys.ts'
import type { Losses } from './losses.ts'

/** An attribute that is not deleted, active or not. */
export interface LiveAttribute {
  attr: number
  slug: string
  type: AttributeType
  isList: boolean
  isUnique: boolean
  config: AttributeConfig
  targetObj: number | null
  isCaseChanging: boolean
}

export interface TrashRow {
  id: string
  /** JSON text */
  data: string
  /** JSON text: the normal forms that are stored in addition to the data. */
  comparable: string | null
  /** Numbers of the attributes that had values at the deletion. */
  attrs: number[]
  uniques: UniqueValue[]
  /** Numbers of the attributes that became unique after the deletion. */
  uniqueSince: number[]
}

export interface ReferenceTarget {
  attr: number
  slug: string
  targetObj: number
  target: string
}

/** A unique value that a record takes back. */
type RestoredValue = UniqueValue & { id: string; slug: string }

/** A record to restore. It reports lost values as losses. */
export class RecordToRestore {
  readonly id: string
  /** Slugs whose values are not restored. */
  readonly dropped = new Set<string>()
  /** Lists with removed elements, and references to winners of merges. */
  readonly replaced: Record<string, unknown> = {}
  readonly #values: Record<string, unknown>
  readonly #comparable: Record<string, unknown>
  readonly #uniques: UniqueValue[]
  readonly #uniqueSince: ReadonlySet<number>
  readonly #attributes: Map<string, LiveAttribute>
  readonly #losses: Losses

  constructor(row: TrashRow, live: readonly LiveAttribute[], losses: Losses) {
    this.id = row.id
    this.#losses = losses
    this.#values = parseJson(row.data) as Record<string, unknown>
    this.#comparable = row.comparable === null ? {} : (JSON.parse(row.comparable) as Record<string, unknown>)
    this.#uniques = row.uniques
    this.#uniqueSince = new Set(row.uniqueSince)
    const had = new Set(row.attrs)
    this.#attributes = new Map(
      live.filter(({ attr }) => had.has(attr)).map((attribute) => [attribute.slug, attribute]),
    )
    this.#dropDeleted()
    this.#dropOptions()
  }

  #dropDeleted(): void {
    for (const slug of Object.keys(this.#values))
      if (!this.#attributes.has(slug)) this.drop(slug, 'attribute_deleted')
  }

  #dropOptions(): void {
    for (const attribute of this.#attributes.values()) {
      const { type, config, slug } = attribute
      if (type !== 'select' || !config || !('options' in config)) continue
      this.#renameOptions(attribute)
      const lost = this.#keepElements(attribute, (option) => config.options.includes(String(option)))
      for (const _ of lost) this.#lose('unknown_option', slug)
    }
  }

  /** Replaces options that were renamed or merged after the deletion. */
  #renameOptions({ slug, config, isList }: LiveAttribute): void {
    const elements = this.#elements(slug)
    const named = elements.map((option) => optionNamed(String(option), config))
    if (named.every((option, place) => option === elements[place])) return
    this.replaced[slug] = isList ? [...new Set(named)] : named[0]
  }

  #lose(code: LossCode, slug: string, other: string | null = null): void {
    this.#losses.add(code, { recordId: this.id, slug, other })
  }

  #clear(slug: string): void {
    this.dropped.add(slug)
    delete this.replaced[slug]
  }

  drop(slug: string, code: LossCode, other: string | null = null): void {
    this.#clear(slug)
    this.#lose(code, slug, other)
  }

  #elements(slug: string): unknown[] {
    if (this.dropped.has(slug)) return []
    return [this.replaced[slug] ?? this.#values[slug] ?? []].flat()
  }

  /** @returns the removed elements */
  #keepElements({ slug }: LiveAttribute, isKept: (element: unknown) => boolean): unknown[] {
    const elements = this.#elements(slug)
    const kept = elements.filter(isKept)
    if (kept.length === elements.length) return []
    if (kept.length === 0) this.#clear(slug)
    else this.replaced[slug] = kept
    return elements.filter((element) => !isKept(element))
  }

  /** The records that the reference values refer to. */
  targets(): ReferenceTarget[] {
    return [...this.#attributes.values()].flatMap(({ attr, slug, type, targetObj }) =>
      type !== 'reference' || targetObj === null
        ? []
        : this.#elements(slug).map((target) => ({ attr, slug, targetObj, target: String(target) })),
    )
  }

  /** Replaces a merged record by the winner; a list contains the winner only once. */
  redirect({ slug, target }: ReferenceTarget, winner: string): void {
    const attribute = this.#attributes.get(slug)
    if (!attribute) return
    const elements = new Set(this.#elements(slug).map((element) => (element === target ? winner : element)))
    this.replaced[slug] = attribute.isList ? [...elements] : winner
  }

  dropTarget({ slug, target }: ReferenceTarget, code: LossCode): void {
    const attribute = this.#attributes.get(slug)
    if (attribute) this.#keepElements(attribute, (element) => element !== target)
    this.#lose(code, slug, target)
  }

  /** The unique values of the values that are restored. */
  uniques(): RestoredValue[] {
    const had = Map.groupBy(this.#uniques, ({ attr }) => attr)
    return [...this.#attributes.values()].flatMap((attribute) => {
      const { attr, slug, isUnique } = attribute
      if (!isUnique || this.dropped.has(slug)) return []
      return this.#keysOf(attribute, had.get(attr)).map((value) => ({ attr, value, id: this.id, slug }))
    })
  }

  /** A value had no key if another record already held it, as with domains that have become equal. */
  #keysOf(attribute: LiveAttribute, had: readonly UniqueValue[] = []): string[] {
    const { attr, type, slug } = attribute
    const hadNone = had.length === 0 && !this.#uniqueSince.has(attr)
    if (hadNone) return []
    // The rule about case may have changed after the deletion.
    if (CASED.has(type)) return allKeysOfStored(attribute, this.#elements(slug))
    // The key may be from before domains were compared as host names.
    if (type === 'domain' && had.length > 0) return had.map(({ value }) => value)
    return keysOfStored(attribute, this.#elements(slug), this.#comparable[slug])
  }
}
