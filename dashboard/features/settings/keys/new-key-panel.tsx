// Creates a key, then shows the complete key once.
import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Scope } from '../../../../contract/scopes.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { type DataForm, useDataForm } from '../../../shared/form/use-data-form.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { CodeBox } from '../../../ui/code-box.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { apiKeysQuery, type CreatedApiKey, createApiKey } from '../api/api-keys.ts'
import { curlFor } from './curl.ts'
import { EXPIRATIONS, type Expiration, expiresAt } from './expiry.ts'
import { ScopeFields } from './scope-fields.tsx'

/** Shows the complete new key, only once. */
function KeyOnce({ created, onClose }: { created: CreatedApiKey; onClose(): void }) {
  const curl = curlFor(location.origin, created)
  return (
    <Stack gap="md">
      <div className="note warning" role="status">
        <TriangleAlert size={14} aria-hidden />
        <span>
          Copy the key now and keep it where you keep secrets: it is shown only once and cannot be looked up
          later.
        </span>
      </div>
      <CodeBox code={created.key} label="Copy key" wraps />
      {curl && (
        <>
          <Text component="h3" fw={500}>
            Try it
          </Text>
          <CodeBox code={curl} label="Copy command" />
        </>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}

interface Fields {
  name: string
  scopes: readonly Scope[] | null
  expiration: Expiration
  lastDay: string
}

const EMPTY: Fields = { name: '', scopes: [], expiration: '90', lastDay: '' }

function useNewKey(onCreated: (key: CreatedApiKey) => void, onClose: () => void) {
  const org = useOrg()
  const client = useQueryClient()
  return useDataForm<Fields>({
    draft: 'new API key',
    initial: EMPTY,
    async save({ name, scopes, expiration, lastDay }, { forget }) {
      const expires = expiresAt(expiration, lastDay, Date.now())
      const created = await createApiKey(org, {
        name,
        scopes: scopes && [...scopes],
        ...(expires !== undefined && { expiresAt: expires }),
      })
      forget()
      onCreated(created)
      await client.invalidateQueries({ queryKey: apiKeysQuery(org).queryKey })
    },
    onClose,
  })
}

const isComplete = ({ name, scopes, expiration, lastDay }: Fields) =>
  name.trim() !== '' && scopes?.length !== 0 && (expiration !== 'date' || lastDay !== '')

function ExpirationField({ form }: { form: DataForm<Fields> }) {
  const { error: _, ...expiration } = form.field('expiration')
  return (
    <Stack gap={4}>
      <span id="expiration">Expires</span>
      <SegmentedControl
        aria-labelledby="expiration"
        fullWidth
        data={EXPIRATIONS.map(({ value, label }) => ({ value, label }))}
        {...expiration}
      />
      {expiration.value === 'date' && (
        <TextInput
          type="date"
          label="Last day"
          {...form.field('lastDay')}
          error={form.errors['expiresAt']}
          required
        />
      )}
    </Stack>
  )
}

function NewKeyForm({ form }: { form: DataForm<Fields> }) {
  const { values } = form
  return (
    <Form form={form}>
      <TextInput
        label="Name"
        description="What uses the key, such as “Website forms”"
        {...form.field('name')}
        required
        data-autofocus
        autoComplete="off"
      />
      <ScopeFields {...form.field('scopes')} />
      <ExpirationField form={form} />
      <FormEnd
        form={form}
        verb="Create key"
        isReady={isComplete(values)}
        shown={['name', ...(values.expiration === 'date' ? ['expiresAt'] : [])]}
      />
    </Form>
  )
}

export function NewKeyPanel({ onClose }: { onClose(): void }) {
  const [created, setCreated] = useState<CreatedApiKey>()
  const form = useNewKey(setCreated, onClose)
  return (
    <SidePanel
      title={created ? `Key “${created.name}” created` : 'New API key'}
      onClose={onClose}
      isHeld={created !== undefined}
    >
      {created ? <KeyOnce created={created} onClose={onClose} /> : <NewKeyForm form={form} />}
    </SidePanel>
  )
}
