// A new attribute for a column that fits none: named and typed after what is in it.
import { Button, Checkbox, Group, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ATTRIBUTE_TYPES, type AttributeType, NEVER_UNIQUE } from '../../../../contract/attribute-types.ts'
import type { NewAttribute as NewAttributeBody } from '../../../../contract/attributes.ts'
import { IMPORT_VALUE_CHARACTERS_MAX, IMPORT_VALUES_MAX } from '../../../../contract/import-states.ts'
import { fieldErrors, messageOf } from '../../../shared/api/errors.ts'
import { objectQuery, objectsQuery } from '../../../shared/api/objects.ts'
import { targetChoices } from '../../../shared/values/attribute-config.ts'
import { TYPES } from '../../../types/types.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { useReturnFocus } from '../../../ui/use-return-focus.ts'
import { createAttribute } from '../../settings/api/attributes.ts'
import { columnValuesQuery, type Import } from '../api.ts'
import { useImportPage } from './use-import-page.ts'

interface Form {
  name: string
  type: AttributeType
  /** undefined: those of the file, once all of it was read. */
  options: string[] | undefined
  target: string | null
  isUnique: boolean
}

interface FormProps {
  /** What the options begin with. */
  found: Found
  form: Form
  set(change: Partial<Form>): void
  errors: Record<string, string>
}

interface Found {
  options: string[]
  isLoading: boolean
  /** Why there are none to begin with. */
  reason: string | undefined
}

/** A select takes what is in all rows: otherwise those that were not looked at would fail. */
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

function bodyOf({ name, type, options = [], target, isUnique }: Form): NewAttributeBody {
  return {
    name: name.trim(),
    type,
    ...(isUnique && !NEVER_UNIQUE.has(type) && { isUnique }),
    ...(type === 'select' && { config: { options } }),
    ...(type === 'reference' && target !== null && { config: { allowed_object_id: target } }),
  }
}

const isComplete = ({ name, type, options = [], target }: Form) =>
  name.trim() !== '' && (type !== 'select' || options.length > 0) && (type !== 'reference' || target !== null)

const CHOICES = ATTRIBUTE_TYPES.map((type) => ({ value: type, label: TYPES[type].label }))

function TypeField({ form, set }: Pick<FormProps, 'form' | 'set'>) {
  const Icon = TYPES[form.type].icon
  return (
    <Select
      label="Type"
      data={CHOICES}
      value={form.type}
      onChange={(type) => type && set({ type })}
      allowDeselect={false}
      leftSection={<Icon size={14} aria-hidden />}
      description="A type cannot be changed later"
    />
  )
}

/** What only some types have. */
function ConfigField({ form, found, set, errors }: FormProps) {
  const { org } = useImportPage()
  const { data: objects } = useSuspenseQuery(objectsQuery(org))
  if (form.type === 'select')
    return (
      <TagsInput
        label="Options"
        description={found.isLoading ? 'Reading all rows…' : 'Rows with any other value will fail'}
        value={form.options}
        onChange={(options) => set({ options })}
        error={errors['config'] ?? errors['config.options'] ?? (form.options?.length === 0 && found.reason)}
        required
      />
    )
  if (form.type !== 'reference') return null
  return (
    <Select
      label="Refers to"
      data={targetChoices(objects)}
      value={form.target}
      onChange={(target) => set({ target })}
      required
    />
  )
}

function Fields({ form, found, set, errors }: FormProps) {
  return (
    <>
      <TextInput
        label="Name"
        value={form.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        error={errors['name'] ?? errors['slug']}
        required
        data-autofocus
      />
      <TypeField form={form} set={set} />
      <ConfigField form={form} found={found} set={set} errors={errors} />
      {!NEVER_UNIQUE.has(form.type) && (
        <Checkbox
          label="Unique: no two records have the same value, and rows can be matched by it"
          checked={form.isUnique}
          onChange={({ currentTarget }) => set({ isUnique: currentTarget.checked })}
        />
      )}
    </>
  )
}

function useForm(file: Import, index: number) {
  const { columns, guess } = file
  const column = columns[index]
  const suggested = guess.columns[index]?.newAttribute
  const [form, setForm] = useState<Form>({
    name: suggested?.name ?? column?.header.trim() ?? '',
    type: suggested?.type ?? 'text',
    options: undefined,
    target: null,
    isUnique: false,
  })
  const found = useFound(file, index, form.type === 'select')
  const filled = { ...form, options: form.options ?? found.options }
  return {
    form: filled,
    found,
    set: (change: Partial<Form>) => setForm((before) => ({ ...before, ...change })),
  }
}

interface NewAttributeProps {
  file: Import
  index: number
  onMade(slug: string): void
  onClose(): void
}

function useMake(form: Form, { onMade, onClose }: Pick<NewAttributeProps, 'onMade' | 'onClose'>) {
  const { org, object } = useImportPage()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => createAttribute(org, object.slug, bodyOf(form)),
    async onSuccess({ slug }) {
      await client.invalidateQueries({ queryKey: objectQuery(org, object.slug).queryKey })
      onMade(slug)
      onClose()
    },
  })
}

/** Render it while it is open. */
export function NewAttribute({ file, index, onMade, onClose }: NewAttributeProps) {
  useReturnFocus()
  const { form, found, set } = useForm(file, index)
  const make = useMake(form, { onMade, onClose })
  const errors = fieldErrors(make.error)
  return (
    <Dialog onClose={onClose} title={`New attribute for ${file.columns[index]?.header ?? ''}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <Stack gap="sm">
          <Fields form={form} found={found} set={set} errors={errors} />
          {make.error && Object.keys(errors).length === 0 && (
            <Text c="var(--danger)" role="alert">
              {messageOf(make.error)}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={make.isPending} disabled={!isComplete(form)}>
              Add attribute
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
