import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { fieldErrors, hasCode, messageOf } from '../../../../shared/api/errors.ts'
import { DraftForm } from '../../../../shared/drafts/draft-form.tsx'
import { useDraft } from '../../../../shared/drafts/use-draft.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { createObject } from '../../api/object-administration.ts'
import { settingsPaths } from '../../paths.ts'
import { SlugField, slugOf } from './slug-field.tsx'
import { useRefreshObjects } from './use-object-change.ts'

interface Fields {
  pluralName: string
  singularName: string
  description: string
  slug: string | null
}

const EMPTY: Fields = { pluralName: '', singularName: '', description: '', slug: null }

function useNewObject() {
  const org = useOrg()
  const navigate = useNavigate()
  const draft = useDraft('new object', EMPTY)
  const { slug: typed, ...names } = draft.value
  const slug = slugOf('object', { name: names.pluralName, slug: typed }, (to) => draft.change({ slug: to }))
  const refresh = useRefreshObjects()
  const submission = useSubmit(async () => {
    const { slug: made } = await createObject(org, { ...names, ...(slug.chosen && { slug: slug.chosen }) })
    draft.forget()
    // Its page looks it up among all objects.
    await refresh()
    await navigate({ to: settingsPaths.settingsObject(org, made) })
  })
  return { ...submission, draft, slug }
}

const errorsOf = (error: unknown): Record<string, string> =>
  hasCode(error, 'slug_conflict') ? { slug: messageOf(error) } : fieldErrors(error)

function Names({ form, errors }: { form: ReturnType<typeof useNewObject>; errors: Record<string, string> }) {
  const { value, change } = form.draft
  return (
    <>
      <TextInput
        label="Plural name"
        placeholder="Projects"
        value={value.pluralName}
        onChange={({ currentTarget }) => change({ pluralName: currentTarget.value })}
        required
        data-autofocus
        autoComplete="off"
        error={errors.pluralName}
      />
      <TextInput
        label="Singular name"
        description="It cannot be changed later"
        placeholder="Project"
        value={value.singularName}
        onChange={({ currentTarget }) => change({ singularName: currentTarget.value })}
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
  const { value, change, forget } = form.draft
  const cancel = () => {
    forget()
    onClose()
  }
  return (
    <SidePanel title="New object" onClose={onClose}>
      <DraftForm draft={form.draft} onSubmit={() => form.submit(undefined)}>
        <Stack gap="md">
          <Names form={form} errors={errors} />
          <SlugField {...form.slug} error={errors.slug} />
          <Textarea
            label="Description"
            value={value.description}
            onChange={({ currentTarget }) => change({ description: currentTarget.value })}
            error={errors.description}
          />
          {!errors.slug && <FormError error={form.error} fields={Object.keys(EMPTY)} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
            <Button type="submit" loading={form.isBusy}>
              Create object
            </Button>
          </Group>
        </Stack>
      </DraftForm>
    </SidePanel>
  )
}
