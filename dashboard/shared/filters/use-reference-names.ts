// The names of the records and members in a filter.
import { useQueries } from '@tanstack/react-query'
import type { Attribute } from '../api/objects.ts'
import { missingName, recordNameQuery } from '../api/record-names.ts'
import { useOrg } from '../use-organization.ts'
import { namedBy } from '../values/attribute-config.ts'
import type { FilterTree } from './filter.ts'
import { leavesOf } from './logic-tree.ts'
import { arityOf } from './operands.ts'

interface Ref {
  objectId: string
  recordId: string
}

function refsOf(tree: FilterTree | null, attributes: readonly Attribute[]): Ref[] {
  return leavesOf(tree).flatMap(({ attributeSlug, operator, value }) => {
    const attribute = attributes.find(({ slug }) => slug === attributeSlug)
    const objectId = attribute && namedBy(attribute)
    if (objectId === undefined || arityOf(operator) === 'nothing') return []
    return [value].flat().map((id) => ({ objectId, recordId: String(id) }))
  })
}

/** @returns the name of a record or member, or … until it is loaded */
export function useReferenceNames(tree: FilterTree | null, attributes: readonly Attribute[]) {
  const org = useOrg()
  const refs = refsOf(tree, attributes)
  const found = useQueries({ queries: refs.map((ref) => recordNameQuery(org, ref)) })
  const names = new Map(refs.map(({ recordId }, index) => [recordId, found[index]?.data]))
  return (attribute: Attribute, id: string): string => {
    const name = names.get(id)
    return name === null ? `a ${missingName(namedBy(attribute) ?? '').toLowerCase()}` : (name ?? '…')
  }
}
