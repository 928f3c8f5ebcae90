import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NAME_MAX, TRASH_DAYS_MAX } from '../../../contract/limits.ts'
import type { Organization, OrganizationPatch } from '../../../contract/organization.ts'
import { fieldErrors } from '../../shared/api/errors.ts'
import { sessionQuery } from '../../shared/api/session.ts'
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

function useOrganizationForm(org: string) {
  const client = useQueryClient()
  const { data: saved } = useSuspenseQuery(organizationQuery(org))
  const [fields, setFields] = useState<Fields>(saved)
  const changes = changesOf(saved, fields)
  const { submit, isBusy, error } = useSubmit(async () => {
    const after = await patchOrganization(org, changes)
    client.setQueryData(organizationQuery(org).queryKey, after)
    setFields(after)
    await client.invalidateQueries({ queryKey: sessionQuery().queryKey })
    toast('Organization saved')
  })
  const isChanged = Object.keys(changes).length > 0
  return { fields, setFields, reset: () => setFields(saved), isChanged, submit, isBusy, error }
}

type Form = ReturnType<typeof useOrganizationForm>

function SaveButtons({ form }: { form: Form }) {
  return (
    <Group gap="xs">
      <Button type="submit" loading={form.isBusy} disabled={!form.isChanged}>
        Save changes
      </Button>
      {form.isChanged && (
        <Button variant="default" onClick={form.reset}>
          Discard
        </Button>
      )}
    </Group>
  )
}

function Fieldset({ form, disabled }: { form: Form; disabled: boolean }) {
  const errors = fieldErrors(form.error)
  return (
    <Stack gap="sm" maw={400}>
      <TextInput
        label="Name"
        value={form.fields.name}
        onChange={({ currentTarget }) => form.setFields({ ...form.fields, name: currentTarget.value })}
        maxLength={NAME_MAX}
        required
        disabled={disabled}
        error={errors.name}
      />
      <RegionFields
        value={form.fields}
        onChange={(region) => form.setFields({ ...form.fields, ...region })}
        errors={errors}
        disabled={disabled}
      />
      <NumberInput
        label="Days in the trash"
        description="How long deleted records, attributes and objects can be restored"
        value={form.fields.trashDays}
        onChange={(days) => form.setFields({ ...form.fields, trashDays: Number(days) })}
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
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit(undefined)
        }}
      >
        <Fieldset form={form} disabled={isReadOnly} />
      </form>
    </SettingsPage>
  )
}
