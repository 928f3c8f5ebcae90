import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrors, hasCode, messageOf } from '../../../../shared/api/errors.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { createObject } from '../../api/object-administration.ts'
import { settingsPaths } from '../../paths.ts'
import { SlugField, useSlug } from './slug-field.tsx'
import { useRefreshObjects } from './use-object-change.ts'

const EMPTY = { pluralName: '', singularName: '', description: '' }

function useNewObject() {
  const org = useOrg()
  const navigate = useNavigate()
  const [fields, setFields] = useState(EMPTY)
  const slug = useSlug('object', fields.pluralName)
  const refresh = useRefreshObjects()
  const submission = useSubmit(async () => {
    const { slug: made } = await createObject(org, { ...fields, ...(slug.chosen && { slug: slug.chosen }) })
    // Its page looks it up among all objects.
    await refresh()
    await navigate({ to: settingsPaths.settingsObject(org, made) })
  })
  const set = (part: Partial<typeof EMPTY>) => setFields({ ...fields, ...part })
  return { ...submission, fields, set, slug }
}

const errorsOf = (error: unknown): Record<string, string> =>
  hasCode(error, 'slug_conflict') ? { slug: messageOf(error) } : fieldErrors(error)

function Names({ form, errors }: { form: ReturnType<typeof useNewObject>; errors: Record<string, string> }) {
  return (
    <>
      <TextInput
        label="Plural name"
        placeholder="Projects"
        value={form.fields.pluralName}
        onChange={({ currentTarget }) => form.set({ pluralName: currentTarget.value })}
        maxLength={200}
        required
        data-autofocus
        autoComplete="off"
        error={errors.pluralName}
      />
      <TextInput
        label="Singular name"
        description="It cannot be changed later"
        placeholder="Project"
        value={form.fields.singularName}
        onChange={({ currentTarget }) => form.set({ singularName: currentTarget.value })}
        maxLength={200}
        required
        autoComplete="off"
        error={errors.singularName}
      />
    </>
  )
}

export function NewObjectPanel({ onClose }: { onClose(): void }) {
  const form = useNewObject()
  const errors = errorsOf(form.error)
  return (
    <SidePanel title="New object" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit(undefined)
        }}
      >
        <Stack gap="md">
          <Names form={form} errors={errors} />
          <SlugField {...form.slug} error={errors.slug} />
          <Textarea
            label="Description"
            value={form.fields.description}
            onChange={({ currentTarget }) => form.set({ description: currentTarget.value })}
            maxLength={2000}
            error={errors.description}
          />
          {!errors.slug && <FormError error={form.error} fields={[...Object.keys(EMPTY), 'slug']} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={form.isBusy}>
              Create object
            </Button>
          </Group>
        </Stack>
      </form>
    </SidePanel>
  )
}
