// What an object is called.
import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { fieldErrors } from '../../../../shared/api/errors.ts'
import { DraftForm } from '../../../../shared/drafts/draft-form.tsx'
import { changedFields, useDraft } from '../../../../shared/drafts/use-draft.ts'
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
  const draft = useDraft<Fields>(`object ${object.id}`, () => ({
    pluralName: object.pluralName,
    description: object.description,
  }))
  const submission = useObjectChange(async () => {
    const sent = draft.value
    const { pluralName, description } = await patchObject(
      org,
      object.slug,
      changedFields(draft.initial, sent),
    )
    draft.settle({ pluralName, description }, sent)
  })
  return { ...submission, draft }
}

function Given({ object }: { object: ObjectOverview }) {
  return (
    <Group grow align="flex-start">
      <TextInput label="Singular name" value={object.singularName} readOnly variant="filled" />
      <TextInput label="Slug" value={object.slug} readOnly variant="filled" ff="monospace" />
    </Group>
  )
}

export function ObjectDetails({ object }: { object: ObjectOverview }) {
  const form = useDetails(object)
  const { value, change, isChanged } = form.draft
  const errors = fieldErrors(form.error)
  return (
    <DraftForm draft={form.draft} onSubmit={() => form.submit(undefined)}>
      <Stack gap="sm" maw={480} align="stretch">
        <TextInput
          label="Plural name"
          value={value.pluralName}
          onChange={({ currentTarget }) => change({ pluralName: currentTarget.value })}
          required
          error={errors.pluralName}
        />
        <Given object={object} />
        <Textarea
          label="Description"
          value={value.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          error={errors.description}
        />
        <FormError error={form.error} fields={['pluralName', 'description']} />
        <Group>
          <Button type="submit" loading={form.isBusy} disabled={!isChanged}>
            Save changes
          </Button>
        </Group>
      </Stack>
    </DraftForm>
  )
}
