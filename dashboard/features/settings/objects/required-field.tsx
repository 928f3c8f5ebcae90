// Whether new records need a value, and the number of records without one when the user switches this on.
import { Checkbox, type CheckboxProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../../contract/counted.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { searchQuery } from '../../../shared/api/records.ts'
import { useOrg } from '../../../shared/use-organization.ts'

interface WithoutValueProps {
  object: string
  attribute: Attribute
}

/** The total is undefined during counting, and if counting takes too long. */
function WithoutValue({ object, attribute: { slug } }: WithoutValueProps) {
  const filter = { attributeSlug: slug, operator: 'isEmpty', value: true } as const
  const { data } = useQuery(searchQuery(useOrg(), object, { filter, limit: 1 }))
  const total = data?.pagination.total
  return (
    <p className="muted small" role="status">
      {total === undefined
        ? 'Records without a value stay as they are until one is given.'
        : total === 0
          ? 'Every record has a value.'
          : `${counted(total, 'record has', 'records have')} no value. They stay as they are until one is given.`}
    </p>
  )
}

/** Values of an inactive attribute are hidden and cannot be counted. */
export function RequiredField({ object, attribute, ...field }: WithoutValueProps & CheckboxProps) {
  return (
    <>
      <Checkbox label="Required" description="A new record cannot be without it" {...field} />
      {field.checked && !attribute.isRequired && attribute.isActive && (
        <WithoutValue object={object} attribute={attribute} />
      )}
    </>
  )
}
