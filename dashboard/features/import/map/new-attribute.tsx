// Creates an attribute for a column that fits none. Name and type are suggested from the column.

import { Checkbox, TagsInput, TextInput } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { ATTRIBUTE_TYPES, type AttributeType, NEVER_UNIQUE } from '../../../../contract/attribute-types.ts'
import type { NewAttribute as NewAttributeBody } from '../../../../contract/attributes.ts'
import { CASED } from '../../../../contract/cased-types.ts'
import { IMPORT_VALUE_CHARACTERS_MAX, IMPORT_VALUES_MAX } from '../../../../contract/import-states.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import { objectQuery, objectsQuery } from '../../../shared/api/objects.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { type DataForm, useDataForm } from '../../../shared/form/use-data-form.ts'
import { targetChoices } from '../../../shared/values/attribute-config.ts'
import { CaseField } from '../../../shared/values/case-field.tsx'
import { TYPES } from '../../../types/types.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { createAttribute } from '../../settings/api/attributes.ts'
import { columnValuesQuery, type Import } from '../api.ts'
import { useImportPage } from '../page/use-import-page.ts'

interface Fields {
  name: string
  type: AttributeType
  /** undefined: the options found in the file, once the whole file is read. */
  options: string[] | undefined
  target: string | null
  isUnique: boolean
  isCaseSensitive: boolean
}

interface Found {
  options: string[]
  isLoading: boolean
  /** Why no options were found. */
  reason: string | undefined
}

/** The options of a select are the values of all rows: with those of the sample only, other rows would fail. */
function useFound(file: Import, index: number, enabled: boolean): Found {
  const { org } = useImportPage()
  const { data, error, isLoading } = useQuery({ ...columnValuesQuery(org, file.id, index), enabled })
  const tooMany = data?.isComplete === false
  return {
    options: tooMany ? [] : (data?.values ?? []),
    isLoading,
    reason: error ? messageOf(error) : tooMany ? TOO_MANY : undefined,
  }
}

const TOO_MANY = `This column has more than ${IMPORT_VALUES_MAX} different values, or one of more than ${IMPORT_VALUE_CHARACTERS_MAX} characters: choose the type “Text”, or enter the options that count`

function bodyOf({ name, type, options = [], target, isUnique, isCaseSensitive }: Fields): NewAttributeBody {
  return {
    name: name.trim(),
    type,
    ...(isUnique && !NEVER_UNIQUE.has(type) && { isUnique }),
    // Only if the user chose it: after that, servers of the previous version cannot write unique values.
    ...(isUnique && CASED.has(type) && !isCaseSensitive && { config: { caseSensitive: false } }),
    ...(type === 'select' && { config: { options } }),
    ...(type === 'reference' && target !== null && { config: { allowed_object_id: target } }),
  }
}

const isComplete = ({ name, type, options = [], target }: Fields) =>
  name.trim() !== '' && (type !== 'select' || options.length > 0) && (type !== 'reference' || target !== null)

const CHOICES = ATTRIBUTE_TYPES.map((type) => ({ value: type, label: TYPES[type].label }))

interface FieldProps {
  /** Until the user enters options, `options` is undefined and those of the file are used. */
  form: DataForm<Fields>
  found: Found
}

function TypeField({ form }: Pick<FieldProps, 'form'>) {
  const Icon = TYPES[form.values.type].icon
  return (
    <Select
      label="Type"
      data={CHOICES}
      {...form.field('type', (type: string | null) => (type ?? form.values.type) as AttributeType)}
      allowDeselect={false}
      leftSection={<Icon size={14} aria-hidden />}
      description="A type cannot be changed later"
    />
  )
}

/** The settings that only some types have. */
function ConfigField({ form, found }: FieldProps) {
  const { org } = useImportPage()
  const { data: objects } = useSuspenseQuery(objectsQuery(org))
  const { type, options } = form.values
  const { errors } = form
  if (type === 'select')
    return (
      <TagsInput
        label="Options"
        description={found.isLoading ? 'Reading all rows…' : 'Rows with any other value will fail'}
        {...form.field('options')}
        value={options}
        error={errors['config'] ?? errors['config.options'] ?? (options?.length === 0 && found.reason)}
        required
      />
    )
  if (type !== 'reference') return null
  return (
    <Select
      label="Refers to"
      data={targetChoices(objects)}
      {...form.field('target')}
      error={errors['config'] ?? errors['config.allowed_object_id']}
      required
    />
  )
}

function FormFields({ form, found }: FieldProps) {
  return (
    <>
      <TextInput
        label="Name"
        {...form.field('name')}
        error={form.errors['name'] ?? form.errors['slug']}
        required
        data-autofocus
      />
      <TypeField form={form} />
      <ConfigField form={form} found={found} />
      {!NEVER_UNIQUE.has(form.values.type) && (
        <Checkbox
          label="Unique: no two records have the same value, and rows can be matched by it"
          {...form.checkbox('isUnique')}
        />
      )}
      {form.values.isUnique && CASED.has(form.values.type) && (
        <CaseField {...form.checkbox('isCaseSensitive')} />
      )}
    </>
  )
}

interface NewAttributeProps {
  file: Import
  index: number
  onMade(slug: string): void
  onClose(): void
}

function useNewAttribute({ file, index, onMade, onClose }: NewAttributeProps): FieldProps {
  const { columns, guess } = file
  const { org, object } = useImportPage()
  const client = useQueryClient()
  const suggested = guess.columns[index]?.newAttribute
  const form = useDataForm<Fields>({
    initial: {
      name: suggested?.name ?? columns[index]?.header.trim() ?? '',
      type: suggested?.type ?? 'text',
      options: undefined,
      target: null,
      isUnique: false,
      isCaseSensitive: true,
    },
    async save(fields) {
      const { slug } = await createAttribute(org, object.slug, bodyOf(filled(fields)))
      await client.invalidateQueries({ queryKey: objectQuery(org, object.slug).queryKey })
      onMade(slug)
      onClose()
    },
    onClose,
  })
  const found = useFound(file, index, form.values.type === 'select')
  const filled = (fields: Fields) => ({ ...fields, options: fields.options ?? found.options })
  return { form: { ...form, values: filled(form.values) }, found }
}

/** Mount only while the dialog is open. */
export function NewAttribute(props: NewAttributeProps) {
  const { file, index, onClose } = props
  const { form, found } = useNewAttribute(props)
  return (
    <Dialog onClose={onClose} title={`New attribute for ${file.columns[index]?.header ?? ''}`}>
      <Form form={form} gap="sm">
        <FormFields form={form} found={found} />
        <FormEnd
          form={form}
          verb="Add attribute"
          isReady={isComplete(form.values)}
          shown={['name', 'slug', 'type', 'isUnique', 'config', 'config.options', 'config.allowed_object_id']}
        />
      </Form>
    </Dialog>
  )
}
