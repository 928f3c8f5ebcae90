import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type AttributeType, NEVER_UNIQUE } from '../../../../../contract/attribute-types.ts'
import { useOrg } from '../../../../shared/use-organization.ts'
import { targetChoices } from '../../../../shared/values/attribute-config.ts'
import { TYPES } from '../../../../types/types.ts'
import { Select } from '../../../../ui/select.tsx'
import { allObjectsQuery } from '../../api/object-administration.ts'
import { OptionsEditor } from './options-editor.tsx'
import { SlugField } from './slug-field.tsx'
import type { NewAttributeState } from './use-new-attribute.ts'

interface FieldsProps {
  form: NewAttributeState
  type: AttributeType
}

function Rules({ form: { fields, set }, type }: FieldsProps) {
  const { label, isAlwaysMany } = TYPES[type]
  const isNeverUnique = NEVER_UNIQUE.has(type)
  return (
    <Stack gap="sm">
      <Checkbox
        label="Required"
        description="A new record cannot be without it"
        checked={fields.isRequired}
        onChange={({ currentTarget }) => set({ isRequired: currentTarget.checked })}
      />
      <Checkbox
        label="Unique"
        description={
          isNeverUnique ? `Values of type ${label} cannot be unique` : 'No two records have the same value'
        }
        disabled={isNeverUnique}
        checked={fields.isUnique}
        onChange={({ currentTarget }) => set({ isUnique: currentTarget.checked })}
      />
      <Checkbox
        label="Allow multiple"
        description={isAlwaysMany ? `${label} always allow multiple values` : 'A record can have several'}
        disabled={isAlwaysMany ?? false}
        checked={fields.isList}
        onChange={({ currentTarget }) => set({ isList: currentTarget.checked })}
      />
    </Stack>
  )
}

function TargetField({ form: { fields, set, errors } }: Pick<FieldsProps, 'form'>) {
  const { data: objects } = useSuspenseQuery(allObjectsQuery(useOrg()))
  return (
    <Select
      label="Object"
      description="Whose records it points to"
      data={targetChoices(objects)}
      value={fields.target}
      onChange={(target) => set({ target })}
      searchable={objects.length > 8}
      required
      error={errors.config ?? errors['config.allowed_object_id']}
    />
  )
}

export function AttributeFields({ form, type }: FieldsProps) {
  const { fields, set, slug, errors } = form
  return (
    <>
      <TextInput
        label="Name"
        value={fields.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        required
        autoFocus
        autoComplete="off"
        error={errors.name}
      />
      <SlugField {...slug} error={errors.slug} />
      {type === 'select' && (
        <OptionsEditor
          value={fields.options}
          onChange={(options) => set({ options })}
          error={errors.config ?? errors['config.options']}
        />
      )}
      {type === 'reference' && <TargetField form={form} />}
      <Rules form={form} type={type} />
    </>
  )
}
