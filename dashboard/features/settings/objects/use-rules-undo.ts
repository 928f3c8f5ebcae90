// Undo of saved rules of an attribute. Rules that were changed since stay.
import { useQueryClient } from '@tanstack/react-query'
import type { Attribute } from '../../../shared/api/objects.ts'
import { offerFieldsUndo } from '../../../shared/undo/offer-fields-undo.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { isCaseSensitive } from '../../../shared/values/case-field.tsx'
import { type AttributePatch, attributesQuery, updateAttribute } from '../api/attributes.ts'
import type { WithDefaultValue } from './default-field.tsx'
import { useRefreshObjects } from './use-object-change.ts'

export interface Rules extends WithDefaultValue {
  name: string
  isRequired: boolean
  isUnique: boolean
  isCaseSensitive: boolean
}

export const rulesOf = (attribute: Attribute): Rules => ({
  name: attribute.name,
  isRequired: attribute.isRequired,
  isUnique: attribute.isUnique,
  isCaseSensitive: isCaseSensitive(attribute),
  defaultValue: attribute.defaultValue ?? null,
})

/** Whether values are unique decides which other rules are accepted, so it is first. */
function patchesOf({
  isUnique,
  isCaseSensitive: caseSensitive,
  ...others
}: Partial<Rules>): AttributePatch[] {
  const rest = { ...others, ...(caseSensitive !== undefined && { config: { caseSensitive } }) }
  return [
    ...(isUnique === undefined ? [] : [{ isUnique }]),
    ...(Object.keys(rest).length === 0 ? [] : [rest as AttributePatch]),
  ]
}

/** @returns a function that offers to undo a saved change of the rules */
export function useRulesUndo(object: string): (before: Attribute, saved: Attribute) => void {
  const org = useOrg()
  const client = useQueryClient()
  const refresh = useRefreshObjects()
  return (before, saved) => {
    const { id } = before
    offerFieldsUndo<Rules>({
      label: `${saved.name} saved`,
      before: rulesOf(before),
      saved: rulesOf(saved),
      async read() {
        const attributes = await client.fetchQuery({ ...attributesQuery(org, object), staleTime: 0 })
        return rulesOf(attributes.find((one) => one.id === id) ?? saved)
      },
      async write(earlier) {
        for (const patch of patchesOf(earlier)) await updateAttribute(org, { object, id }, patch)
        await refresh()
      },
    })
  }
}
