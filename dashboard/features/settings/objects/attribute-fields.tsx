import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type AttributeType, NEVER_UNIQUE } from '../../../../contract/attribute-types.ts'
import { CASED } from '../../../../contract/cased-types.ts'
import type { DataForm } from '../../../shared/form/use-data-form.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { targetChoices } from '../../../shared/values/attribute-config.ts'
import { CaseField } from '../../../shared/values/case-field.tsx'
import { TYPES } from '../../../types/types.ts'
import { Select } from '../../../ui/select.tsx'
import { allObjectsQuery } from '../api/object-administration.ts'
import { DefaultField } from './default-field.tsx'
import { OptionsEditor } from './options-editor.tsx'
import { SlugField } from './slug-field.tsx'
import { attributeOf, type NewAttributeFields } from './use-new-attribute.ts'

interface FieldsProps {
  form: DataForm<NewAttributeFields>
  type: AttributeType
}

function Rules({ form, type }: FieldsProps) {
  const { label, isAlwaysMany } = TYPES[type]
  const isNeverUnique = NEVER_UNIQUE.has(type)
  return (
    <Stack gap="sm">
      <Checkbox
        label="Required"
        description="A new record cannot be without it"
        {...form.checkbox('isRequired')}
      />
      <Checkbox
        label="Unique"
        description={
          isNeverUnique ? `Values of type ${label} cannot be unique` : 'No two records have the same value'
        }
        disabled={isNeverUnique}
        {...form.checkbox('isUnique')}
      />
      {form.values.isUnique && CASED.has(type) && (
        <CaseField
          {...form.checkbox('isCaseSensitive')}
          error={form.errors['config'] ?? form.errors['config.caseSensitive']}
        />
      )}
      <Checkbox
        label="Allow multiple"
        description={isAlwaysMany ? `${label} always allow multiple values` : 'A record can have several'}
        disabled={isAlwaysMany ?? false}
        {...form.checkbox('isList')}
      />
    </Stack>
  )
}

function TargetField({ form }: Pick<FieldsProps, 'form'>) {
  const { data: objects } = useSuspenseQuery(allObjectsQuery(useOrg()))
  return (
    <Select
      label="Object"
      description="Whose records it points to"
      data={targetChoices(objects)}
      {...form.field('target')}
      searchable={objects.length > 8}
      required
      error={form.errors.config ?? form.errors['config.allowed_object_id']}
    />
  )
}

export function AttributeFields({ form, type }: FieldsProps) {
  return (
    <>
      <TextInput label="Name" {...form.field('name')} required autoFocus autoComplete="off" />
      <SlugField kind="attribute" name={form.values.name} {...form.field('slug')} />
      {type === 'select' && (
        <OptionsEditor
          {...form.field('options')}
          error={form.errors.config ?? form.errors['config.options']}
        />
      )}
      {type === 'reference' && <TargetField form={form} />}
      <Rules form={form} type={type} />
      <DefaultField form={form} attribute={attributeOf(type, form.values)} />
    </>
  )
}
