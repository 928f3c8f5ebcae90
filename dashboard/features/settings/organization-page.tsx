import { NumberInput, TextInput } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { TRASH_DAYS_MAX } from '../../../contract/limits.ts'
import type { Organization, OrganizationPatch } from '../../../contract/organization.ts'
import { sessionQuery } from '../../shared/api/session.ts'
import { Form, FormProblem } from '../../shared/form/form.tsx'
import { SaveButtons } from '../../shared/form/save-buttons.tsx'
import { useDataForm } from '../../shared/form/use-data-form.ts'
import { useFollowing } from '../../shared/form/use-following.ts'
import { offerFieldsUndo } from '../../shared/undo/offer-fields-undo.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import { ReadOnlyNote } from '../../ui/allowed.tsx'
import { SettingsPage } from '../../ui/sections.tsx'
import { RegionFields } from '../identity/region-fields.tsx'
import { organizationQuery, patchOrganization } from './api/organization.ts'

const FIELDS = ['name', 'country', 'currency', 'timeZone', 'trashDays'] as const
type Fields = Pick<Organization, (typeof FIELDS)[number]>

/** Only changed fields, so that changes of different fields by two people are both kept. */
const changesOf = (before: Fields, after: Fields): OrganizationPatch =>
  Object.fromEntries(FIELDS.filter((field) => before[field] !== after[field]).map((one) => [one, after[one]]))

const fieldsOf = (saved: Organization): Fields =>
  Object.fromEntries(FIELDS.map((field) => [field, saved[field]])) as unknown as Fields

function useOrganizationForm(org: string) {
  const client = useQueryClient()
  const { data } = useSuspenseQuery(organizationQuery(org))
  const write = async (patch: OrganizationPatch) => {
    const saved = await patchOrganization(org, patch)
    client.setQueryData(organizationQuery(org).queryKey, saved)
    void client.invalidateQueries({ queryKey: sessionQuery().queryKey })
    return fieldsOf(saved)
  }
  const form = useDataForm<Fields>({
    draft: 'organization',
    initial: () => fieldsOf(data),
    async save(sent, { before, settle }) {
      const saved = await write(changesOf(before, sent))
      settle(saved, sent)
      const read = async () => fieldsOf(await client.fetchQuery({ ...organizationQuery(org), staleTime: 0 }))
      offerFieldsUndo({ label: 'Organization saved', before, saved, read, write })
    },
  })
  useFollowing(form, fieldsOf(data))
  return form
}

type OrganizationForm = ReturnType<typeof useOrganizationForm>

function Fieldset({ form, disabled }: { form: OrganizationForm; disabled: boolean }) {
  const { values, change, errors } = form
  return (
    <>
      <TextInput label="Name" {...form.field('name')} required disabled={disabled} />
      <RegionFields value={values} onChange={change} errors={errors} disabled={disabled} />
      <NumberInput
        label="Days in the trash"
        description="How long deleted records, attributes and objects can be restored"
        {...form.field('trashDays', Number)}
        min={1}
        max={TRASH_DAYS_MAX}
        clampBehavior="blur"
        allowDecimal={false}
        required
        disabled={disabled}
      />
      <FormProblem form={form} />
      {!disabled && <SaveButtons form={form} label="Save changes" />}
    </>
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
      <Form form={form} gap="sm" maw={400}>
        <Fieldset form={form} disabled={isReadOnly} />
      </Form>
    </SettingsPage>
  )
}
