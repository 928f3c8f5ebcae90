// The mapping of columns to attributes. Pure functions, so that each rule has a test.

import { TYPE_CONTRACTS } from '../../../../contract/attribute-types.ts'
import { mustBeGiven } from '../../../../contract/default-values.ts'
import type {
  CellFormat,
  DuplicateChoice,
  EmptyCells,
  Import,
  ImportCheck,
  MappedColumn,
  OnProblem,
  Replacement,
} from '../../../../contract/imports.ts'
import { namingAttribute } from '../../../../contract/record-name.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { targetOf as objectOf } from '../../../shared/values/attribute-config.ts'

/**
 * The target of a column: `slug`, `slug.part`, `id` for the record itself, or nothing. The part of a reference is the
 * attribute of the other object that identifies its records.
 */
export type Target = string
export const NOTHING: Target = ''
export const RECORD_ID: Target = 'id'

export interface Draft {
  /** By index of the column. */
  targets: readonly Target[]
  /** By index of the column: what happens to a row whose cell cannot be used. */
  handling: readonly OnProblem[]
  /** `id` or the slug of a unique attribute; null: every row creates a record. */
  matchOn: string | null
  /** What happens to rows that match by a unique value or a duplicate rule; null: rows match by `matchOn` only. */
  duplicates: Exclude<DuplicateChoice, 'create'> | null
  format: CellFormat
  empty: EmptyCells
  /** The same value for every row, by slug of an attribute that no column fills. */
  fixed: Readonly<Record<string, string>>
}

/** The object that receives the records. */
export interface Into {
  id: string
  attributes: readonly Attribute[]
}

export const slugOf = (target: Target): string => target.split('.', 1)[0] ?? ''
export const partOf = (target: Target): string | undefined => target.split('.')[1]

export const targetOf = ({ attributeSlug, part }: Pick<MappedColumn, 'attributeSlug' | 'part'>): Target =>
  part === undefined ? attributeSlug : `${attributeSlug}.${part}`

/** The parts of a value that may have separate columns. */
export const partsOf = ({ type, isList }: Pick<Attribute, 'type' | 'isList'>): readonly string[] =>
  isList ? [] : (TYPE_CONTRACTS[type].parts ?? [])

type Guessed = Pick<
  Import,
  'columns' | 'guess' | 'mapping' | 'matchOn' | 'duplicates' | 'format' | 'empty' | 'fixedValues'
>

/** Whether missing records that cells refer to can be created. Not in the imported object: rows create its records. */
export function canCreate({ id, attributes }: Into, target: Target): boolean {
  const attribute = attributes.find(({ slug }) => slug === slugOf(target))
  const object = attribute?.type === 'reference' ? objectOf(attribute) : undefined
  return object !== undefined && object !== id
}

/** By default, missing records are created: files of new users name companies that do not exist yet. */
const handlingOf = (into: Into, target: Target): OnProblem => (canCreate(into, target) ? 'create' : 'fail')

const guessedTargets = ({ guess }: Pick<Import, 'guess'>): ReadonlyMap<number, Target> =>
  new Map(
    guess.columns.flatMap(({ index, attributeSlug, part }) =>
      attributeSlug === null
        ? []
        : [[index, targetOf({ attributeSlug, ...(part !== undefined && { part }) })] as const],
    ),
  )

/** The earlier choices, else the guess. */
export function draftOf(file: Guessed, into: Into): Draft {
  const { columns, guess, mapping } = file
  const known = mapping
    ? new Map(mapping.map((mapped) => [mapped.index, targetOf(mapped)]))
    : guessedTargets(file)
  const chosen = new Map(mapping?.map(({ index, onProblem = 'fail' }) => [index, onProblem]))
  const targets = columns.map(({ index }) => known.get(index) ?? NOTHING)
  return {
    targets,
    handling: columns.map(({ index }, at) => chosen.get(index) ?? handlingOf(into, targets[at] ?? NOTHING)),
    matchOn: mapping ? file.matchOn : guess.matchOn,
    duplicates: file.duplicates === 'create' ? null : file.duplicates,
    format: file.format ?? guess.format,
    empty: file.empty ?? 'keep',
    fixed: Object.fromEntries(file.fixedValues.map(({ attributeSlug, value }) => [attributeSlug, value])),
  }
}

/** Applies the choices of an earlier file by header; undefined when no mapped header matches. */
export function draftLike(file: Guessed, earlier: Guessed, into: Into): Draft | undefined {
  const before = draftOf(earlier, into)
  const places = new Map(earlier.columns.map(({ header }, at) => [header, at]))
  const at = file.columns.map(({ header }) => places.get(header) ?? -1)
  const targets = at.map((place) => before.targets[place] ?? NOTHING)
  const handling = at.map((place) => before.handling[place] ?? 'fail')
  return targets.some((target) => target !== NOTHING) ? settled({ ...before, targets, handling }) : undefined
}

const fills = ({ targets }: Draft, slug: string) => targets.some((target) => slugOf(target) === slug)

/** A column must fill the matching attribute. A column of ids always decides the matching. */
function settled(draft: Draft): Draft {
  if (fills(draft, RECORD_ID)) return { ...draft, matchOn: RECORD_ID }
  return draft.matchOn !== null && !fills(draft, draft.matchOn) ? { ...draft, matchOn: null } : draft
}

export const withHandling = (draft: Draft, index: number, onProblem: OnProblem): Draft => ({
  ...draft,
  handling: draft.handling.with(index, onProblem),
})

export const withTarget = (draft: Draft, index: number, target: Target, into: Into): Draft =>
  settled({
    ...withHandling(draft, index, handlingOf(into, target)),
    targets: draft.targets.with(index, target),
  })

export function checkOf(draft: Draft): ImportCheck {
  const { targets, handling, matchOn, duplicates, format, empty, fixed } = draft
  return {
    mapping: targets.flatMap((target, index) => {
      const part = partOf(target)
      const onProblem = handling[index] ?? 'fail'
      const choices = { ...(part !== undefined && { part }), ...(onProblem !== 'fail' && { onProblem }) }
      return target === NOTHING ? [] : [{ index, attributeSlug: slugOf(target), ...choices }]
    }),
    matchOn,
    // `create` makes the service count matching rows even if every row creates a record.
    duplicates: duplicates ?? (matchOn === null ? 'create' : null),
    format,
    empty,
    fixedValues: Object.entries(fixed).flatMap(([attributeSlug, value]) =>
      fills(draft, attributeSlug) ? [] : [{ attributeSlug, value }],
    ),
  }
}

/** The replacements of columns whose target has not changed since. */
export const keptReplacements = (
  { mapping, replacements }: Pick<Import, 'mapping' | 'replacements'>,
  { targets }: Draft,
): Replacement[] =>
  replacements.filter(({ index }) => {
    const before = mapping?.find((mapped) => mapped.index === index)
    return before !== undefined && targetOf(before) === targets[index]
  })

/** Index of another column with the same target, or where one fills a value and the other a part of it. */
export function clashOf({ targets }: Draft, index: number): number | undefined {
  const target = targets[index] ?? NOTHING
  if (target === NOTHING) return undefined
  const isSame = (other: Target) =>
    slugOf(other) === slugOf(target) &&
    (other === target || partOf(other) === undefined || partOf(target) === undefined)
  const at = targets.findIndex((other, place) => place !== index && isSame(other))
  return at === -1 ? undefined : at
}

export const missingOf = (draft: Draft, attributes: readonly Attribute[]): Attribute[] =>
  attributes.filter(
    (one) => mustBeGiven(one) && !fills(draft, one.slug) && draft.fixed[one.slug] === undefined,
  )

/** Why the file cannot be checked with this mapping; undefined when it can. */
export function obstacleOf(
  draft: Draft,
  attributes: readonly Attribute[],
  singularName: string,
): string | undefined {
  if (draft.targets.every((target) => target === NOTHING)) return 'Map at least one column.'
  if (draft.targets.some((_, index) => clashOf(draft, index) !== undefined))
    return 'Two columns fill the same attribute: choose one.'
  const [missing] = missingOf(draft, attributes)
  if (missing && !mayUpdate(draft))
    return `No column fills ${missing.name}, which every ${singularName.toLowerCase()} must have.`
  return undefined
}

/** Attributes that rows can be matched on. */
export const matchable = (attributes: readonly Attribute[]): Attribute[] =>
  attributes.filter(({ isUnique, isList }) => isUnique && !isList)

/** Attributes whose values can identify the records of a reference. */
export function naming(attributes: readonly Attribute[]): Attribute[] {
  const named = namingAttribute(attributes)
  return [...(named ? [named] : []), ...matchable(attributes).filter((one) => one !== named)]
}

export const isFilled = fills

/** Whether rows can update records: such rows need no values for required attributes. */
export const mayUpdate = ({ matchOn, duplicates }: Pick<Draft, 'matchOn' | 'duplicates'>): boolean =>
  duplicates === 'update' || (matchOn !== null && duplicates === null)

/** Whether empty cells clear values. Only updated records have values to clear. */
export const clearsEmpty = (draft: Draft): boolean => mayUpdate(draft) && draft.empty === 'clear'

/** The confidence of a guess; undefined when the user has changed the target. */
export function sureness(file: Pick<Import, 'guess'>, index: number, target: Target) {
  if (target === NOTHING || guessedTargets(file).get(index) !== target) return undefined
  const confidence = file.guess.columns.find((column) => column.index === index)?.confidence ?? 0
  if (confidence >= 0.9) return 'sure'
  return confidence >= 0.7 ? 'likely' : 'unsure'
}
