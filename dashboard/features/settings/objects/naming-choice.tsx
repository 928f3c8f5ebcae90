// Chooses the naming attribute of an object. A change is saved immediately.
import { useQueryClient } from '@tanstack/react-query'
import { canName, namingAttribute } from '../../../../contract/record-name.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { recordNamesKey } from '../../../shared/api/record-names.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { Select } from '../../../ui/select.tsx'
import { patchObject } from '../api/object-administration.ts'
import { useObjectChange } from './use-object-change.ts'

interface NamingChoiceProps {
  object: string
  attributes: readonly Attribute[]
}

export function NamingChoice({ object, attributes }: NamingChoiceProps) {
  const org = useOrg()
  const client = useQueryClient()
  const { submit, error, isBusy } = useObjectChange(async (id: string) => {
    await patchObject(org, object, { namingAttributeId: id })
    void client.invalidateQueries({ queryKey: recordNamesKey(org) })
  })
  const able = attributes.filter((one) => one.isActive && canName(one))
  return (
    <>
      <Select
        label="Records are named by"
        description={
          able.length > 0
            ? 'In tables, links, search, and messages'
            : 'The end of their ID: add a text attribute to give them names'
        }
        placeholder="ID"
        data={able.map(({ id, name }) => ({ value: id, label: name }))}
        value={namingAttribute(able)?.id ?? null}
        onChange={(id) => id !== null && void submit(id)}
        allowDeselect={false}
        disabled={isBusy}
        readOnly={able.length === 0}
        maw={480}
      />
      <FormError error={error} fields={[]} />
    </>
  )
}
