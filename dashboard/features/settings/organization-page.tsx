import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { TRASH_DAYS_MAX } from '../../../contract/limits.ts'
import type { Organization, OrganizationPatch } from '../../../contract/organization.ts'
import { fieldErrors } from '../../shared/api/errors.ts'
import { sessionQuery } from '../../shared/api/session.ts'
import { DraftForm } from '../../shared/drafts/draft-form.tsx'
import { useDraft } from '../../shared/drafts/use-draft.ts'
import { FormError } from '../../shared/form-error.tsx'
import { toast } from '../../shared/toast.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import { useSubmit } from '../../shared/use-submit.ts'
import { ReadOnlyNote } from '../../ui/allowed.tsx'
import { SettingsPage } from '../../ui/sections.tsx'
import { RegionFields } from '../identity/region-fields.tsx'
import { organizationQuery, patchOrganization } from './api/organization.ts'

const FIELDS = ['name', 'country', 'currency', 'timeZone', 'trashDays'] as const
type Fields = Pick<Organization, (typeof FIELDS)[number]>

/** Only what was changed, so that two people's changes of different things both stay. */
const changesOf = (before: Fields, after: Fields): OrganizationPatch =>
  Object.fromEntries(FIELDS.filter((field) => before[field] !== after[field]).map((one) => [one, after[one]]))

const fieldsOf = (saved: Organization): Fields =>
  Object.fromEntries(FIELDS.map((field) => [field, saved[field]])) as unknown as Fields

function useOrganizationForm(org: string) {
  const client = useQueryClient()
  const { data } = useSuspenseQuery(organizationQuery(org))
  const draft = useDraft<Fields>('organization', () => fieldsOf(data))
  const { submit, isBusy, error } = useSubmit(async () => {
    const sent = draft.value
    const saved = await patchOrganization(org, changesOf(draft.initial, sent))
    client.setQueryData(organizationQuery(org).queryKey, saved)
    draft.settle(fieldsOf(saved), sent)
    await client.invalidateQueries({ queryKey: sessionQuery().queryKey })
    toast('Organization saved')
  })
  return { draft, submit, isBusy, error }
}

type Form = ReturnType<typeof useOrganizationForm>

function SaveButtons({ form }: { form: Form }) {
  return (
    <Group gap="xs">
      <Button type="submit" loading={form.isBusy} disabled={!form.draft.isChanged}>
        Save changes
      </Button>
      {form.draft.isChanged && (
        <Button variant="default" onClick={form.draft.reset}>
          Discard
        </Button>
      )}
    </Group>
  )
}

function Fieldset({ form, disabled }: { form: Form; disabled: boolean }) {
  const { value, change } = form.draft
  const errors = fieldErrors(form.error)
  return (
    <Stack gap="sm" maw={400}>
      <TextInput
        label="Name"
        value={value.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        required
        disabled={disabled}
        error={errors.name}
      />
      <RegionFields value={value} onChange={change} errors={errors} disabled={disabled} />
      <NumberInput
        label="Days in the trash"
        description="How long deleted records, attributes and objects can be restored"
        value={value.trashDays}
        onChange={(days) => change({ trashDays: Number(days) })}
        min={1}
        max={TRASH_DAYS_MAX}
        clampBehavior="blur"
        allowDecimal={false}
        required
        disabled={disabled}
        error={errors['trashDays']}
      />
      <FormError error={form.error} fields={FIELDS} />
      {!disabled && <SaveButtons form={form} />}
    </Stack>
  )
}

export function OrganizationPage() {
  const { organization, may } = useOrganization()
  const form = useOrganizationForm(organization.slug)
  const isReadOnly = !may('admin')
  return (
    <SettingsPage
      title="General"
      lead="What the organization is called, how it reads telephone numbers, amounts and days, and for how long it keeps deleted records."
    >
      {isReadOnly && <ReadOnlyNote>Only owners and admins can change the organization.</ReadOnlyNote>}
      <DraftForm draft={form.draft} onSubmit={() => form.submit(undefined)}>
        <Fieldset form={form} disabled={isReadOnly} />
      </DraftForm>
    </SettingsPage>
  )
}
