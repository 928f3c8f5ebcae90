// What the columns of a file fill, as it is chosen on the page: pure, so that each rule has its test.

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
 * What a column fills: `slug`, `slug.part`, `id` for the record itself, or nothing. The part of a reference is the
 * attribute of the other object by which cells name its records.
 */
export type Target = string
export const NOTHING: Target = ''
export const RECORD_ID: Target = 'id'

export interface Draft {
  /** By place of the column. */
  targets: readonly Target[]
  /** By place of the column: what becomes of a row whose cell cannot be used. */
  handling: readonly OnProblem[]
  /** `id` or the slug of a unique attribute; null: every row makes a record. */
  matchOn: string | null
  /** What becomes of rows that match a record in any way; null: only `matchOn` decides. */
  duplicates: Exclude<DuplicateChoice, 'create'> | null
  format: CellFormat
  empty: EmptyCells
  /** By slug of an attribute that no column fills: what every row gets. */
  fixed: Readonly<Record<string, string>>
}

/** What is imported into. */
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

/** Whether records that the column names can be created: not those that rows of the file create. */
export function canCreate({ id, attributes }: Into, target: Target): boolean {
  const attribute = attributes.find(({ slug }) => slug === slugOf(target))
  const object = attribute?.type === 'reference' ? objectOf(attribute) : undefined
  return object !== undefined && object !== id
}

/** A newcomer's file names companies that do not exist yet. */
const handlingOf = (into: Into, target: Target): OnProblem => (canCreate(into, target) ? 'create' : 'fail')

const guessedTargets = ({ guess }: Pick<Import, 'guess'>): ReadonlyMap<number, Target> =>
  new Map(
    guess.columns.flatMap(({ index, attributeSlug, part }) =>
      attributeSlug === null
        ? []
        : [[index, targetOf({ attributeSlug, ...(part !== undefined && { part }) })] as const],
    ),
  )

/** What was chosen before, else what is guessed. */
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

/** The choices made for one file, for another with the same headers; undefined when it shares none. */
export function draftLike(file: Guessed, earlier: Guessed, into: Into): Draft | undefined {
  const before = draftOf(earlier, into)
  const places = new Map(earlier.columns.map(({ header }, at) => [header, at]))
  const at = file.columns.map(({ header }) => places.get(header) ?? -1)
  const targets = at.map((place) => before.targets[place] ?? NOTHING)
  const handling = at.map((place) => before.handling[place] ?? 'fail')
  return targets.some((target) => target !== NOTHING) ? settled({ ...before, targets, handling }) : undefined
}

const fills = ({ targets }: Draft, slug: string) => targets.some((target) => slugOf(target) === slug)

/** What rows are matched on must be in the file; a column of ids is there for nothing else. */
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
    // Rows that match are counted where every row creates a record too.
    duplicates: duplicates ?? (matchOn === null ? 'create' : null),
    format,
    empty,
    fixedValues: Object.entries(fixed).flatMap(([attributeSlug, value]) =>
      fills(draft, attributeSlug) ? [] : [{ attributeSlug, value }],
    ),
  }
}

/** Those of columns that still fill what they filled when it was made. */
export const keptReplacements = (
  { mapping, replacements }: Pick<Import, 'mapping' | 'replacements'>,
  { targets }: Draft,
): Replacement[] =>
  replacements.filter(({ index }) => {
    const before = mapping?.find((mapped) => mapped.index === index)
    return before !== undefined && targetOf(before) === targets[index]
  })

/** The place of another column that fills the same, or the whole of what this one fills a part of. */
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

/** Why the file cannot be checked as it is mapped; undefined when it can. */
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

/** Attributes by whose values cells name the records that a reference points to. */
export function naming(attributes: readonly Attribute[]): Attribute[] {
  const named = namingAttribute(attributes)
  return [...(named ? [named] : []), ...matchable(attributes).filter((one) => one !== named)]
}

export const isFilled = fills

/** Whether rows update records, so that not every row needs what a new record needs. */
export const mayUpdate = ({ matchOn, duplicates }: Pick<Draft, 'matchOn' | 'duplicates'>): boolean =>
  duplicates === 'update' || (matchOn !== null && duplicates === null)

/** Only a record that is updated has a value that an empty cell could clear. */
export const clearsEmpty = (draft: Draft): boolean => mayUpdate(draft) && draft.empty === 'clear'

/** How sure a guess is, in a word; undefined when the column fills something else by now. */
export function sureness(file: Pick<Import, 'guess'>, index: number, target: Target) {
  if (target === NOTHING || guessedTargets(file).get(index) !== target) return undefined
  const confidence = file.guess.columns.find((column) => column.index === index)?.confidence ?? 0
  if (confidence >= 0.9) return 'sure'
  return confidence >= 0.7 ? 'likely' : 'unsure'
}
