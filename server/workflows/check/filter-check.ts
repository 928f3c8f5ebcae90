// Checks filters before a run, with the same rules as filters of records.
import { SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { instead, unknownAttribute } from '../../base/suggestions.ts'
import { checkLeaf } from '../../records/filters/check.ts'
import { savedGrammar } from '../../records/filters/matches.ts'
import { parseFilters, type TreeNode } from '../../records/filters/parse.ts'
import { fieldAt, isPathFault } from '../../records/filters/paths.ts'
import { checkRecordField, FILTERED_RECORD_FIELDS } from '../../records/filters/record-fields.ts'
import { isPlainObject } from '../interpreter/values.ts'
import { type Known, type KnownObject, pathObjectOf, toldSlugs } from './known.ts'
import type { CheckReport } from './report.ts'

export interface FilterCheck {
  /** undefined: the object is unknown, and so are its attributes. */
  object: KnownObject | undefined
  known: Pick<Known, 'locale' | 'members' | 'objects'>
  report: CheckReport
  /** Whether values can be templates. */
  hasTemplates: boolean
}

export const isTemplate = (value: unknown) => typeof value === 'string' && value.includes('{{')

function checkFilterLeaf(
  { attributeSlug: slug, operator, value }: TreeNode,
  path: string,
  check: FilterCheck,
) {
  const { report, object, hasTemplates } = check
  const locale = { ...check.known.locale, members: check.known.members }
  const known = SEARCH_OPERATORS.find((one) => one === operator)
  if (!known)
    return report.add(
      `${path}.operator`,
      'unknown_operator',
      `must be an operator: ${instead(operator, SEARCH_OPERATORS)}`,
    )
  if (!object) return
  const found = fieldAt(pathObjectOf(check.known, object), slug, (at, segment) => {
    const of = check.known.objects.find((one) => one.slug === at.slug) ?? object
    const name = slug === undefined ? slug : segment
    return unknownAttribute(at.slug, name, toldSlugs(of, check.known, FILTERED_RECORD_FIELDS))
  })
  if (isPathFault(found)) return report.add(`${path}.attributeSlug`, found.code, found.message)
  const { field } = found
  const leaf =
    typeof field === 'string'
      ? checkRecordField({ field, operator: known, value }, { locale, isOpen: isTemplate })
      : checkLeaf({ attribute: field, operator: known, value }, { locale, isOpen: isTemplate })
  if ('part' in leaf) report.add(`${path}.${leaf.part}`, leaf.code, leaf.message)
  else if (!hasTemplates && [value].flat().some(isTemplate))
    report.add(
      `${path}.value`,
      'wrong_operand',
      'must not have templates: a trigger is checked before a run starts, so enter a value',
    )
}

/** Checks a filter tree over the attributes of an object. */
export function checkFilter(tree: unknown, path: string, check: FilterCheck): void {
  const { report } = check
  const grammar = {
    ...savedGrammar(),
    note: (at: string, code: string, message: string) => void report.add(at, code, message),
    leaf: (leaf: TreeNode, at: string) => void checkFilterLeaf(leaf, at, check),
  }
  if (isPlainObject(tree) && Object.keys(tree).length === 0)
    report.add(path, 'required', 'must contain a filter: add one, or remove the group')
  else parseFilters(tree, path, grammar)
}
