// The names of an object, as a form.

import { Group, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { changedFields } from '../../../shared/form/changed-fields.ts'
import { Form, FormProblem, SubmitButton } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { useFollowing } from '../../../shared/form/use-following.ts'
import { offerFieldsUndo } from '../../../shared/undo/offer-fields-undo.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { allObjectsQuery, type ObjectOverview, patchObject } from '../api/object-administration.ts'
import { useRefreshObjects } from './use-object-change.ts'

type Names = Pick<ObjectOverview, 'pluralName' | 'description'>

const namesOf = ({ pluralName, description }: Names): Names => ({ pluralName, description })

function useDetails(object: ObjectOverview) {
  const org = useOrg()
  const refresh = useRefreshObjects()
  const client = useQueryClient()
  const read = async () => {
    const objects = await client.fetchQuery({ ...allObjectsQuery(org), staleTime: 0 })
    return namesOf(objects.find(({ id }) => id === object.id) ?? object)
  }
  const write = async (patch: Partial<Names>) => {
    const saved = await patchObject(org, object.slug, patch)
    await refresh()
    return namesOf(saved)
  }
  const form = useDataForm<Names>({
    draft: `object ${object.id}`,
    initial: () => namesOf(object),
    async save(sent, { before, settle }) {
      const saved = await write(changedFields(before, sent))
      settle(saved, sent)
      offerFieldsUndo({ label: `${saved.pluralName} saved`, before, saved, read, write })
    },
  })
  useFollowing(form, namesOf(object))
  return form
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
