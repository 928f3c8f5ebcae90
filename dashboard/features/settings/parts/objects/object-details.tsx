// What an object is called; standard ones keep their names.
import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { fieldErrors } from '../../../../shared/api/errors.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import { type ObjectOverview, patchObject } from '../../api/object-administration.ts'
import { useObjectChange } from './use-object-change.ts'

interface Fields {
  pluralName: string
  description: string
}

function useDetails(object: ObjectOverview) {
  const org = useOrg()
  const [fields, setFields] = useState<Fields>(object)
  const { pluralName, description } = fields
  const submission = useObjectChange(() => patchObject(org, object.slug, { pluralName, description }))
  const isChanged = pluralName !== object.pluralName || description !== object.description
  const set = (part: Partial<Fields>) => setFields({ ...fields, ...part })
  return { ...submission, fields, set, isChanged }
}

function Given({ object }: { object: ObjectOverview }) {
  return (
    <Group grow align="flex-start">
      <TextInput label="Singular name" value={object.singularName} readOnly variant="filled" />
      <TextInput label="Slug" value={object.slug} readOnly variant="filled" ff="monospace" />
    </Group>
  )
}

export function ObjectDetails({ object, isReadOnly }: { object: ObjectOverview; isReadOnly: boolean }) {
  const form = useDetails(object)
  const errors = fieldErrors(form.error)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit(undefined)
      }}
    >
      <Stack gap="sm" maw={480} align="stretch">
        <TextInput
          label="Plural name"
          value={form.fields.pluralName}
          onChange={({ currentTarget }) => form.set({ pluralName: currentTarget.value })}
          maxLength={200}
          required={!isReadOnly}
          readOnly={isReadOnly}
          variant={isReadOnly ? 'filled' : 'default'}
          error={errors.pluralName}
        />
        <Given object={object} />
        <Textarea
          label="Description"
          value={form.fields.description}
          onChange={({ currentTarget }) => form.set({ description: currentTarget.value })}
          maxLength={2000}
          readOnly={isReadOnly}
          variant={isReadOnly ? 'filled' : 'default'}
          error={errors.description}
        />
        <FormError error={form.error} fields={['pluralName', 'description']} />
        {!isReadOnly && (
          <Group>
            <Button type="submit" loading={form.isBusy} disabled={!form.isChanged}>
              Save changes
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
