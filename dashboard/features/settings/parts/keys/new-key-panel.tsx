// Making a key; then the one time it is seen whole.
import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Scope } from '../../../../../contract/scopes.ts'
import { fieldErrors } from '../../../../shared/api/errors.ts'
import { DraftForm } from '../../../../shared/drafts/draft-form.tsx'
import { useDraft } from '../../../../shared/drafts/use-draft.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { apiKeysQuery, type CreatedApiKey, createApiKey } from '../../api/api-keys.ts'
import { EXPIRATIONS, type Expiration, expiresAt } from './expiry.ts'
import { KeyOnce } from './key-once.tsx'
import { ScopeFields } from './scope-fields.tsx'

interface Fields {
  name: string
  scopes: readonly Scope[] | null
  expiration: Expiration
  lastDay: string
}

const EMPTY: Fields = { name: '', scopes: [], expiration: '90', lastDay: '' }

function useNewKey(onCreated: (key: CreatedApiKey) => void) {
  const org = useOrg()
  const client = useQueryClient()
  const draft = useDraft('new API key', EMPTY)
  const { name, scopes, expiration, lastDay } = draft.value
  const submission = useSubmit(async () => {
    const expires = expiresAt(expiration, lastDay, Date.now())
    const created = await createApiKey(org, {
      name,
      scopes: scopes && [...scopes],
      ...(expires !== undefined && { expiresAt: expires }),
    })
    draft.forget()
    onCreated(created)
    await client.invalidateQueries({ queryKey: apiKeysQuery(org).queryKey })
  })
  const isComplete = name.trim() !== '' && scopes?.length !== 0 && (expiration !== 'date' || lastDay !== '')
  return { ...submission, draft, isComplete }
}

type Form = ReturnType<typeof useNewKey>

function ExpirationField({ form, error }: { form: Form; error: string | undefined }) {
  const { value: fields, change } = form.draft
  return (
    <Stack gap={4}>
      <span id="expiration">Expires</span>
      <SegmentedControl
        aria-labelledby="expiration"
        fullWidth
        data={EXPIRATIONS.map(({ value, label }) => ({ value, label }))}
        value={fields.expiration}
        onChange={(value) => change({ expiration: value as Expiration })}
      />
      {fields.expiration === 'date' && (
        <TextInput
          type="date"
          label="Last day"
          value={fields.lastDay}
          onChange={({ currentTarget }) => change({ lastDay: currentTarget.value })}
          error={error}
          required
        />
      )}
    </Stack>
  )
}

function NewKeyForm({ form, onClose }: { form: Form; onClose(): void }) {
  const { value: fields, change, forget } = form.draft
  const errors = fieldErrors(form.error)
  const cancel = () => {
    forget()
    onClose()
  }
  return (
    <DraftForm draft={form.draft} onSubmit={() => form.submit(undefined)}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="What uses the key, such as “Website forms”"
          value={fields.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          required
          data-autofocus
          autoComplete="off"
          error={errors.name}
        />
        <ScopeFields value={fields.scopes} onChange={(scopes) => change({ scopes })} />
        <ExpirationField form={form} error={errors.expiresAt} />
        <FormError
          error={form.error}
          fields={['name', ...(fields.expiration === 'date' ? ['expiresAt'] : [])]}
        />
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={form.isBusy} disabled={!form.isComplete}>
            Create key
          </Button>
        </Group>
      </Stack>
    </DraftForm>
  )
}

export function NewKeyPanel({ onClose }: { onClose(): void }) {
  const [created, setCreated] = useState<CreatedApiKey>()
  const form = useNewKey(setCreated)
  return (
    <SidePanel
      title={created ? `Key “${created.name}” created` : 'New API key'}
      onClose={onClose}
      isHeld={created !== undefined}
    >
      {created ? (
        <KeyOnce created={created} onClose={onClose} />
      ) : (
        <NewKeyForm form={form} onClose={onClose} />
      )}
    </SidePanel>
  )
}
