// A new attribute for a column that fits none: named and typed after what is in it.
import { Button, Checkbox, Group, Modal, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ATTRIBUTE_TYPES, type AttributeType, NEVER_UNIQUE } from '../../../contract/attribute-types.ts'
import type { NewAttribute as NewAttributeBody } from '../../../contract/attributes.ts'
import { createAttribute } from '../../api/attributes.ts'
import { fieldErrors, messageOf } from '../../api/errors.ts'
import type { Import } from '../../api/imports.ts'
import { objectQuery, objectsQuery } from '../../api/objects.ts'
import { KINDS } from '../../components/settings/objects/attribute-kinds.ts'
import { attributeIcon } from '../../ui/icons.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'

import { useImportPage } from './use-import-page.ts'

interface Form {
  name: string
  type: AttributeType
  options: string[]
  target: string | null
  isUnique: boolean
}

interface FormProps {
  form: Form
  set(change: Partial<Form>): void
  errors: Record<string, string>
}

function bodyOf({ name, type, options, target, isUnique }: Form): NewAttributeBody {
  return {
    name: name.trim(),
    type,
    ...(isUnique && !NEVER_UNIQUE.includes(type) && { isUnique }),
    ...(type === 'select' && { config: { options } }),
    ...(type === 'reference' && target !== null && { config: { allowed_object_id: target } }),
  }
}

const isComplete = ({ name, type, options, target }: Form) =>
  name.trim() !== '' && (type !== 'select' || options.length > 0) && (type !== 'reference' || target !== null)

const TYPES = ATTRIBUTE_TYPES.map((type) => ({ value: type, label: KINDS[type].label }))

function TypeField({ form, set }: Omit<FormProps, 'errors'>) {
  const Icon = attributeIcon(form.type)
  return (
    <Select
      label="Type"
      data={TYPES}
      value={form.type}
      onChange={(type) => type && set({ type })}
      allowDeselect={false}
      leftSection={<Icon size={14} aria-hidden />}
      description="A type cannot be changed later"
    />
  )
}

/** What only some types have. */
function ConfigField({ form, set, errors }: FormProps) {
  const { org } = useImportPage()
  const { data: objects } = useSuspenseQuery(objectsQuery(org))
  if (form.type === 'select')
    return (
      <TagsInput
        label="Options"
        description="Rows with any other value will fail"
        value={form.options}
        onChange={(options) => set({ options })}
        error={errors['config'] ?? errors['config.options']}
        required
      />
    )
  if (form.type !== 'reference') return null
  return (
    <Select
      label="Refers to"
      data={objects.map(({ id, pluralName }) => ({ value: id, label: pluralName }))}
      value={form.target}
      onChange={(target) => set({ target })}
      required
    />
  )
}

function Fields({ form, set, errors }: FormProps) {
  return (
    <>
      <TextInput
        label="Name"
        value={form.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        error={errors['name'] ?? errors['slug']}
        required
        data-autofocus
        maxLength={200}
      />
      <TypeField form={form} set={set} />
      <ConfigField form={form} set={set} errors={errors} />
      {!NEVER_UNIQUE.includes(form.type) && (
        <Checkbox
          label="Unique: no two records have the same value, and rows can be matched by it"
          checked={form.isUnique}
          onChange={({ currentTarget }) => set({ isUnique: currentTarget.checked })}
        />
      )}
    </>
  )
}

function useForm({ columns, guess }: Import, index: number) {
  const column = columns[index]
  const suggested = guess.columns[index]?.newAttribute
  const [form, setForm] = useState<Form>({
    name: suggested?.name ?? column?.header.trim() ?? '',
    type: suggested?.type ?? 'text',
    options: [...(column?.samples ?? [])],
    target: null,
    isUnique: false,
  })
  return { form, set: (change: Partial<Form>) => setForm((before) => ({ ...before, ...change })) }
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
  const { form, set } = useForm(file, index)
  const make = useMake(form, { onMade, onClose })
  const errors = fieldErrors(make.error)
  return (
    <Modal opened onClose={onClose} title={`New attribute for ${file.columns[index]?.header ?? ''}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <Stack gap="sm">
          <Fields form={form} set={set} errors={errors} />
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
    </Modal>
  )
}
