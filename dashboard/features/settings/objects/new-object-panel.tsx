import { Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { fieldErrors, hasCode, messageOf } from '../../../shared/api/errors.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { type DataForm, useDataForm } from '../../../shared/form/use-data-form.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { createObject } from '../api/object-administration.ts'
import { settingsPaths } from '../paths.ts'
import { SlugField } from './slug-field.tsx'
import { useRefreshObjects } from './use-object-change.ts'

interface Fields {
  pluralName: string
  singularName: string
  description: string
  slug: string | null
}

const EMPTY: Fields = { pluralName: '', singularName: '', description: '', slug: null }

const problemsOf = (error: unknown): Record<string, string> =>
  hasCode(error, 'slug_conflict') ? { slug: messageOf(error) } : fieldErrors(error)

function useNewObject(onClose: () => void) {
  const org = useOrg()
  const navigate = useNavigate()
  const refresh = useRefreshObjects()
  return useDataForm({
    draft: 'new object',
    initial: EMPTY,
    problemsOf,
    async save({ slug, ...names }, { forget }) {
      const { slug: made } = await createObject(org, { ...names, ...(slug && { slug }) })
      forget()
      // The page of the new object reads the list of all objects.
      await refresh()
      await navigate({ to: settingsPaths.settingsObject(org, made) })
    },
    onClose,
  })
}

function Names({ form }: { form: DataForm<Fields> }) {
  return (
    <>
      <TextInput
        label="Plural name"
        placeholder="Projects"
        {...form.field('pluralName')}
        required
        data-autofocus
        autoComplete="off"
      />
      <TextInput
        label="Singular name"
        description="It cannot be changed later"
        placeholder="Project"
        {...form.field('singularName')}
        required
        autoComplete="off"
      />
    </>
  )
}

export function NewObjectPanel({ onClose }: { onClose(): void }) {
  const form = useNewObject(onClose)
  return (
    <SidePanel title="New object" onClose={onClose}>
      <Form form={form}>
        <Names form={form} />
        <SlugField kind="object" name={form.values.pluralName} {...form.field('slug')} />
        <Textarea label="Description" {...form.field('description')} />
        <FormEnd form={form} verb="Create object" />
      </Form>
    </SidePanel>
  )
}
