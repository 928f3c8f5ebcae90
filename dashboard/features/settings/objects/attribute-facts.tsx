// The properties of an attribute that cannot be changed.
import { useSuspenseQuery } from '@tanstack/react-query'
import type { Attribute } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { targetChoices, targetOf } from '../../../shared/values/attribute-config.ts'
import { hasCase, isCaseSensitive } from '../../../shared/values/case-field.tsx'
import { TYPES } from '../../../types/types.ts'
import { allObjectsQuery } from '../api/object-administration.ts'

const yesOrNo = (is: boolean) => (is ? 'Yes' : 'No')

function Target({ attribute }: { attribute: Attribute }) {
  const { data: objects } = useSuspenseQuery(allObjectsQuery(useOrg()))
  const id = targetOf(attribute)
  const target = targetChoices(objects).find(({ value }) => value === id)
  if (!target) return null
  return (
    <>
      <dt>Points to</dt>
      <dd>{target.label}</dd>
    </>
  )
}

interface FactsProps {
  attribute: Attribute
  /** Whether a form next to the facts shows the properties that can be changed. */
  isEdited: boolean
}

export function AttributeFacts({ attribute, isEdited }: FactsProps) {
  return (
    <dl className="facts">
      <dt>Type</dt>
      <dd>{TYPES[attribute.type].label}</dd>
      <Target attribute={attribute} />
      <dt>Slug</dt>
      <dd>
        <code>{attribute.slug}</code>
      </dd>
      {!isEdited && (
        <>
          <dt>Required</dt>
          <dd>{yesOrNo(attribute.isRequired)}</dd>
          <dt>Unique</dt>
          <dd>{yesOrNo(attribute.isUnique)}</dd>
        </>
      )}
      {hasCase(attribute) && (
        <>
          <dt>Case-sensitive</dt>
          <dd>{yesOrNo(isCaseSensitive(attribute))}</dd>
        </>
      )}
      <dt>Allow multiple</dt>
      <dd>{yesOrNo(attribute.isList)}</dd>
    </dl>
  )
}
