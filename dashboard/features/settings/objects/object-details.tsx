// The names of an object, as a form.

import { Group, Textarea, TextInput } from '@mantine/core'
import { changedFields } from '../../../shared/form/changed-fields.ts'
import { Form, FormProblem, SubmitButton } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { type ObjectOverview, patchObject } from '../api/object-administration.ts'
import { useRefreshObjects } from './use-object-change.ts'

function useDetails(object: ObjectOverview) {
  const org = useOrg()
  const refresh = useRefreshObjects()
  return useDataForm({
    draft: `object ${object.id}`,
    initial: () => ({ pluralName: object.pluralName, description: object.description }),
    async save(sent, { before, settle }) {
      const { pluralName, description } = await patchObject(org, object.slug, changedFields(before, sent))
      settle({ pluralName, description }, sent)
      await refresh()
    },
  })
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
  return (
    <Form form={form} gap="sm" maw={480}>
      <TextInput label="Plural name" {...form.field('pluralName')} required />
      <Given object={object} />
      <Textarea label="Description" {...form.field('description')} />
      <FormProblem form={form} />
      <Group>
        <SubmitButton form={form} isReady={form.isChanged}>
          Save changes
        </SubmitButton>
      </Group>
    </Form>
  )
}
