// Making a key; then the one time it is seen whole.
import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Scope } from '../../../../../contract/scopes.ts'
import { fieldErrors } from '../../../../shared/api/errors.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { apiKeysQuery, type CreatedApiKey, createApiKey } from '../../api/api-keys.ts'
import { EXPIRATIONS, type Expiration, expiresAt } from './expiry.ts'
import { KeyOnce } from './key-once.tsx'
import { ScopeFields } from './scope-fields.tsx'

function useNewKey(onCreated: (key: CreatedApiKey) => void) {
  const org = useOrg()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[] | null>([])
  const [expiration, setExpiration] = useState<Expiration>('90')
  const [lastDay, setLastDay] = useState('')
  const submission = useSubmit(async () => {
    const expires = expiresAt(expiration, lastDay, Date.now())
    onCreated(
      await createApiKey(org, {
        name,
        scopes: scopes && [...scopes],
        ...(expires !== undefined && { expiresAt: expires }),
      }),
    )
    await client.invalidateQueries({ queryKey: apiKeysQuery(org).queryKey })
  })
  const isComplete = name.trim() !== '' && scopes?.length !== 0 && (expiration !== 'date' || lastDay !== '')
  const fields = { name, setName, scopes, setScopes, expiration, setExpiration, lastDay, setLastDay }
  return { ...submission, ...fields, isComplete }
}

type Form = ReturnType<typeof useNewKey>

function ExpirationField({ form, error }: { form: Form; error: string | undefined }) {
  return (
    <Stack gap={4}>
      <span id="expiration">Expires</span>
      <SegmentedControl
        aria-labelledby="expiration"
        fullWidth
        data={EXPIRATIONS.map(({ value, label }) => ({ value, label }))}
        value={form.expiration}
        onChange={(value) => form.setExpiration(value as Expiration)}
      />
      {form.expiration === 'date' && (
        <TextInput
          type="date"
          label="Last day"
          value={form.lastDay}
          onChange={({ currentTarget }) => form.setLastDay(currentTarget.value)}
          error={error}
          required
        />
      )}
    </Stack>
  )
}

function NewKeyForm({ form, onClose }: { form: Form; onClose(): void }) {
  const errors = fieldErrors(form.error)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit(undefined)
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          description="What uses the key, such as “Website forms”"
          value={form.name}
          onChange={({ currentTarget }) => form.setName(currentTarget.value)}
          maxLength={200}
          required
          data-autofocus
          autoComplete="off"
          error={errors.name}
        />
        <ScopeFields value={form.scopes} onChange={form.setScopes} />
        <ExpirationField form={form} error={errors.expiresAt} />
        <FormError
          error={form.error}
          fields={['name', ...(form.expiration === 'date' ? ['expiresAt'] : [])]}
        />
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={form.isBusy} disabled={!form.isComplete}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
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
